// When the write-ahead log is long enough for a checkpoint.
#pragma once

namespace landsraad::persistence {

inline constexpr int kLongLogPages = 1000;

class LogLength {
 public:
  // After each commit: how many pages the log has now. Fewer than before: it has begun afresh.
  void committed(int pages) {
    if (pages < pages_) checkpoint_at_ = kLongLogPages;
    pages_ = pages;
  }
  bool calls_for_checkpoint() const { return pages_ >= checkpoint_at_; }
  // When a checkpoint begins and when it ends. The next has to wait for new pages: see
  // Writer::keep_log_short.
  void checkpoint() { checkpoint_at_ = pages_ + kLongLogPages; }

 private:
  int pages_ = 0;
  int checkpoint_at_ = kLongLogPages;  // of pages_
};

}  // namespace landsraad::persistence
