// The phases of a round, and what they ask. Internal to the engine.
#pragma once

#include "rules/engine/effects.h"

namespace landsraad::rules {

// Takes the next step of the round; called when no effect is half resolved.
void advance_phase(Table&);

// setup.cpp
void set_up(Table&, const Seed&);
void list_leaders(const Position&, ActionList&);
void choose_leader(Table&, const Action&);

// round.cpp
void list_defensive_bonus(const Position&, ActionList&);
void choose_defensive_bonus(Table&, const Action&);

// combat.cpp
void advance_combat(Table&);
void list_combat_turn(const Position&, ActionList&);
void choose_combat_turn(Table&, const Action&);
bool step_combat_turn(Table&);
bool step_combat_reward(Table&);
bool step_combat_end(Table&);

// endgame.cpp
void advance_endgame(Table&);
void list_endgame(const Position&, ActionList&);
void choose_endgame(Table&, const Action&);

}  // namespace landsraad::rules
