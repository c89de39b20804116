// The thread that reads, on a connection of its own, so that a long load never holds up a write. It also
// copies the log back into the file (Writer::keep_log_short): that syncs, and no commit should wait for it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "persistence/sqlite/connection.h"
#include "persistence/sqlite/database_file.h"
#include "persistence/sqlite/entry.h"
#include "persistence/sqlite/inbox.h"
#include "persistence/store.h"

namespace landsraad::persistence {

class Reader {
 public:
  using Job = std::function<void(Reader&)>;

  explicit Reader(SqliteSettings settings);
  // Does and reports everything that waits first.
  ~Reader();

  // False if too many jobs wait; then the job is still the caller's.
  bool put(Job&& job) { return inbox_.put(std::move(job), kMaxWaitingRequests); }
  // As put(), for short answers that must not get lost.
  void put_always(Job job);

  // ---- Copying the log, for the writer. One checkpoint at a time, from begin to end.
  void begin_checkpoint();  // soon; nothing if one has begun already
  bool has_copied_log() const { return checkpoint_ == Checkpoint::copied; }
  void end_checkpoint() { checkpoint_ = Checkpoint::none; }

  // For jobs, on the reader's thread.
  Result<StoredGame> load(const GameId& id, Extent extent);
  Result<ListPage> list(const ListQuery& query);
  Result<std::vector<GameId>> due(UnixMs now_ms, std::size_t limit);
  Result<Texts> texts();

 private:
  // Prepared once for each connection.
  struct Statements {
    explicit Statements(const Connection& connection);
    Statement begin, commit, find_game, set_up, records, unfiled_too, snapshot;
    Statement list_shelves, list_all, list_of_player, due, texts;
  };

  void loop();
  bool connect_again();
  void disconnect();
  void copy_log();
  template <class T>
  Result<T> failure(int code);
  template <class T, class Query>
  Result<T> in_one_snapshot(Query query);
  Result<StoredGame> load_game(const GameId& id, Extent extent);
  Result<ListPage> list_games(const ListQuery& query);
  Result<std::vector<GameId>> due_games(UnixMs now_ms, std::size_t limit);
  Result<Texts> all_texts();
  // The statement whose rows are the games asked for, one more than the page holds: that tells whether there
  // are more. The query must outlive it.
  Statement& begin_list(const ListQuery& query);
  // The game in the row of a list.
  int read_line(const Statement& row, const ListQuery& query, ListedGame& game);
  int read_snapshot(const Entry& entry, Snapshot& snapshot);
  int read_set_up(const Entry& entry, Record& setup, std::string& damage);
  int read_records(const Entry& entry, StoredGame& game, std::string& damage);
  int read_records(Statement& table, const Entry& entry, Sequence& expected, std::vector<Record>& records,
                   std::string& fault);

  SqliteSettings settings_;
  Inbox<Job> inbox_;
  Connection connection_;
  std::optional<Statements> statements_;
  enum class Checkpoint : std::uint8_t { none, begun, copied };
  std::atomic<Checkpoint> checkpoint_ = Checkpoint::none;
  std::thread thread_;
};

}  // namespace landsraad::persistence
