// One game in a file of its own: given out by its server when it was over, or exported to be moved.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "landsraad/v1/record.pb.h"

namespace landsraad::replay {

struct Verdict {
  bool good = false;
  std::string sentence;
};

// Whether the file is there and no SQLite database.
bool is_record_file(const std::string& path);

// Nothing if the file is not there or no record of a game.
std::optional<v1::GameRecord> read_record_file(const std::string& path);

// Plays the game again and compares every hash. `commitment`: 64 hexadecimal digits that the server's seed
// must hash to, for which the game must be over; or empty: then the sentence says what it hashes to.
Verdict verify_record(const v1::GameRecord& record, std::string_view commitment);

}  // namespace landsraad::replay
