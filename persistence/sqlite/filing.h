// The tail: records in the order in which they came, until they are filed by game in the table `record`.
//
// A page of `record` costs the same however many records it gets, so the tail grows long first. It is filed
// in slices, each a transaction, so that no commit waits for all of it; records of a slice lie all over the
// tail, so they stay there too, and leave it in its own order in the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "persistence/sqlite/connection.h"

namespace landsraad::persistence {

inline constexpr std::int64_t kLongTail = 16'384;  // records; then they are filed
inline constexpr std::size_t kFiledAtOnce = 1024;  // records, also of those that leave the tail

// For the writer, which begins and commits the transactions.
class Filing {
 public:
  // The connection must outlive it. What is in the tail already, of a process that died, is due at once.
  explicit Filing(const Connection& connection);

  // After each commit: so many records have been added to the tail.
  void added(std::int64_t records) { in_tail_ += records; }
  bool is_under_way() const { return !plan_.empty(); }
  bool is_due() const { return is_under_way() || in_tail_ >= due_at_; }

  // An SQLite code; after anything but SQLITE_OK, stop().
  int carry_out_slice();
  // Ends a round, done or not: the next is due when the tail has grown. Records that stay where they are hurt
  // nobody.
  void stop();

 private:
  struct Line {
    std::int64_t game = 0, sequence = 0, place = 0;
    bool stays = false;  // in the tail: it could not be filed
  };

  int begin();
  int file(Line& line);
  int remove(const Line& line);

  const Connection& connection_;
  Statement find_tail_, file_record_, find_record_, remove_;
  std::int64_t in_tail_ = 0;  // records
  std::int64_t due_at_ = kLongTail;
  std::vector<std::int64_t> spared_;  // games with damage: others are filed without them
  // While it is under way:
  std::vector<Line> plan_;  // by game, and when all are filed by place
  std::size_t filed_ = 0, removed_ = 0;
};

}  // namespace landsraad::persistence
