// The one thread that writes: it carries out all requests that wait in one transaction, then reports them.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "persistence/sqlite/connection.h"
#include "persistence/sqlite/database_file.h"
#include "persistence/sqlite/inbox.h"
#include "persistence/sqlite/ledger.h"
#include "persistence/sqlite/task.h"
#include "persistence/store.h"

namespace landsraad::persistence {

inline constexpr std::size_t kMaxGroup = 1024;  // requests of one transaction
// After a group of so many requests more are on their way: the writer waits a moment and takes them together,
// for what a commit costs is mostly its sync. Short beside what a busy disk takes for one.
inline constexpr std::size_t kBusyGroup = 8;
inline constexpr std::chrono::microseconds kGathering{500};
inline constexpr std::int64_t kLongTail = 4096;  // records; then they are filed by game
inline constexpr int kLongWalPages = 1000;       // so often the reader's thread makes a checkpoint
inline constexpr int kMaxWalPages = 16'000;      // then the writer makes one itself, and waits for it

struct WriteRequest {
  Task task;
  Callback<std::uint64_t> done;
};

class Writer {
 public:
  // `wal_is_long` is called on the writer's thread when a checkpoint is due.
  Writer(SqliteSettings settings, std::function<void()> wal_is_long);
  // Carries out and reports everything that waits first.
  ~Writer();

  // False if too many requests wait; then the request is still the caller's.
  bool put(WriteRequest&& request) { return inbox_.put(std::move(request), kMaxWaitingRequests); }

 private:
  using Answer = Ledger::Answer;

  // Prepared once for each connection.
  struct Session {
    explicit Session(const Connection& connection);
    Statement begin, commit;
    Ledger ledger;
  };

  void loop();
  std::vector<Answer> commit(std::span<WriteRequest> group);
  int transact(std::span<WriteRequest> group, std::vector<Answer>& answers);
  void report(WriteRequest& request, Answer answer);
  void roll_back();
  // Opens the file if it is not open yet; false if that fails, connection_.error() says why.
  bool connected();
  bool was_moved() const;
  void keep_wal_short();
  void keep_tail_short();
  void file_tail();

  SqliteSettings settings_;
  std::function<void()> wal_is_long_;
  Inbox<WriteRequest> inbox_;
  Connection connection_;
  std::optional<Session> session_;
  bool orphans_woken_ = false;
  int wal_pages_ = 0;                  // set by SQLite after each commit
  int checkpoint_at_ = kLongWalPages;  // of wal_pages_
  std::int64_t tail_ = 0;              // records in it
  std::int64_t file_tail_at_ = kLongTail;
  std::thread thread_;
};

}  // namespace landsraad::persistence
