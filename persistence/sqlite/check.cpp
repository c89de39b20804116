#include "persistence/sqlite/check.h"

#include <algorithm>
#include <string_view>

#include "persistence/admission.h"

namespace landsraad::persistence {

namespace {

using Faults = std::vector<std::string>;

// Collects what `sql` lists with `word(row)`; damage that stops the list is a fault, too.
template <class Word>
int collect(const Connection& connection, std::string_view sql, Faults& faults, Word word) {
  Statement statement(connection, sql);
  int code = SQLITE_ROW;
  while (faults.size() < kMaxFaults && (code = statement.step()) == SQLITE_ROW) {
    if (std::string fault = word(statement); !fault.empty()) faults.push_back(std::move(fault));
  }
  if (error_of(code) != StoreError::corrupt) return code == SQLITE_ROW ? SQLITE_DONE : code;
  faults.push_back(connection.error());
  return SQLITE_DONE;
}

std::string integrity_fault(const Statement& row) {
  std::string line = row.bytes(0);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line == "ok" ? std::string() : line;
}

std::string reference_fault(const Statement& row) {
  return "a row of " + row.bytes(0) + " belongs to none of " + row.bytes(2);
}

int check(const Connection& connection, Depth depth, Faults& faults) {
  if (depth == Depth::quick) return collect(connection, "PRAGMA quick_check", faults, integrity_fault);
  const int code = collect(connection, "PRAGMA integrity_check", faults, integrity_fault);
  if (code != SQLITE_DONE) return code;
  return collect(connection, "PRAGMA foreign_key_check", faults, reference_fault);
}

}  // namespace

Result<std::vector<std::string>> check_database(const SqliteSettings& settings, Depth depth) {
  const Connection connection = connect(settings);
  Faults faults;
  // A transaction, so that all is looked at as of one moment.
  if (connection.is_open() && connection.run("BEGIN") == SQLITE_OK &&
      check(connection, depth, faults) == SQLITE_DONE)
    return success(std::move(faults));
  return refusal<Faults>(
      {StoreError::unavailable, "cannot read " + settings.path + ": " + connection.error()});
}

}  // namespace landsraad::persistence
