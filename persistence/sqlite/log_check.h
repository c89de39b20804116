// Whether the log beside an SQLite file ("-wal") has been damaged.
//
// SQLite takes the first frame with a wrong checksum for the end of the log, since a crash in the middle of a
// commit leaves one. Whatever comes behind it is dropped without a word. Of a log that belongs to us a crash
// can spoil the last commit only: each is synced before the next is written. So where two commits in a row
// stand behind a spoiled frame, something that was reported as stored has been damaged later. (One commit
// alone may be what is left of a failed one that a shorter one has overwritten.)
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace landsraad::persistence {

struct LogDamage {
  std::uint64_t at = 0;       // byte at which the log breaks off
  std::uint64_t commits = 0;  // behind it, at least
};

// Of the log `path`; nothing if it is sound or is not there. While nobody writes to it.
std::optional<LogDamage> find_log_damage(const std::string& path);

}  // namespace landsraad::persistence
