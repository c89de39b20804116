// The room core in a simulated world, once for each seed. LANDSRAAD_FIRST_GAME and LANDSRAAD_GAMES say which
// seeds; a failing one is printed and plays the same again by its number.
#include <doctest/doctest.h>

#include <chrono>

#include "tests/random/playout.h"
#include "tests/simulation/world.h"

namespace landsraad::simulation {
namespace {

constexpr std::uint64_t kSeeds = 40;

TEST_CASE("whatever the network, the store and the clients do, rooms keep their promises") {
  const std::uint64_t first = testing::first_game();
  const std::uint64_t seeds = testing::games_to_play(kSeeds);
  Report sum;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    const Report report = simulate(seed);
    CHECK_MESSAGE(report.failure.empty(), "seed " << seed << ": " << report.failure);
    sum.add(report);
  }
  const Counts& counts = sum.counts;
  MESSAGE(seeds << " seeds, " << std::chrono::duration_cast<std::chrono::hours>(sum.simulated).count()
                << " simulated hours: " << sum.games << " games, " << sum.games_over
                << " to their end, longest " << sum.longest_game << " actions; " << counts.actions
                << " actions, " << counts.acknowledged << " acknowledged; " << counts.frames << " frames");
  MESSAGE("requests refused: " << counts.repeated << " repeated, " << counts.stale << " late, "
                               << counts.refused_by_store << " by the store; " << sum.restarts
                               << " restarts, " << counts.wakes << " games woken, " << counts.roused
                               << " of them by their deadlines, " << counts.slept << " fell asleep, "
                               << counts.ownership_lost << " lost to another owner, "
                               << sum.slow_readers_dropped << " slow readers dropped, "
                               << counts.came_back_by_diffs << " came back by diffs, " << counts.undone
                               << " undone");
  MESSAGE("moves: " << counts.by_bots << " by bots, " << counts.by_timeout << " on time-out, "
                    << counts.by_plan << " by plan, " << counts.agreed << " undone by consent; "
                    << counts.pauses << " pauses, " << counts.taken_back << " seats taken back, "
                    << counts.resigned << " resigned");
}

TEST_CASE("the same seed makes the same world") {
  const Report once = simulate(3), again = simulate(3);
  CHECK(once.counts.frames == again.counts.frames);
  CHECK(once.counts.acknowledged == again.counts.acknowledged);
  CHECK(once.simulated == again.simulated);
}

}  // namespace
}  // namespace landsraad::simulation
