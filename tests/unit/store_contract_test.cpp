// What every Store must do, run against each engine. A new engine only has to join the list below.
#include "tests/unit/store_contract.h"

#include <atomic>
#include <thread>
#include <vector>

TYPE_TO_STRING(landsraad::persistence::MemoryEngine);
TYPE_TO_STRING(landsraad::persistence::SqliteEngine);
#define ENGINES MemoryEngine, SqliteEngine

namespace landsraad::persistence {

TEST_CASE_TEMPLATE("a game is given back as it was stored", Engine, ENGINES) {
  Engine engine;
  const Record binary("\0\x01\xff zero inside", 15);
  CHECK(create(engine, "arrakis", "setup", 77).value == 1);
  CHECK(append(engine, "arrakis", 1, 1, binary).value == 2);
  CHECK(append(engine, "arrakis", 1, 2, "").value == 3);

  const auto check = [&] {
    const Result<StoredGame> loaded = load(engine, "arrakis");
    REQUIRE_MESSAGE(loaded.ok(), loaded.why);
    CHECK(loaded.value.id == "arrakis");
    CHECK(loaded.value.status == GameStatus::open);
    CHECK(loaded.value.created_ms == 77);
    CHECK(loaded.value.epoch == 1);
    CHECK(loaded.value.records == std::vector<Record>{"setup", binary, ""});
  };
  check();
  SUBCASE("after closing and opening") { engine.close_and_reopen(); }
  SUBCASE("after a kill") { engine.kill_and_reopen(); }
  check();
  CHECK(append(engine, "arrakis", 1, 3, "goes on").value == 4);
}

TEST_CASE_TEMPLATE("what is not there is not found", Engine, ENGINES) {
  Engine engine;
  CHECK(load(engine, "caladan").error == StoreError::not_found);
  CHECK(claim(engine, "caladan").error == StoreError::not_found);
  CHECK(append(engine, "caladan", 1, 1, "a").error == StoreError::not_found);
  CHECK(close(engine, "caladan", 1).error == StoreError::not_found);
  CHECK(load(engine, "caladan").why == "there is no game caladan");
}

TEST_CASE_TEMPLATE("an id is taken once", Engine, ENGINES) {
  Engine engine;
  CHECK(create(engine, "arrakis", "first").ok());
  CHECK(create(engine, "arrakis", "second").error == StoreError::exists);
  CHECK(load(engine, "arrakis").value.records == std::vector<Record>{"first"});
}

TEST_CASE_TEMPLATE("an append must expect the right sequence", Engine, ENGINES) {
  Engine engine;
  create(engine, "arrakis", "setup");
  CHECK(append(engine, "arrakis", 1, 0, "replaces the set-up").error == StoreError::conflict);
  CHECK(append(engine, "arrakis", 1, 2, "leaves a gap").error == StoreError::conflict);
  CHECK(append(engine, "arrakis", 1, 1, "fits").ok());
  CHECK(append(engine, "arrakis", 1, 1, "comes twice").error == StoreError::conflict);
  CHECK(load(engine, "arrakis").value.records == std::vector<Record>{"setup", "fits"});
}

TEST_CASE_TEMPLATE("appends may be sent ahead, and keep their order", Engine, ENGINES) {
  Engine engine;
  create(engine, "arrakis", "setup");
  std::vector<Pending<Sequence>> sent(50);
  for (Sequence n = 0; n < sent.size(); ++n) {
    engine.store().append("arrakis", 1, n + 1, std::to_string(n), sent[n].callback());
  }
  for (Sequence n = 0; n < sent.size(); ++n) CHECK(sent[n].wait(engine).value == n + 2);
  CHECK(load(engine, "arrakis").value.records.size() == 51);
}

TEST_CASE_TEMPLATE("behind a failed append those that counted on it fail too", Engine, ENGINES) {
  Engine engine;
  create(engine, "arrakis", "setup");
  std::vector<Pending<Sequence>> sent(3);
  engine.store().append("arrakis", 1, 1, Record(kMaxRecordBytes + 1, 'x'), sent[0].callback());
  engine.store().append("arrakis", 1, 2, "b", sent[1].callback());
  engine.store().append("arrakis", 1, 3, "c", sent[2].callback());
  CHECK(sent[0].wait(engine).error == StoreError::invalid);
  CHECK(sent[1].wait(engine).error == StoreError::conflict);
  CHECK(sent[2].wait(engine).error == StoreError::conflict);
  CHECK(load(engine, "arrakis").value.records.size() == 1);
}

TEST_CASE_TEMPLATE("a claim fences the owner before", Engine, ENGINES) {
  Engine engine;
  create(engine, "arrakis", "setup");
  CHECK(claim(engine, "arrakis").value == 2);
  CHECK(append(engine, "arrakis", 1, 1, "old owner").error == StoreError::fenced);
  CHECK(close(engine, "arrakis", 1).error == StoreError::fenced);
  CHECK(append(engine, "arrakis", 3, 1, "never given out").error == StoreError::invalid);
  CHECK(append(engine, "arrakis", 2, 1, "new owner").ok());
  engine.kill_and_reopen();
  CHECK(append(engine, "arrakis", 1, 2, "old owner").error == StoreError::fenced);
  CHECK(claim(engine, "arrakis").value == 3);
  CHECK(load(engine, "arrakis").value.epoch == 3);
}

TEST_CASE_TEMPLATE("a closed game takes no more", Engine, ENGINES) {
  Engine engine;
  create(engine, "arrakis", "setup");
  append(engine, "arrakis", 1, 1, "last");
  CHECK(close(engine, "arrakis", 1).value == 2);
  CHECK(close(engine, "arrakis", 1).value == 2);
  CHECK(append(engine, "arrakis", 1, 2, "late").error == StoreError::closed);
  engine.kill_and_reopen();
  CHECK(append(engine, "arrakis", 1, 2, "late").error == StoreError::closed);
  CHECK(load(engine, "arrakis").value.status == GameStatus::closed);
  CHECK(load(engine, "arrakis").value.records.size() == 2);
  CHECK(claim(engine, "arrakis").value == 2);  // to look at it again is no harm
  CHECK(close(engine, "arrakis", 2).value == 2);
}

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
  CHECK(first.games[1].next_sequence == 2);
  CHECK(first.games[1].setup == "caladan");
  CHECK(first.games[2].id == "dune");
  CHECK(first.games[2].status == GameStatus::closed);

