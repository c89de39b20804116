// Lists of games, run against each engine: everybody's, a player's, an operator's.
#include <vector>

#include "tests/unit/store_contract.h"

namespace landsraad::persistence::store_list_test {

namespace {

using Ids = std::vector<GameId>;

// Open and closed, listed and not, of two players.
template <class Engine>
void create_some(Engine& engine) {
  create(engine, "arrakis", NewGame{.records = {"a"}, .players = {"paul", "chani"}});
  create(engine, "caladan", NewGame{.records = {"c"}, .players = {"paul"}, .listed = false});
  create(engine, "dune", NewGame{.records = {"d"}, .players = {"paul"}});
  create(engine, "ix", NewGame{.records = {"i"}, .players = {"chani"}});
  create(engine, "kaitain", NewGame{.records = {"k"}, .players = {"paul"}, .listed = false});
  close(engine, "dune", 1);
  close(engine, "kaitain", 1);
}

}  // namespace

TEST_CASE_TEMPLATE("games are listed page by page", Engine, ENGINES) {
  Engine engine;
  for (const char* game : {"dune", "arrakis", "caladan", "ix", "kaitain"}) create(engine, game, game);
  append(engine, "caladan", 1, 1, "a");
  close(engine, "dune", 1);

  const ListPage first = list(engine, {.limit = 3}).value;
  REQUIRE(first.games.size() == 3);
  CHECK(first.more);
  CHECK(first.games[0].id == "arrakis");
  CHECK(first.games[1].id == "caladan");
  CHECK(first.games[1].created_ms == 1000);
  CHECK(first.games[1].next_sequence == 2);
  CHECK(first.games[1].setup == "caladan");
  CHECK(first.games[2].id == "dune");
  CHECK(first.games[2].status == GameStatus::closed);

  const ListPage second = list(engine, {.after = first.games[2].id, .limit = 3}).value;
  REQUIRE(second.games.size() == 2);
  CHECK_FALSE(second.more);
  CHECK(second.games[1].id == "kaitain");

  CHECK(list(engine, {.limit = 5}).value.more == false);
  CHECK(list(engine, {.limit = 0}).error == StoreError::invalid);
  CHECK(list(engine, {.limit = kMaxListPage + 1}).error == StoreError::invalid);
}

TEST_CASE_TEMPLATE("everybody's list has the listed games", Engine, ENGINES) {
  Engine engine;
  create_some(engine);
  CHECK(ids(engine, {}) == Ids{"arrakis", "dune", "ix"});
  CHECK(ids(engine, {.status = GameStatus::open}) == Ids{"arrakis", "ix"});
  CHECK(ids(engine, {.status = GameStatus::closed}) == Ids{"dune"});
  CHECK(ids(engine, {.after = "arrakis", .limit = 1}) == Ids{"dune"});
}

TEST_CASE_TEMPLATE("an operator's list has all games", Engine, ENGINES) {
  Engine engine;
  create_some(engine);
  CHECK(ids(engine, {.unlisted_too = true}) == Ids{"arrakis", "caladan", "dune", "ix", "kaitain"});
  CHECK(ids(engine, {.status = GameStatus::open, .unlisted_too = true}) == Ids{"arrakis", "caladan", "ix"});
  CHECK(ids(engine, {.status = GameStatus::closed, .unlisted_too = true}) == Ids{"dune", "kaitain"});
  CHECK(ids(engine, {.status = GameStatus::closed, .unlisted_too = true, .after = "dune"}) == Ids{"kaitain"});
}

TEST_CASE_TEMPLATE("a player's list has the player's games, unlisted ones too", Engine, ENGINES) {
  Engine engine;
  create_some(engine);
  engine.kill_and_reopen();
  CHECK(ids(engine, {.player = "paul"}) == Ids{"arrakis", "caladan", "dune", "kaitain"});
  CHECK(ids(engine, {.player = "paul", .status = GameStatus::open}) == Ids{"arrakis", "caladan"});
  CHECK(ids(engine, {.player = "paul", .status = GameStatus::closed}) == Ids{"dune", "kaitain"});
  CHECK(ids(engine, {.player = "chani"}) == Ids{"arrakis", "ix"});
  CHECK(ids(engine, {.player = "nobody"}).empty());
  CHECK(list(engine, {.player = "chani"}).value.games.at(1).setup == "i");
}

TEST_CASE_TEMPLATE("a player's list comes page by page too", Engine, ENGINES) {
  Engine engine;
  create_some(engine);
  const ListPage first = list(engine, {.player = "paul", .limit = 3}).value;
  REQUIRE(first.games.size() == 3);
  CHECK(first.more);
  const ListPage second = list(engine, {.player = "paul", .after = first.games.back().id, .limit = 3}).value;
  CHECK(second.games.size() == 1);
  CHECK_FALSE(second.more);
}

TEST_CASE_TEMPLATE("a player who is named twice is in the game once", Engine, ENGINES) {
  Engine engine;
  CHECK(create(engine, "arrakis", NewGame{.records = {"a"}, .players = {"paul", "paul"}}).ok());
  CHECK(ids(engine, {.player = "paul"}) == Ids{"arrakis"});
}

TEST_CASE_TEMPLATE("the keys of players are opaque bytes", Engine, ENGINES) {
  Engine engine;
  const PlayerKey odd("\0'\xff", 3);
  create(engine, "arrakis", NewGame{.records = {"a"}, .players = {odd, "\x01"}});
  CHECK(ids(engine, {.player = odd}) == Ids{"arrakis"});
  CHECK(ids(engine, {.player = PlayerKey("\0", 1)}).empty());
}

}  // namespace landsraad::persistence::store_list_test
