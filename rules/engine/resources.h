// Solari, spice, water, Persuasion, swords and victory points. Internal to the engine.
#pragma once

#include "rules/engine/effects.h"

namespace landsraad::rules {

void change_resource(Table&, const Effect&, Resource, int amount);
void change_victory_points(Table&, const Effect&, int amount);
void gain_persuasion(Table&, const Effect&, int amount);
void gain_swords(Table&, const Effect&, int amount);

// Rows of operations.cpp.
Duty duty_of_solari(const Position&, const Effect&, int amount);
Duty duty_of_spice(const Position&, const Effect&, int amount);
Duty duty_of_water(const Position&, const Effect&, int amount);
void run_none(Table&, const Effect&, int amount);
void run_solari(Table&, const Effect&, int amount);
void run_spice(Table&, const Effect&, int amount);
void run_water(Table&, const Effect&, int amount);
void run_contract(Table&, const Effect&, int amount);
Duty duty_of_bonus_spice(const Position&, const Effect&, int amount);
void run_take_bonus_spice(Table&, const Effect&, int amount);

}  // namespace landsraad::rules
