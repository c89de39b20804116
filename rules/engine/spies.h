// Spies on observation posts (SPY). Internal to the engine.
#pragma once

#include "rules/engine/effects.h"

namespace landsraad::rules {

inline constexpr int kSpiesPerPlayer = 3;  // SUPPLY-1

void place_spy(Table&, const Effect&, PostId);
// SPY-17: every return counts as "recalled a Spy this turn".
void recall_spy(Table&, const Effect&, PostId);
void list_own_posts(const Position&, Seat, PostMask among, ActionList&);

// Rows of operations.cpp.
Duty duty_of_spy(const Position&, const Effect&, int amount);
void run_spy(Table&, const Effect&, int amount);
void list_spy(const Position&, const Frame&, ActionList&);
void choose_spy(Table&, Frame&, const Action&);
Duty duty_of_recall_spy(const Position&, const Effect&, int amount);
void run_recall_spy(Table&, const Effect&, int amount);
void list_recall_spy(const Position&, const Frame&, ActionList&);
void choose_recall_spy(Table&, Frame&, const Action&);

}  // namespace landsraad::rules
