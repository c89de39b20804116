#include "persistence/sqlite/writer.h"

#include <iterator>

#include "persistence/checksum.h"

namespace landsraad::persistence {

Writer::Statements::Statements(const Connection& connection)
    : begin(connection, "BEGIN IMMEDIATE"),
      commit(connection, "COMMIT"),
      find_game(connection,
                "SELECT key, status, created_ms, epoch, records, checksum FROM game WHERE id = ?1"),
      insert_game(connection,
                  "INSERT INTO game (id, status, created_ms, epoch, records, checksum) VALUES (?1, ?2, ?3, "
                  "?4, ?5, ?6)"),
      update_game(connection,
                  "UPDATE game SET status = ?2, epoch = ?3, records = ?4, checksum = ?5 WHERE key = ?1"),
      insert_record(connection,
                    "INSERT INTO record (game, sequence, bytes, checksum) VALUES (?1, ?2, ?3, ?4)"),
      append_record(connection,
                    "INSERT INTO tail (game, sequence, bytes, checksum) VALUES (?1, ?2, ?3, ?4)") {}

Writer::Writer(SqliteSettings settings, std::function<void()> wal_is_long)
    : settings_(std::move(settings)), wal_is_long_(std::move(wal_is_long)), thread_([this] { loop(); }) {}

Writer::~Writer() {
  inbox_.close();
  thread_.join();
}

void Writer::loop() {
  connected();  // now, so that the first action need not wait for it
  while (true) {
    std::vector<WriteRequest> group = inbox_.take(kMaxGroup);
    if (group.empty()) break;
    std::vector<Answer> answers = commit(group);
    for (std::size_t i = 0; i < group.size(); ++i) group[i].done(std::move(answers[i]));
    keep_tail_short();
    keep_wal_short();
    if (known_.size() > kMaxKnownGames) known_.clear();
    if (group.size() >= kBusyGroup) std::this_thread::sleep_for(kGathering);
  }
  if (tail_ > 0) file_tail();
}

std::vector<Writer::Answer> Writer::commit(std::span<WriteRequest> group) {
  std::vector<Answer> answers(group.size());
  const int code = transact(group, answers);
  if (code == SQLITE_OK) return answers;
  const std::string why =
      code == SQLITE_READONLY_DBMOVED ? "the file was moved or deleted" : connection_.error();
  roll_back();
  // The connection stays open, whatever happened: after a failed sync the log may hold the lost commit in
  // full, and opening the file anew would recover it although it was reported as not stored. On this
  // connection the next commit overwrites it.
  const StoreError error = error_of(code);
  if (error != StoreError::unavailable && group.size() > 1) {
    // The damage belongs to single games: find them by halves, and spare the others.
    const std::size_t half = group.size() / 2;
    answers = commit(group.first(half));
    std::vector<Answer> rest = commit(group.subspan(half));
    std::move(rest.begin(), rest.end(), std::back_inserter(answers));
    return answers;
  }
  for (Answer& answer : answers) answer = {error, settings_.path + ": " + why, 0};
  return answers;
}

int Writer::transact(std::span<WriteRequest> group, std::vector<Answer>& answers) {
  if (!connected()) return SQLITE_CANTOPEN;
  // What is written to a file without a name is gone when the process ends.
  if (was_moved()) return SQLITE_READONLY_DBMOVED;
  if (const int code = statements_->begin.run(); code != SQLITE_OK) return code;
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (const int code = carry_out(group[i], answers[i]); code != SQLITE_OK) return code;
  }
  for (const auto& [id, game] : changed_) {
    if (const int code = update_game(*game, *id); code != SQLITE_OK) return code;
    game->changed = false;
  }
  changed_.clear();
  const int code = statements_->commit.run();
  if (code == SQLITE_OK) tail_ += std::exchange(appended_, 0);
  return code;
}

void Writer::roll_back() {
  // Some errors have ended the transaction already.
  if (connection_.is_open() && sqlite3_get_autocommit(connection_.handle()) == 0) connection_.run("ROLLBACK");
  changed_.clear();
  known_.clear();
  appended_ = 0;
}

bool Writer::connected() {
  if (connection_.is_open()) return true;
  connection_ = connect(settings_);
  if (!connection_.is_open()) return false;
  statements_.emplace(connection_);
  const auto remember_pages = [](void* pages, sqlite3*, const char*, int count) {
    *static_cast<int*>(pages) = count;
    return SQLITE_OK;
  };
  sqlite3_wal_hook(connection_.handle(), remember_pages, &wal_pages_);
  Statement count(connection_, "SELECT count(*) FROM tail");
  if (count.step() == SQLITE_ROW) tail_ = count.number(0);
  return true;
}

