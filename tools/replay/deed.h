// What happened in a game, in words: an action, or what people did about the game.
#pragma once

#include <string>

#include "server/room/replay.h"
#include "tools/words/narrator.h"

namespace landsraad::replay {

std::string words_for(const words::Narrator& narrator, const room::Scene& scene);

}  // namespace landsraad::replay
