// Whether an SQLite file is sound as such. What the games in it say is another question: replay them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "persistence/sqlite/database_file.h"

namespace landsraad::persistence {

enum class Depth : std::uint8_t {
  quick,  // pages and rows: PRAGMA quick_check
  full,   // indexes against tables too, and references between tables: integrity_check, foreign_key_check
};

inline constexpr std::size_t kMaxFaults = 100;  // that a check names; then it stops

// What is wrong, a line each; none if the file is sound. May run beside a server with read_only settings: it
// reads in one transaction and holds nobody up. unavailable if the file cannot be read at all.
Result<std::vector<std::string>> check_database(const SqliteSettings& settings, Depth depth);

}  // namespace landsraad::persistence
