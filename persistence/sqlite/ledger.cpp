#include "persistence/sqlite/ledger.h"

#include "persistence/checksum.h"

namespace landsraad::persistence {

namespace {

using Answer = Ledger::Answer;

Answer refused(StoreError error, std::string why) { return refusal<std::uint64_t>({error, std::move(why)}); }

std::int64_t stored(GameStatus status) { return status == GameStatus::open ? 0 : 1; }

}  // namespace

Ledger::Statements::Statements(const Connection& connection)
    : find_game(connection, "SELECT " LANDSRAAD_ENTRY_COLUMNS " FROM game WHERE id = ?1"),
      insert_game(connection,
                  "INSERT INTO game (id, status, created_ms, epoch, records, listed, checksum) "
                  "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"),
      update_game(connection,
                  "UPDATE game SET status = ?2, epoch = ?3, records = ?4, closed_ms = ?5, wake_ms = ?6, "
                  "checksum = ?7 WHERE key = ?1"),
      // Names no column that is in an index: SQLite would rewrite its entry there, changed or not.
      update_count(connection, "UPDATE game SET records = ?2, checksum = ?3 WHERE key = ?1"),
      insert_record(connection,
                    "INSERT INTO record (game, sequence, bytes, checksum) VALUES (?1, ?2, ?3, ?4)"),
      last_place(connection, "SELECT max(place) FROM tail"),
      append_record(connection,
                    "INSERT INTO tail (place, game, sequence, bytes, checksum) VALUES (?1, ?2, ?3, ?4, ?5)"),
      replace_setup(connection,
                    "UPDATE record SET bytes = ?2, checksum = ?3 WHERE game = ?1 AND sequence = 0"),
      insert_player(connection,
                    "INSERT OR REPLACE INTO player (player, id, game, checksum) VALUES (?1, ?2, ?3, ?4)"),
      insert_snapshot(connection,
                      "INSERT OR REPLACE INTO snapshot (game, covers, bytes, checksum) "
                      "VALUES (?1, ?2, ?3, ?4)"),
      find_text(connection, "SELECT checksum, bytes FROM text WHERE key = ?1"),
      insert_text(connection, "INSERT OR REPLACE INTO text (key, bytes, checksum) VALUES (?1, ?2, ?3)"),
      old_games(connection, "SELECT " LANDSRAAD_ENTRY_COLUMNS
                            " FROM game WHERE status = 1 AND closed_ms < ?1 "
                            "AND (closed_ms, id) > (?2, ?3) ORDER BY closed_ms, id"),
      purge_point(connection, "SAVEPOINT purge"),
      keep_purge(connection, "RELEASE purge"),
      undo_purge(connection, "ROLLBACK TO purge"),
      delete_records(connection, "DELETE FROM record WHERE game = ?1"),
      delete_tail(connection, "DELETE FROM tail WHERE game NOT IN (SELECT key FROM game)"),
      delete_players(connection, "DELETE FROM player WHERE game = ?1"),
      delete_snapshot(connection, "DELETE FROM snapshot WHERE game = ?1"),
      delete_game(connection, "DELETE FROM game WHERE key = ?1") {}

Ledger::Ledger(const Connection& connection) : connection_(connection), statements_(connection) {}

int Ledger::carry_out(Task& task, Answer& answer) {
  if (const int code = find_last_place(); code != SQLITE_OK) return code;
  return std::visit([&](auto& each) { return carry_out(each, answer); }, task);
}

int Ledger::write_entries() {
  for (const auto& [id, game] : changed_) {
    const GameHead& head = game->head;
    const std::uint64_t checksum = game_checksum(*id, head);
    const int code = game->change == Change::counted
                         ? statements_.update_count.bind(game->key, head.next, checksum).run()
                         : statements_.update_game
                               .bind(game->key, stored(head.status), head.epoch, head.next, head.closed_ms,
                                     head.wake_ms, checksum)
                               .run();
    if (code != SQLITE_OK) return code;
    game->change = Change::none;
  }
  changed_.clear();
  return SQLITE_OK;
}

std::int64_t Ledger::committed() {
  if (known_.size() > kMaxKnownGames) known_.clear();
  return std::exchange(appended_, 0);
}

void Ledger::forget() {
  changed_.clear();
  known_.clear();
  appended_ = 0;
}

// ---- One game.

int Ledger::carry_out(CreateGame& task, Answer& answer) {
  KnownGame* found = nullptr;
  if (const int code = find(task.game, found, answer);
      code != SQLITE_OK || answer.error == StoreError::corrupt)
    return code;
  if (found != nullptr) {
    answer = refused(StoreError::exists, "there is a game " + task.game + " already");
    return SQLITE_OK;
  }
  const NewGame& contents = task.contents;
  KnownGame game{.head = {.created_ms = contents.created_ms,
                          .epoch = 1,
                          .next = contents.records.size(),
                          .listed = contents.listed}};
  int code =
      statements_.insert_game
          .bind(Text{task.game}, stored(game.head.status), game.head.created_ms, game.head.epoch,
                game.head.next, std::int64_t{game.head.listed ? 1 : 0}, game_checksum(task.game, game.head))
          .run();
  if (code != SQLITE_OK) return code;
  game.key = sqlite3_last_insert_rowid(connection_.handle());
  for (Sequence n = 0; n < contents.records.size() && code == SQLITE_OK; ++n) {
    const Record& record = contents.records[n];
    code = statements_.insert_record.bind(game.key, n, Blob{record}, record_checksum(task.game, n, record))
               .run();
  }
  if (code == SQLITE_OK) code = insert_players(game, task.game, contents.players);
  answer = success(game.head.epoch);
  known_.emplace(task.game, game);
  return code;
}

int Ledger::carry_out(ClaimGame& task, Answer& answer) {
  KnownGame* game = nullptr;
  const int code = find(task.game, game, answer);
  if (game == nullptr) return code;
  ++game->head.epoch;
  game->head.wake_ms = kAwake;
  mark(task.game, *game, Change::entry);
  answer = success(game->head.epoch);
  return SQLITE_OK;
}

int Ledger::carry_out(AppendRecord& task, Answer& answer) {
  KnownGame* game = nullptr;
  int code = find(task.game, game, answer);
  if (game == nullptr) return code;
  if (Verdict verdict = judge_append(game->head, task.epoch, task.expected); !verdict.good()) {
    answer = refusal<std::uint64_t>(std::move(verdict));
    return SQLITE_OK;
  }
  code = statements_.append_record
             .bind(++last_place_, game->key, task.expected, Blob{task.record},
                   record_checksum(task.game, task.expected, task.record))
             .run();
  if (code != SQLITE_OK) return code;
  ++appended_;
  answer = success(++game->head.next);
  mark(task.game, *game, Change::counted);
  return SQLITE_OK;
}

int Ledger::carry_out(KeepSnapshot& task, Answer& answer) {
  KnownGame* game = nullptr;
  const int code = find(task.game, game, answer);
  if (game == nullptr) return code;
  const auto& [covers, bytes] = task.snapshot;
  if (Verdict verdict = judge_snapshot(game->head, task.epoch, covers); !verdict.good()) {
    answer = refusal<std::uint64_t>(std::move(verdict));
    return SQLITE_OK;
  }
  answer = success(covers);
  return statements_.insert_snapshot
      .bind(game->key, covers, Blob{bytes}, snapshot_checksum(task.game, covers, bytes))
      .run();
}

int Ledger::carry_out(CloseGame& task, Answer& answer) {
  KnownGame* game = nullptr;
  const int code = find_owned(task.game, task.epoch, game, answer);
  if (game == nullptr) return code;
  if (game->head.status == GameStatus::open) {
    game->head.status = GameStatus::closed;
    game->head.closed_ms = task.closed_ms;
    mark(task.game, *game, Change::entry);
  }
  answer = success(game->head.next);
  return SQLITE_OK;
}

int Ledger::carry_out(PutToSleep& task, Answer& answer) {
  KnownGame* game = nullptr;
  const int code = find_owned(task.game, task.epoch, game, answer);
  if (game == nullptr) return code;
  game->head.wake_ms = task.wake_ms;
  mark(task.game, *game, Change::entry);
  answer = success(static_cast<std::uint64_t>(task.wake_ms));
  return SQLITE_OK;
}

int Ledger::carry_out(AmendGame& task, Answer& answer) {
  KnownGame* game = nullptr;
  int code = find(task.game, game, answer);
  if (game == nullptr) return code;
  if (Verdict verdict = judge_amend(game->head); !verdict.good()) {
    answer = refusal<std::uint64_t>(std::move(verdict));
    return SQLITE_OK;
  }
  code =
      statements_.replace_setup.bind(game->key, Blob{task.setup}, record_checksum(task.game, 0, task.setup))
          .run();
  if (code != SQLITE_OK) return code;
  if (sqlite3_changes(connection_.handle()) != 1) {
    answer = refused(StoreError::corrupt, "game " + task.game + ": record 0 is missing");
    return SQLITE_OK;
  }
  answer = success(game->head.next);
  code = statements_.delete_snapshot.bind(game->key).run();
  if (code == SQLITE_OK) code = statements_.delete_players.bind(game->key).run();
  return code == SQLITE_OK ? insert_players(*game, task.game, task.players) : code;
}

int Ledger::insert_players(const KnownGame& game, const GameId& id, const std::vector<PlayerKey>& players) {
  for (const PlayerKey& player : players) {
    const int code =
        statements_.insert_player.bind(Blob{player}, Text{id}, game.key, player_checksum(id, player)).run();
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

// ---- Texts.

int Ledger::carry_out(KeepText& task, Answer& answer) {
  Statement& find_text = statements_.find_text.bind(Text{task.key});
  const int code = find_text.step();
  if (code == SQLITE_ROW) {
    const auto checksum = static_cast<std::uint64_t>(find_text.number(0));
    const bool intact = checksum == text_checksum(task.key, find_text.bytes(1));
    find_text.reset();
    answer = success<std::uint64_t>(0);
    if (intact) return SQLITE_OK;
  } else if (code != SQLITE_DONE) {
    return code;
  }
  answer = success<std::uint64_t>(1);
  return statements_.insert_text.bind(Text{task.key}, Blob{task.text}, text_checksum(task.key, task.text))
      .run();
}

// ---- Old games.

int Ledger::carry_out(PurgeGames& task, Answer& answer) {
  task.next = task.done;
  // The file must know which games sleep.
  if (const int code = write_entries(); code != SQLITE_OK) return code;
  std::vector<Entry> slice;
  if (const int code = next_slice(task, task.next, slice); code != SQLITE_OK) return code;
  for (const Entry& entry : slice) {
    bool purged = false;
    if (const int code = purge(entry, purged); code != SQLITE_OK) return code;
    if (purged) ++task.next.purged;
    known_.erase(entry.id);
  }
  // Of all of them at once, for this looks through the whole tail.
  if (!slice.empty())
    if (const int code = statements_.delete_tail.run(); code != SQLITE_OK) return code;
  answer = success(task.next.purged);
  return SQLITE_OK;
}

int Ledger::next_slice(const PurgeGames& task, PurgeGames::Progress& progress, std::vector<Entry>& slice) {
  Statement& old_games =
      statements_.old_games.bind(task.closed_before_ms, task.done.closed_ms, Text{task.done.id});
  std::uint64_t records = 0;
  int code = SQLITE_OK;
  while (records < kPurgeSlice && task.done.purged + slice.size() < task.limit &&
         (code = old_games.step()) == SQLITE_ROW) {
    Entry entry = read_entry(old_games);
    progress.closed_ms = entry.head.closed_ms;
    progress.id = entry.id;
    ++records;  // looking at one costs something too
    if (!entry.intact() || entry.head.wake_ms == kAwake) continue;
    records += entry.head.next;
    slice.push_back(std::move(entry));
  }
  if (code != SQLITE_DONE) old_games.reset();
  if (code != SQLITE_DONE && code != SQLITE_ROW && code != SQLITE_OK) return code;
  progress.complete = code == SQLITE_DONE;
  return SQLITE_OK;
}

int Ledger::purge(const Entry& entry, bool& purged) {
  int code = statements_.purge_point.run();
  if (code != SQLITE_OK) return code;
  code = delete_all_of(entry.key);
  purged = code == SQLITE_OK;
  if (!purged && error_of(code) == StoreError::unavailable) return code;
  if (!purged && (code = statements_.undo_purge.run()) != SQLITE_OK) return code;
  return statements_.keep_purge.run();
}

int Ledger::delete_all_of(std::int64_t key) {
  for (Statement* each : {&statements_.delete_records, &statements_.delete_players,
                          &statements_.delete_snapshot, &statements_.delete_game})
    if (const int code = each->bind(key).run(); code != SQLITE_OK) return code;
  return SQLITE_OK;
}

// ---- Which games there are.

int Ledger::find(const GameId& id, KnownGame*& found, Answer& answer) {
  if (const auto known = known_.find(id); known != known_.end()) {
    found = &known->second;
    return SQLITE_OK;
  }
  Statement& find_game = statements_.find_game.bind(Text{id});
  if (const int code = find_game.step(); code != SQLITE_ROW) {
    answer = refused(StoreError::not_found, "there is no game " + id);
    return code == SQLITE_DONE ? SQLITE_OK : code;
  }
  const Entry entry = read_entry(find_game);
  find_game.reset();
  if (!entry.intact()) {
    answer = refused(StoreError::corrupt, "game " + id + ": its entry has a wrong checksum");
    return SQLITE_OK;
  }
  found = &known_.emplace(id, KnownGame{.key = entry.key, .head = entry.head}).first->second;
  return SQLITE_OK;
}

int Ledger::find_owned(const GameId& id, Epoch epoch, KnownGame*& found, Answer& answer) {
  const int code = find(id, found, answer);
  if (found == nullptr) return code;
  if (Verdict verdict = judge_owner(found->head, epoch); !verdict.good()) {
    answer = refusal<std::uint64_t>(std::move(verdict));
    found = nullptr;
  }
  return SQLITE_OK;
}

int Ledger::find_last_place() {
  constexpr std::int64_t kFarBehind = std::int64_t{1} << 32;  // also if the last place itself is damaged
  if (last_place_ != 0) return SQLITE_OK;
  Statement& last = statements_.last_place;
  if (const int code = last.step(); code != SQLITE_ROW) return code;
  last_place_ = last.number(0) + kFarBehind;
  last.reset();
  return SQLITE_OK;
}

void Ledger::mark(const GameId& id, KnownGame& game, Change change) {
  if (game.change == Change::none) changed_.emplace_back(&id, &game);
  if (game.change != Change::entry) game.change = change;
}

}  // namespace landsraad::persistence
