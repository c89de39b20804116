#include "persistence/sqlite/entry.h"

#include <vector>

#include "persistence/checksum.h"

namespace landsraad::persistence {

bool Entry::intact() const { return checksum == game_checksum(id, head); }

Entry read_entry(const Statement& row) {
  return {.key = row.number(0),
          .id = row.bytes(1),
          .head = {.created_ms = row.number(3),
                   .status = row.number(2) == 0 ? GameStatus::open : GameStatus::closed,
                   .epoch = static_cast<Epoch>(row.number(4)),
                   .next = static_cast<Sequence>(row.number(5)),
                   .listed = row.number(6) != 0,
                   .closed_ms = row.number(7),
                   .wake_ms = row.number(8)},
          .checksum = static_cast<std::uint64_t>(row.number(9))};
}

int wake_orphans(const Connection& connection) {
  Statement awake(connection, "SELECT " LANDSRAAD_ENTRY_COLUMNS " FROM game WHERE wake_ms = 0");
  std::vector<Entry> orphans;
  int code = SQLITE_OK;
  while ((code = awake.step()) == SQLITE_ROW)
    if (Entry entry = read_entry(awake); entry.intact()) orphans.push_back(std::move(entry));
  const auto fatal = [](int error) { return error_of(error) == StoreError::unavailable; };
  if (fatal(code)) return code;

  Statement update(connection, "UPDATE game SET wake_ms = ?2, checksum = ?3 WHERE key = ?1");
  for (Entry& entry : orphans) {
    entry.head.wake_ms = kAtOnce;
    code = update.bind(entry.key, entry.head.wake_ms, game_checksum(entry.id, entry.head)).run();
    if (fatal(code)) return code;
  }
  return SQLITE_OK;
}

}  // namespace landsraad::persistence
