// The opening of a game without a room around it, for random games in tests.
#pragma once

#include <chrono>
#include <cstdint>

#include "rules/notation/load.h"
#include "server/room/record.h"
#include "tests/random/playout.h"

namespace landsraad::room {

// Three or four players with a bank of an hour.
inline Opening random_opening(std::uint64_t number) {
  Opening opening;
  opening.content_version = rules::uprising_content().version;
  opening.options.set_product("uprising");
  opening.options.set_players(number % 2 == 0 ? 4 : 3);
  opening.options.mutable_clock()->mutable_bank()->set_seconds(3600);
  opening.options.mutable_clock()->mutable_bank()->set_increment_seconds(3);
  opening.seed = testing::seed_of(number);
  opening.seats.resize(opening.options.players());
  opening.created = Instant{std::chrono::hours(500'000)};
  return opening;
}

}  // namespace landsraad::room
