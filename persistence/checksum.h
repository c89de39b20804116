// Checksums that bind what is stored to the place where it belongs.
#pragma once

#include <cstdint>
#include <string_view>

#include "persistence/admission.h"
#include "persistence/store.h"

namespace landsraad::persistence {

// Of one record: changes with the bytes, and if the record is moved to another game or place.
std::uint64_t record_checksum(std::string_view game, Sequence sequence, std::string_view bytes);

// Of what is stored of a game beside its records, their number included: none can get lost unnoticed.
std::uint64_t game_checksum(std::string_view game, const GameHead& head);
// The same as layouts 1 and 2 of an SQLite file had it: without `listed`, `closed_ms` and `wake_ms`.
std::uint64_t old_game_checksum(std::string_view game, const GameHead& head);

// Of a snapshot, which belongs to one game.
std::uint64_t snapshot_checksum(std::string_view game, Sequence covers, std::string_view bytes);

// Of the fact that a player takes part in a game.
std::uint64_t player_checksum(std::string_view game, std::string_view player);

std::uint64_t text_checksum(std::string_view key, std::string_view text);

}  // namespace landsraad::persistence
