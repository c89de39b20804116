// A closed file with flipped bits all over: each is detected, or changes nothing that is read.
#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "tests/unit/store_contract.h"

namespace landsraad::persistence::store_flip_test {

namespace {

constexpr int kFlips = 300;

struct Opened {
  std::unique_ptr<SqliteStore> sqlite;
  Store& store() { return *sqlite; }
  void settle() { store().commit(); }
};

struct Original {
  std::string file;
  std::map<GameId, StoredGame> games;
  std::map<GameId, Snapshot> snapshots;
  Texts kept;
};

Original make_original(const std::string& path) {
  Original original;
  Opened engine{std::move(SqliteStore::open({.path = path}).value)};
  for (int i = 0; i < 6; ++i) {
    const GameId id = "game" + std::to_string(i);
    create(
        engine, id,
        NewGame{.created_ms = 1000, .records = {"the set-up of " + id}, .players = {"paul" + id, "chani"}});
    for (Sequence n = 1; n <= 40; ++n) append(engine, id, 1, n, id + " action " + std::to_string(n));
    keep_snapshot(engine, id, 1, 30, "snapshot of " + id);
    if (i % 2 == 0) close(engine, id, 1);
    sleep(engine, id, 1, 500 + i);
    original.games[id] = load(engine, id).value;
    original.snapshots[id] = load(engine, id, Extent::resume).value.snapshot;
  }
  keep_text(engine, "v1", "the first text");
  keep_text(engine, "v2", "the second text");
  original.kept = texts(engine).value;
  engine.sqlite.reset();
  std::ifstream file(path, std::ios::binary);
  original.file.assign(std::istreambuf_iterator<char>(file), {});
  return original;
}

// Each gives back whether all is as it was; what is not must not pass for anything else.
bool games_read(Opened& engine, const Original& original) {
  bool all = true;
  for (const auto& [id, game] : original.games) {
    const Result<StoredGame> whole = load(engine, id);
    const Result<StoredGame> rest = load(engine, id, Extent::resume);
    all = all && whole.ok() && rest.ok();
    if (whole.ok()) {
      CHECK(whole.value.status == game.status);
      CHECK(whole.value.created_ms == game.created_ms);
      CHECK(whole.value.epoch == game.epoch);
      CHECK(whole.value.records == game.records);
    }
    if (rest.ok() && rest.value.snapshot.covers != 0) {
      CHECK(rest.value.snapshot.covers == original.snapshots.at(id).covers);
      CHECK(rest.value.snapshot.bytes == original.snapshots.at(id).bytes);
    }
    all = all && rest.value.snapshot.covers != 0;
  }
  return all;
}

bool lists_read(Opened& engine, const Original& original) {
  bool all = true;
  for (const auto& [id, game] : original.games) {
    const Result<ListPage> own = list(engine, {.player = "paul" + id});
    for (const ListedGame& line : own.value.games)
      if (line.readable) CHECK(line.id == id);
    all = all && own.value.games.size() == 1;
  }
  for (const ListQuery& query : {ListQuery{}, ListQuery{.player = "chani"}}) {
    const Result<ListPage> page = list(engine, query);
    for (const ListedGame& line : page.value.games) {
      all = all && line.readable;
      if (!line.readable) continue;
      const auto game = original.games.find(line.id);
      REQUIRE(game != original.games.end());
      CHECK(line.setup == game->second.records[0]);
      CHECK(line.status == game->second.status);
    }
    all = all && page.value.games.size() == original.games.size();
  }
  return all;
}

bool due_reads(Opened& engine) {
  const std::vector<GameId> games = due(engine, 505).value;
  for (const GameId& id : games) CHECK((id == "game1" || id == "game3" || id == "game5"));
  return games.size() == 3;
}

bool texts_read(Opened& engine, const Original& original) {
  const Texts found = texts(engine).value;
  for (const auto& text : found)
    CHECK(std::find(original.kept.begin(), original.kept.end(), text) != original.kept.end());
  return found.size() == original.kept.size();
}

bool reads(const std::string& path, const Original& original) {
  Result<std::unique_ptr<SqliteStore>> opened = SqliteStore::open({.path = path});
  if (!opened.ok()) return false;
  Opened engine{std::move(opened.value)};
  const bool games = games_read(engine, original), lists = lists_read(engine, original);
  return due_reads(engine) && texts_read(engine, original) && games && lists;
}

}  // namespace

TEST_CASE("sqlite store: a flipped bit is detected or harmless") {
  const TemporaryFolder folder;
  const Original original = make_original(folder / "games.sqlite");
  std::mt19937 random(11);
  int detected = 0;
  for (int flip = 0; flip < kFlips; ++flip) {
    std::string damaged = original.file;
    const std::size_t at = random() % damaged.size();
    damaged[at] = static_cast<char>(damaged[at] ^ 1 << random() % 8);
    const std::string copy = folder / "damaged.sqlite";
    for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(copy + suffix);
    std::ofstream(copy, std::ios::binary) << damaged;
    CAPTURE(at);
    if (!reads(copy, original)) ++detected;
  }
  CHECK(detected > 0);
  CHECK(detected < kFlips);
  MESSAGE(detected << " of " << kFlips << " detected, the others harmless");
}

}  // namespace landsraad::persistence::store_flip_test
