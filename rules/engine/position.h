// Entering a phase or a turn from a given position: for scenarios and tests, which set a State up by hand.
#pragma once

#include "rules/engine/engine.h"

namespace landsraad::rules {

// Forgets everything half resolved, so that a phase can be entered.
void clear_stack(State&);

// The seat's turn begins: it is asked for its kind of turn. What state.turn already says of this turn
// (recruited troops, Spies recalled, ...) is kept; its seat and kind are set.
void start_turn(const Content&, State&, Seat);
// The seat is in the middle of an Agent turn on a space, with a card in play and no open effects.
void start_agent_turn(const Content&, State&, Seat, SpaceId, CardCopy);
// The seat takes its Reveal turn: its hand is turned up.
void start_reveal_turn(const Content&, State&, Seat, EventSink* = nullptr);
// The phase begins from its first step. turns: the first player's turn; endgame: the first window.
void start_phase(const Content&, State&, Phase, EventSink* = nullptr);

}  // namespace landsraad::rules
