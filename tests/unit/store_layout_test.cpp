// Files of older layouts, brought up to date when they are opened.
#include <string>
#include <vector>

#include "tests/unit/store_contract.h"

namespace landsraad::persistence::store_layout_test {

namespace {

// What a version that knew layout 2 wrote: three games of two records each, "caladan" claimed and closed.
constexpr const char* kLayout2 = R"sql(
  CREATE TABLE game (
    key        INTEGER PRIMARY KEY,
    id         TEXT    NOT NULL UNIQUE,
    status     INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    epoch      INTEGER NOT NULL,
    records    INTEGER NOT NULL,
    checksum   INTEGER NOT NULL
  ) STRICT;
  INSERT INTO game VALUES(1, 'arrakis', 0, 1000, 1, 2, -8809747218820351977);
  INSERT INTO game VALUES(2, 'caladan', 1, 1000, 2, 2, -307083180244400619);
  INSERT INTO game VALUES(3, 'dune', 0, 1000, 1, 2, 2436401635719100672);
  CREATE INDEX open_game ON game (id) WHERE status = 0;
  CREATE TABLE record (
    game     INTEGER NOT NULL REFERENCES game (key),
    sequence INTEGER NOT NULL,
    bytes    BLOB    NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (game, sequence)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO record VALUES(1, 0, CAST('setup of arrakis' AS BLOB), 6851314288349408814);
  INSERT INTO record VALUES(2, 0, CAST('setup of caladan' AS BLOB), 174941322812523580);
  INSERT INTO record VALUES(2, 1, CAST('first' AS BLOB), 5363320333638170913);
  INSERT INTO record VALUES(3, 0, CAST('setup of dune' AS BLOB), 7539318371313900396);
  INSERT INTO record VALUES(3, 1, CAST('first' AS BLOB), -9174410856550631365);
  CREATE TABLE tail (
    place    INTEGER PRIMARY KEY,
    game     INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    bytes    BLOB    NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;
  INSERT INTO tail VALUES(1, 1, 1, CAST('first' AS BLOB), -1638276146582235786);
  PRAGMA application_id = 1280197715;
  PRAGMA user_version = 2;
)sql";

void execute(const std::string& path, const char* sql) {
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &handle) == SQLITE_OK);
  REQUIRE(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(handle);
}

int layout_of(const std::string& path) {
  const Connection connection = Connection::open(path, SQLITE_OPEN_READONLY, nullptr);
  Statement statement(connection, "PRAGMA user_version");
  REQUIRE(statement.step() == SQLITE_ROW);
  return static_cast<int>(statement.number(0));
}

struct OldFile {
  TemporaryFolder folder;
  std::string path = folder / "old.sqlite";
  OldFile() { execute(path, kLayout2); }
};

struct Opened {
  std::unique_ptr<SqliteStore> sqlite;
  explicit Opened(SqliteSettings settings) {
    Result<std::unique_ptr<SqliteStore>> opened = SqliteStore::open(std::move(settings));
    REQUIRE_MESSAGE(opened.ok(), opened.why);
    sqlite = std::move(opened.value);
  }
  Store& store() { return *sqlite; }
  void settle() { store().commit(); }
};

using Ids = std::vector<GameId>;

}  // namespace

TEST_CASE("layout 2: its games are all there, and go on") {
  const OldFile old;
  Opened engine({.path = old.path});
  CHECK(layout_of(old.path) == kSchemaVersion);
  for (const char* game : {"arrakis", "caladan", "dune"}) {
    const Result<StoredGame> loaded = load(engine, game);
    REQUIRE_MESSAGE(loaded.ok(), loaded.why);
    CHECK(loaded.value.created_ms == 1000);
    CHECK(loaded.value.records == std::vector<Record>{std::string("setup of ") + game, "first"});
  }
  CHECK(load(engine, "caladan").value.status == GameStatus::closed);
  CHECK(load(engine, "caladan").value.epoch == 2);
  CHECK(append(engine, "arrakis", 1, 2, "goes on").ok());
  CHECK(append(engine, "caladan", 2, 2, "late").error == StoreError::closed);
}

TEST_CASE("layout 2: open games are due at once, closed ones count as closed when they began") {
  const OldFile old;
  Opened engine({.path = old.path});
  CHECK(due(engine, 1).value == Ids{"arrakis", "dune"});
  CHECK(purge(engine, 1000).value == 0);
  CHECK(purge(engine, 1001).value == 1);
}

TEST_CASE("layout 2: who plays and what is listed is found in the set-ups") {
  const OldFile old;
  std::vector<Record> asked;
  const Describe describe = [&](const Record& setup) -> GameDescription {
    asked.push_back(setup);
    if (setup == "setup of arrakis") return {.players = {"paul", "paul", "chani"}, .listed = false};
    if (setup == "setup of dune") return {.players = {"paul", ""}};  // breaks a limit
    return {.players = {"paul"}};
  };
  for (int opened = 0; opened < 2; ++opened) {
    Opened engine({.path = old.path, .describe = describe});
    CHECK(ids(engine, {}) == Ids{"caladan", "dune"});
    CHECK(ids(engine, {.player = "paul"}) == Ids{"arrakis", "caladan"});
    CHECK(ids(engine, {.player = "chani"}) == Ids{"arrakis"});
  }
  CHECK(asked == std::vector<Record>{"setup of arrakis", "setup of caladan", "setup of dune"});
}

TEST_CASE("layout 2: without somebody to ask its games are listed") {
  const OldFile old;
  Opened engine({.path = old.path});
  CHECK(ids(engine, {}) == Ids{"arrakis", "caladan", "dune"});
}

TEST_CASE("layout 2: a damaged game stays damaged and stops nothing") {
  const OldFile old;
  SUBCASE("its entry") { execute(old.path, "UPDATE game SET epoch = 7 WHERE key = 1"); }
  SUBCASE("its set-up") { execute(old.path, "UPDATE record SET bytes = x'00' WHERE game = 1"); }
  bool asked = false;
  Opened engine({.path = old.path, .describe = [&](const Record& setup) -> GameDescription {
                   asked = asked || setup.find("arrakis") != Record::npos || setup.size() == 1;
                   return {};
                 }});
  CHECK_FALSE(asked);
  CHECK(load(engine, "arrakis").error == StoreError::corrupt);
  CHECK(load(engine, "dune").ok());
  CHECK_FALSE(list(engine, {}).value.games.at(0).readable);
}

TEST_CASE("layout 2: a migration that fails changes nothing") {
  const OldFile old;
  // A table in the way, behind the first of the migration's statements.
  execute(old.path, "CREATE TABLE text (x)");
  const Result<std::unique_ptr<SqliteStore>> opened = SqliteStore::open({.path = old.path});
  CHECK(opened.error == StoreError::unavailable);
  CHECK(opened.why.find("cannot set up") != std::string::npos);
  CHECK(layout_of(old.path) == 2);
  execute(old.path, "DROP TABLE text");
  Opened engine({.path = old.path});
  CHECK(load(engine, "arrakis").value.records.size() == 2);
}

TEST_CASE("layout 2: many games are brought up to date") {
  const OldFile old;
  execute(old.path,
          "WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
          "INSERT INTO game SELECT i, 'game' || i, 0, 0, 1, 1, i FROM n");
  Opened engine({.path = old.path});
  CHECK(due(engine, 1).value == Ids{"arrakis", "dune"});  // the others are damaged
  CHECK(list(engine, {.after = "game", .limit = 1000}).value.more);
}

}  // namespace landsraad::persistence::store_layout_test
