#include "persistence/sqlite/filing.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "persistence/checksum.h"

namespace landsraad::persistence {

namespace {

std::string_view bytes_of(sqlite3_value* value) {
  const void* begin = sqlite3_value_blob(value);
  return {static_cast<const char*>(begin), static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

// record_checksum(game's id, sequence, bytes)
void checksum_in_sql(sqlite3_context* context, int, sqlite3_value** values) {
  const auto sequence = static_cast<Sequence>(sqlite3_value_int64(values[1]));
  const std::uint64_t checksum = record_checksum(bytes_of(values[0]), sequence, bytes_of(values[2]));
  sqlite3_result_int64(context, static_cast<std::int64_t>(checksum));
}

}  // namespace

Filing::Filing(const Connection& connection)
    : connection_(connection),
      find_tail_(connection, "SELECT game, sequence, place FROM tail"),
      // What is not a record of the game it names is damage, and stays where it is.
      file_record_(connection,
                   "INSERT OR IGNORE INTO record SELECT game, sequence, bytes, tail.checksum FROM tail "
                   "JOIN game ON key = game WHERE place = ?1 AND game = ?2 AND sequence = ?3 "
                   "AND tail.checksum = record_checksum(id, sequence, bytes)"),
      find_record_(connection,
                   "SELECT 1 FROM tail JOIN record USING (game, sequence, bytes, checksum) "
                   "WHERE place = ?1 AND game = ?2 AND sequence = ?3"),
      remove_(connection, "DELETE FROM tail WHERE place = ?1 AND game = ?2 AND sequence = ?3") {
  sqlite3_create_function_v2(connection.handle(), "record_checksum", 3, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                             nullptr, checksum_in_sql, nullptr, nullptr, nullptr);
  Statement count(connection, "SELECT count(*) FROM tail");
  if (count.step() == SQLITE_ROW) in_tail_ = count.number(0);
  if (in_tail_ > 0) due_at_ = 0;
}

int Filing::carry_out_slice() {
  if (!is_under_way())
    if (const int code = begin(); code != SQLITE_OK) return code;
  const bool files = filed_ < plan_.size();
  std::size_t& done = files ? filed_ : removed_;
  for (const std::size_t end = std::min(plan_.size(), done + kFiledAtOnce); done < end; ++done) {
    const int code = files ? file(plan_[done]) : remove(plan_[done]);
    if (code == SQLITE_OK) continue;
    if (error_of(code) != StoreError::unavailable) spared_.push_back(plan_[done].game);
    return code;
  }
  if (removed_ == plan_.size())
    stop();
  else if (files && filed_ == plan_.size())
    std::sort(plan_.begin(), plan_.end(), [](const Line& a, const Line& b) { return a.place < b.place; });
  return SQLITE_OK;
}

void Filing::stop() {
  plan_ = {};
  filed_ = removed_ = 0;
  due_at_ = in_tail_ + kLongTail;
}

int Filing::begin() {
  in_tail_ = 0;
  int code = SQLITE_OK;
  for (; (code = find_tail_.step()) == SQLITE_ROW; ++in_tail_) {
    const Line line{
        .game = find_tail_.number(0), .sequence = find_tail_.number(1), .place = find_tail_.number(2)};
    if (std::find(spared_.begin(), spared_.end(), line.game) == spared_.end()) plan_.push_back(line);
  }
  if (code != SQLITE_DONE) return code;
  std::sort(plan_.begin(), plan_.end(), [](const Line& a, const Line& b) {
    return std::tie(a.game, a.sequence) < std::tie(b.game, b.sequence);
  });
  return SQLITE_OK;
}

int Filing::file(Line& line) {
  int code = file_record_.bind(line.place, line.game, line.sequence).run();
  if (code != SQLITE_OK || sqlite3_changes(connection_.handle()) != 0) return code;
  // Filed before, or not possible.
  code = find_record_.bind(line.place, line.game, line.sequence).step();
  line.stays = code == SQLITE_DONE;
  if (code == SQLITE_ROW) find_record_.reset();
  return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

int Filing::remove(const Line& line) {
  if (line.stays) return SQLITE_OK;
  const int code = remove_.bind(line.place, line.game, line.sequence).run();
  if (code == SQLITE_OK) in_tail_ -= sqlite3_changes(connection_.handle());
  return code;
}

}  // namespace landsraad::persistence
