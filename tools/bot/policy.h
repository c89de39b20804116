// How a bot chooses one of the legal actions.
#pragma once

#include <cstdint>
#include <random>

#include "landsraad/v1/game.pb.h"

namespace landsraad::bot {

enum class Policy : std::uint8_t {
  random,  // any legal action
  greedy,  // does what it can before it ends or passes, takes the larger amount, aims at Influence 2 and 4
};

// One of decision.actions(), which are never empty. `view` is what the seat sees now.
const v1::Action& choose(Policy, const v1::LegalActions& decision, const v1::GameView& view,
                         std::mt19937_64& chance);

}  // namespace landsraad::bot
