// Games that move from server to server, and come back out of a backup.
#include <fstream>

#include "persistence/sqlite/backup.h"
#include "rules/notation/load.h"
#include "server/room/snapshot.h"
#include "tests/unit/recorded_game.h"
#include "tests/unit/store_contract.h"
#include "tools/replay/exit_code.h"
#include "tools/replay/record_file.h"
#include "tools/replay/transfer.h"
#include "tools/replay/verify.h"

namespace landsraad::replay::replay_transfer_test {

namespace {

using persistence::append;
using persistence::claim;
using persistence::Pending;
using persistence::StoreError;
using persistence::TemporaryFolder;

// A database as a server leaves it that stops.
struct Server {
  explicit Server(const std::string& path) {
    auto opened = persistence::SqliteStore::open({.path = path});
    REQUIRE_MESSAGE(opened.ok(), opened.why);
    sqlite = std::move(opened.value);
  }
  persistence::Store& store() { return *sqlite; }
  void settle() { store().commit(); }

  std::vector<std::string> due() {
    Pending<std::vector<persistence::GameId>> pending;
    sqlite->due(persistence::kNever - 1, 10, pending.callback());
    return pending.wait(*this).value;
  }
  void create(const std::string& id, std::vector<std::string> records) {
    Pending<persistence::Epoch> pending;
    sqlite->create(id, {.created_ms = 1, .records = std::move(records)}, pending.callback());
    REQUIRE(pending.wait(*this).ok());
  }
  persistence::StoredGame load(const std::string& id) {
    Pending<persistence::StoredGame> pending;
    sqlite->load(id, persistence::Extent::whole, pending.callback());
    auto loaded = pending.wait(*this);
    REQUIRE_MESSAGE(loaded.ok(), loaded.why);
    return loaded.value;
  }

