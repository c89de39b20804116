// Plays stored games again and compares every stored hash.
#pragma once

#include <string>

#include "tools/replay/database.h"

namespace landsraad::replay {

int verify(Database& database, const std::string& game);

// The file as such first, then every game in it, with a progress line for who waits at a terminal.
int verify_all(const std::string& path);

}  // namespace landsraad::replay
