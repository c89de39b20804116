// The games of the corpus. Each follows from its number alone: the table, the seed, the players, and what
// happens beside the actions.
#pragma once

#include <cstdint>
#include <string>

#include "landsraad/v1/record.pb.h"
#include "rules/engine/content.h"

namespace landsraad::corpus {

// Every combination of players, leaders and policy with every kind of story.
inline constexpr std::uint32_t kGames = 32;

enum class Story : std::uint8_t {
  plain,     // nothing but actions, and own actions taken back
  clocks,    // time for each decision; default actions, bots that come and go, pauses, the server stops
  talk,      // a bank of time; anything taken back by consent, new owners and doors; ends by agreement
  farewell,  // days for each decision; players give up and bots go on, until the last one ends the game
  count_
};

struct Recipe {
  std::uint32_t number = 0;
  std::uint32_t players = 4;
  bool picked_leaders = false;
  bool greedy = false;  // else at random
  Story story = Story::plain;
};

Recipe recipe(std::uint32_t number);

// "uprising_3p_picked_greedy_clocks_seed7"
std::string name(const Recipe& recipe);

// Plays the game, from its opening to its end.
v1::GameRecord play(const rules::Content& content, const Recipe& recipe);

}  // namespace landsraad::corpus
