// What every Store must do for one game and its owner, run against each engine.
#include "tests/unit/store_contract.h"

#include <atomic>
#include <thread>
#include <vector>

namespace landsraad::persistence::store_contract_test {

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
    CHECK(loaded.value.next == 3);
    CHECK(loaded.value.snapshot.covers == 0);
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
  CHECK(keep_snapshot(engine, "caladan", 1, 1, "s").error == StoreError::not_found);
  CHECK(sleep(engine, "caladan", 1).error == StoreError::not_found);
  CHECK(amend(engine, "caladan", "setup", {}).error == StoreError::not_found);
  CHECK(load(engine, "caladan").why == "there is no game caladan");
}

TEST_CASE_TEMPLATE("an id is taken once", Engine, ENGINES) {
  Engine engine;
  CHECK(create(engine, "arrakis", "first").ok());
  CHECK(create(engine, "arrakis", "second").error == StoreError::exists);
  CHECK(load(engine, "arrakis").value.records == std::vector<Record>{"first"});
}

TEST_CASE_TEMPLATE("a whole game is stored at once", Engine, ENGINES) {
  Engine engine;
  NewGame contents{.created_ms = 7, .records = {"setup"}};
  for (int n = 1; n < 500; ++n) contents.records.push_back("record " + std::to_string(n));
  CHECK(create(engine, "arrakis", contents).value == 1);
  CHECK(append(engine, "arrakis", 1, 500, "goes on").value == 501);
  engine.kill_and_reopen();
  contents.records.push_back("goes on");
  CHECK(load(engine, "arrakis").value.records == contents.records);
  CHECK(create(engine, "arrakis", contents).error == StoreError::exists);
}

TEST_CASE_TEMPLATE("of a game that breaks a limit nothing is stored", Engine, ENGINES) {
  Engine engine;
  NewGame contents{.records = {"setup", Record(kMaxRecordBytes + 1, 'x')}};
  CHECK(create(engine, "arrakis", contents).error == StoreError::invalid);
  contents.records.clear();
  CHECK(create(engine, "arrakis", contents).error == StoreError::invalid);
  contents.records.resize(kMaxRecordsPerGame + 1);
  CHECK(create(engine, "arrakis", contents).error == StoreError::invalid);
  contents = {.records = {"setup"}, .players = {""}};
  CHECK(create(engine, "arrakis", contents).error == StoreError::invalid);
  contents.players = {PlayerKey(kMaxPlayerBytes + 1, 'p')};
  CHECK(create(engine, "arrakis", contents).error == StoreError::invalid);
  contents.players.assign(kMaxPlayersPerGame + 1, "paul");
  CHECK(create(engine, "arrakis", contents).error == StoreError::invalid);
  CHECK(load(engine, "arrakis").error == StoreError::not_found);
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
  CHECK(keep_snapshot(engine, "arrakis", 1, 1, "s").error == StoreError::fenced);
  CHECK(sleep(engine, "arrakis", 1).error == StoreError::fenced);
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
    engine.store().commit();
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

}  // namespace landsraad::persistence::store_contract_test
