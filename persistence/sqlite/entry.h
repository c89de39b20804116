// A row of the table `game` as a value.
#pragma once

#include <cstdint>

#include "persistence/admission.h"
#include "persistence/sqlite/connection.h"
#include "persistence/store.h"

namespace landsraad::persistence {

struct Entry {
  std::int64_t key = 0;
  GameId id{};
  GameHead head{};
  std::uint64_t checksum = 0;

  bool intact() const;
};

// What a statement selects, in this order and first, for read_entry().
#define LANDSRAAD_ENTRY_COLUMNS \
  "key, id, status, created_ms, epoch, records, listed, closed_ms, wake_ms, checksum"
inline constexpr int kEntryColumns = 10;

// The entry in the row at which the statement stands.
Entry read_entry(const Statement& row);

// The owner of all games has died: those that it left awake are due at once. For the running transaction;
// an SQLite code. Damaged entries are left as they are.
int wake_orphans(const Connection& connection);

}  // namespace landsraad::persistence
