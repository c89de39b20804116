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

}  // namespace landsraad::room
