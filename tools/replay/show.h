// Shows one game: in words, as JSON, as a scenario; whole or up to a moment; from everywhere or one seat.
#pragma once

#include "tools/replay/arguments.h"
#include "tools/replay/playable.h"

namespace landsraad::replay {

int show(const Playable& game, const Arguments& arguments);

}  // namespace landsraad::replay
