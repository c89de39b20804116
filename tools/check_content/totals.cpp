#include "tools/check_content/totals.h"

#include <algorithm>
#include <bit>

namespace landsraad::check_content {

namespace {

using namespace landsraad::rules;

int copies(const Content& content, Deck deck) {
  int sum = 0;
  for (const Card& card : content.cards)
    if (card.deck == deck) sum += card.copies;
  return sum;
}

int conflicts(const Content& content, int level) {
  return static_cast<int>(std::count_if(content.conflicts.begin(), content.conflicts.end(),
                                        [&](const Conflict& conflict) { return conflict.level == level; }));
}

int front_sides(const Content& content) {
  return static_cast<int>(std::count_if(content.leaders.begin(), content.leaders.end(),
                                        [](const Leader& leader) { return !leader.back_side; }));
}

int spaces(const Content& content, AgentIcon icon) {
  return std::popcount(content.spaces_with_icon[static_cast<std::size_t>(icon)]);
}

int connections(const Content& content) {
  int sum = 0;
  for (const Post& post : content.posts) sum += std::popcount(post.spaces);
  return sum;
}

template <class Thing>
int count(const std::vector<Thing>& table) {
  return static_cast<int>(table.size());
}

}  // namespace

std::vector<Total> uprising_totals(const Content& content) {
  return {{"starting cards of a player", copies(content, Deck::starter), 10},
          {"Imperium cards", copies(content, Deck::imperium), 65},
          {"Intrigue cards", copies(content, Deck::intrigue), 40},
          {"Reserve cards", copies(content, Deck::reserve), 18},
          {"Conflict I cards", conflicts(content, 1), 3},
          {"Conflict II cards", conflicts(content, 2), 9},
          {"Conflict III cards", conflicts(content, 3), 4},
          {"objectives", count(content.objectives), 5},
          {"leaders", front_sides(content), 8},
          {"faction tracks", count(content.tracks), 4},
          {"board spaces", count(content.spaces), 22},
          {"spaces of the Emperor", spaces(content, AgentIcon::emperor), 2},
          {"spaces of the Spacing Guild", spaces(content, AgentIcon::guild), 2},
          {"spaces of the Bene Gesserit", spaces(content, AgentIcon::bene_gesserit), 2},
          {"spaces of the Fremen", spaces(content, AgentIcon::fremen), 2},
          {"Landsraad spaces", spaces(content, AgentIcon::landsraad), 5},
          {"City spaces", spaces(content, AgentIcon::city), 4},
          {"Spice Trade spaces", spaces(content, AgentIcon::spice_trade), 5},
          {"observation posts", count(content.posts), 13},
          {"connections of posts", connections(content), 24}};
}

}  // namespace landsraad::check_content
