#include "tools/check_content/words.h"

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

#include "rules/notation/vocabulary.h"

namespace landsraad::check_content {

namespace {

using namespace landsraad::rules;
using notation::takes;
using notation::word_for;

// The word with a sign for each thing it takes: influence[...](n), strength>=n.
std::string written(const WordRow& row, bool wraps) {
  std::string text(row.name);
  if (!notation::bracket_words(row).empty()) text += "[...]";
  if (wraps) text += "(effect)";
  if (takes(row, kTakesAmount)) text += "(n)";
  if (takes(row, kTakesAll)) text += "(all)";
  if (takes(row, kTakesCompare)) text += ">=n";
  return text;
}

void print(const WordRow& row, bool wraps) {
  const std::string brackets = notation::bracket_words(row);
  std::printf("  %-32s %.*s\n", written(row, wraps).c_str(), static_cast<int>(row.meaning.size()),
              row.meaning.data());
  if (!brackets.empty()) std::printf("  %-32s   [%s]\n", "", brackets.c_str());
}

template <class Enum>
void print_rows(const char* title) {
  std::printf("%s\n", title);
  for (std::size_t i = 0; i < notation::kValues<Enum>; ++i)
    if (const auto value = static_cast<Enum>(i); !word_for(value).empty()) {
      bool wraps = false;
      if constexpr (std::is_same_v<Enum, Op>) wraps = value == Op::may || value == Op::each_opponent;
      print(row(value), wraps);
    }
}

template <class Enum>
void print_list(const char* title) {
  std::printf("%s\n ", title);
  for (std::string_view word : notation::all_words<Enum>())
    std::printf(" %.*s", static_cast<int>(word.size()), word.data());
  std::printf("\n");
}

}  // namespace

void print_words() {
  print_rows<Op>("Operations");
  print_rows<Predicate>("Conditions: if(...)");
  print_rows<CountOf>("Counts: *per(...)");
  print_rows<TriggerOn>("Triggers: on(...)");
  print_list<Duration>("Durations: @...");
  print_list<Faction>("Factions");
  print_list<AgentIcon>("Agent icons");
  print_list<BattleIcon>("Battle icons");
}

}  // namespace landsraad::check_content
