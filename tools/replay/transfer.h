// Moves a game to another server: out of one database into a file, out of the file into another database.
#pragma once

#include <string>

#include "tools/replay/database.h"

namespace landsraad::replay {

// Writes the game with everything that is stored of it, the text of its cards included, to the new `file`.
// Only a game that plays again as it is stored.
int export_game(Database& database, const std::string& game, const std::string& file);

// Plays the game in the file again and stores it under its id, if there is none with this id yet. `database`
// is made if it is missing.
int import_game(const std::string& database, const std::string& file);

}  // namespace landsraad::replay
