// What some leaders have of their own: a zone for troops, a second side, a track. Internal.
#pragma once

#include "rules/engine/effects.h"

namespace landsraad::rules {

// Rows of operations.cpp.
void run_memory(Table&, const Effect&, int amount);
void run_return_memories(Table&, const Effect&, int amount);
Duty duty_of_flip_leader(const Position&, const Effect&, int amount);
void run_flip_leader(Table&, const Effect&, int amount);
Duty duty_of_repeat_space(const Position&, const Effect&, int amount);
void run_repeat_space(Table&, const Effect&, int amount);
Duty duty_of_track_advance(const Position&, const Effect&, int amount);
void run_track_advance(Table&, const Effect&, int amount);
void list_track_advance(const Position&, const Frame&, ActionList&);
void choose_track_advance(Table&, Frame&, const Action&);

}  // namespace landsraad::rules
