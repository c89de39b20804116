#include "persistence/sqlite/writer.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "persistence/sqlite/entry.h"
#include "persistence/sqlite/reader.h"

namespace landsraad::persistence {

Writer::Session::Session(const Connection& connection)
    : begin(connection, "BEGIN IMMEDIATE"),
      commit(connection, "COMMIT"),
      ledger(connection),
      filing(connection) {}

Writer::Writer(SqliteSettings settings, Reader& reader)
    : settings_(std::move(settings)), reader_(reader), thread_([this] { loop(); }) {}

Writer::~Writer() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  woken_.notify_one();
  thread_.join();
}

// ---- Who writes, and when.

bool Writer::put(WriteRequest&& request, When when) {
  const std::lock_guard lock(mutex_);
  if (waiting_.size() >= kMaxWaitingRequests) return false;
  waiting_.push_back(std::move(request));
  if (when == When::soon) wake_thread();
  return true;
}

void Writer::commit() {
  {
    const std::lock_guard lock(mutex_);
    if (disk_is_slow_) wake_thread();
    if (left_to_thread_) return;
  }
  if (Turn turn(turn_, kQuickCommit); turn) {
    // Whoever had the turn before may have written it already.
    if (std::vector<WriteRequest> group = take(); !group.empty())
      carry_out(std::move(group), std::move(turn));
  } else {
    const std::lock_guard lock(mutex_);
    wake_thread();
  }
}

void Writer::wake_thread() {
  if (!std::exchange(left_to_thread_, true)) woken_.notify_one();
}

void Writer::loop() {
  {
    const Turn turn(turn_);
    connected();  // now, so that the first action need not wait for it
  }
  for (bool closed = false; !closed;) {
    {
      std::unique_lock lock(mutex_);
      woken_.wait(lock, [this] { return left_to_thread_ || closed_; });
    }
    Turn turn(turn_);
    do_chores();
    {
      const std::lock_guard lock(mutex_);
      left_to_thread_ = has_chores();
      closed = closed_ && waiting_.empty();
    }
    if (std::vector<WriteRequest> group = take(); !group.empty())
      carry_out(std::move(group), std::move(turn));
  }
  if (!session_) return;
  session_->filing.stop();  // so that one round takes all
  while (file_slice() && session_->filing.is_under_way()) {
  }
}

std::vector<WriteRequest> Writer::take() {
  const std::lock_guard lock(mutex_);
  const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(kMaxGroup, waiting_.size()));
  std::vector<WriteRequest> group(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
  waiting_.erase(waiting_.begin(), end);
  if (!waiting_.empty()) wake_thread();  // the rest may be of somebody who has called commit() already
  return group;
}

void Writer::carry_out(std::vector<WriteRequest> group, Turn turn) {
  const auto begun = std::chrono::steady_clock::now();
  std::vector<Answer> answers = commit(group);
  {
    const std::lock_guard lock(mutex_);
    disk_is_slow_ = std::chrono::steady_clock::now() - begun > kQuickCommit;
    if (has_chores()) wake_thread();
  }
  turn.unlock();
  for (std::size_t i = 0; i < group.size(); ++i) report(group[i], std::move(answers[i]));
}

// ---- One transaction.

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
  session_->filing.added(ledger.committed());
  orphans_woken_ = true;
  return SQLITE_OK;
}

void Writer::report(WriteRequest& request, Answer answer) {
  if (auto* purge = std::get_if<PurgeGames>(&request.task)) {
    if (answer.ok()) purge->done = purge->next;
    if (answer.ok() && !purge->done.complete && purge->done.purged < purge->limit) {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(request));
      return wake_thread();
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
  const auto after_commit = [](void* length, sqlite3*, const char*, int pages) {
    static_cast<LogLength*>(length)->committed(pages);
    return SQLITE_OK;
  };
  sqlite3_wal_hook(connection_.handle(), after_commit, &log_length_);
  return true;
}

bool Writer::was_moved() const {
  int moved = 0;
  sqlite3_file_control(connection_.handle(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return moved != 0;
}

// ---- Chores.

bool Writer::has_chores() const {
  return (session_ && session_->filing.is_due()) || log_length_.calls_for_checkpoint() ||
         reader_.has_copied_log();
}

void Writer::do_chores() {
  if (!connection_.is_open()) return;
  if (session_->filing.is_due()) file_slice();
  keep_log_short();
}

// The reader's thread copies the log into the file while others commit. What they have added by then is
// little and is copied here, while nobody commits: only when all is copied does the next commit start the log
// afresh, and under a load that never pauses that would never be so.
//
// There is one checkpoint at a time, and none begins beside commits before something new is in the log: one
// that begins just when a commit starts the log afresh, as it does when all is copied, can spoil the database
// (SQLite before 3.51.3, https://www.sqlite.org/wal.html#walresetbug).
void Writer::keep_log_short() {
  if (reader_.has_copied_log()) {
    sqlite3_wal_checkpoint_v2(connection_.handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
    log_length_.checkpoint();
    reader_.end_checkpoint();
  } else if (log_length_.calls_for_checkpoint()) {
    log_length_.checkpoint();
    reader_.begin_checkpoint();
  }
}

// False if it was not possible.
bool Writer::file_slice() {
  if (session_->begin.run() == SQLITE_OK && session_->filing.carry_out_slice() == SQLITE_OK &&
      session_->commit.run() == SQLITE_OK)
    return true;
  roll_back();
  session_->filing.stop();
  return false;
}

}  // namespace landsraad::persistence
