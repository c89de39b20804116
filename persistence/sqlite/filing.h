// The tail: records in the order in which they came, until they are filed by game in the table `record`.
//
// A page of `record` costs the same however many records it gets, so the tail grows long first. It is filed
// in slices, each a transaction, so that no commit waits for all of it; records of a slice lie all over the
// tail, so they stay there too, and leave it together in the end.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "persistence/sqlite/connection.h"

namespace landsraad::persistence {

inline constexpr std::int64_t kLongTail = 16'384;     // records; then they are filed
inline constexpr std::size_t kFiledAtOnce = 1024;     // records
inline constexpr std::int64_t kDeletedAtOnce = 4096;  // places in the tail

// For the writer, which begins and commits the transactions.
class Filing {
 public:
  // The connection must outlive it. What is in the tail already, of a process that died, is due at once.
  explicit Filing(const Connection& connection);

  // After each commit: so many records have been added to the tail.
  void added(std::int64_t records) { in_tail_ += records; }
  bool tail_is_empty() const { return in_tail_ == 0; }
  bool is_due() const { return !order_.empty() || in_tail_ >= due_at_; }

  // An SQLite code; after anything but SQLITE_OK, give_up().
  int carry_out_slice();
  // Records that stay where they are hurt nobody: it is due again when the tail has grown.
  void give_up();

 private:
  struct Place {
    std::int64_t game = 0;
    std::int64_t place = 0;  // in the tail
    auto operator<=>(const Place&) const = default;
  };

  int begin();
  int file_slice();
  int delete_slice();
  void end(std::int64_t due_at);

  const Connection& connection_;
  Statement find_tail_, file_record_, delete_places_;
  std::int64_t in_tail_ = 0;  // records
  std::int64_t due_at_ = kLongTail;
  // While it is being filed:
  std::vector<Place> order_;
  std::size_t filed_ = 0;        // records of them
  std::int64_t deleted_ = 0;     // up to this place,
  std::int64_t last_place_ = 0;  // in the end up to this one
};

}  // namespace landsraad::persistence
