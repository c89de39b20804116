// From where a game is looked at.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rules/wire/encode.h"
#include "server/room/record.h"

namespace landsraad::replay {

struct Viewpoint {
  bool all = false;                        // every hand and every deck in its order
  wire::Viewer viewer = wire::kSpectator;  // else what this one may see
};

// "all", "spectator", the number of a seat (0 is the first), or the name of a player. Nothing if it is none
// of them in this game.
std::optional<Viewpoint> viewpoint_of(std::string_view word, const room::Opening& opening);

// What is seen from there: what rules/wire sends this viewer. From everywhere: every seat with all it may see
// of itself; the order of decks is in no view.
v1::Snapshot seen(const rules::Content& content, const rules::State& state, const Viewpoint& from);

}  // namespace landsraad::replay
