// For tests: an SQLite file system whose disk fails on demand.
#pragma once

#include <sqlite3.h>

#include <atomic>

namespace landsraad::persistence {

struct DiskFaults {
  std::atomic<bool> writes_fail = false;
  std::atomic<bool> syncs_fail = false;
  std::atomic<bool> full = false;
  std::atomic<bool> reads_fail = false;
  std::atomic<bool> syncs_hang = false;  // for as long as it is set
  std::atomic<int> syncs = 0;            // how many there were
};

// Registers (once) a file system with this name over the default one; its faults are shared by all files.
inline constexpr const char* kFaultyVfs = "landsraad-faulty";
DiskFaults& faulty_disk();

}  // namespace landsraad::persistence