  const ListPage second = list(engine, {.after = first.games[2].id, .limit = 3}).value;
  REQUIRE(second.games.size() == 2);
  CHECK_FALSE(second.more);
  CHECK(second.games[1].id == "kaitain");

  const ListPage open = list(engine, {.open_only = true}).value;
  CHECK(open.games.size() == 4);
  CHECK(list(engine, {.limit = 5}).value.more == false);
  CHECK(list(engine, {.limit = 0}).error == StoreError::invalid);
  CHECK(list(engine, {.limit = kMaxListPage + 1}).error == StoreError::invalid);
}

TEST_CASE_TEMPLATE("limits are enforced", Engine, ENGINES) {
  Engine engine;
  CHECK(create(engine, "", "s").error == StoreError::invalid);
  CHECK(create(engine, "two words", "s").error == StoreError::invalid);
  CHECK(create(engine, GameId("nul\0", 4), "s").error == StoreError::invalid);
  CHECK(create(engine, GameId(kMaxGameIdBytes + 1, 'x'), "s").error == StoreError::invalid);
  CHECK(create(engine, GameId(kMaxGameIdBytes, 'x'), Record(kMaxRecordBytes, 'y')).ok());
  CHECK(create(engine, "arrakis", Record(kMaxRecordBytes + 1, 'y')).error == StoreError::invalid);
  CHECK(load(engine, "two words").error == StoreError::invalid);
}

TEST_CASE_TEMPLATE("a damaged record is found, and hurts no other game", Engine, ENGINES) {
  Engine engine;
  create(engine, "arrakis", "setup of arrakis");
  append(engine, "arrakis", 1, 1, "first action");
  create(engine, "caladan", "setup of caladan");
  append(engine, "caladan", 1, 1, "first action");

  SUBCASE("an action") {
    engine.damage("arrakis", 1);
    CHECK(list(engine, {}).value.games.size() == 2);
  }
  SUBCASE("the set-up") {
    engine.damage("arrakis", 0);
    const ListPage page = list(engine, {}).value;
    REQUIRE(page.games.size() == 2);
    CHECK_FALSE(page.games[0].readable);
    CHECK(page.games[0].setup.empty());
    CHECK(page.games[1].readable);
  }
  const Result<StoredGame> loaded = load(engine, "arrakis");
  CHECK(loaded.error == StoreError::corrupt);
  CHECK(loaded.why.find("wrong checksum") != std::string::npos);
  CHECK(load(engine, "caladan").value.records.size() == 2);
  CHECK(append(engine, "caladan", 1, 2, "goes on").ok());
}

TEST_CASE_TEMPLATE("a callback may make the next request", Engine, ENGINES) {
  Engine engine;
  create(engine, "arrakis", "setup");
  Pending<Sequence> last;
  std::function<void(Sequence)> play = [&](Sequence next) {
    engine.store().append("arrakis", 1, next, "a", [&, next](Result<Sequence> result) {
      if (result.ok() && next < 20) {
        play(result.value);
      } else {
        last.callback()(std::move(result));
      }
    });
  };
  play(1);
  CHECK(last.wait(engine).value == 21);
}

// Several threads race for the same sequences; MemoryStore is for one thread.
TEST_CASE("of two writers that expect the same sequence one succeeds") {
  SqliteEngine engine;
  create(engine, "arrakis", "setup");
  constexpr Sequence kRecords = 100;
  std::vector<std::atomic<int>> wins(kRecords + 1);
  std::vector<std::thread> writers;
  for (const char* name : {"a", "b", "c", "d"}) {
    writers.emplace_back([&, name] {
      for (Sequence n = 1; n <= kRecords; ++n) {
        Pending<Sequence> pending;
        engine.store().append("arrakis", 1, n, name, pending.callback());
        if (pending.wait(engine).ok()) ++wins[n];
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  for (Sequence n = 1; n <= kRecords; ++n) CHECK(wins[n] == 1);
  CHECK(load(engine, "arrakis").value.records.size() == kRecords + 1);
}

}  // namespace landsraad::persistence
