// Playing, drawing and stealing Intrigue cards (INTR). Internal to the engine.
#pragma once

#include "rules/engine/effects.h"

namespace landsraad::rules {

void draw_intrigues(Table&, const Effect&, int amount);

// Adds a play_intrigue action for every card of the type that can be played now (INTR-3, INTR-5).
void list_playable(const Position&, Seat, IntrigueType, ActionList&);
void play_intrigue(Table&, Seat, CardId, IntrigueType);

// A face-up Intrigue card whose time is over goes to the discard pile, if nothing of it waits any more.
void put_away(Table&, Seat, Source);

// Rows of frames.cpp.
bool step_intrigue_lines(Table&);
void list_intrigue_lines(const Position&, ActionList&);
void choose_intrigue_line(Table&, const Action&);
bool step_intrigue_played(Table&);

// Rows of operations.cpp.
Duty duty_of_trash_intrigue(const Position&, const Effect&, int amount);
void run_trash_intrigue(Table&, const Effect&, int amount);
void list_trash_intrigue(const Position&, const Frame&, ActionList&);
void choose_trash_intrigue(Table&, Frame&, const Action&);
void run_steal_intrigue(Table&, const Effect&, int amount);

}  // namespace landsraad::rules
