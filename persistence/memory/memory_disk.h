// What survives a MemoryStore: the disk of the simulated machine, and what each request does to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "persistence/admission.h"
#include "persistence/store.h"

namespace landsraad::persistence {

struct MemoryDisk {
  struct StoredRecord {
    Record bytes;
    std::uint64_t checksum = 0;
  };
  struct StoredPlayer {
    PlayerKey key;
    std::uint64_t checksum = 0;
  };
  struct StoredSnapshot {
    Snapshot snapshot;
    std::uint64_t checksum = 0;
  };
  struct StoredText {
    std::string bytes;
    std::uint64_t checksum = 0;
  };
  struct Game {
    GameHead head;
    std::uint64_t checksum = 0;  // of the head
    std::vector<StoredRecord> records;
    std::vector<StoredPlayer> players;
    StoredSnapshot snapshot;
  };

  std::map<GameId, Game> games;
  std::map<std::string, StoredText> kept_texts;

  // Flips one bit of a record, so that the game is corrupt. False if there is no such record.
  bool flip_bit(const GameId& game, Sequence sequence, std::size_t bit);

  // The owner of all games has died: those that it left awake are due at once. For whoever starts anew on
  // this disk; a MemoryStore does not do it by itself, since several may play processes beside each other.
  void wake_orphans();

  // As Store's requests, carried out at once.
  Result<Epoch> create(const GameId& id, const NewGame& contents);
  Result<Epoch> claim(const GameId& id);
  Result<Sequence> append(const GameId& id, Epoch epoch, Sequence expected, const Record& record);
  Result<Sequence> keep_snapshot(const GameId& id, Epoch epoch, const Snapshot& snapshot);
  Result<Sequence> close(const GameId& id, Epoch epoch, UnixMs closed_ms);
  Result<UnixMs> sleep(const GameId& id, Epoch epoch, UnixMs wake_ms);
  Result<StoredGame> load(const GameId& id, Extent extent) const;
  Result<ListPage> list(const ListQuery& query) const;
  Result<std::vector<GameId>> due(UnixMs now_ms, std::size_t limit) const;
  Result<std::uint64_t> purge(UnixMs closed_before_ms, std::size_t limit);
  Result<Sequence> amend(const GameId& id, const Record& setup, const std::vector<PlayerKey>& players);
  Result<bool> keep_text(const std::string& key, const std::string& text);
  Result<Texts> texts() const;
};

}  // namespace landsraad::persistence
