// What a player does, as a person says it: "P1 sends dagger to arrakeen". Text to legal actions and back.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/engine/engine.h"
#include "tools/scenario/fields.h"
#include "tools/scenario/outcome.h"

namespace landsraad::scenario {

bool is_verb(std::string_view word);
bool is_action(std::string_view text);  // begins with a verb, or with "is done"
std::vector<std::string_view> verbs();

// One way to understand what was said. Fields without a value fit anything.
struct Form {
  rules::ActionKind kind = rules::ActionKind::none;
  std::optional<int> option, subject, target;
  std::optional<int> post;          // kNoPost: none
  std::vector<std::uint8_t> zones;  // choose_card, acquire: any of these options
  std::string effect;               // resolve: effect_key of what is written; empty = any
  bool exact = false;               // resolve: the whole effect, not a part of it
  std::vector<Named> sources;       // resolve: where it is printed; empty = anywhere
};

// Everything that may be meant.
struct Move {
  std::vector<Form> forms;
};

// Reads what stands behind the seat: "sends dagger to arrakeen recalling B". Needs the position for names
// that depend on it (steps of a leader's track).
Outcome<Move> read_move(const Lexicon&, const rules::State&, rules::Seat, std::string_view text);

// How well an action fits: 0 = not at all.
int fit(const Lexicon&, const rules::State&, const rules::Action&, const Move&);

// The legal actions that fit best. Two that nobody could tell apart count as one.
std::vector<rules::Action> best_fits(const Lexicon&, const rules::State&, rules::Seat, const Move&);

// The actions that the move describes completely, legal or not: what is_legal() must reject.
std::vector<rules::Action> actions_described(const Move&);

// The action as read_move() reads it.
std::string move_text(const Lexicon&, const rules::State&, rules::Seat, const rules::Action&);

// "troop of arrakeen": where an effect comes from, in one word; empty for the rules themselves.
std::string source_text(const Lexicon&, rules::Source);
// Whether a source may be called by this name.
bool is_named(const Lexicon&, rules::Source, Named);

// "choose_post for spy(1) of espionage"
std::string decision_text(const Lexicon&, const rules::Decision&);

}  // namespace landsraad::scenario
