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
std::uint64_t game_checksum(std::string_view game, std::int64_t created_ms, const GameHead& head);

}  // namespace landsraad::persistence
