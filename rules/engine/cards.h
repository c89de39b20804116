// A player's own cards: drawing, discarding, trashing, looking (DECK, TRASH). Internal to the engine.
#pragma once

#include "rules/engine/effects.h"

namespace landsraad::rules {

// Draws as many as there are; the discard pile is shuffled when the deck runs out (SUPPLY-11).
void draw_cards(Table&, const Effect&, int amount);

// Index of a card of this kind in a zone, -1 if there is none.
int find_in(const Position&, Seat, Zone, CardId);

// Takes a card out of the game: Reserve cards go back to their stack (TRASH-3).
void trash_copy(Table&, const Effect& cause, CardCopy);
void return_to_reserve(Table&, CardCopy);

// Rows of operations.cpp.
Duty duty_of_draw(const Position&, const Effect&, int amount);
void run_draw(Table&, const Effect&, int amount);
Duty duty_of_discard(const Position&, const Effect&, int amount);
void run_discard(Table&, const Effect&, int amount);
void list_discard(const Position&, const Frame&, ActionList&);
void choose_discard(Table&, Frame&, const Action&);
Duty duty_of_trash(const Position&, const Effect&, int amount);
void run_trash(Table&, const Effect&, int amount);
void list_trash(const Position&, const Frame&, ActionList&);
void choose_trash(Table&, Frame&, const Action&);
Duty duty_of_look_top(const Position&, const Effect&, int amount);
void run_look_top(Table&, const Effect&, int amount);
Duty duty_of_looked(const Position&, const Effect&, int amount);
Duty duty_of_to_hand(const Position&, const Effect&, int amount);
void run_to_hand(Table&, const Effect&, int amount);
void run_looked(Table&, const Effect&, int amount);
void list_looked(const Position&, const Frame&, ActionList&);
void choose_looked(Table&, Frame&, const Action&);

}  // namespace landsraad::rules
