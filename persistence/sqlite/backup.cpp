#include "persistence/sqlite/backup.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <utility>

#include "persistence/admission.h"
#include "persistence/new_file.h"
#include "persistence/sqlite/check.h"

namespace landsraad::persistence {

namespace {

namespace fs = std::filesystem;

using Copied = Result<std::uint64_t>;

Copied failed(StoreError error, std::string why) { return refusal<std::uint64_t>({error, std::move(why)}); }

// Whether the target is the database or one of the files SQLite and we keep beside it.
bool belongs_to(const std::string& source, const std::string& target) {
  std::error_code error;
  if (fs::equivalent(source, target, error)) return true;
  const std::string file = fs::weakly_canonical(target, error).string();
  const std::string database = fs::weakly_canonical(source, error).string();
  constexpr std::array beside{"", "-wal", "-shm", "-journal", "-lock"};
  return std::any_of(beside.begin(), beside.end(),
                     [&](const char* suffix) { return file == database + suffix; });
}

// Why the source cannot be copied, or nothing. Begins the transaction in which it is copied.
std::string begin_reading(const Connection& from, const std::string& path) {
  if (!from.is_open()) return "cannot open the database " + path + ": " + from.error();
  if (from.run("BEGIN") != SQLITE_OK) return "cannot read " + path + ": " + from.error();
  Statement id(from, "PRAGMA application_id");
  Statement schema(from, "SELECT count(*) FROM sqlite_schema");  // from here on we see this moment
  if (schema.step() != SQLITE_ROW || id.step() != SQLITE_ROW)
    return "cannot read " + path + ": " + from.error();
  return id.number(0) == kApplicationId ? "" : path + " is not the database of a server";
}

std::string why_not_copied(int code, const Connection& to, const std::string& target) {
  if ((code & 0xff) == SQLITE_FULL) return "no space for " + target + "; make room or choose another place";
  return "cannot copy to " + target + ": " + to.error();
}

int copy_pages(const Connection& from, const Connection& to, const BackupProgress& progress, int step_pages) {
  sqlite3_backup* copy = sqlite3_backup_init(to.handle(), "main", from.handle(), "main");
  if (copy == nullptr) return sqlite3_extended_errcode(to.handle());
  int code = SQLITE_OK;
  while (code == SQLITE_OK) {
    code = sqlite3_backup_step(copy, step_pages);
    const int all = sqlite3_backup_pagecount(copy);
    if (progress)
      progress(static_cast<std::uint64_t>(all - sqlite3_backup_remaining(copy)),
               static_cast<std::uint64_t>(all));
  }
  const int finished = sqlite3_backup_finish(copy);
  return code == SQLITE_DONE ? finished : code;
}

Copied copy(const Connection& from, const SqliteSettings& part, const std::string& target,
            const BackupProgress& progress, int step_pages) {
  const Connection to = Connection::open(part.path, SQLITE_OPEN_READWRITE, part.vfs);
  if (!to.is_open()) return failed(StoreError::unavailable, "cannot write " + part.path + ": " + to.error());
  // The part is worth nothing before it is complete, and is synced then.
  to.run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;");
  const int code = copy_pages(from, to, progress, step_pages);
  if (code == SQLITE_OK) return success(std::uint64_t{0});
  return failed(error_of(code) == StoreError::corrupt ? StoreError::corrupt : StoreError::unavailable,
                why_not_copied(code, to, target));
}

// What SQLite may have put beside the part to look at it.
struct SideFiles {
  std::string part;
  ~SideFiles() {
    for (const char* suffix : {"-journal", "-wal", "-shm"}) unlink((part + suffix).c_str());
  }
};

Copied check_copy(const SqliteSettings& part, const std::string& source) {
  const Result<std::vector<std::string>> faults = check_database(part, Depth::quick);
  if (!faults.ok()) return failed(faults.error, faults.why);
  if (faults.value.empty()) return success(std::uint64_t{0});
  return failed(StoreError::corrupt, "the copy of " + source + " is not sound (" + faults.value.front() +
                                         ") and was not kept; look with landsraad-replay --verify");
}

}  // namespace

Result<std::uint64_t> back_up(const SqliteSettings& source, const std::string& target,
                              const BackupProgress& progress, int step_pages) {
  if (belongs_to(source.path, target))
    return failed(StoreError::invalid, target + " belongs to the database itself; choose another name");
  const Connection from = connect({.path = source.path, .read_only = true, .vfs = source.vfs});
  if (std::string why = begin_reading(from, source.path); !why.empty())
    return failed(StoreError::unavailable, std::move(why));

  Result<NewFile> file = NewFile::begin(target);
  if (!file.ok()) return failed(file.error, file.why);
  {
    const SqliteSettings part{.path = file.value.part(), .vfs = source.vfs};
    const SideFiles removed_in_the_end{part.path};
    if (Copied copied = copy(from, part, target, progress, step_pages); !copied.ok()) return copied;
    if (Copied checked = check_copy(part, source.path); !checked.ok()) return checked;
  }
  if (const Result<int> finished = file.value.finish(); !finished.ok())
    return failed(finished.error, finished.why);
  std::error_code error;
  return success(static_cast<std::uint64_t>(fs::file_size(target, error)));
}

}  // namespace landsraad::persistence
