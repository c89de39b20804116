// The vocabulary of effects: every operation, predicate, count and trigger the engine knows.
//
// One row per word. To add a word: add an enumerator and a row; parser, catalogue, legality and
// execution all read the row. Words and grammar: rules/README.md.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "rules/engine/types.h"

namespace landsraad::rules {

// Lists, in the order of the tables in operations.cpp.
// clang-format off

enum class Op : std::uint8_t {
  // structure
  all, then, arrow, choice, when, trigger, may, each_opponent,
  // resources and cards
  none, solari, spice, water, troop, intrigue, draw, persuasion, sword, vp, discard, trash,
  trash_intrigue, acquire, remove_row, look_top, to_hand, to_discard, trash_looked,
  // board and factions
  influence, influence_visit, lose_influence, spy, recall_spy, take_bonus_spice, steal_intrigue,
  recall_agent, contract, high_council, swordmaster, maker_hooks, sandworm, blow_wall, deploy, retreat,
  control, flip_icon, signet, ignore_influence_requirements,
  // leaders
  memory, return_memories, flip_leader, repeat_space, track_advance,
  count_
};

enum class Predicate : std::uint8_t {
  bond, influence, alliance, any_alliance, influence_on_opponent_alliance, high_council, had_high_council,
  swordmaster, swordmaster_taken, cost_option, agent_here, units_in_conflict, sandworms_in_conflict,
  strength, spies_on_board, spying_on, spy_placed_on, visited, recalled_spy_this_turn, maker_hooks,
  spice, water, solari, gained_spice_this_turn, discarded, trashed_cost, cards_owned, deck,
  count_
};

enum class CountOf : std::uint8_t {
  none, cards_in_play, revealed, sandworms_in_conflict, memories_returned,
  count_
};

enum class TriggerOn : std::uint8_t {
  none, discarded, trashed, acquire, send_agent, visit, opponent_visit, units_deployed_this_turn,
  reach_influence, reveal_turn,
  count_
};

// Qualifier words `[...]` that are no faction, icon, resource, id or number. Bit set in Qualifiers::words.
enum class Word : std::uint8_t {
  any, each_spied, visited, may_share, self, other, hand, discard, in_play, removed, garrison,
  recruited_this_turn, no_hooks, to_discard, to_hand, to_top, from_row, from_any, pay_none, pay_solari,
  pay_persuasion, spied_maker, maker, faction, sword, this_turn,
  count_
};

// clang-format on

using WordMask = std::uint32_t;
constexpr WordMask word_bit(Word word) { return WordMask{1} << static_cast<unsigned>(word); }

// How long an effect lasts or waits (`@duration`).
enum class Duration : std::uint8_t { immediate, turn, round, reveal_turn, combat, game, count_ };
enum class LimitSpan : std::uint8_t { none, turn, round, game };

enum class Compare : std::uint8_t { none, at_least, exactly, at_most, more_than_each_opponent };

// What stands in the brackets and the comparison behind a word.
struct Qualifiers {
  WordMask words = 0;
  IconMask icons = 0;  // `icons=...`, or bare icon words of predicates
  FactionMask factions = 0;
  BattleIconMask battle_icons = 0;
  std::uint16_t ref = 0xffff;  // a card or space id
  std::int16_t value = 0;      // n of cost<=n, diff=n, each_opponent_with>=n, discount, or the comparison
  Compare compare = Compare::none;
  std::uint8_t discount = 0;  // acquire only
  bool has(Word word) const { return (words & word_bit(word)) != 0; }
};

// Which qualifiers a word takes: bits of the `takes` column.
enum Takes : std::uint16_t {
  kTakesNothing = 0,
  kTakesAmount = 1 << 0,  // (n)
  kTakesRange = 1 << 1,   // [=n], [n..m], (any)
  kTakesFactions = 1 << 2,
  kTakesAgentIcons = 1 << 3,  // [icons=a|b] for operations, [a|b] for predicates
  kTakesBattleIcons = 1 << 4,
  kTakesSpace = 1 << 5,      // a space id
  kTakesCard = 1 << 6,       // a card id, bare or card=
  kTakesCost = 1 << 7,       // cost<=n, cost=n, cost>=n
  kTakesDifferent = 1 << 8,  // diff=n
  kTakesOpponents = 1 << 9,  // each_opponent_with>=n
  kTakesCompare = 1 << 10,   // >=n behind the word
  kTakesDiscount = 1 << 11,  // discount=n
  kTakesAll = 1 << 12,       // (all)
};

// One row of each vocabulary: what the parser and the catalogue need. The engine's own columns
// (legality and code) stand in the same tables, see operations.cpp.
struct WordRow {
  std::string_view name;     // as written in content files
  std::uint16_t takes = 0;   // bits of Takes
  WordMask words = 0;        // qualifier words allowed
  std::string_view meaning;  // one line, for the catalogue and rules/README.md
};

const WordRow& row(Op op);
const WordRow& row(Predicate predicate);
const WordRow& row(CountOf count);
const WordRow& row(TriggerOn trigger);
std::string_view name(Word word);          // e.g. "may_share", "to=hand"
std::string_view name(Duration duration);  // without the '@'

}  // namespace landsraad::rules
