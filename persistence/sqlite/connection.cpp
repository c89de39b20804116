#include "persistence/sqlite/connection.h"

namespace landsraad::persistence {

StoreError error_of(int code) {
  switch (code & 0xff) {  // the low byte is the primary code
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE:
      return StoreError::none;
    case SQLITE_CORRUPT:
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
      return StoreError::corrupt;
    case SQLITE_CONSTRAINT:
      return StoreError::conflict;
    default:
      return StoreError::unavailable;
  }
}

Connection Connection::open(const std::string& path, int flags, const char* vfs) {
  Connection connection;
  sqlite3* handle = nullptr;
  // One thread uses a connection at a time, so SQLite need not lock it.
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, vfs);
  connection.handle_.reset(handle);
  if (code != SQLITE_OK) {
    connection.open_error_ = handle == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle);
    connection.handle_.reset();
  } else {
    sqlite3_extended_result_codes(handle, 1);
  }
  return connection;
}

int Connection::run(const char* sql) const { return sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr); }

std::string Connection::error() const {
  if (!is_open()) return open_error_;
  return std::string(sqlite3_errmsg(handle())) + " (SQLite code " +
         std::to_string(sqlite3_extended_errcode(handle())) + ")";
}

int Statement::prepare() {
  if (handle_ != nullptr) return SQLITE_OK;
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v3(connection_.handle(), sql_.data(), static_cast<int>(sql_.size()),
                                      SQLITE_PREPARE_PERSISTENT, &handle, nullptr);
  handle_.reset(handle);
  return code;
}

int Statement::step() {
  if (const int code = prepare(); code != SQLITE_OK) return code;
  const int code = sqlite3_step(handle_.get());
  if (code != SQLITE_ROW) reset();
  return code;
}

int Statement::run() {
  const int code = step();
  if (code == SQLITE_ROW) reset();
  return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

void Statement::reset() {
  sqlite3_reset(handle_.get());
  sqlite3_clear_bindings(handle_.get());
}

std::string Statement::bytes(int column) const {
  const void* begin = sqlite3_column_blob(handle_.get(), column);
  const int size = sqlite3_column_bytes(handle_.get(), column);
  if (begin == nullptr || size <= 0) return {};
  return {static_cast<const char*>(begin), static_cast<std::size_t>(size)};
}

void Statement::bind_one(int i, Text value) {
  sqlite3_bind_text64(handle_.get(), i, value.text.data(), value.text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void Statement::bind_one(int i, Blob value) {
  // A null pointer would bind NULL; an empty record is still a blob.
  const char* begin = value.bytes.empty() ? "" : value.bytes.data();
  sqlite3_bind_blob64(handle_.get(), i, begin, value.bytes.size(), SQLITE_STATIC);
}

}  // namespace landsraad::persistence
