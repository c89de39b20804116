// The games as they are in the file, or will be when the running transaction is committed, and what each task
// does to them. For the writer, which begins and commits the transactions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "persistence/admission.h"
#include "persistence/sqlite/connection.h"
#include "persistence/sqlite/entry.h"
#include "persistence/sqlite/task.h"
#include "persistence/store.h"

namespace landsraad::persistence {

inline constexpr std::size_t kMaxKnownGames = 16'384;  // games whose head is kept in memory between writes
inline constexpr std::uint64_t kPurgeSlice =
    2000;  // records; so many a transaction deletes, and no game more

class Ledger {
 public:
  using Answer = Result<std::uint64_t>;

  // The connection must outlive the ledger.
  explicit Ledger(const Connection& connection);

  // Sets `answer` and returns an SQLite code; anything but SQLITE_OK undoes the whole transaction. The task
  // must stay where it is until write_entries().
  int carry_out(Task& task, Answer& answer);
  // Before each commit: what has changed of the games beside their records. An SQLite code.
  int write_entries();
  // After each commit. Gives back how many records it added to the tail.
  std::int64_t committed();
  // After each roll back.
  void forget();

 private:
  enum class Change : std::uint8_t { none, counted, entry };  // counted: no more than the number of records

  struct KnownGame {
    std::int64_t key = 0;
    GameHead head{};
    Change change = Change::none;  // to be written at the end of the transaction
  };

  // Prepared once for each connection.
  struct Statements {
    explicit Statements(const Connection& connection);
    Statement find_game, insert_game, update_game, update_count;
    Statement insert_record, last_place, append_record, replace_setup;
    Statement insert_player, insert_snapshot, find_text, insert_text;
    Statement old_games, purge_point, keep_purge, undo_purge;
    Statement delete_records, delete_tail, delete_players, delete_snapshot, delete_game;
  };

  int carry_out(CreateGame& task, Answer& answer);
  int carry_out(ClaimGame& task, Answer& answer);
  int carry_out(AppendRecord& task, Answer& answer);
  int carry_out(KeepSnapshot& task, Answer& answer);
  int carry_out(CloseGame& task, Answer& answer);
  int carry_out(PutToSleep& task, Answer& answer);
  int carry_out(AmendGame& task, Answer& answer);
  int carry_out(KeepText& task, Answer& answer);
  int carry_out(PurgeGames& task, Answer& answer);

  // Finds the game in memory or in the file; nullptr with SQLITE_OK means that `answer` says why not.
  int find(const GameId& id, KnownGame*& found, Answer& answer);
  // The same for its owner.
  int find_owned(const GameId& id, Epoch epoch, KnownGame*& found, Answer& answer);
  // Before anything changes: places in the tail only go up, also when the last ones have become free, for
  // Filing goes by them.
  int find_last_place();
  void mark(const GameId& id, KnownGame& game, Change change);
  int insert_players(const KnownGame& game, const GameId& id, const std::vector<PlayerKey>& players);
  int next_slice(const PurgeGames& task, PurgeGames::Progress& progress, std::vector<Entry>& slice);
  // Deletes a game; or leaves it alone, with `purged` unset, if it is too damaged for that.
  int purge(const Entry& entry, bool& purged);
  int delete_all_of(std::int64_t key);

  const Connection& connection_;
  Statements statements_;
  std::unordered_map<GameId, KnownGame> known_;
  std::vector<std::pair<const GameId*, KnownGame*>> changed_;  // by the running transaction
  std::int64_t appended_ = 0;                                  // by the running transaction
  std::int64_t last_place_ = 0;                                // 0: not known yet
};

}  // namespace landsraad::persistence
