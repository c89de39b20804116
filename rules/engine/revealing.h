// What an action has shown its player, for taking it back.
#pragma once

#include "rules/engine/state.h"

namespace landsraad::rules {

// Whether the way from `before` to `after`, by an action of `seat`, may have shown the seat anything it did
// not know, or used chance: a pile has moved, a card was drawn or looked at, another seat's secret cards have
// changed. Errs on the side of true; what it says depends on nothing that is hidden from anybody.
bool reveals(const State& before, const State& after, Seat seat);

}  // namespace landsraad::rules
