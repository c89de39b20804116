// The thread that reads, on a connection of its own, so that a long load never holds up a write. It also
// makes the checkpoints: copying the log back into the file syncs, which the writer should not wait for.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <thread>

#include "persistence/sqlite/connection.h"
#include "persistence/sqlite/database_file.h"
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
  // From any thread; at most one checkpoint waits at a time.
  void request_checkpoint();

  // For jobs, on the reader's thread.
  Result<StoredGame> load(const GameId& id);
  Result<ListPage> list(const ListQuery& query);

 private:
  // Prepared once for each connection.
  struct Statements {
    explicit Statements(const Connection& connection);
    Statement begin, commit, find_game, records, list_all, list_open, set_up;
  };

  void loop();
  bool connect_again();
  void disconnect();
  void checkpoint();
  template <class T>
  Result<T> failure(int code);
  template <class T, class Query>
  Result<T> in_one_snapshot(Query query);
  Result<StoredGame> load_game(const GameId& id);
  Result<ListPage> list_games(const ListQuery& query);
  int read_records(std::int64_t key, StoredGame& game, std::string& damage);
  int read_set_up(std::int64_t key, ListedGame& game);

  SqliteSettings settings_;
  Inbox<Job> inbox_;
  Connection connection_;
  std::optional<Statements> statements_;
  std::atomic<bool> checkpoint_waits_ = false;
  std::thread thread_;
};

}  // namespace landsraad::persistence
