// One simulation: tables of bots, a network, a server and its disk, and what goes wrong with them. All of
// it follows from the seed.
//
//   1. Rough: faults come at random while the bots gather and play.
//   2. Calm: no more faults; the games must get on to their targets, or to their ends.
//   3. At rest: nobody acts; everybody must be back and see what the disk says.
//   4. In some: the server is started again, and once more at rest.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/simulation/bot.h"
#include "tests/simulation/process.h"

namespace landsraad::simulation {

struct Report {
  std::string failure;  // empty: all went well
  Counts counts;
  std::size_t games = 0, games_over = 0, restarts = 0, slow_readers_dropped = 0;
  std::uint32_t longest_game = 0;  // actions
  Span simulated{0};

  void add(const Report& other);
};

Report simulate(std::uint64_t seed);

}  // namespace landsraad::simulation
