#include "persistence/sqlite/database_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "persistence/admission.h"
#include "persistence/sqlite/entry.h"
#include "persistence/sqlite/log_check.h"

namespace landsraad::persistence {

namespace {

Result<int> unavailable(std::string why) { return refusal<int>({StoreError::unavailable, std::move(why)}); }

int pragma(const Connection& connection, const char* sql) {
  Statement statement(connection, sql);
  return statement.step() == SQLITE_ROW ? static_cast<int>(statement.number(0)) : -1;
}

bool has_tables(const Connection& connection) {
  return Statement(connection, "SELECT 1 FROM sqlite_schema").step() == SQLITE_ROW;
}

// Best done before anybody asks for them. If the disk does not let us, the writer does it with the first
// thing it can write.
void try_to_wake_orphans(const Connection& connection) {
  if (connection.run("BEGIN IMMEDIATE") != SQLITE_OK) return;
  connection.run(wake_orphans(connection) == SQLITE_OK ? "COMMIT" : "ROLLBACK");
}

std::string holder_of(int descriptor) {
  std::array<char, 32> text{};
  const ssize_t size = pread(descriptor, text.data(), text.size() - 1, 0);
  return size <= 0 ? "another process"
                   : "process " + std::string(text.data(), static_cast<std::size_t>(size));
}

void sign(int descriptor) {
  // Only for the message to whoever comes second; failing to write it changes nothing.
  const std::string pid = std::to_string(getpid());
  if (ftruncate(descriptor, 0) != 0) return;
  [[maybe_unused]] const ssize_t written = pwrite(descriptor, pid.data(), pid.size(), 0);
}

// A log that SQLite would cut short without a word; nothing if it is sound.
std::string fault_of_log(const std::string& path) {
  std::error_code unresolved;
  const std::string log = std::filesystem::weakly_canonical(path, unresolved).string() + "-wal";
  const std::optional<LogDamage> damage = find_log_damage(log);
  if (!damage) return {};
  const std::string at = std::to_string(damage->at);
  return log + " is damaged at byte " + at + ", and at least " + std::to_string(damage->commits) +
         " commits that were reported as stored cannot be read behind it. Go back to a backup, or give them "
         "up: "
         "truncate -s " +
         at + " " + log;
}

}  // namespace

FileLock::FileLock(FileLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), database_(std::exchange(other.database_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(database_, other.database_);
  return *this;
}

FileLock::~FileLock() {
  if (database_ >= 0) ::close(database_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<FileLock> FileLock::take(const std::string& path) {
  std::error_code unresolved;
  const std::filesystem::path file = std::filesystem::weakly_canonical(path, unresolved);
  const std::string name = (unresolved ? path : file.string()) + "-lock";
  FileLock lock;
  lock.descriptor_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock.descriptor_ < 0) {
    return refusal<FileLock>({StoreError::unavailable, "cannot open " + name + ": " + std::strerror(errno)});
  }
  if (flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
    return refusal<FileLock>({StoreError::unavailable, path + " is in use by " + holder_of(lock.descriptor_) +
                                                           "; stop it or choose another file"});
  }
  // What cannot be opened here SQLite will not open either, and say why.
  lock.database_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock.database_ >= 0 && flock(lock.database_, LOCK_EX | LOCK_NB) != 0) {
    return refusal<FileLock>(
        {StoreError::unavailable,
         path + " is in use under another name; stop that server or choose another file"});
  }
  sign(lock.descriptor_);
  return success(std::move(lock));
}

Connection connect(const SqliteSettings& settings) {
  const int flags = settings.read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  Connection connection = Connection::open(settings.path, flags, settings.vfs);
  if (!connection.is_open()) return connection;
  sqlite3_busy_timeout(connection.handle(), kBusyMilliseconds);
  // A commit is reported only when it is on the disk: synchronous=FULL. The writer sees to checkpoints.
  // cell_size_check finds damaged pages early. What is deleted is overwritten, so that who asks to be
  // forgotten is. References are checked by check_database and not at every insert, which would look the game
  // up twice.
  connection.run(
      "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA secure_delete = ON;"
      "PRAGMA foreign_keys = OFF; PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF;");
  return connection;
}

Result<int> prepare_database(const SqliteSettings& settings) {
  const std::string& path = settings.path;
  // Beside a server the log is being written and cannot be judged.
  if (std::string fault = settings.read_only ? "" : fault_of_log(path); !fault.empty())
    return unavailable(std::move(fault));
  const Connection connection = connect(settings);
  if (!connection.is_open()) return unavailable("cannot open " + path + ": " + connection.error());
  const int version = pragma(connection, "PRAGMA user_version");
  if (version < 0) return unavailable("cannot read " + path + ": " + connection.error());
  const bool ours = pragma(connection, "PRAGMA application_id") == kApplicationId;
  if (!ours && (version != 0 || has_tables(connection))) {
    return unavailable(path + " is a database of another program");
  }
  if (version > kSchemaVersion) {
    return unavailable(path + " has layout " + std::to_string(version) +
                       ", written by a newer version; this one knows " + std::to_string(kSchemaVersion) +
                       " and older. Use the newer version");
  }
  if (settings.read_only) {
    if (version == kSchemaVersion) return success(version);
    return unavailable(path + " has the older layout " + std::to_string(version) +
                       "; start the server on it once to bring it up to date");
  }
  // SQLite opens a file that it may not write to for reading, and says so only at the first write.
  if (sqlite3_db_readonly(connection.handle(), "main") != 0)
    return unavailable(path + " cannot be written to");
  if (connection.run("PRAGMA journal_mode = WAL") != SQLITE_OK ||
      migrate(connection, version, settings.describe) != SQLITE_OK) {
    return unavailable("cannot set up " + path + ": " + connection.error());
  }
  try_to_wake_orphans(connection);
  return success(kSchemaVersion);
}

}  // namespace landsraad::persistence
