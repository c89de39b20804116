// A finished game as everybody may have it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "landsraad/v1/record.pb.h"
#include "server/room/secrets.h"

namespace landsraad::room {

// All that the game followed from, for anyone to play it again: its opening and log as stored, without the
// hashes of tokens, passwords and invitations. Nothing if a record does not read as one.
std::optional<v1::GameRecord> disclose(const std::vector<std::string>& records);

// A finished game's opening that no longer tells who the player was, and the players it still tells of.
struct Unnamed {
  std::string setup;
  std::vector<TokenHash> players;
};
// Shown where a name was.
inline constexpr std::string_view kForgottenName = "(forgotten)";

// Nothing if the bytes are no opening.
std::optional<Unnamed> without_player(std::string_view opening, const TokenHash& player);

}  // namespace landsraad::room
