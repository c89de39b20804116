#include "persistence/sqlite/filing.h"

#include <algorithm>

namespace landsraad::persistence {

Filing::Filing(const Connection& connection)
    : connection_(connection),
      find_tail_(connection, "SELECT game, place FROM tail ORDER BY place"),
      // A record of no known game, or for a place that is taken, is damage: that it is gone will be noticed
      // by the number of records when its game is read, and no other game suffers from it.
      file_record_(connection,
                   "INSERT OR IGNORE INTO record SELECT game, sequence, bytes, checksum FROM tail "
                   "WHERE place = ?1 AND game IN (SELECT key FROM game)"),
      delete_places_(connection, "DELETE FROM tail WHERE place <= ?1") {
  Statement count(connection, "SELECT count(*) FROM tail");
  if (count.step() == SQLITE_ROW) in_tail_ = count.number(0);
  if (in_tail_ > 0) due_at_ = 0;
}

int Filing::carry_out_slice() {
  if (order_.empty())
    if (const int code = begin(); code != SQLITE_OK) return code;
  return filed_ < order_.size() ? file_slice() : delete_slice();
}

void Filing::give_up() { end(in_tail_ + kLongTail); }

int Filing::begin() {
  int code = SQLITE_OK;
  while ((code = find_tail_.step()) == SQLITE_ROW) {
    last_place_ = find_tail_.number(1);
    order_.push_back({find_tail_.number(0), last_place_});
  }
  if (code != SQLITE_DONE) return code;
  in_tail_ = static_cast<std::int64_t>(order_.size());
  deleted_ = order_.empty() ? 0 : order_.front().place - 1;
  std::sort(order_.begin(), order_.end());
  return SQLITE_OK;
}

int Filing::file_slice() {
  for (const std::size_t end = std::min(order_.size(), filed_ + kFiledAtOnce); filed_ < end; ++filed_)
    if (const int code = file_record_.bind(order_[filed_].place).run(); code != SQLITE_OK) return code;
  return SQLITE_OK;
}

int Filing::delete_slice() {
  deleted_ = std::min(deleted_ + kDeletedAtOnce, last_place_);
  if (const int code = delete_places_.bind(deleted_).run(); code != SQLITE_OK) return code;
  in_tail_ -= sqlite3_changes(connection_.handle());
  if (deleted_ == last_place_) end(kLongTail);
  return SQLITE_OK;
}

void Filing::end(std::int64_t due_at) {
  order_ = {};
  filed_ = 0;
  due_at_ = due_at;
}

}  // namespace landsraad::persistence
