// Games that sleep, wake, grow old and are forgotten, run against each engine.
#include <vector>

#include "tests/unit/store_contract.h"

namespace landsraad::persistence::store_sleep_test {

namespace {

using Ids = std::vector<GameId>;

template <class Engine>
void create_sleeping(Engine& engine, const GameId& game, UnixMs wake_ms) {
  create(engine, game, "setup of " + game);
  sleep(engine, game, 1, wake_ms);
}

template <class Engine>
void create_closed(Engine& engine, const GameId& game, UnixMs closed_ms) {
  create(engine, game, NewGame{.records = {"setup", "record"}, .players = {"paul"}});
  append(engine, game, 1, 2, "last");
  keep_snapshot(engine, game, 1, 2, "snapshot");
  close(engine, game, 1, closed_ms);
  sleep(engine, game, 1);
}

}  // namespace

// ---- Due.

TEST_CASE_TEMPLATE("sleeping games are due at their time, the longest due first", Engine, ENGINES) {
  Engine engine;
  create_sleeping(engine, "ix", 300);
  create_sleeping(engine, "dune", 100);
  create_sleeping(engine, "caladan", 200);
  create_sleeping(engine, "arrakis", 200);
  CHECK(due(engine, 99).value.empty());
  CHECK(due(engine, 100).value == Ids{"dune"});
  CHECK(due(engine, 1000).value == Ids{"dune", "arrakis", "caladan", "ix"});
  CHECK(due(engine, 1000, 2).value == Ids{"dune", "arrakis"});
}

TEST_CASE_TEMPLATE("a game that never wants to be woken is never due", Engine, ENGINES) {
  Engine engine;
  create_sleeping(engine, "arrakis", kNever);
  CHECK(due(engine, kNever).value.empty());
  create_sleeping(engine, "caladan", kNever - 1);
  CHECK(due(engine, kNever).value == Ids{"caladan"});
}

TEST_CASE_TEMPLATE("a game that is awake or closed is not due", Engine, ENGINES) {
  Engine engine;
  create(engine, "awake", "setup");
  create_sleeping(engine, "claimed", 100);
  claim(engine, "claimed");
  create_sleeping(engine, "closed", 100);
  close(engine, "closed", 1);
  CHECK(due(engine, 1000).value.empty());
}

TEST_CASE_TEMPLATE("a game can be put to sleep anew", Engine, ENGINES) {
  Engine engine;
  create_sleeping(engine, "arrakis", 100);
  CHECK(claim(engine, "arrakis").value == 2);
  CHECK(append(engine, "arrakis", 2, 1, "a").ok());
  CHECK(sleep(engine, "arrakis", 2, 500).value == 500);
  CHECK(due(engine, 499).value.empty());
  CHECK(due(engine, 500).value == Ids{"arrakis"});
  CHECK(sleep(engine, "arrakis", 2, 0).error == StoreError::invalid);
  CHECK(sleep(engine, "arrakis", 2, -1).error == StoreError::invalid);
  CHECK(due(engine, 500).value == Ids{"arrakis"});
}

TEST_CASE_TEMPLATE("games that a dead owner left awake are due at once", Engine, ENGINES) {
  Engine engine;
  create(engine, "awake", "setup");
  append(engine, "awake", 1, 1, "a");
  create_sleeping(engine, "asleep", 100);
  create_sleeping(engine, "forever", kNever);
  engine.kill_and_reopen();
  CHECK(due(engine, 1).value == Ids{"awake"});
  CHECK(due(engine, 1000).value == Ids{"awake", "asleep"});
  CHECK(append(engine, "awake", 1, 2, "b").ok());
  CHECK(claim(engine, "awake").value == 2);
  CHECK(due(engine, 1).value.empty());
  CHECK(load(engine, "awake").value.records.size() == 3);
}

TEST_CASE_TEMPLATE("what is due is asked for within limits", Engine, ENGINES) {
  Engine engine;
  CHECK(due(engine, 1, 0).error == StoreError::invalid);
  CHECK(due(engine, 1, kMaxListPage + 1).error == StoreError::invalid);
  CHECK(purge(engine, 1, 0).error == StoreError::invalid);
  CHECK(purge(engine, 1, kMaxListPage + 1).error == StoreError::invalid);
}

// ---- Old games.

TEST_CASE_TEMPLATE("games closed long ago are purged, the oldest first", Engine, ENGINES) {
  Engine engine;
  create_closed(engine, "dune", 100);
  create_closed(engine, "caladan", 300);
  create_closed(engine, "arrakis", 200);
  CHECK(purge(engine, 100).value == 0);
  CHECK(purge(engine, 1000, 2).value == 2);
  CHECK(ids(engine, {}) == Ids{"caladan"});
  CHECK(purge(engine, 1000).value == 1);
  CHECK(purge(engine, 1000).value == 0);
}

TEST_CASE_TEMPLATE("of a purged game nothing is left", Engine, ENGINES) {
  Engine engine;
  create_closed(engine, "arrakis", 100);
  CHECK(purge(engine, 1000).value == 1);
  const auto check = [&] {
    CHECK(load(engine, "arrakis").error == StoreError::not_found);
    CHECK(append(engine, "arrakis", 1, 3, "late").error == StoreError::not_found);
    CHECK(claim(engine, "arrakis").error == StoreError::not_found);
    CHECK(list(engine, {.player = "paul"}).value.games.empty());
    CHECK(list(engine, {.unlisted_too = true}).value.games.empty());
  };
  check();
  engine.kill_and_reopen();
  check();
  CHECK(create(engine, "arrakis", "another").value == 1);
  CHECK(load(engine, "arrakis", Extent::resume).value.records == std::vector<Record>{"another"});
}

TEST_CASE_TEMPLATE("open games and closed ones that are awake are not purged", Engine, ENGINES) {
  Engine engine;
  create_sleeping(engine, "open", 100);
  create(engine, "awake", "setup");
  close(engine, "awake", 1, 100);
  CHECK(purge(engine, 1000).value == 0);
  engine.kill_and_reopen();  // its owner is dead
  CHECK(purge(engine, 1000).value == 1);
  CHECK(ids(engine, {}) == Ids{"open"});
}

TEST_CASE_TEMPLATE("a purge of many records deletes them all", Engine, ENGINES) {
  Engine engine;
  NewGame contents{.records = std::vector<Record>(900, "record")};
  for (int n = 0; n < 10; ++n) {
    const GameId game = "game" + std::to_string(n);
    create(engine, game, contents);
    close(engine, game, 1, n);
    sleep(engine, game, 1);
  }
  CHECK(purge(engine, 1000, 8).value == 8);
  CHECK(ids(engine, {}) == Ids{"game8", "game9"});
  CHECK(load(engine, "game9").value.records.size() == 900);
}

TEST_CASE_TEMPLATE("closing a second time changes nothing", Engine, ENGINES) {
  Engine engine;
  create_closed(engine, "arrakis", 100);
  CHECK(close(engine, "arrakis", 1, 5000).value == 3);
  CHECK(purge(engine, 1000).value == 1);
}

// ---- Somebody is forgotten.

TEST_CASE_TEMPLATE("a closed game is amended", Engine, ENGINES) {
  Engine engine;
  create_closed(engine, "arrakis", 100);
  CHECK(amend(engine, "arrakis", "another set-up", {"chani"}).value == 3);
  engine.kill_and_reopen();
  const StoredGame game = load(engine, "arrakis", Extent::resume).value;
  CHECK(game.records == std::vector<Record>{"another set-up", "record", "last"});
  CHECK(game.snapshot.covers == 0);
  CHECK(list(engine, {.player = "paul"}).value.games.empty());
  CHECK(ids(engine, {.player = "chani"}) == Ids{"arrakis"});
  CHECK(list(engine, {}).value.games.at(0).setup == "another set-up");
}

TEST_CASE_TEMPLATE("an open game is not amended", Engine, ENGINES) {
  Engine engine;
  create(engine, "arrakis", NewGame{.records = {"setup"}, .players = {"paul"}});
  CHECK(amend(engine, "arrakis", "another", {}).error == StoreError::conflict);
  CHECK(load(engine, "arrakis").value.records == std::vector<Record>{"setup"});
  CHECK(ids(engine, {.player = "paul"}) == Ids{"arrakis"});
}

TEST_CASE_TEMPLATE("an amendment keeps to the limits", Engine, ENGINES) {
  Engine engine;
  create_closed(engine, "arrakis", 100);
  CHECK(amend(engine, "arrakis", Record(kMaxRecordBytes + 1, 'x'), {}).error == StoreError::invalid);
  CHECK(amend(engine, "arrakis", "setup", {""}).error == StoreError::invalid);
  CHECK(ids(engine, {.player = "paul"}) == Ids{"arrakis"});
}

}  // namespace landsraad::persistence::store_sleep_test
