// A thin skin over SQLite's C interface: ownership and binding, nothing more.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "persistence/store.h"

namespace landsraad::persistence {

struct Text {
  std::string_view text;
};
struct Blob {
  std::string_view bytes;
};

// What an SQLite result code means to a user of the Store.
StoreError error_of(int code);

class Connection {
 public:
  // Opens `path`; on failure is_open() is false and error() says why. `vfs` may be nullptr.
  static Connection open(const std::string& path, int flags, const char* vfs);

  bool is_open() const { return handle_ != nullptr; }
  sqlite3* handle() const { return handle_.get(); }
  void close() { handle_.reset(); }
  // Runs statements that give no rows.
  int run(const char* sql) const;
  // The last error as a sentence.
  std::string error() const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  std::unique_ptr<sqlite3, Close> handle_;
  std::string open_error_;
};

// A statement, prepared when it is first used. Strings that are bound must live until it is reset or bound
// again.
class Statement {
 public:
  // The connection must outlive the statement; `sql` must be a literal.
  Statement(const Connection& connection, std::string_view sql) : connection_(connection), sql_(sql) {}

  template <class... Values>
  Statement& bind(const Values&... values) {
    if (prepare() != SQLITE_OK) return *this;  // step() reports it
    int i = 0;
    (bind_one(++i, values), ...);
    return *this;
  }
  // SQLITE_ROW, SQLITE_DONE or an error; resets itself unless there is a row.
  int step();
  // For statements without rows: SQLITE_OK or an error.
  int run();
  void reset();

  std::int64_t number(int column) const { return sqlite3_column_int64(handle_.get(), column); }
  std::string bytes(int column) const;

 private:
  int prepare();
  void bind_one(int i, std::int64_t value) { sqlite3_bind_int64(handle_.get(), i, value); }
  void bind_one(int i, std::uint64_t value) { bind_one(i, static_cast<std::int64_t>(value)); }
  void bind_one(int i, Text value);
  void bind_one(int i, Blob value);

  struct Finalize {
    void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
  const Connection& connection_;
  std::string_view sql_;
};

}  // namespace landsraad::persistence