bool Writer::was_moved() const {
  int moved = 0;
  sqlite3_file_control(connection_.handle(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return moved != 0;
}

void Writer::mark_changed(const GameId& id, KnownGame& game) {
  if (!game.changed) changed_.emplace_back(&id, &game);
  game.changed = true;
}

void Writer::keep_wal_short() {
  if (!connection_.is_open()) return;
  if (wal_pages_ < kLongWalPages) checkpoint_at_ = kLongWalPages;  // the log has begun afresh
  if (wal_pages_ < checkpoint_at_) return;
  checkpoint_at_ = wal_pages_ + kLongWalPages;
  // Normally the checkpoint beside us is enough: once it has caught up, the next commit starts the log
  // afresh. Under a load that never pauses it does not catch up, so the writer has to stand still for once.
  if (wal_pages_ >= kMaxWalPages) {
    sqlite3_wal_checkpoint_v2(connection_.handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  } else {
    wal_is_long_();
  }
}

void Writer::keep_tail_short() {
  if (tail_ < file_tail_at_) return;
  file_tail();
  // If that failed, the records stay where they are, which hurts nobody; it is tried again later.
  file_tail_at_ = tail_ + kLongTail;
}

void Writer::file_tail() {
  // A record of no known game, or for a place that is taken, is damage: that it is gone will be noticed by
  // the number of records when its game is read, and no other game suffers from it.
  constexpr const char* kFile =
      "INSERT OR IGNORE INTO record SELECT game, sequence, bytes, checksum FROM tail"
      " WHERE game IN (SELECT key FROM game) ORDER BY game, sequence;"
      "DELETE FROM tail";
  if (!connection_.is_open() || statements_->begin.run() != SQLITE_OK) return;
  if (connection_.run(kFile) == SQLITE_OK && statements_->commit.run() == SQLITE_OK)
    tail_ = 0;
  else
    roll_back();
}

int Writer::carry_out(WriteRequest& request, Answer& answer) {
  if (request.kind == WriteRequest::Kind::create) return create(request, answer);
  KnownGame* game = nullptr;
  const int code = find(request.game, game, answer);
  if (code != SQLITE_OK || game == nullptr) return code;
  switch (request.kind) {
    case WriteRequest::Kind::claim:
      ++game->head.epoch;
      mark_changed(request.game, *game);
      answer = success(game->head.epoch);
      return SQLITE_OK;
    case WriteRequest::Kind::append:
      return append(*game, request, answer);
    case WriteRequest::Kind::close:
      answer = close(*game, request);
      return SQLITE_OK;
    case WriteRequest::Kind::create:
      break;
  }
  return SQLITE_MISUSE;
}

int Writer::create(WriteRequest& request, Answer& answer) {
  KnownGame* found = nullptr;
  const int code = find(request.game, found, answer);
  if (code != SQLITE_OK || answer.error == StoreError::corrupt) return code;
  if (found != nullptr) {
    answer = refusal<std::uint64_t>({StoreError::exists, "there is a game " + request.game + " already"});
    return SQLITE_OK;
  }
  KnownGame game{.created_ms = request.created_ms, .head = {.epoch = 1, .next = 1}};
  const int inserted =
      statements_->insert_game
          .bind(Text{request.game}, static_cast<std::int64_t>(game.head.status), game.created_ms,
                game.head.epoch, game.head.next, game_checksum(request.game, game.created_ms, game.head))
          .run();
  if (inserted != SQLITE_OK) return inserted;
  game.key = sqlite3_last_insert_rowid(connection_.handle());
  answer = success(game.head.epoch);
  known_.emplace(request.game, game);
  return insert_record(statements_->insert_record, game, request.game, 0, request.record);
}

int Writer::append(KnownGame& game, WriteRequest& request, Answer& answer) {
  if (Verdict verdict = judge_append(game.head, request.epoch, request.expected);
      verdict.error != StoreError::none) {
    answer = refusal<std::uint64_t>(std::move(verdict));
    return SQLITE_OK;
  }
  const int code =
      insert_record(statements_->append_record, game, request.game, request.expected, request.record);
  if (code != SQLITE_OK) return code;
  ++appended_;
  answer = success(++game.head.next);
  mark_changed(request.game, game);
  return SQLITE_OK;
}

Writer::Answer Writer::close(KnownGame& game, const WriteRequest& request) {
  Verdict verdict = judge_close(game.head, request.epoch);
  if (verdict.error != StoreError::none) return refusal<std::uint64_t>(std::move(verdict));
  if (game.head.status == GameStatus::open) {
    game.head.status = GameStatus::closed;
    mark_changed(request.game, game);
  }
  return success(game.head.next);
}

int Writer::find(const GameId& id, KnownGame*& found, Answer& answer) {
  if (const auto known = known_.find(id); known != known_.end()) {
    found = &known->second;
    return SQLITE_OK;
  }
  Statement& find_game = statements_->find_game.bind(Text{id});
  if (const int code = find_game.step(); code != SQLITE_ROW) {
    answer = refusal<std::uint64_t>({StoreError::not_found, "there is no game " + id});
    return code == SQLITE_DONE ? SQLITE_OK : code;
  }
  KnownGame game{.key = find_game.number(0), .created_ms = find_game.number(2)};
  game.head = {.status = find_game.number(1) == 0 ? GameStatus::open : GameStatus::closed,
               .epoch = static_cast<Epoch>(find_game.number(3)),
               .next = static_cast<Sequence>(find_game.number(4))};
  const auto checksum = static_cast<std::uint64_t>(find_game.number(5));
  find_game.reset();
  if (checksum != game_checksum(id, game.created_ms, game.head)) {
    answer =
        refusal<std::uint64_t>({StoreError::corrupt, "the entry of game " + id + " has a wrong checksum"});
    return SQLITE_OK;
  }
  found = &known_.emplace(id, game).first->second;
  return SQLITE_OK;
}

int Writer::insert_record(Statement& insert, const KnownGame& game, const GameId& id, Sequence sequence,
                          const Record& record) {
  return insert.bind(game.key, sequence, Blob{record}, record_checksum(id, sequence, record)).run();
}

int Writer::update_game(const KnownGame& game, const GameId& id) {
  return statements_->update_game
      .bind(game.key, static_cast<std::int64_t>(game.head.status), game.head.epoch, game.head.next,
            game_checksum(id, game.created_ms, game.head))
      .run();
}

}  // namespace landsraad::persistence
