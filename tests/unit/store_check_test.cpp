// Whether damage to an SQLite file is found, and a sound one is left in peace.
#include "persistence/sqlite/check.h"
#include "tests/unit/store_contract.h"

namespace landsraad::persistence::store_check_test {

namespace {

using Faults = std::vector<std::string>;

void execute(const std::string& path, const char* sql) {
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &handle) == SQLITE_OK);
  CHECK(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(handle);
}

// A database of a few games with many records, closed, without a page that is free.
std::string some_games(const TemporaryFolder& folder) {
  const std::string path = folder / "games.sqlite";
  Result<std::unique_ptr<SqliteStore>> opened = SqliteStore::open({.path = path});
  struct {
    Store& games;
    Store& store() { return games; }
    void settle() { store().commit(); }
  } engine{*opened.value};
  Pending<Sequence> last;
  for (int game = 0; game < 10; ++game) {
    const std::string id = "game-" + std::to_string(game);
    REQUIRE(create(engine, id, std::string(100, 's')).ok());
    for (Sequence next = 1; next < 40; ++next) {
      last = {};
      engine.store().append(id, 1, next, std::string(100, 'r'), last.callback());
    }
  }
  REQUIRE(last.wait(engine).ok());
  opened.value.reset();
  execute(path, "VACUUM");
  return path;
}

Faults full_check(const std::string& path) {
  Result<Faults> found = check_database({.path = path, .read_only = true}, Depth::full);
  REQUIRE_MESSAGE(found.ok(), found.why);
  return found.value;
}

}  // namespace

TEST_CASE("check: a sound file has no faults, also beside a running store") {
  SqliteEngine running;
  REQUIRE(create(running, "arrakis", "set-up").ok());
  CHECK(full_check(running.path()).empty());
  CHECK(check_database({.path = running.path(), .read_only = true}, Depth::quick).value.empty());
}

TEST_CASE("check: rows that belong to nothing are named") {
  const TemporaryFolder folder;
  const std::string path = some_games(folder);
  execute(path, "PRAGMA foreign_keys = OFF; DELETE FROM game WHERE id = 'game-7'");
  const Faults faults = full_check(path);
  REQUIRE_FALSE(faults.empty());
  CHECK(faults.front() == "a row of record belongs to none of game");
  CHECK(check_database({.path = path, .read_only = true}, Depth::quick).value.empty());
}

TEST_CASE("check: a damaged index and damaged pages are found") {
  const TemporaryFolder folder;
  const std::string path = some_games(folder);
  SUBCASE("an index that misses a row") {
    execute(path,
            "PRAGMA writable_schema = ON;"
            "UPDATE sqlite_schema SET sql = replace(sql, 'status = 1', 'status = 0') WHERE name = 'attic'");
    CHECK_FALSE(full_check(path).empty());
  }
  SUBCASE("page by page") {
    const std::size_t pages = std::filesystem::file_size(path) / 4096;
    REQUIRE(pages > 10);
    const std::string damaged = folder / "damaged";
    for (std::size_t page = 2; page < pages; ++page) {
      std::filesystem::copy_file(path, damaged, std::filesystem::copy_options::overwrite_existing);
      std::fstream file(damaged, std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(static_cast<std::streamoff>(page * 4096));
      file << std::string(64, '\x7f');
      file.close();
      const Faults faults = full_check(damaged);
      CHECK_FALSE(faults.empty());
      for (const std::string& fault : faults) CHECK(fault.find('\n') == std::string::npos);
    }
  }
}

TEST_CASE("check: what is no database cannot be read, and that is said") {
  const TemporaryFolder folder;
  std::ofstream(folder / "letter") << std::string(5000, 'x');
  for (const char* name : {"letter", "missing"}) {
    const Result<Faults> found = check_database({.path = folder / name, .read_only = true}, Depth::full);
    CHECK(found.error == StoreError::unavailable);
    CHECK(found.why.find("cannot read") != std::string::npos);
  }
}

}  // namespace landsraad::persistence::store_check_test
