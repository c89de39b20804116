// Acquiring cards from the Imperium Row and the Reserve (ACQ). Internal to the engine.
#pragma once

#include "rules/engine/effects.h"

namespace landsraad::rules {

// The Row is filled up from the deck, as far as that goes (ACQ-4, SUPPLY-9).
void refill_row(Table&);

// Buying with Persuasion in the own Reveal turn (ACQ-2).
void list_purchases(const Position&, Seat, ActionList&);
void choose_purchase(Table&, Seat, const Action&);

// Cards set aside for the seat that it has not acquired leave the game (CLAR-6).
void drop_set_aside(Table&, Seat);

// Rows of operations.cpp.
Duty duty_of_acquire(const Position&, const Effect&, int amount);
void run_acquire(Table&, const Effect&, int amount);
void list_acquire(const Position&, const Frame&, ActionList&);
void choose_acquire(Table&, Frame&, const Action&);
Duty duty_of_remove_row(const Position&, const Effect&, int amount);
void run_remove_row(Table&, const Effect&, int amount);
void list_remove_row(const Position&, const Frame&, ActionList&);
void choose_remove_row(Table&, Frame&, const Action&);

}  // namespace landsraad::rules
