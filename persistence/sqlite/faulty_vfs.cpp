#include "persistence/sqlite/faulty_vfs.h"

#include <chrono>
#include <cstring>
#include <new>
#include <thread>

namespace landsraad::persistence {

namespace {

DiskFaults faults;
sqlite3_vfs* base() { return sqlite3_vfs_find("unix"); }

// A file of ours, with the real one behind it in the same block of memory.
struct FaultyFile {
  sqlite3_file head;
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

sqlite3_file* real(sqlite3_file* file) { return reinterpret_cast<FaultyFile*>(file)->real(); }

int close_file(sqlite3_file* file) { return real(file)->pMethods->xClose(real(file)); }

int read(sqlite3_file* file, void* to, int size, sqlite3_int64 at) {
  if (faults.reads_fail) return SQLITE_IOERR_READ;
  return real(file)->pMethods->xRead(real(file), to, size, at);
}

int write(sqlite3_file* file, const void* from, int size, sqlite3_int64 at) {
  if (faults.full) return SQLITE_FULL;
  if (faults.writes_fail) return SQLITE_IOERR_WRITE;
  return real(file)->pMethods->xWrite(real(file), from, size, at);
}

int truncate(sqlite3_file* file, sqlite3_int64 size) {
  return real(file)->pMethods->xTruncate(real(file), size);
}

int sync(sqlite3_file* file, int flags) {
  ++faults.syncs;
  while (faults.syncs_hang) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (faults.syncs_fail) return SQLITE_IOERR_FSYNC;
  return real(file)->pMethods->xSync(real(file), flags);
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
  return code;
}

}  // namespace

DiskFaults& faulty_disk() {
  static sqlite3_vfs vfs = [] {
    sqlite3_vfs copy = *base();  // all but opening files is the base's own business
    copy.szOsFile += static_cast<int>(sizeof(FaultyFile));
    copy.zName = kFaultyVfs;
    copy.xOpen = open;
    copy.pNext = nullptr;
    return copy;
  }();
  static const int registered = sqlite3_vfs_register(&vfs, 0);
  static_cast<void>(registered);
  return faults;
}

}  // namespace landsraad::persistence
