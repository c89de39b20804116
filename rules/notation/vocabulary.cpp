#include "rules/notation/vocabulary.h"

#include <array>

namespace landsraad::rules::notation {

namespace {

constexpr std::array<std::string_view, kResources> kResourceWords{"solari", "spice", "water"};
constexpr std::array<std::string_view, kMaxFactions> kFactionWords{
    "emperor", "guild", "bene_gesserit", "fremen", "great_houses", "fringe_worlds"};
constexpr std::array<std::string_view, kValues<AgentIcon>> kAgentIconWords{
    "emperor",       "guild",     "bene_gesserit", "fremen",      "great_houses",
    "fringe_worlds", "landsraad", "city",          "spice_trade", "spy"};
constexpr std::array<std::string_view, kValues<BattleIcon>> kBattleIconWords{"crysknife", "desert_mouse",
                                                                             "ornithopter", "wild"};
constexpr std::array<std::string_view, kValues<LimitSpan>> kSpanWords{"", "turn", "round", "game"};

template <class Enum>
constexpr std::size_t index(Enum value) {
  return static_cast<std::size_t>(value);
}

constexpr bool is_structure(Op op) { return op <= Op::trigger; }

}  // namespace

std::string_view word_for(Resource value) { return kResourceWords[index(value)]; }
std::string_view word_for(Faction value) { return kFactionWords[index(value)]; }
std::string_view word_for(AgentIcon value) { return kAgentIconWords[index(value)]; }
std::string_view word_for(BattleIcon value) { return kBattleIconWords[index(value)]; }
std::string_view word_for(Op value) { return is_structure(value) ? std::string_view{} : row(value).name; }
std::string_view word_for(rules::Predicate value) { return row(value).name; }
std::string_view word_for(CountOf value) { return row(value).name; }
std::string_view word_for(TriggerOn value) { return row(value).name; }
std::string_view word_for(Word value) { return name(value); }
std::string_view word_for(Duration value) { return name(value); }
std::string_view word_for(LimitSpan value) { return kSpanWords[index(value)]; }

std::string_view word_for(Compare value) {
  switch (value) {
    case Compare::none:
      return "";
    case Compare::at_least:
      return ">=";
    case Compare::exactly:
      return "=";
    case Compare::at_most:
      return "<=";
    case Compare::more_than_each_opponent:
      return ">each_opponent";
  }
  return "";
}

std::string bracket_words(const WordRow& row) {
  std::string text;
  auto add = [&](std::string_view part) { text += (text.empty() ? "" : ", ") + std::string(part); };
  for (std::size_t i = 0; i < kValues<Word>; ++i)
    if (const auto word = static_cast<Word>(i); (row.words & word_bit(word)) != 0) add(word_for(word));
  if (takes(row, kTakesFactions)) add("a faction");
  if (takes(row, kTakesAgentIcons)) add("Agent icons");
  if (takes(row, kTakesBattleIcons)) add("battle icons");
  if (takes(row, kTakesSpace)) add("a board space");
  if (takes(row, kTakesCard)) add("a card");
  if (takes(row, kTakesCost)) add("cost<=n");
  if (takes(row, kTakesDifferent)) add("diff=n");
  if (takes(row, kTakesOpponents)) add("each_opponent_with>=n");
  if (takes(row, kTakesDiscount)) add("discount=n");
  if (takes(row, kTakesRange)) add("=n or n..m");
  return text;
}

}  // namespace landsraad::rules::notation
