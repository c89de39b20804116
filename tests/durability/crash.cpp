// kill -9, at any moment: under load, while everybody comes back, while the server starts.
#include <algorithm>
#include <cstdio>
#include <random>
#include <thread>

#include "tests/durability/crowd.h"
#include "tests/durability/runs.h"
#include "tests/durability/server.h"
#include "tests/durability/verdict.h"
#include "tests/e2e/table.h"

namespace landsraad::durability {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int kKilledWhileStartingOneIn = 8;
constexpr milliseconds kLongestStart{40};
constexpr milliseconds kMostPeace{2'500};
constexpr seconds kUntilAllIsPlayed{400};
constexpr int kKillsPerLine = 20;

class Accidents {
 public:
  explicit Accidents(const Options& options)
      : chance_(options.seed), usual_peace_(options.peace), longest_peace_(options.peace) {}

  bool strikes_start() { return chance_() % kKilledWhileStartingOneIn == 0; }
  milliseconds start() { return below(kLongestStart); }
  milliseconds peace() { return below(longest_peace_); }

  // A machine so busy that nobody gets to act before the next kill is given more time, while it lasts.
  void take_account(bool anybody_acted) {
    longest_peace_ =
        anybody_acted ? std::max(usual_peace_, longest_peace_ / 2) : std::min(longest_peace_ * 2, kMostPeace);
  }

 private:
  milliseconds below(milliseconds most) {
    return milliseconds(std::uniform_int_distribution<milliseconds::rep>(0, most.count())(chance_));
  }

  std::mt19937_64 chance_;
  milliseconds usual_peace_, longest_peace_;
};

void live_until_killed(Server& server, Crowd& crowd, Accidents& accidents) {
  server.start();
  if (accidents.strikes_start()) {
    std::this_thread::sleep_for(accidents.start());
    return server.kill();
  }
  crowd.connect(server.wait_until_listening());
  const std::uint64_t before = crowd.tally().acknowledged;
  crowd.play(accidents.peace(), [] { return false; });
  server.kill();
  crowd.hear_the_last();
  accidents.take_account(crowd.tally().acknowledged > before);
}

void show_progress(int kills, const Crowd& crowd) {
  if (kills % kKillsPerLine != 0) return;
  std::printf("%4d kills, %llu acts acknowledged, %llu games over\n", kills,
              static_cast<unsigned long long>(crowd.tally().acknowledged),
              static_cast<unsigned long long>(crowd.tally().games_over));
  std::fflush(stdout);
}

void play_to_the_end(Server& server, Crowd& crowd) {
  crowd.end_with_these_games();
  server.start();
  crowd.connect(server.wait_until_listening());
  if (crowd.play(kUntilAllIsPlayed, [&] { return crowd.all_done(); })) return;
  for (const auto& room : crowd.rooms())
    if (!room->done()) throw e2e::Failure{room->position() + ": it does not come to an end"};
}

}  // namespace

void run_crash(const Options& options) {
  const std::string database = options.folder + "/games.sqlite";
  Server server(options.server, database, options.folder);
  Crowd crowd(options.seed, options.rooms, options.think);
  Bookkeeper bookkeeper(database);
  Accidents accidents(options);

  // The first server is not killed before there is a database.
  server.start();
  server.wait_until_listening();
  server.kill();
  for (int kills = 1; kills <= options.kills; ++kills) {
    live_until_killed(server, crowd, accidents);
    bookkeeper.compare(crowd.ledgers());
    show_progress(kills, crowd);
  }
  play_to_the_end(server, crowd);
  server.stop();
  const std::size_t games = bookkeeper.close_the_books(crowd.ledgers());
  const Tally& tally = crowd.tally();
  std::printf(
      "%d kills; %llu acts acknowledged, %llu more found stored by those who came back; "
      "all %zu games came to their end and play again with their hashes\n",
      options.kills, static_cast<unsigned long long>(tally.acknowledged),
      static_cast<unsigned long long>(tally.found_done), games);
}

}  // namespace landsraad::durability
