// Agent turns and Reveal turns (phase 2). Internal to the engine.
#pragma once

#include "rules/engine/effects.h"

namespace landsraad::rules {

// Begins the next turn of the seat: it is asked for its kind of turn.
void begin_turn(Table&, Seat);
// Begins the seat's Reveal turn: all cards in hand are turned up (REVEAL-1).
void begin_reveal_turn(Table&, Seat);
// A card that has come into the hand during the own Reveal turn is revealed at once (REVEAL-4).
void reveal_if_in_reveal_turn(Table&, Seat);

// Rows of frames.cpp.
void list_take_turn(const Position&, ActionList&);
void choose_take_turn(Table&, const Action&);
void list_gather_intelligence(const Position&, ActionList&);
void choose_gather_intelligence(Table&, const Action&);
bool step_agent_turn(Table&);
void list_agent_turn(const Position&, ActionList&);
void choose_agent_turn(Table&, const Action&);
bool step_reveal_turn(Table&);
void list_reveal_turn(const Position&, ActionList&);
void choose_reveal_turn(Table&, const Action&);

}  // namespace landsraad::rules
