// How a client keeps its view: the reference for the rule in proto/landsraad/v1/game.proto.
#pragma once

#include "landsraad/v1/game.pb.h"

namespace landsraad::wire {

// Folds the changes of a Diff into the view they were made for.
void fold(v1::GameView& view, const v1::GameView& changes);

}  // namespace landsraad::wire
