// The words of content files and the enums they stand for.
//
// Operations, predicates, counts, triggers, qualifiers and durations come from the tables of
// rules/engine/operations.h; the words of the board and the cards are listed here.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/engine/operations.h"
#include "rules/engine/types.h"

namespace landsraad::rules::notation {

std::string_view word_for(Resource);
std::string_view word_for(Faction);
std::string_view word_for(AgentIcon);
std::string_view word_for(BattleIcon);
std::string_view word_for(Op);
std::string_view word_for(rules::Predicate);
std::string_view word_for(CountOf);
std::string_view word_for(TriggerOn);
std::string_view word_for(Word);
std::string_view word_for(Duration);
std::string_view word_for(LimitSpan);
std::string_view word_for(Compare);  // the sign before the number

// How many values the enum has; the last enumerator is named where there is no `count_`.
template <class Enum>
inline constexpr std::size_t kValues = static_cast<std::size_t>(Enum::count_);
template <>
inline constexpr std::size_t kValues<Resource> = kResources;
template <>
inline constexpr std::size_t kValues<Faction> = kMaxFactions;
template <>
inline constexpr std::size_t kValues<AgentIcon> = static_cast<std::size_t>(AgentIcon::spy) + 1;
template <>
inline constexpr std::size_t kValues<BattleIcon> = static_cast<std::size_t>(BattleIcon::wild) + 1;
template <>
inline constexpr std::size_t kValues<LimitSpan> = static_cast<std::size_t>(LimitSpan::game) + 1;

// The value a word stands for. The words of structure (Op::all ... Op::trigger) are never written.
template <class Enum>
std::optional<Enum> find_word(std::string_view word) {
  if (word.empty()) return std::nullopt;
  for (std::size_t i = 0; i < kValues<Enum>; ++i)
    if (const auto value = static_cast<Enum>(i); word_for(value) == word) return value;
  return std::nullopt;
}

// Every word of the enum, for suggestions.
template <class Enum>
std::vector<std::string_view> all_words() {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < kValues<Enum>; ++i)
    if (const auto word = word_for(static_cast<Enum>(i)); !word.empty()) words.push_back(word);
  return words;
}

inline bool takes(const WordRow& row, unsigned what) { return (row.takes & what) != 0; }

// What the word takes in its brackets, as a list for people; empty if nothing.
std::string bracket_words(const WordRow&);

}  // namespace landsraad::rules::notation
