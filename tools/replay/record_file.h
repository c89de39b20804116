// A finished game that its server has given out, checked from the outside.
#pragma once

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

// Plays the game again and compares every hash. `commitment`: 64 hexadecimal digits that the server's seed
// must hash to, or empty; then the sentence says what it hashes to.
Verdict verify_record(const v1::GameRecord& record, std::string_view commitment);
Verdict verify_record_file(const std::string& path, std::string_view commitment);

}  // namespace landsraad::replay
