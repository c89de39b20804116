// One byte of a database goes wrong, anywhere: every game is as it was, or somebody is told that it is not.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "persistence/sqlite/check.h"
#include "persistence/sqlite/sqlite_store.h"
#include "persistence/wait.h"
#include "rules/notation/load.h"
#include "server/room/replay.h"
#include "server/room/snapshot.h"
#include "tests/corpus/recipe.h"
#include "tests/random/playout.h"

namespace landsraad::persistence::flips_test {

namespace {

namespace fs = std::filesystem;
using testing::Chance;

constexpr std::uint64_t kFlips = 50;     // of each database, unless LANDSRAAD_GAMES says otherwise
constexpr std::size_t kShortGame = 120;  // records of a game that is not over
constexpr std::uint64_t kCovered = 50;   // entries of a game, by its snapshot
constexpr UnixMs kFirstEnd = 1'000'000;  // one game ends each millisecond
constexpr UnixMs kFirstAlarm = 2'000'000;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// ---- The database.

std::string id_of(std::uint32_t number) { return "game" + std::to_string(number); }

NewGame game_of(std::uint32_t number) {
  const v1::GameRecord record = corpus::play(rules::uprising_content(), corpus::recipe(number));
  NewGame game{.created_ms = number + 1, .listed = number % 5 != 0};
  game.records.push_back(record.setup().SerializeAsString());
  for (const v1::LogRecord& entry : record.entries()) game.records.push_back(entry.SerializeAsString());
  for (const v1::StoredSeat& seat : record.setup().seats()) game.players.push_back(seat.player_hash());
  game.players.push_back("somebody who is everywhere");
  return game;
}

void keep(SqliteStore& store, std::uint32_t number) {
  NewGame game = game_of(number);
  const std::vector<Record> records = game.records;
  const std::string id = id_of(number);
  const bool over = number % 3 == 0;
  std::vector<Record> later;
  if (!over) {
    game.records.resize(std::min(game.records.size(), kShortGame));
    const auto half = static_cast<std::ptrdiff_t>(game.records.size() / 2);
    later.assign(game.records.begin() + half, game.records.end());
    game.records.erase(game.records.begin() + half, game.records.end());
  }
  Sequence next = game.records.size();
  REQUIRE(wait_for<Epoch>([&](auto done) { store.create(id, game, done); }).ok());
  // All on their way at once: what is asked for next is carried out after them.
  for (const Record& record : later) store.append(id, 1, next++, record, [](Result<Sequence>) {});
  store.commit();
  if (number % 2 == 0) {
    const room::Replay replay = room::replay(rules::uprising_content(), records, nullptr, kCovered);
    const Snapshot snapshot{kCovered + 1, room::write_snapshot(*replay.game)};
    REQUIRE(wait_for<Sequence>(store, [&](auto done) { store.snapshot(id, 1, snapshot, done); }).ok());
  }
  if (over)
    REQUIRE(wait_for<Sequence>(store, [&](auto done) { store.close(id, 1, kFirstEnd + number, done); }).ok());
  if (number % 7 != 0)
    REQUIRE(wait_for<UnixMs>(store, [&](auto done) { store.sleep(id, 1, kFirstAlarm + number, done); }).ok());
}

// What a server and a crash may leave on the disk.
struct Files {
  std::string database;
  std::string log;  // "-wal"; may be empty
};

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("landsraad-flips-" + std::to_string(getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }

  std::string database() const { return path_ / "games.sqlite"; }
  std::string log() const { return database() + "-wal"; }

  Files files() const { return {read_file(database()), read_file(log())}; }
  void put(const Files& files) const {
    fs::remove(database() + "-shm");
    fs::remove(log());
    write_file(database(), files.database);
    if (!files.log.empty()) write_file(log(), files.log);
  }

 private:
  fs::path path_;
};

// `killed`: as it is while the server still runs; else as it is after the server has stopped.
Files make_database(bool killed) {
  const Folder folder;
  auto opened = SqliteStore::open({.path = folder.database()});
  REQUIRE_MESSAGE(opened.ok(), opened.why);
  for (std::uint32_t number = 0; number < corpus::kGames; ++number) keep(*opened.value, number);
  for (const rules::ContentFile& file : rules::embedded_files())
    REQUIRE(wait_for<bool>([&](auto done) {
              opened.value->keep_text(fs::path(file.path).stem(), std::string(file.text), done);
            }).ok());
  if (!killed) opened.value.reset();
  Files files = folder.files();  // of a store that is at rest
  REQUIRE(files.log.empty() != killed);
  return files;
}

// ---- What can be seen of a database.

struct Picture {
  std::map<GameId, Result<StoredGame>> whole, resumed;
  Result<ListPage> all, of_player;
  Result<std::vector<GameId>> due;
  Result<std::vector<std::pair<std::string, std::string>>> texts;
};

Picture look(SqliteStore& store) {
  Picture picture;
  for (std::uint32_t number = 0; number < corpus::kGames; ++number) {
    const GameId id = id_of(number);
    picture.whole[id] = wait_for<StoredGame>([&](auto done) { store.load(id, Extent::whole, done); });
    picture.resumed[id] = wait_for<StoredGame>([&](auto done) { store.load(id, Extent::resume, done); });
  }
  picture.all = wait_for<ListPage>([&](auto done) { store.list({.unlisted_too = true}, done); });
  picture.of_player =
      wait_for<ListPage>([&](auto done) { store.list({.player = "somebody who is everywhere"}, done); });
  picture.due = wait_for<std::vector<GameId>>([&](auto done) { store.due(kNever, kMaxListPage, done); });
  picture.texts =
      wait_for<std::vector<std::pair<std::string, std::string>>>([&](auto done) { store.texts(done); });
  return picture;
}

bool same_head(const StoredGame& a, const StoredGame& b) {
  return a.id == b.id && a.status == b.status && a.created_ms == b.created_ms && a.epoch == b.epoch &&
         a.next == b.next;
}

bool same_snapshot(const StoredGame& a, const StoredGame& b) {
  return a.snapshot.covers == b.snapshot.covers && a.snapshot.bytes == b.snapshot.bytes;
}

// ---- What may have become of it.

// How a flip was noticed.
struct Outcomes {
  std::uint64_t unnoticed = 0;      // it changed nothing
  std::uint64_t not_opened = 0;     // the store refuses the file
  std::uint64_t games_damaged = 0;  // some game is reported as damaged
  std::uint64_t games_missing = 0;  // some game is not found; the check of the file says that it is not sound
  std::uint64_t others = 0;         // a snapshot, a text, a line of a list
};

// Compares a damaged database with what it was. Whatever is found to be another game fails the test.
class Comparison {
 public:
  Comparison(const Picture& before, const Picture& now) : before_(before), now_(now) {
    for (const auto& [id, game] : before.whole) compare_whole(id, game.value);
    for (const auto& [id, game] : before.resumed) compare_resumed(id, game.value);
    compare_list(before.all, now.all);
    compare_list(before.of_player, now.of_player);
    compare_due();
    compare_texts();
  }

