// For tests: an SQLite file system whose disk fails on demand.
#pragma once

#include <sqlite3.h>

#include <atomic>
#include <cstddef>
#include <functional>

namespace landsraad::persistence {

struct DiskFaults {
  std::atomic<bool> writes_fail = false;
  std::atomic<bool> syncs_fail = false;
  std::atomic<bool> full = false;  // a write gets half of its bytes in
  std::atomic<bool> reads_fail = false;
  std::atomic<bool> syncs_hang = false;  // for as long as it is set
  std::atomic<int> syncs = 0;            // how many there were
  std::atomic<int> power_lasts =
      -1;  // for so many writes, truncations and syncs; then nothing works. < 0: on
};

// Registers (once) a file system with this name over the default one; its faults are shared by all files.
inline constexpr const char* kFaultyVfs = "landsraad-faulty";
DiskFaults& faulty_disk();

// Gives back what a disk holds when the power has failed, once all stores on it are destroyed: all that was
// synced, and of what was written since, sector by sector, what `survives` decides. The power is on again.
void restore_power(const std::function<bool()>& survives);
inline constexpr std::size_t kSectorBytes = 512;

}  // namespace landsraad::persistence