  std::unique_ptr<persistence::SqliteStore> sqlite;
};

int exported(const std::string& database, const std::string& game, const std::string& file) {
  auto opened = Database::open(database, true);
  REQUIRE_MESSAGE(opened.ok(), opened.why);
  return export_game(opened.value, game, file);
}

std::vector<std::string> first(const std::vector<std::string>& records, std::size_t count) {
  return {records.begin(), records.begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

TEST_CASE("a finished game moves with every byte and is closed there") {
  const TemporaryFolder folder;
  const std::string here = folder / "here", there = folder / "there", file = folder / "file";
  std::vector<std::string> records = record_game(1).records;
  room::Opening opening = *room::read_opening(records.front());
  opening.seats[0].token.fill(7);
  opening.seats[0].player.fill(8);
  records.front() = room::write_opening(opening);
  Server(here).create("moved", records);
  REQUIRE(exported(here, "moved", file) == kWell);
  REQUIRE(import_game(there, file) == kWell);
  Server server(there);
  const persistence::StoredGame game = server.load("moved");
  CHECK(game.status == persistence::GameStatus::closed);
  CHECK(room::read_opening(game.records.front())->seats[0].token == opening.seats[0].token);
  CHECK(room::read_opening(game.records.front())->seats[0].player == opening.seats[0].player);
  CHECK(game.records.size() == records.size());
  CHECK(server.due().empty());
}

TEST_CASE("a game in progress moves, is due at once, and goes on") {
  const TemporaryFolder folder;
  const std::string here = folder / "here", there = folder / "there", file = folder / "file";
  const std::vector<std::string> records = record_game(2).records;
  const std::size_t half = records.size() / 2;
  Server(here).create("moved", first(records, half));
  REQUIRE(exported(here, "moved", file) == kWell);
  CHECK(verify_record(*read_record_file(file), "").good);
  CHECK_FALSE(verify_record(*read_record_file(file), std::string(64, '0')).good);
  REQUIRE(import_game(there, file) == kWell);
  {
    Server server(there);
    CHECK(server.due() == std::vector<std::string>{"moved"});
    const persistence::Epoch epoch = claim(server, "moved").value;
    for (std::size_t next = half; next < records.size(); ++next)
      REQUIRE(append(server, "moved", epoch, next, records[next]).ok());
  }
  auto opened = Database::open(there, true);
  CHECK(verify(opened.value, "moved") == kWell);
}

TEST_CASE("a snapshot that leads elsewhere than the log is found") {
  const TemporaryFolder folder;
  const std::vector<std::string> records = record_game(1).records;
  const rules::Content& content = rules::uprising_content();
  const auto snapshot_at = [&](std::size_t count) {
    return room::write_snapshot(*room::replay(content, first(records, count)).game);
  };
  v1::GameSnapshot other;
  REQUIRE(other.ParseFromString(snapshot_at(60)));
  other.set_paused(true);
  const auto verified = [&](const std::string& bytes) {
    const std::string path = folder / ("db" + std::to_string(bytes.size()));
    {
      Server server(path);
      server.create("game", first(records, 60));
      Pending<persistence::Sequence> pending;
      server.store().snapshot("game", 1, {60, bytes}, pending.callback());
      REQUIRE(pending.wait(server).ok());
    }
    auto opened = Database::open(path, true);
    return verify(opened.value, "game");
  };
  CHECK(verified(snapshot_at(60)) == kWell);
  CHECK(verified(other.SerializeAsString()) == kDamaged);
  CHECK(verified("no snapshot at all") == kDamaged);
}

TEST_CASE("what must not be moved is refused, and nothing is stored of it") {
  const TemporaryFolder folder;
  const std::string here = folder / "here", there = folder / "there", file = folder / "file";
  const std::vector<std::string> records = record_game(1).records;
  Server(here).create("moved", records);
  REQUIRE(exported(here, "moved", file) == kWell);
  SUBCASE("over an existing file") { CHECK(exported(here, "moved", file) == kUsage); }
  SUBCASE("a game that is not there") { CHECK(exported(here, "lost", folder / "other") == kUsage); }
  SUBCASE("twice") {
    CHECK(import_game(there, file) == kWell);
    CHECK(import_game(there, file) == kUsage);
  }
  SUBCASE("into the database of a running server") {
    const Server running(there);
    CHECK(import_game(there, file) == kDamaged);
  }
  SUBCASE("a file that is none") {
    std::ofstream(folder / "letter") << "Dear cousin";
    CHECK(import_game(there, folder / "letter") == kDamaged);
    CHECK(import_game(there, folder / "missing") == kDamaged);
  }
  SUBCASE("a game that does not play again, or has no id") {
    v1::GameRecord record = *read_record_file(file);
    record.mutable_entries()->SwapElements(3, 4);
    std::ofstream forged(folder / "forged", std::ios::binary);
    REQUIRE((record.SerializeToOstream(&forged) && forged.flush()));
    CHECK(import_game(there, folder / "forged") == kDamaged);
    record = *read_record_file(file);
    record.clear_id();
    std::ofstream nameless(folder / "nameless", std::ios::binary);
    REQUIRE((record.SerializeToOstream(&nameless) && nameless.flush()));
    CHECK(import_game(there, folder / "nameless") == kUsage);
    CHECK_FALSE(std::filesystem::exists(there));
  }
}

TEST_CASE("every game in a backup that was made while they were played plays again") {
  const TemporaryFolder folder;
  const std::string database = folder / "games", copy = folder / "copy";
  constexpr std::uint8_t kGames = 4;
  {
    Server running(database);
    std::vector<std::vector<std::string>> games;
    for (std::uint8_t n = 0; n < kGames; ++n) {
      games.push_back(record_game(n).records);
      running.create("game-" + std::to_string(n), first(games.back(), 50));
    }
    std::size_t turn = 0;
    const auto play_on = [&](std::uint64_t, std::uint64_t) {
      const std::size_t game = turn % kGames, next = 50 + turn / kGames;
      REQUIRE(next < 90);
      REQUIRE(append(running, "game-" + std::to_string(game), 1, next, games[game][next]).ok());
      ++turn;
    };
    REQUIRE(persistence::back_up({.path = database}, copy, play_on, 2).ok());
    CHECK(turn > kGames);
  }
  CHECK(verify_all(copy) == kWell);
}

}  // namespace landsraad::replay::replay_transfer_test
