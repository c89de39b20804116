// Every part of a position by its name: what a scenario may set, may expect, and what a dump prints.
//
// One table (fields.cpp). A field of a seat is written behind the seat (`P1 solari 3`), a field of the table
// stands alone (`round 3`). The words are documented in tests/scenarios/README.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/engine/engine.h"
#include "tools/scenario/effect_text.h"
#include "tools/scenario/names.h"

namespace landsraad::scenario {

// The content with its indices: what reading and writing scenarios needs, made once.
struct Lexicon {
  explicit Lexicon(const rules::Content& c) : content(c), names(c), effects(c) {}
  const rules::Content& content;
  Names names;
  EffectIndex effects;
};

// Everything that has a name of its own. Fields of seats first.
enum class FieldId : std::uint8_t {
  // of a seat
  leader,
  step,
  vp,
  solari,
  spice,
  water,
  emperor,
  guild,
  bene_gesserit,
  fremen,
  alliance,
  hand,
  deck,
  in_play,
  discard,
  intrigue,
  set_aside,
  garrison,
  supply,
  troops,
  sandworms,
  memories,
  swords,
  persuasion,
  strength,
  agents,
  agents_left,
  spies,
  spies_left,
  control,
  high_council,
  swordmaster,
  hooks,
  objective,
  won,
  revealed,
  reveal_order,
  place,
  preview_persuasion,
  preview_strength,
  // of a seat, in its present turn
  recruited,
  deployed,
  units_deployed,
  spice_gained,
  recalled_spy,
  visited,
  cost_option,
  played_card,
  acquired,
  visit_influence,
  memories_returned,
  looked,
  had_high_council,
  ignore_requirements,
  deploy_recruited,
  last_post,
  last_discarded,
  last_trashed_cost,
  // of the table
  round,
  phase,
  turn,
  turn_kind,
  first_player,
  wall,
  conflict,
  conflict_deck,
  row,
  imperium_deck,
  reserve,
  intrigue_deck,
  intrigue_discard,
  trashed,
  intrigue_trashed,
  bonus_spice,
  combat_passes,
  reveals,
  phase_step,
  count_
};
inline constexpr FieldId kFirstTurnField = FieldId::recruited;
inline constexpr FieldId kFirstTableField = FieldId::round;

enum class FieldKind : std::uint8_t {
  number,
  flag,    // yes or no
  word,    // one of fixed words: phase, turn_kind, wall
  seat,    // P1.. or nobody
  one,     // one thing or none
  list,    // things in no order
  pile,    // cards in order, the top or the current one first
  counts,  // things with a number each
};

// What may stand behind a name in a list.
enum Mark : std::uint8_t {
  kNoMark = 0,
  kKnown = 1,     // hand: everybody knows the card
  kRevealed = 2,  // in play: turned up in the Reveal turn
  kSword = 4,     // in play: has given a sword
  kDown = 8,      // won Conflict, Objective: face down
};

struct Entry {
  std::uint16_t id = 0;
  std::uint8_t marks = kNoMark;
  std::int16_t number = 0;  // counts
};

struct Value {
  int number = 0;              // number, flag, word, seat (-1 = nobody)
  std::vector<Entry> entries;  // one, list, pile, counts
};

struct Field {
  FieldId id;
  std::string_view name;
  std::string_view also;  // other names, separated by blanks
  FieldKind kind = FieldKind::number;
  Thing thing = Thing::none;     // of the entries
  std::uint8_t marks = kNoMark;  // that may be written
  bool settable = true;
  Value (*read)(const Lexicon&, const rules::State&, rules::Seat) = nullptr;
  std::string_view meaning;
};

const Field& field(FieldId id);
std::span<const Field> all_fields();
constexpr bool is_of_seat(FieldId id) { return id < kFirstTableField; }
// Fields of the present turn may be written with or without its seat.
constexpr bool is_of_turn(FieldId id) { return id >= kFirstTurnField && id < kFirstTableField; }
const Field* find_field(std::string_view name, bool of_seat);  // null if there is none
std::vector<std::string_view> field_names(bool of_seat);

// The fixed words of a field of kind word, by number.
std::span<const std::string_view> words_of(FieldId id);

// The names of the steps of a leader's own track; empty if there is none.
std::vector<std::string_view> steps_of(const rules::Content&, rules::LeaderId);

// As written in a scenario: "3", "yes", "maker_keeper, dagger known", "none".
std::string value_text(const Lexicon&, const rules::State&, const Field&, const Value&, rules::Seat);

}  // namespace landsraad::scenario
