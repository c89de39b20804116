// What comes of the actions of all tables of a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/load/loop.h"

namespace landsraad::load {

struct Tally {
  bool measuring = false;
  std::uint64_t actions = 0;             // while measuring, as the two below
  std::uint64_t refused = 0;             // answered with an error
  std::vector<std::uint32_t> latencies;  // from send to own answer, in tenths of a microsecond
  std::uint64_t games_over = 0;
  std::string failure;  // the first one; ends the run

  void answered(Clock::duration latency) {
    if (!measuring) return;
    ++actions;
    latencies.push_back(static_cast<std::uint32_t>(latency / std::chrono::nanoseconds(100)));
  }
  void fail(const std::string& why) {
    if (failure.empty()) failure = why;
  }
};

}  // namespace landsraad::load
