// What writes: all requests that wait are carried out in one transaction and then reported, by whoever calls
// commit(), or by a thread of the writer's own.
//
// To hand the commit of one action to another thread and its result back costs two more wake-ups, so whoever
// has something to write does it, while others wait for their turn. Only what would take long is left to the
// thread: all commits while the disk is slow, and the chores.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "persistence/sqlite/connection.h"
#include "persistence/sqlite/database_file.h"
#include "persistence/sqlite/filing.h"
#include "persistence/sqlite/ledger.h"
#include "persistence/sqlite/log_length.h"
#include "persistence/sqlite/task.h"
#include "persistence/store.h"

namespace landsraad::persistence {

class Reader;

inline constexpr std::size_t kMaxGroup = 1024;  // requests of one transaction
// Once a commit has taken longer the thread makes them, until it has made a quicker one.
inline constexpr std::chrono::milliseconds kQuickCommit{2};

struct WriteRequest {
  Task task;
  Callback<std::uint64_t> done;
};

class Writer {
 public:
  // The reader must outlive the writer.
  Writer(SqliteSettings settings, Reader& reader);
  // Carries out and reports everything that waits first.
  ~Writer();

  enum class When : std::uint8_t { with_next_commit, soon };

  // False if too many requests wait; then the request is still the caller's.
  bool put(WriteRequest&& request, When when);
  void commit();  // Store::commit

 private:
  using Answer = Ledger::Answer;
  using Turn = std::unique_lock<std::timed_mutex>;

  // Prepared once for each connection.
  struct Session {
    explicit Session(const Connection& connection);
    Statement begin, commit;
    Ledger ledger;
    Filing filing;
  };

  void loop();
  // Gives the turn back before it reports.
  void carry_out(std::vector<WriteRequest> group, Turn turn);
  std::vector<WriteRequest> take();
  void wake_thread();  // with mutex_
  std::vector<Answer> commit(std::span<WriteRequest> group);
  int transact(std::span<WriteRequest> group, std::vector<Answer>& answers);
  void report(WriteRequest& request, Answer answer);
  void roll_back();
  // Opens the file if it is not open yet; false if that fails, connection_.error() says why.
  bool connected();
  bool was_moved() const;
  bool has_chores() const;
  void do_chores();
  void keep_log_short();
  bool file_slice();

  const SqliteSettings settings_;
  Reader& reader_;

  std::mutex mutex_;  // held for moments only; guards the next five
  std::condition_variable woken_;
  std::deque<WriteRequest> waiting_;
  bool left_to_thread_ = false;  // what waits, and chores
  bool disk_is_slow_ = false;
  bool closed_ = false;

  std::timed_mutex turn_;  // whoever writes to the file has it; guards the rest
  Connection connection_;
  std::optional<Session> session_;
  bool orphans_woken_ = false;
  LogLength log_length_;

  std::thread thread_;
};

}  // namespace landsraad::persistence
