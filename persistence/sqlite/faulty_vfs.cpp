#include "persistence/sqlite/faulty_vfs.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace landsraad::persistence {

namespace {

DiskFaults faults;
sqlite3_vfs* base() { return sqlite3_vfs_find("unix"); }

// ---- What a failing power would take.

struct Change {
  sqlite3_int64 at = 0;  // of the bytes; of the new end for a truncation
  std::string before;    // what lay there; shorter than `after` where the file ended
  std::string after;
  bool truncates = false;
};

// What has been done to one file since it was last synced, in order.
using History = std::vector<Change>;

std::mutex histories_mutex;
std::map<std::string, History>& histories() {
  static std::map<std::string, History> by_path;
  return by_path;
}

// Whether the power is still on for one more operation.
bool spend_power() {
  int left = faults.power_lasts;
  while (left > 0 && !faults.power_lasts.compare_exchange_weak(left, left - 1)) {
  }
  return left != 0;
}
bool has_power() { return faults.power_lasts != 0; }

void undo(std::string& content, const Change& change) {
  const auto at = static_cast<std::size_t>(change.at);
  content.resize(std::max(content.size(), at + change.after.size()));
  content.replace(at, change.after.size(), change.before);
}

void redo(std::string& content, const Change& change, const std::function<bool()>& survives) {
  const auto at = static_cast<std::size_t>(change.at);
  if (change.truncates) {
    if (survives()) content.resize(std::min(content.size(), at));
    return;
  }
  for (std::size_t done = 0; done < change.after.size();) {
    const std::size_t size = std::min(kSectorBytes - (at + done) % kSectorBytes, change.after.size() - done);
    if (survives()) {
      content.resize(std::max(content.size(), at + done + size));
      content.replace(at + done, size, change.after, done, size);
    }
    done += size;
  }
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void lose_some(const std::string& path, const History& history, const std::function<bool()>& survives) {
  if (history.empty() || !std::filesystem::exists(path)) return;
  std::string content = read_file(path);
  for (auto change = history.rbegin(); change != history.rend(); ++change) undo(content, *change);
  for (const Change& change : history) redo(content, change, survives);
  std::ofstream(path, std::ios::binary) << content;
}

// ---- The file system.

// A file of ours, with the real one behind it in the same block of memory.
struct FaultyFile {
  sqlite3_file head;
  History* history;  // none for temporary files
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

sqlite3_file* real(sqlite3_file* file) { return reinterpret_cast<FaultyFile*>(file)->real(); }

// The bytes of the file from `at` on, as many as there are up to `size`.
std::string bytes_at(sqlite3_file* file, sqlite3_int64 at, sqlite3_int64 size) {
  sqlite3_int64 end = 0;
  real(file)->pMethods->xFileSize(real(file), &end);
  std::string bytes(static_cast<std::size_t>(std::clamp<sqlite3_int64>(end - at, 0, size)), '\0');
  if (!bytes.empty())
    real(file)->pMethods->xRead(real(file), bytes.data(), static_cast<int>(bytes.size()), at);
  return bytes;
}

void remember(sqlite3_file* file, Change change) {
  if (History* history = reinterpret_cast<FaultyFile*>(file)->history) history->push_back(std::move(change));
}

int close_file(sqlite3_file* file) { return real(file)->pMethods->xClose(real(file)); }

int read(sqlite3_file* file, void* to, int size, sqlite3_int64 at) {
  if (faults.reads_fail || !has_power()) return SQLITE_IOERR_READ;
  return real(file)->pMethods->xRead(real(file), to, size, at);
}

int write(sqlite3_file* file, const void* from, int size, sqlite3_int64 at) {
  if (faults.writes_fail || !spend_power()) return SQLITE_IOERR_WRITE;
  const bool full = faults.full;
  if (full) size /= 2;
  const std::lock_guard lock(histories_mutex);
  remember(file, {at, bytes_at(file, at, size),
                  std::string(static_cast<const char*>(from), static_cast<std::size_t>(size))});
  const int code = real(file)->pMethods->xWrite(real(file), from, size, at);
  return full ? SQLITE_FULL : code;
}

int truncate(sqlite3_file* file, sqlite3_int64 size) {
  if (!spend_power()) return SQLITE_IOERR_TRUNCATE;
  const std::lock_guard lock(histories_mutex);
  sqlite3_int64 end = 0;
  real(file)->pMethods->xFileSize(real(file), &end);
  remember(file, {size, bytes_at(file, size, end), {}, true});
  return real(file)->pMethods->xTruncate(real(file), size);
}

// What would reach the real disk is not asked: the machine that these tests run on does not fail.
int sync(sqlite3_file* file, int) {
  ++faults.syncs;
  while (faults.syncs_hang) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (faults.syncs_fail || !spend_power()) return SQLITE_IOERR_FSYNC;
  const std::lock_guard lock(histories_mutex);
  if (History* history = reinterpret_cast<FaultyFile*>(file)->history) history->clear();
  return SQLITE_OK;
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}
int lock(sqlite3_file* file, int level) { return real(file)->pMethods->xLock(real(file), level); }
int unlock(sqlite3_file* file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }
int is_reserved(sqlite3_file* file, int* out) {
  return real(file)->pMethods->xCheckReservedLock(real(file), out);
}
int control(sqlite3_file* file, int op, void* argument) {
  return real(file)->pMethods->xFileControl(real(file), op, argument);
}
int sector_size(sqlite3_file* file) { return real(file)->pMethods->xSectorSize(real(file)); }
int characteristics(sqlite3_file* file) { return real(file)->pMethods->xDeviceCharacteristics(real(file)); }
int shm_map(sqlite3_file* file, int page, int size, int extend, void volatile** out) {
  return real(file)->pMethods->xShmMap(real(file), page, size, extend, out);
}
int shm_lock(sqlite3_file* file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
void shm_barrier(sqlite3_file* file) { real(file)->pMethods->xShmBarrier(real(file)); }
int shm_unmap(sqlite3_file* file, int erase) { return real(file)->pMethods->xShmUnmap(real(file), erase); }

const sqlite3_io_methods kMethods = {
    2,         close_file,  read,    write,       truncate,        sync,    file_size, lock,
    unlock,    is_reserved, control, sector_size, characteristics, shm_map, shm_lock,  shm_barrier,
    shm_unmap, nullptr,     nullptr,
};

int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  sqlite3_file* behind = real(file);
  std::memset(behind, 0, static_cast<std::size_t>(base()->szOsFile));
  const int code = base()->xOpen(base(), name, behind, flags, out_flags);
  file->pMethods = code == SQLITE_OK ? &kMethods : nullptr;
  const std::lock_guard lock(histories_mutex);
  reinterpret_cast<FaultyFile*>(file)->history = name == nullptr ? nullptr : &histories()[name];
  return code;
}

int remove_file(sqlite3_vfs*, const char* name, int sync_folder) {
  if (!spend_power()) return SQLITE_IOERR_DELETE;
  const std::lock_guard lock(histories_mutex);
  histories()[name].clear();
  return base()->xDelete(base(), name, sync_folder);
}

}  // namespace

DiskFaults& faulty_disk() {
  static sqlite3_vfs vfs = [] {
    sqlite3_vfs copy = *base();  // all but opening files is the base's own business
    copy.szOsFile += static_cast<int>(sizeof(FaultyFile));
    copy.zName = kFaultyVfs;
    copy.xOpen = open;
    copy.xDelete = remove_file;
    copy.pNext = nullptr;
    return copy;
  }();
  static const int registered = sqlite3_vfs_register(&vfs, 0);
  static_cast<void>(registered);
  return faults;
}

void restore_power(const std::function<bool()>& survives) {
  const std::lock_guard lock(histories_mutex);
  for (auto& [path, history] : histories()) lose_some(path, history, survives);
  histories().clear();
  faults.power_lasts = -1;
}

}  // namespace landsraad::persistence
