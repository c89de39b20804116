// Snapshots and texts, run against each engine.
#include <vector>

#include "tests/unit/store_contract.h"

namespace landsraad::persistence::store_snapshot_test {

namespace {

using Records = std::vector<Record>;

// A set-up and `records` more.
template <class Engine>
void create_long(Engine& engine, const GameId& game, Sequence records) {
  create(engine, game, "0");
  for (Sequence n = 1; n <= records; ++n) append(engine, game, 1, n, std::to_string(n));
}

}  // namespace

TEST_CASE_TEMPLATE("to go on takes the set-up, the snapshot and what came after", Engine, ENGINES) {
  Engine engine;
  create_long(engine, "arrakis", 5);
  CHECK(keep_snapshot(engine, "arrakis", 1, 4, "of four").value == 4);
  engine.kill_and_reopen();
  const StoredGame game = load(engine, "arrakis", Extent::resume).value;
  CHECK(game.snapshot.covers == 4);
  CHECK(game.snapshot.bytes == "of four");
  CHECK(game.records == Records{"0", "4", "5"});
  CHECK(game.next == 6);
  const StoredGame whole = load(engine, "arrakis").value;
  CHECK(whole.snapshot.covers == 0);
  CHECK(whole.records.size() == 6);
}

TEST_CASE_TEMPLATE("without a snapshot going on takes every record", Engine, ENGINES) {
  Engine engine;
  create_long(engine, "arrakis", 2);
  CHECK(load(engine, "arrakis", Extent::resume).value.records == Records{"0", "1", "2"});
}

TEST_CASE_TEMPLATE("a snapshot may cover the set-up alone, or all there is", Engine, ENGINES) {
  Engine engine;
  create_long(engine, "arrakis", 2);
  keep_snapshot(engine, "arrakis", 1, 1, "first");
  CHECK(load(engine, "arrakis", Extent::resume).value.records == Records{"0", "1", "2"});
  CHECK(load(engine, "arrakis", Extent::resume).value.snapshot.covers == 1);
  keep_snapshot(engine, "arrakis", 1, 3, "all");
  CHECK(load(engine, "arrakis", Extent::resume).value.records == Records{"0"});
}

TEST_CASE_TEMPLATE("a snapshot takes the place of the one before", Engine, ENGINES) {
  Engine engine;
  create_long(engine, "arrakis", 3);
  keep_snapshot(engine, "arrakis", 1, 2, "first");
  keep_snapshot(engine, "arrakis", 1, 3, "second");
  CHECK(load(engine, "arrakis", Extent::resume).value.snapshot.bytes == "second");
}

TEST_CASE_TEMPLATE("a snapshot must fit its game", Engine, ENGINES) {
  Engine engine;
  create_long(engine, "arrakis", 1);
  CHECK(keep_snapshot(engine, "arrakis", 1, 3, "s").error == StoreError::conflict);
  CHECK(keep_snapshot(engine, "arrakis", 2, 1, "s").error == StoreError::invalid);
  CHECK(keep_snapshot(engine, "arrakis", 1, 0, "s").error == StoreError::invalid);
  const std::string large(kMaxSnapshotBytes, 's');
  CHECK(keep_snapshot(engine, "arrakis", 1, 1, large + "s").error == StoreError::invalid);
  CHECK(load(engine, "arrakis", Extent::resume).value.snapshot.covers == 0);
  CHECK(keep_snapshot(engine, "arrakis", 1, 1, large).ok());
  CHECK(load(engine, "arrakis", Extent::resume).value.snapshot.bytes == large);
}

TEST_CASE_TEMPLATE("a snapshot counts the appends made before it", Engine, ENGINES) {
  Engine engine;
  create(engine, "arrakis", "0");
  Pending<Sequence> appended, kept;
  engine.store().append("arrakis", 1, 1, "1", appended.callback());
  engine.store().snapshot("arrakis", 1, {2, "s"}, kept.callback());
  CHECK(appended.wait(engine).ok());
  CHECK(kept.wait(engine).value == 2);
}

// ---- Texts.

TEST_CASE_TEMPLATE("texts are kept once and given back by key", Engine, ENGINES) {
  Engine engine;
  const std::string binary("\0\xff text", 7);
  CHECK(keep_text(engine, "v2", "two").value);
  CHECK(keep_text(engine, "v1", binary).value);
  CHECK(keep_text(engine, "v0", "").value);
  CHECK_FALSE(keep_text(engine, "v2", "two").value);
  engine.kill_and_reopen();
  CHECK(texts(engine).value == Texts{{"v0", ""}, {"v1", binary}, {"v2", "two"}});
  CHECK_FALSE(keep_text(engine, "v0", "").value);
}

TEST_CASE_TEMPLATE("texts keep to the limits", Engine, ENGINES) {
  Engine engine;
  CHECK(keep_text(engine, "", "text").error == StoreError::invalid);
  CHECK(keep_text(engine, std::string(kMaxGameIdBytes + 1, 'k'), "text").error == StoreError::invalid);
  CHECK(keep_text(engine, "key", std::string(kMaxTextBytes + 1, 't')).error == StoreError::invalid);
  CHECK(texts(engine).value.empty());
}

}  // namespace landsraad::persistence::store_snapshot_test