  bool damaged = false, missing = false, other = false;

 private:
  void compare_whole(const GameId& id, const StoredGame& before) {
    const Result<StoredGame>& now = now_.whole.at(id);
    if (now.error == StoreError::not_found) {
      missing = true;
    } else if (!now.ok()) {
      damaged = true;
    } else {
      CHECK_MESSAGE((same_head(now.value, before) && now.value.records == before.records), id,
                    " is another game");
    }
  }

  void compare_resumed(const GameId& id, const StoredGame& before) {
    const Result<StoredGame>& now = now_.resumed.at(id);
    if (!now.ok()) return;  // compare_whole() has seen it
    CHECK(same_head(now.value, before));
    if (same_snapshot(now.value, before)) {
      CHECK(now.value.records == before.records);
    } else {
      other = true;
      CHECK(now.value.snapshot.covers == 0);
      CHECK(now.value.records == before_.whole.at(id).value.records);
    }
  }

  void compare_list(const Result<ListPage>& before, const Result<ListPage>& now) {
    if (!now.ok()) {
      other = true;
      return;
    }
    std::map<GameId, const ListedGame*> lines;
    for (const ListedGame& line : before.value.games) lines[line.id] = &line;
    std::size_t readable = 0;
    for (const ListedGame& line : now.value.games) {
      if (!line.readable) continue;
      ++readable;
      REQUIRE(lines.contains(line.id));
      const ListedGame& was = *lines[line.id];
      CHECK(line.setup == was.setup);
      CHECK(line.created_ms == was.created_ms);
      CHECK((line.status == was.status && line.next_sequence == was.next_sequence));
    }
    if (now.value.games.size() < before.value.games.size()) missing = true;
    if (readable < before.value.games.size()) other = true;
  }

