// Troops, sandworms and the Shield Wall (UNIT, WORM, WALL). Internal to the engine.
#pragma once

#include "rules/engine/effects.h"

namespace landsraad::rules {

inline constexpr int kTroopsPerPlayer = 12;   // SUPPLY-1
inline constexpr int kGarrisonAllowance = 2;  // UNIT-7

// Recruits up to `amount`, as far as the supply reaches (SUPPLY-7).
void recruit(Table&, const Effect&, int amount);
void deploy_from_garrison(Table&, const Effect&, int amount);
void deploy_from_supply(Table&, const Effect&, int amount);

// WALL-2: whether the current Conflict is for a location behind the standing Shield Wall.
bool conflict_is_protected(const Position&);

// Troops the seat may deploy by the visit of this turn (UNIT-7..11).
int deployable(const Position&, Seat);
void list_deployments(const Position&, Seat, ActionList&);
void choose_deployment(Table&, Seat, const Action&);

// Rows of operations.cpp.
Duty duty_of_troop(const Position&, const Effect&, int amount);
void run_troop(Table&, const Effect&, int amount);
Duty duty_of_sandworm(const Position&, const Effect&, int amount);
void run_sandworm(Table&, const Effect&, int amount);
Duty duty_of_blow_wall(const Position&, const Effect&, int amount);
void run_blow_wall(Table&, const Effect&, int amount);
Duty duty_of_deploy(const Position&, const Effect&, int amount);
void run_deploy(Table&, const Effect&, int amount);
void list_deploy(const Position&, const Frame&, ActionList&);
void choose_deploy(Table&, Frame&, const Action&);
Duty duty_of_retreat(const Position&, const Effect&, int amount);
void run_retreat(Table&, const Effect&, int amount);
void list_retreat(const Position&, const Frame&, ActionList&);
void choose_retreat(Table&, Frame&, const Action&);

}  // namespace landsraad::rules
