#include "tools/replay/verify.h"

#include <iostream>
#include <utility>
#include <vector>

#include "persistence/sqlite/check.h"
#include "server/progress.h"
#include "server/room/snapshot.h"
#include "tools/replay/exit_code.h"

namespace landsraad::replay {

using persistence::Result;

namespace {

struct Finding {
  bool good = false;
  std::string line;
};

// A server goes on from the snapshot: it must lead to where the log leads. Nothing: it does, or there is
// none.
std::string fault_of_snapshot(Database& database, const Playable& game, const room::Game& by_log) {
  const Result<persistence::StoredGame> stored = database.load_to_resume(game.id);
  if (!stored.ok()) return stored.why;
  if (stored.value.snapshot.covers == 0) return {};
  const room::Replay resumed =
      room::resume(game.content(), stored.value.records, stored.value.snapshot.bytes);
  if (!resumed.fault.empty()) return resumed.fault;
  return room::same_standing(*resumed.game, by_log) ? "" : "Its snapshot leads elsewhere than its log.";
}

Finding look_at(Database& database, const std::string& game) {
  const Result<Playable> loaded = database.load(game);
  if (!loaded.ok()) return {false, loaded.why};
  const room::Replay replay = play(loaded.value);
  const std::string what = "game " + game + ": ";
  if (!replay.fault.empty()) return {false, what + replay.fault};
  if (const std::string fault = fault_of_snapshot(database, loaded.value, *replay.game); !fault.empty())
    return {false, what + fault};
  return {true, what + std::to_string(replay.entries) + " entries, all as stored"};
}

std::string words_for(const std::vector<std::string>& faults) {
  if (faults.empty()) return "the file is sound";
  return "the file is damaged, " + std::to_string(faults.size()) +
         (faults.size() < persistence::kMaxFaults ? "" : " or more") +
         " faults, the first: " + faults.front();
}

bool verify_games(Database& database) {
  std::vector<std::string> games;
  const std::string fault =
      database.for_each_game({}, [&](const persistence::ListedGame& game) { games.push_back(game.id); });
  if (!fault.empty()) std::cerr << "landsraad-replay: " << fault << '\n';
  bool good = fault.empty();
  Progress progress("games");
  std::size_t done = 0;
  for (const std::string& game : games) {
    const Finding finding = look_at(database, game);
    progress.hide();
    std::cout << finding.line << '\n';
    progress.show(++done, games.size());
    good = good && finding.good;
  }
  return good;
}

}  // namespace

int verify(Database& database, const std::string& game) {
  const Finding finding = look_at(database, game);
  std::cout << finding.line << '\n';
  return finding.good ? kWell : kDamaged;
}

int verify_all(const std::string& path) {
  const auto checked =
      persistence::check_database({.path = path, .read_only = true}, persistence::Depth::full);
  if (checked.ok()) std::cout << path << ": " << words_for(checked.value) << '\n';
  Result<Database> opened = Database::open(path, true);
  if (!checked.ok() || !opened.ok()) {
    std::cerr << "landsraad-replay: " << (checked.ok() ? opened.why : checked.why) << '\n';
    return kDamaged;
  }
  return verify_games(opened.value) && checked.value.empty() ? kWell : kDamaged;
}

}  // namespace landsraad::replay
