// One SQLite file with games in it: who may open it, how connections to it are set up.
#pragma once

#include <string>

#include "persistence/sqlite/connection.h"
#include "persistence/sqlite/layout.h"
#include "persistence/store.h"

namespace landsraad::persistence {

// How many milliseconds a statement waits for another process that reads the file with its own tools.
inline constexpr int kBusyMilliseconds = 1000;

struct SqliteSettings {
  std::string path{};      // the folder is made if it is missing
  bool read_only = false;  // for tools, also beside a running server: no lock, every write is `unavailable`
  const char* vfs = nullptr;  // of SQLite; nullptr = the default one. Tests inject faults here.
  Describe describe{};        // asked about every game of an older layout, when the file is migrated
};

// Keeps other processes (and other stores of this one) from writing to the same file; released when it is
// destroyed and when the process dies in any way.
class FileLock {
 public:
  FileLock() = default;
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

  // Locks the file `path` + "-lock", beside the database itself if `path` is a symbolic link. It is left
  // behind empty-handed afterwards: deleting it would let two processes each hold a lock of their own. Locks
  // the database too, which may have another name (a hard link) and so another "-lock". To be destroyed after
  // SQLite has closed the file: closing it sooner would drop SQLite's own locks.
  // unavailable, naming the process that holds it.
  static Result<FileLock> take(const std::string& path);

 private:
  int descriptor_ = -1;
  int database_ = -1;
};

// Checks that the file is one of ours, creates or migrates it and wakes the orphans in it (unless read_only).
// unavailable with a line a person can act on.
Result<int> prepare_database(const SqliteSettings& settings);

// A connection ready for use, or one that is not open and says why.
Connection connect(const SqliteSettings& settings);

}  // namespace landsraad::persistence
