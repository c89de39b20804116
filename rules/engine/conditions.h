// Conditions and counts: questions about the position. Internal to the engine.
#pragma once

#include "rules/engine/table.h"

namespace landsraad::rules {

// Whether the conditions hold for `seat` now (ORDER-5); `source` is where they are printed.
bool holds(const Position&, const Conditions&, Seat seat, Source source);

// The amount of a node: its number times its count, counted now (REVEAL-14).
int amount_of(const Position&, const Effect&);

bool compares(const Qualifiers&, int value);

// Cards in play or revealed.
bool has_faction(const Card&, FactionMask);

// Posts with an own Spy; spaces connected to them (SPY-16).
PostMask own_posts(const Position&, Seat);
SpaceMask spied_spaces(const Position&, Seat);

}  // namespace landsraad::rules
