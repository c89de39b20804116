// What the writer is asked to do, as values.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "persistence/store.h"

namespace landsraad::persistence {

struct CreateGame {
  GameId game;
  NewGame contents;
};
struct ClaimGame {
  GameId game;
};
struct AppendRecord {
  GameId game;
  Epoch epoch = 0;
  Sequence expected = 0;
  Record record;
};
struct KeepSnapshot {
  GameId game;
  Epoch epoch = 0;
  Snapshot snapshot;
};
struct CloseGame {
  GameId game;
  Epoch epoch = 0;
  UnixMs closed_ms = 0;
};
struct PutToSleep {
  GameId game;
  Epoch epoch = 0;
  UnixMs wake_ms = 0;
};
struct AmendGame {
  GameId game;
  Record setup;
  std::vector<PlayerKey> players;
};
struct KeepText {
  std::string key;
  std::string text;
};

// Done in slices, each in a transaction with whatever else waits, so that nobody waits for the whole.
struct PurgeGames {
  struct Progress {
    std::uint64_t purged = 0;
    UnixMs closed_ms = std::numeric_limits<UnixMs>::min();  // of the last game looked at,
    GameId id{};                                            // and its id
    bool complete = false;
  };

  UnixMs closed_before_ms = 0;
  std::uint64_t limit = 0;
  Progress done{};  // committed
  Progress next{};  // once the running transaction is
};

using Task = std::variant<CreateGame, ClaimGame, AppendRecord, KeepSnapshot, CloseGame, PutToSleep, AmendGame,
                          KeepText, PurgeGames>;

}  // namespace landsraad::persistence
