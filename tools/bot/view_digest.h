// A short name for a whole view, to compare what several clients saw.
#pragma once

#include <string>

#include "landsraad/v1/game.pb.h"

namespace landsraad::bot {

// 32 hex digits, of the view as protobuf bytes: equal views, equal digests.
std::string digest(const v1::GameView& view);

}  // namespace landsraad::bot
