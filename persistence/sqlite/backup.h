// A copy of a database, made while a server uses it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "persistence/sqlite/database_file.h"

namespace landsraad::persistence {

inline constexpr int kBackupStepPages = 1024;  // copied between two reports of progress: 4 MiB

// After each step: pages copied so far, of how many.
using BackupProgress = std::function<void(std::uint64_t done, std::uint64_t all)>;

// Copies the database of `source` as it is at this moment to the new file `target`, which appears when it is
// complete, found sound and on the disk; else nothing is left behind. The copy is an ordinary database: put
// it in the place of another one. Layouts older or newer than ours are copied as they are.
//
// Takes no lock and never makes the server's writer wait: it holds one read transaction, so the server's
// log (-wal) cannot start afresh before the copy is done. Blocks; not for a server's own threads.
//
// Reports the size of the copy in bytes. exists: `target` is there already. invalid: it belongs to the source
// itself. corrupt: the copy is not sound. unavailable: all else, as a line that says what to do.
Result<std::uint64_t> back_up(const SqliteSettings& source, const std::string& target,
                              const BackupProgress& progress = {}, int step_pages = kBackupStepPages);

}  // namespace landsraad::persistence
