// A server's database, as the tasks of this tool ask for it: one request after the other.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "persistence/sqlite/sqlite_store.h"
#include "tools/replay/playable.h"

namespace landsraad::replay {

class Database {
 public:
  // Only to read, which may be done beside a running server; or as the only one who has it.
  static persistence::Result<Database> open(const std::string& path, bool read_only);

  const std::string& path() const { return path_; }

  persistence::Result<Playable> load(const std::string& game);
  // As a server loads it to go on with it.
  persistence::Result<persistence::StoredGame> load_to_resume(const std::string& game);
  // Visits all games, page by page; what went wrong, or nothing.
  std::string for_each_game(persistence::ListQuery query,
                            const std::function<void(const persistence::ListedGame&)>& visit);
  // The stored text of the cards of this version; empty if it is not there.
  std::string edition(const std::string& version) const;

  // Stores a game and lets it sleep: closed if it is over, else due at once. exists, unavailable, invalid.
  persistence::Result<int> store(const Playable& game, const room::Replay& replay,
                                 const std::string& edition);

  Database() = default;

 private:
  std::string path_{};
  std::unique_ptr<persistence::SqliteStore> store_{};
  std::map<std::string, std::string> editions_{};
  std::shared_ptr<room::Library> library_{};
};

}  // namespace landsraad::replay
