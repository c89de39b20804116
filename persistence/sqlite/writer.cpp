#include "persistence/sqlite/writer.h"

#include <iterator>
#include <limits>
#include <variant>

#include "persistence/sqlite/entry.h"

namespace landsraad::persistence {

Writer::Session::Session(const Connection& connection)
    : begin(connection, "BEGIN IMMEDIATE"), commit(connection, "COMMIT"), ledger(connection) {}

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
    for (std::size_t i = 0; i < group.size(); ++i) report(group[i], std::move(answers[i]));
    keep_tail_short();
    keep_wal_short();
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
  if (const int code = session_->begin.run(); code != SQLITE_OK) return code;
  if (!orphans_woken_)
    if (const int code = wake_orphans(connection_); code != SQLITE_OK) return code;
  Ledger& ledger = session_->ledger;
  for (std::size_t i = 0; i < group.size(); ++i)
    if (const int code = ledger.carry_out(group[i].task, answers[i]); code != SQLITE_OK) return code;
  if (const int code = ledger.write_entries(); code != SQLITE_OK) return code;
  if (const int code = session_->commit.run(); code != SQLITE_OK) return code;
  tail_ += ledger.committed();
  orphans_woken_ = true;
  return SQLITE_OK;
}

void Writer::report(WriteRequest& request, Answer answer) {
  if (auto* purge = std::get_if<PurgeGames>(&request.task)) {
    if (answer.ok()) purge->done = purge->next;
    if (answer.ok() && !purge->done.complete && purge->done.purged < purge->limit) {
      inbox_.put(std::move(request), std::numeric_limits<std::size_t>::max());
      return;
    }
    // What is gone is gone, whatever failed after that.
    if (purge->done.purged > 0) answer = success(purge->done.purged);
  }
  request.done(std::move(answer));
}

void Writer::roll_back() {
  // Some errors have ended the transaction already.
  if (connection_.is_open() && sqlite3_get_autocommit(connection_.handle()) == 0) connection_.run("ROLLBACK");
  if (session_) session_->ledger.forget();
}

bool Writer::connected() {
  if (connection_.is_open()) return true;
  connection_ = connect(settings_);
  if (!connection_.is_open()) return false;
  session_.emplace(connection_);
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
  if (!connection_.is_open() || session_->begin.run() != SQLITE_OK) return;
  if (connection_.run(kFile) == SQLITE_OK && session_->commit.run() == SQLITE_OK)
    tail_ = 0;
  else
    roll_back();
}

}  // namespace landsraad::persistence
