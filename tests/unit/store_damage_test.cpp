// Damage: it is found, it never passes for another game, and it hurts nobody else. Run against each engine.
#include <vector>

#include "tests/unit/store_contract.h"

namespace landsraad::persistence::store_damage_test {

namespace {

using Ids = std::vector<GameId>;

// One game that will be damaged and one that must not be hurt.
template <class Engine>
void create_two(Engine& engine) {
  for (const char* game : {"arrakis", "caladan"}) {
    create(engine, game, NewGame{.records = {"setup", "first", "second"}, .players = {"paul"}});
    keep_snapshot(engine, game, 1, 2, "snapshot");
  }
}

template <class Engine>
void check_unhurt(Engine& engine, const GameId& game) {
  const Result<StoredGame> loaded = load(engine, game, Extent::resume);
  CHECK_MESSAGE(loaded.ok(), loaded.why);
  CHECK(loaded.value.snapshot.bytes == "snapshot");
  CHECK(load(engine, game).value.records == std::vector<Record>{"setup", "first", "second"});
  CHECK(append(engine, game, 1, 3, "goes on").ok());
}

}  // namespace

TEST_CASE_TEMPLATE("a damaged record is found", Engine, ENGINES) {
  Engine engine;
  create_two(engine);
  engine.damage("arrakis", 2);
  const Result<StoredGame> loaded = load(engine, "arrakis");
  CHECK(loaded.error == StoreError::corrupt);
  CHECK(loaded.why == "game arrakis: record 2 has a wrong checksum");
  CHECK(load(engine, "arrakis", Extent::resume).error == StoreError::corrupt);
  check_unhurt(engine, "caladan");
}

TEST_CASE_TEMPLATE("a damaged record that a snapshot stands for does not keep a game from going on", Engine,
                   ENGINES) {
  Engine engine;
  create_two(engine);
  engine.damage("arrakis", 1);
  CHECK(load(engine, "arrakis").error == StoreError::corrupt);
  CHECK(load(engine, "arrakis", Extent::resume).value.records == std::vector<Record>{"setup", "second"});
}

TEST_CASE_TEMPLATE("a game whose set-up is damaged is listed as unreadable", Engine, ENGINES) {
  Engine engine;
  create_two(engine);
  engine.damage("arrakis", 0);
  for (const ListQuery& query : {ListQuery{}, ListQuery{.player = "paul"}}) {
    const ListPage page = list(engine, query).value;
    REQUIRE(page.games.size() == 2);
    CHECK_FALSE(page.games[0].readable);
    CHECK(page.games[0].setup.empty());
    CHECK(page.games[1].readable);
  }
  CHECK(load(engine, "arrakis").error == StoreError::corrupt);
  CHECK(load(engine, "arrakis", Extent::resume).error == StoreError::corrupt);
  check_unhurt(engine, "caladan");
}

TEST_CASE_TEMPLATE("a damaged entry makes its game corrupt to everybody", Engine, ENGINES) {
  Engine engine;
  create_two(engine);
  sleep(engine, "arrakis", 1, 100);
  sleep(engine, "caladan", 1, 100);
  engine.damage_entry("arrakis");
  CHECK(load(engine, "arrakis").error == StoreError::corrupt);
  CHECK(claim(engine, "arrakis").error == StoreError::corrupt);
  CHECK(append(engine, "arrakis", 1, 3, "a").error == StoreError::corrupt);
  CHECK(keep_snapshot(engine, "arrakis", 1, 3, "s").error == StoreError::corrupt);
  CHECK(close(engine, "arrakis", 1).error == StoreError::corrupt);
  CHECK(sleep(engine, "arrakis", 1).error == StoreError::corrupt);
  CHECK(amend(engine, "arrakis", "s", {}).error == StoreError::corrupt);
  CHECK_FALSE(list(engine, {}).value.games.at(0).readable);
  CHECK(due(engine, 1000).value == Ids{"caladan"});
  engine.kill_and_reopen();
  CHECK(load(engine, "arrakis").error == StoreError::corrupt);
  check_unhurt(engine, "caladan");
}

TEST_CASE_TEMPLATE("a game with a damaged entry is not purged", Engine, ENGINES) {
  Engine engine;
  create_two(engine);
  for (const char* game : {"arrakis", "caladan"}) {
    close(engine, game, 1, 100);
    sleep(engine, game, 1, 100);
  }
  engine.damage_entry("arrakis");
  CHECK(purge(engine, 1000).value == 1);
  CHECK(ids(engine, {}) == Ids{"arrakis"});
}

TEST_CASE_TEMPLATE("a damaged snapshot is as good as none", Engine, ENGINES) {
  Engine engine;
  create_two(engine);
  engine.damage_snapshot("arrakis");
  const Result<StoredGame> loaded = load(engine, "arrakis", Extent::resume);
  REQUIRE_MESSAGE(loaded.ok(), loaded.why);
  CHECK(loaded.value.snapshot.covers == 0);
  CHECK(loaded.value.records == std::vector<Record>{"setup", "first", "second"});
  check_unhurt(engine, "caladan");
  CHECK(keep_snapshot(engine, "arrakis", 1, 2, "snapshot").ok());
  check_unhurt(engine, "arrakis");
}

TEST_CASE_TEMPLATE("by a damaged key no other player gets a game", Engine, ENGINES) {
  Engine engine;
  create_two(engine);
  engine.damage_player("arrakis");
  CHECK(ids(engine, {.player = "paul"}) == Ids{"caladan"});
  const ListPage others = list(engine, {.player = "~aul"}).value;
  REQUIRE(others.games.size() == 1);
  CHECK_FALSE(others.games[0].readable);
  CHECK(others.games[0].setup.empty());
  check_unhurt(engine, "arrakis");
  check_unhurt(engine, "caladan");
}

TEST_CASE_TEMPLATE("a damaged text is left out, and can be kept anew", Engine, ENGINES) {
  Engine engine;
  keep_text(engine, "v1", "one");
  keep_text(engine, "v2", "two");
  engine.damage_text("v1");
  CHECK(texts(engine).value == Texts{{"v2", "two"}});
  CHECK(keep_text(engine, "v1", "one").value);
  CHECK(texts(engine).value == Texts{{"v1", "one"}, {"v2", "two"}});
}

}  // namespace landsraad::persistence::store_damage_test
