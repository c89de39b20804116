// Putting what was given, and the defaults, into a State. Internal to position.cpp and its parts.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tools/scenario/given.h"
#include "tools/scenario/text.h"

namespace landsraad::scenario {

// The copies of Intrigue cards that lie face up, or are being played: by card and by the number that a
// dump gives the copy (0: none).
using EffectCopies = std::map<std::pair<rules::CardId, std::size_t>, rules::CardCopy>;

// Numbers, troops, Agents, Spies, tokens: pieces.cpp.
void place_pieces(Given&, rules::State&);
// Every copy of every card to its one place: cards.cpp.
void place_cards(Given&, rules::State&, EffectCopies&);
// Conflict cards and Objectives: conflicts.cpp.
void place_conflicts(Given&, rules::State&);
// What the seat did earlier in its turn: pieces.cpp.
void place_turn(Given&, rules::State&, rules::Seat, const EffectCopies&);
// Effects that wait; stack and open effects of a position in the middle of something: half_resolved.cpp.
void place_waiting(Given&, rules::State&, const EffectCopies&);
void place_stack(Given&, rules::State&, const EffectCopies&);

// The copy that is meant by a card's name alone: of the seat's own the last in play, else in hand, ...
rules::CardCopy copy_meant(const rules::Content&, const rules::State&, rules::CardId, rules::Seat,
                           const EffectCopies&);

// The seat whose turn it is; kNoSeat for nobody.
rules::Seat turn_seat(const Given&, const rules::State&);

// What the parts have in common: what was said, and where it goes.
class Placing {
 public:
  Placing(Given& given, rules::State& state)
      : given_(given),
        lexicon_(given.lexicon()),
        content_(given.lexicon().content),
        options_(given.options()),
        state_(state) {}

 protected:
  void problem(int line, std::string text) { given_.problem(line, std::move(text)); }
  const std::optional<Said>& said(FieldId id, rules::Seat seat) const { return given_.said(id, seat); }
  int number(FieldId id, rules::Seat seat, int otherwise) const { return given_.number(id, seat, otherwise); }
  const std::vector<Part>& parts(FieldId id, rules::Seat seat) const { return given_.parts(id, seat); }
  bool only(FieldId id, rules::Seat seat) const { return given_.only(id, seat); }
  int line_of(FieldId id, rules::Seat seat) const { return given_.line_of(id, seat); }

  static std::uint8_t byte(int value) { return static_cast<std::uint8_t>(value); }
  static std::int16_t word16(int value) { return static_cast<std::int16_t>(value); }

  Given& given_;
  const Lexicon& lexicon_;
  const rules::Content& content_;
  const rules::Options& options_;
  rules::State& state_;
};

}  // namespace landsraad::scenario