  // Nobody is woken who should sleep.
  void compare_due() {
    if (!now_.due.ok()) return;
    for (const GameId& id : now_.due.value)
      CHECK(std::count(before_.due.value.begin(), before_.due.value.end(), id) == 1);
    if (now_.due.value.size() < before_.due.value.size()) other = true;
  }

  void compare_texts() {
    if (!now_.texts.ok()) {
      other = true;
      return;
    }
    const auto& texts = before_.texts.value;
    for (const auto& text : now_.texts.value) CHECK(std::count(texts.begin(), texts.end(), text) == 1);
    if (now_.texts.value.size() < texts.size()) other = true;
  }

  const Picture& before_;
  const Picture& now_;
};

void judge(const Folder& folder, const Picture& before, Outcomes& outcomes) {
  // The store comes first: for a log that it refuses, SQLite's own check would cut it short.
  auto opened = SqliteStore::open({.path = folder.database()});
  if (!opened.ok()) {
    ++outcomes.not_opened;
    return;
  }
  const auto faults = check_database({.path = folder.database(), .read_only = true}, Depth::full);
  const bool sound = faults.ok() && faults.value.empty();
  const Comparison found(before, look(*opened.value));
  if (found.missing) CHECK_FALSE_MESSAGE(sound, "a game is missing, and nobody can tell");
  if (found.damaged) ++outcomes.games_damaged;
  if (found.missing) ++outcomes.games_missing;
  if (found.other && !found.damaged && !found.missing) ++outcomes.others;
  if (!found.damaged && !found.missing && !found.other) ++outcomes.unnoticed;
}

// Flips one bit somewhere.
void flip(Files& files, Chance& chance) {
  std::size_t at = chance.below(static_cast<std::uint32_t>(files.database.size() + files.log.size()));
  const bool in_log = at >= files.database.size();
  std::string& file = in_log ? files.log : files.database;
  if (in_log) at -= files.database.size();
  file[at] = static_cast<char>(file[at] ^ (1 << chance.below(8)));
}

// Half of a page is that of another page, or empty, as if it had been written when the power failed.
void tear(Files& files, Chance& chance) {
  constexpr std::size_t kPage = 4096, kHalf = kPage / 2;
  const auto pages = static_cast<std::uint32_t>(files.database.size() / kPage);
  const std::size_t torn = chance.below(pages) * kPage + kHalf;
  const std::string half = chance.below(2) == 0
                               ? std::string(kHalf, '\0')
                               : files.database.substr(chance.below(pages) * kPage + kHalf, kHalf);
  files.database.replace(torn, kHalf, half);
}

void damage_again_and_again(bool killed, std::uint64_t times, void (*damage)(Files&, Chance&)) {
  const Files intact = make_database(killed);
  const Folder folder;
  folder.put(intact);
  Picture before;
  {
    auto opened = SqliteStore::open({.path = folder.database()});
    REQUIRE_MESSAGE(opened.ok(), opened.why);
    before = look(*opened.value);
  }
  // What reads back as it was plays again as it did.
  for (const auto& [id, game] : before.whole)
    REQUIRE(room::replay(rules::uprising_content(), game.value.records).fault.empty());
  for (const auto& [id, game] : before.resumed)
    if (game.value.snapshot.covers > 0)
      REQUIRE(room::resume(rules::uprising_content(), game.value.records, game.value.snapshot.bytes)
                  .fault.empty());

  Outcomes outcomes;
  Chance chance{killed ? 2U : 1U};
  for (std::uint64_t n = 0; n < times; ++n) {
    CAPTURE(n);
    Files damaged = intact;
    damage(damaged, chance);
    folder.put(damaged);
    judge(folder, before, outcomes);
  }
  MESSAGE(times << " times in " << intact.database.size() << " + " << intact.log.size()
                << " bytes: " << outcomes.unnoticed << " without effect, " << outcomes.games_damaged
                << " with damaged games, " << outcomes.games_missing << " with missing games, "
                << outcomes.others << " with other things missing, " << outcomes.not_opened << " not opened");
}

}  // namespace

TEST_CASE("a flipped bit of a database that was closed is noticed or harms nothing") {
  damage_again_and_again(false, testing::games_to_play(kFlips), flip);
}

TEST_CASE("a flipped bit of a database in use, its log included, is noticed or harms nothing") {
  damage_again_and_again(true, testing::games_to_play(kFlips), flip);
}

TEST_CASE("a page of a database that is half another one is noticed or harms nothing") {
  damage_again_and_again(false, testing::games_to_play(kFlips), tear);
}

}  // namespace landsraad::persistence::flips_test
