// The one thread that writes: it carries out all requests that wait in one transaction, then reports them.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "persistence/admission.h"
#include "persistence/sqlite/connection.h"
#include "persistence/sqlite/database_file.h"
#include "persistence/sqlite/inbox.h"
#include "persistence/store.h"

namespace landsraad::persistence {

inline constexpr std::size_t kMaxGroup = 1024;  // requests of one transaction
// After a group of so many requests more are on their way: the writer waits a moment and takes them together,
// for what a commit costs is mostly its sync. Short beside what a busy disk takes for one.
inline constexpr std::size_t kBusyGroup = 8;
inline constexpr std::chrono::microseconds kGathering{500};
inline constexpr std::size_t kMaxKnownGames = 16'384;  // games whose head is kept in memory between writes
inline constexpr std::int64_t kLongTail = 4096;        // records; then they are filed by game
inline constexpr int kLongWalPages = 1000;             // so often the reader's thread makes a checkpoint
inline constexpr int kMaxWalPages = 16'000;            // then the writer makes one itself, and waits for it

struct WriteRequest {
  enum class Kind : std::uint8_t { create, claim, append, close };
  Kind kind = Kind::append;
  GameId game{};
  std::int64_t created_ms = 0;
  Epoch epoch = 0;
  Sequence expected = 0;
  Record record{};
  Callback<std::uint64_t> done{};
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
  using Answer = Result<std::uint64_t>;

  // A game as it is in the file, or will be when the running transaction is committed.
  struct KnownGame {
    std::int64_t key = 0;
    std::int64_t created_ms = 0;
    GameHead head{};
    bool changed = false;  // and to be written at the end of the transaction
  };

  // Prepared once for each connection.
  struct Statements {
    explicit Statements(const Connection& connection);
    Statement begin, commit, find_game, insert_game, update_game, insert_record, append_record;
  };

  void loop();
  std::vector<Answer> commit(std::span<WriteRequest> group);
  int transact(std::span<WriteRequest> group, std::vector<Answer>& answers);
  void roll_back();
  // Opens the file if it is not open yet; false if that fails, connection_.error() says why.
  bool connected();
  bool was_moved() const;
  void mark_changed(const GameId& id, KnownGame& game);
  void keep_wal_short();
  void keep_tail_short();
  void file_tail();

  // Each sets `answer` and returns an SQLite code; anything but SQLITE_OK undoes the whole transaction.
  int carry_out(WriteRequest& request, Answer& answer);
  int create(WriteRequest& request, Answer& answer);
  int append(KnownGame& game, WriteRequest& request, Answer& answer);
  Answer close(KnownGame& game, const WriteRequest& request);
  // Finds the game in memory or in the file; nullptr with SQLITE_OK means that `answer` says why not.
  int find(const GameId& id, KnownGame*& found, Answer& answer);
  int insert_record(Statement& insert, const KnownGame& game, const GameId& id, Sequence sequence,
                    const Record& record);
  int update_game(const KnownGame& game, const GameId& id);

  SqliteSettings settings_;
  std::function<void()> wal_is_long_;
  Inbox<WriteRequest> inbox_;
  Connection connection_;
  std::optional<Statements> statements_;
  std::unordered_map<GameId, KnownGame> known_;
  std::vector<std::pair<const GameId*, KnownGame*>> changed_;  // by the running transaction
  int wal_pages_ = 0;                                          // set by SQLite after each commit
  int checkpoint_at_ = kLongWalPages;                          // of wal_pages_
  std::int64_t appended_ = 0;                                  // by the running transaction
  std::int64_t tail_ = 0;                                      // records in it
  std::int64_t file_tail_at_ = kLongTail;
  std::thread thread_;
};

}  // namespace landsraad::persistence
