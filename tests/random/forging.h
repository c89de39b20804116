// Games that differ only in what a viewer may not know ("forged" from a real one).
#pragma once

#include <vector>

#include "tests/random/playout.h"

namespace landsraad::testing {

// Any position that looks the same from the seat; from the side if it is kNoSeat.
rules::State forged_position(const rules::Content&, const rules::State& real, rules::Seat viewer, Chance&);

// A position in which the move is the same and turns up the same cards, but what stays hidden from the
// viewer differs. What the viewer may draw or steal stays as it is.
rules::State forged_for(const rules::Content&, const rules::State& real, rules::Seat viewer, const Move&,
                        Chance&);

// For each copy of a card the one that takes its place: copies of each kind of card are exchanged among
// themselves.
using Renaming = std::vector<rules::CardCopy>;
Renaming renamed_copies(const rules::Content&, Chance&);
void rename(const rules::Content&, const Renaming& to, rules::State&);

}  // namespace landsraad::testing
