// Copies made beside a running server: of one moment, whole or not there at all, and good to go on from.
#include <sys/stat.h>

#include <vector>

#include "persistence/new_file.h"
#include "persistence/sqlite/backup.h"
#include "persistence/sqlite/faulty_vfs.h"
#include "tests/unit/store_contract.h"

namespace landsraad::persistence::store_backup_test {

namespace {

namespace fs = std::filesystem;

constexpr Sequence kGames = 6;
constexpr Sequence kRecords = 80;  // of each game before the copy is made

std::string id(Sequence game) { return "game-" + std::to_string(game); }

Record content_of(Sequence game, Sequence sequence) {
  return std::string(200, static_cast<char>('a' + sequence % 26)) + id(game) + ":" + std::to_string(sequence);
}

void play(SqliteEngine& engine, Sequence game, Sequence sequence) {
  const Result<Sequence> appended = append(engine, id(game), 1, sequence, content_of(game, sequence));
  REQUIRE_MESSAGE(appended.ok(), appended.why);
}

// All at once, so that they share commits.
void play_all(SqliteEngine& engine) {
  Pending<Sequence> last;
  for (Sequence game = 0; game < kGames; ++game) {
    REQUIRE(create(engine, id(game), content_of(game, 0)).ok());
    for (Sequence sequence = 1; sequence < kRecords; ++sequence) {
      last = {};
      engine.store().append(id(game), 1, sequence, content_of(game, sequence), last.callback());
    }
  }
  REQUIRE(last.wait(engine).ok());
}

// A store on a file, opened as a server would.
struct Restored {
  explicit Restored(const std::string& path) {
    Result<std::unique_ptr<SqliteStore>> opened = SqliteStore::open({.path = path});
    REQUIRE_MESSAGE(opened.ok(), opened.why);
    sqlite = std::move(opened.value);
  }
  Store& store() { return *sqlite; }
  void settle() { store().commit(); }
  std::unique_ptr<SqliteStore> sqlite;
};

void check_games(Restored& restored) {
  for (Sequence game = 0; game < kGames; ++game) {
    const Result<StoredGame> loaded = load(restored, id(game));
    REQUIRE_MESSAGE(loaded.ok(), loaded.why);
    REQUIRE(loaded.value.records.size() == kRecords);
    for (Sequence sequence = 0; sequence < kRecords; ++sequence)
      CHECK(loaded.value.records[sequence] == content_of(game, sequence));
  }
}

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  return names;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("backup: a copy is of the moment it was begun, and the writer goes on") {
  const TemporaryFolder folder;
  const std::string copy = folder / "copy.sqlite";
  {
    SqliteEngine running;
    play_all(running);
    Sequence turn = 0;
    std::vector<std::uint64_t> copied;
    const auto go_on = [&](std::uint64_t done, std::uint64_t all) {
      copied.push_back(done);
      CHECK(done <= all);
      REQUIRE(copied.size() < 1000);  // a copy that starts over whenever something is written never ends
      play(running, turn % kGames, kRecords + turn / kGames);
      ++turn;
    };
    const Result<std::uint64_t> made = back_up({.path = running.path()}, copy, go_on, 4);
    REQUIRE_MESSAGE(made.ok(), made.why);
    CHECK(made.value == fs::file_size(copy));
    CHECK(copied.size() > kGames);
    CHECK(copied.front() == 4);
    CHECK(copied.back() > copied.front());
  }
  CHECK(files_in(fs::path(copy).parent_path()) == std::vector<std::string>{"copy.sqlite"});
  struct stat status {};
  REQUIRE(stat(copy.c_str(), &status) == 0);
  CHECK((status.st_mode & 077U) == 0);
  Restored restored(copy);
  check_games(restored);
  CHECK(append(restored, id(0), 1, kRecords, "the game goes on").ok());
}

TEST_CASE("backup: restoring is putting the file in the old one's place") {
  SqliteEngine running;
  const TemporaryFolder folder;
  const std::string database = folder / "games.sqlite";
  {
    Restored server(database);
    REQUIRE(create(server, "lost", "of another time").ok());
    server.sqlite.reset();
    std::ofstream(database + "-wal") << "of another time";
    std::ofstream(database + "-shm") << "of another time";
  }
  play_all(running);
  const std::string copy = folder / "copy.sqlite";
  REQUIRE(back_up({.path = running.path()}, copy).ok());
  fs::remove(database + "-wal");
  fs::remove(database + "-shm");
  fs::rename(copy, database);
  Restored restored(database);
  check_games(restored);
  CHECK(load(restored, "lost").error == StoreError::not_found);
}

TEST_CASE("backup: nothing is overwritten, least of all the database") {
  SqliteEngine running;
  play_all(running);
  const TemporaryFolder folder;
  const std::string taken = folder / "taken";
  std::ofstream(taken) << "a letter";
  const auto made = [&](const std::string& target) { return back_up({.path = running.path()}, target); };
  CHECK(made(taken).error == StoreError::exists);
  CHECK(fs::file_size(taken) == 8);
  CHECK(made(running.path()).error == StoreError::invalid);
  for (const char* suffix : {"-wal", "-shm", "-journal", "-lock"})
    CHECK(made(running.path() + suffix).error == StoreError::invalid);
  fs::create_symlink(running.path(), folder / "link");
  CHECK(made(folder / "link").error == StoreError::invalid);
  CHECK(has(made(folder / "no/such/folder").why, "No such file"));
  CHECK(load(running, id(0)).ok());
}

TEST_CASE("backup: only of a server's database, which must be there") {
  const TemporaryFolder folder;
  const std::string target = folder / "copy";
  const auto why = [&](const std::string& source) { return back_up({.path = source}, target).why; };
  CHECK(has(why(folder / "missing"), "cannot open"));
  std::ofstream(folder / "letter") << std::string(5000, 'x');
  CHECK(has(why(folder / "letter"), "not a database"));
  sqlite3* other = nullptr;
  REQUIRE(sqlite3_open((folder / "other").c_str(), &other) == SQLITE_OK);
  REQUIRE(sqlite3_exec(other, "CREATE TABLE t (a)", nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(other);
  CHECK(has(why(folder / "other"), "not the database of a server"));
  CHECK_FALSE(fs::exists(target));
  CHECK_FALSE(fs::exists(target + ".part"));
}

TEST_CASE("backup: what fails leaves nothing behind") {
  SqliteEngine running;
  play_all(running);
  DiskFaults& disk = faulty_disk();
  const TemporaryFolder folder;
  const std::string target = folder / "copy";
  SUBCASE("no space") {
    disk.full = true;
    CHECK(has(back_up({.path = running.path(), .vfs = kFaultyVfs}, target).why, "no space for"));
    disk.full = false;
  }
  SUBCASE("a failing disk") {
    disk.writes_fail = true;
    CHECK(has(back_up({.path = running.path(), .vfs = kFaultyVfs}, target).why, "cannot copy to"));
    disk.writes_fail = false;
  }
  SUBCASE("a source that is not sound") {
    running.close_and_reopen();
    const std::string damaged = folder / "damaged";
    fs::copy_file(running.path(), damaged);
    {
      std::fstream file(damaged, std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(3 * 4096 + 2);
      file << "\xff\xff\xff\xff\xff\xff";
    }
    const Result<std::uint64_t> made = back_up({.path = damaged}, target);
    CHECK(made.error == StoreError::corrupt);
    CHECK(has(made.why, "not sound"));
    fs::remove(damaged);
    fs::remove(damaged + "-wal");
    fs::remove(damaged + "-shm");
  }
  CHECK(files_in(fs::path(target).parent_path()).empty());
  CHECK(back_up({.path = running.path()}, target).ok());
}

TEST_CASE("a new file takes what a killed process left, but nothing from one that is at work") {
  const TemporaryFolder folder;
  const std::string path = folder / "file";
  std::ofstream(path + ".part") << "left behind by a process that was killed";
  {
    Result<NewFile> file = NewFile::begin(path);
    REQUIRE(file.ok());
    CHECK(has(NewFile::begin(path).why, "another process is writing"));
    CHECK(file.value.write("whole").ok());
    CHECK_FALSE(fs::exists(path));
    CHECK(file.value.finish().ok());
  }
  CHECK(fs::file_size(path) == 5);
  CHECK_FALSE(fs::exists(path + ".part"));
  CHECK(NewFile::begin(path).error == StoreError::exists);

  const std::string late = folder / "late";
  Result<NewFile> file = NewFile::begin(late);
  std::ofstream(late) << "somebody was faster";
  CHECK(file.value.finish().error == StoreError::exists);
  file.value = NewFile();
  CHECK_FALSE(fs::exists(late + ".part"));
  CHECK(fs::file_size(late) == 19);
}

}  // namespace landsraad::persistence::store_backup_test
