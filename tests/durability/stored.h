// The database as it is on the disk, read beside whatever server has it open, or none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "persistence/sqlite/sqlite_store.h"

namespace landsraad::durability {

class Stored {
 public:
  // Throws e2e::Failure if it cannot be opened.
  explicit Stored(const std::string& database);

  persistence::Result<persistence::StoredGame> load(const persistence::GameId& game);
  std::vector<persistence::GameId> games();  // all of them

 private:
  std::unique_ptr<persistence::SqliteStore> store_;
};

}  // namespace landsraad::durability
