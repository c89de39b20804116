// One scenario in progress: the position, and what deltas and events count from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rules/engine/engine.h"
#include "tools/scenario/fields.h"
#include "tools/scenario/moves.h"
#include "tools/scenario/outcome.h"
#include "tools/scenario/script.h"

namespace landsraad::scenario {

class EventLog : public rules::EventSink {
 public:
  void on(const rules::Event& event) override { events.push_back(event); }
  std::vector<rules::Event> events;
};

struct InPlay {
  const Lexicon& lexicon;
  rules::State state;
  rules::State before;                 // what "+2" counts from: the last expectations, or the last `mark`
  EventLog log;                        // events since then
  rules::Seat actor = rules::kNoSeat;  // who acted last; "others" are the others

  rules::Seat decider() const { return rules::first_seat(rules::deciders(state)); }
  // Of kind none once the game is over.
  rules::Decision decision() const {
    const rules::Seat seat = decider();
    return seat == rules::kNoSeat ? rules::Decision{} : rules::pending(lexicon.content, state, seat);
  }
};

// Carries out one clause. The fault says why it is not possible.
Done act(InPlay&, const Clause&);

// Checks one clause: empty if it holds, else what differs. A fault if it cannot be understood.
Outcome<std::string> check(InPlay&, const Clause&);

// `dagger in P1 hand`, `P1 hand 4`: what the seat (kNoSeat: a spectator) sees, or does not see. As check().
Outcome<std::string> check_sees(const InPlay&, rules::Seat viewer, std::string_view text, bool sees);

// Whether the seat holds the card that an action of this kind would play; true for other kinds.
bool holds_card(const InPlay&, rules::Seat, rules::ActionKind, rules::CardId);

// Why the move is not legal, in a few words; empty if the position does not show it.
std::string reason_against(const InPlay&, rules::Seat, const Move&);

// "P1 is asked agent_turn", or that nobody is.
std::string asked_text(const InPlay&);
// Every legal action on a line of its own.
std::string legal_text(const InPlay&);

}  // namespace landsraad::scenario
