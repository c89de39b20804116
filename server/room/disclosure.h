// A finished game as everybody may have it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "landsraad/v1/record.pb.h"

namespace landsraad::room {

// All that the game followed from, for anyone to play it again: its opening and log as stored, without the
// hashes of tokens, passwords and invitations. Nothing if a record does not read as one.
std::optional<v1::GameRecord> disclose(const std::vector<std::string>& records);

}  // namespace landsraad::room
