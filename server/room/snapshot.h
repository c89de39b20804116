// Where a game stands, as stored beside its log, so that waking it need not play everything again
// (landsraad/v1/record.proto, GameSnapshot).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/room/game.h"

namespace landsraad::room {

std::string write_snapshot(const Game& game);

// The game of this opening as the snapshot has it. Nothing if the bytes are no snapshot of this engine's, or
// do not fit together.
std::optional<Game> read_snapshot(const rules::Content& content, const Opening& opening,
                                  std::string_view bytes);

// Whether two games stand in the same place. What is used of the present decisions is not compared: a live
// room counts from when it has shown one and stops while storage is away, a replay knows the log alone.
bool same_standing(const Game& a, const Game& b);

}  // namespace landsraad::room
