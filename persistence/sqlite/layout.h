// The tables of a file, and the way from older layouts to this one.
#pragma once

#include <functional>
#include <vector>

#include "persistence/sqlite/connection.h"
#include "persistence/store.h"

namespace landsraad::persistence {

// The layout this version reads and writes; older ones are migrated, newer ones refused.
inline constexpr int kSchemaVersion = 3;

// Written into the file's header, so that other SQLite files are refused: "LNDS".
inline constexpr int kApplicationId = 0x4c4e4453;

// What layouts 1 and 2 had only inside the set-up of a game.
struct GameDescription {
  std::vector<PlayerKey> players{};
  bool listed = true;
};
using Describe = std::function<GameDescription(const Record& setup)>;

// Brings the file from layout `from` (0: empty) to kSchemaVersion, each step a transaction. `describe` may be
// empty: then games of older layouts have no players, and are listed. An SQLite code.
int migrate(const Connection& connection, int from, const Describe& describe);

}  // namespace landsraad::persistence
