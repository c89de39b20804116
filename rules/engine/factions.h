// Influence and Alliances (FACT, ALLY). Internal to the engine.
#pragma once

#include "rules/engine/effects.h"

namespace landsraad::rules {

inline constexpr int kInfluenceForPoint = 2;  // FACT-5
inline constexpr int kInfluenceForBonus = 4;  // FACT-6, ALLY-1

void gain_influence(Table&, const Effect&, Faction, int amount);
void lose_influence(Table&, const Effect&, Faction);

// ALLY-3: several players could take the token, its holder chooses. Rows of frames.cpp.
void list_alliance_heirs(const Position&, ActionList&);
void choose_alliance_heir(Table&, const Action&);

// Rows of operations.cpp.
Duty duty_of_influence(const Position&, const Effect&, int amount);
void run_influence(Table&, const Effect&, int amount);
void list_influence(const Position&, const Frame&, ActionList&);
void choose_influence(Table&, Frame&, const Action&);
Duty duty_of_influence_visit(const Position&, const Effect&, int amount);
void run_influence_visit(Table&, const Effect&, int amount);
Duty duty_of_lose_influence(const Position&, const Effect&, int amount);
void run_lose_influence(Table&, const Effect&, int amount);
void list_lose_influence(const Position&, const Frame&, ActionList&);
void choose_lose_influence(Table&, Frame&, const Action&);

}  // namespace landsraad::rules
