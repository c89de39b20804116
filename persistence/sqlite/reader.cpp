#include "persistence/sqlite/reader.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "persistence/admission.h"
#include "persistence/checksum.h"

namespace landsraad::persistence {

// One shelf of games, for list_shelves; each is a range of the index of that name.
#define SHELF(LISTED, STATUS, WANTED)                                                           \
  "SELECT " LANDSRAAD_ENTRY_COLUMNS " FROM game WHERE listed = " LISTED " AND status = " STATUS \
  " AND id > ?1 AND " WANTED

Reader::Statements::Statements(const Connection& connection)
    : begin(connection, "BEGIN"),
      commit(connection, "COMMIT"),
      find_game(connection, "SELECT " LANDSRAAD_ENTRY_COLUMNS " FROM game WHERE id = ?1"),
      set_up(connection, "SELECT checksum, bytes FROM record WHERE game = ?1 AND sequence = 0"),
      records(connection,
              "SELECT sequence, checksum, bytes FROM record WHERE game = ?1 AND sequence >= ?2 "
              "ORDER BY sequence"),
      unfiled_too(connection,
                  "SELECT sequence, checksum, bytes FROM record WHERE game = ?1 AND sequence >= ?2 UNION ALL "
                  "SELECT sequence, checksum, bytes FROM tail WHERE game = ?1 AND sequence >= ?2 "
                  "ORDER BY sequence"),
      snapshot(connection, "SELECT covers, checksum, bytes FROM snapshot WHERE game = ?1"),
      list_shelves(
          connection,
          SHELF("1", "0", "?3") " UNION ALL " SHELF("1", "1", "?4") " UNION ALL " SHELF(
              "0", "0", "?3 AND ?5") " UNION ALL " SHELF("0", "1", "?4 AND ?5") " ORDER BY id LIMIT ?2"),
      list_all(connection, "SELECT " LANDSRAAD_ENTRY_COLUMNS " FROM game WHERE id > ?1 ORDER BY id LIMIT ?2"),
      list_of_player(connection,
                     "SELECT game.key, player.id, status, created_ms, epoch, records, listed, closed_ms, "
                     "wake_ms, game.checksum, player.checksum FROM player LEFT JOIN game "
                     "ON game.key = player.game WHERE player = ?3 AND player.id > ?1 "
                     "AND (?4 < 0 OR status IS NULL OR status = ?4) ORDER BY player.id LIMIT ?2"),
      due(connection, "SELECT " LANDSRAAD_ENTRY_COLUMNS
                      " FROM game WHERE status = 0 AND wake_ms > 0 AND wake_ms <= ?1 ORDER BY wake_ms, id"),
      texts(connection, "SELECT key, checksum, bytes FROM text ORDER BY key") {}

#undef SHELF

Reader::Reader(SqliteSettings settings) : settings_(std::move(settings)), thread_([this] { loop(); }) {}

Reader::~Reader() {
  inbox_.close();
  thread_.join();
}

void Reader::put_always(Job job) { inbox_.put(std::move(job), std::numeric_limits<std::size_t>::max()); }

void Reader::begin_checkpoint() {
  if (checkpoint_ != Checkpoint::none) return;
  checkpoint_ = Checkpoint::begun;
  put_always([](Reader& reader) { reader.copy_log(); });
}

void Reader::loop() {
  while (true) {
    std::vector<Job> jobs = inbox_.take(1);
    if (jobs.empty()) break;
    jobs.front()(*this);
  }
  disconnect();
}

bool Reader::connect_again() {
  if (connection_.is_open()) return true;
  connection_ = connect(settings_);
  if (connection_.is_open()) statements_.emplace(connection_);
  return connection_.is_open();
}

void Reader::disconnect() {
  statements_.reset();
  connection_.close();
}

void Reader::copy_log() {
  // Passive: it waits for nobody and holds up nobody; what it cannot copy now it copies next time.
  const int code = connect_again() ? sqlite3_wal_checkpoint_v2(connection_.handle(), nullptr,
                                                               SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr)
                                   : SQLITE_CANTOPEN;
  if (code != SQLITE_OK && error_of(code) == StoreError::unavailable) disconnect();
  checkpoint_ = Checkpoint::copied;
}

template <class T>
Result<T> Reader::failure(int code) {
  return refusal<T>({error_of(code), settings_.path + ": " + connection_.error()});
}

// Reads everything as of one moment, whatever the writer does meanwhile.
template <class T, class Query>
Result<T> Reader::in_one_snapshot(Query query) {
  if (!connect_again()) return failure<T>(SQLITE_CANTOPEN);
  Result<T> result;
  if (const int code = statements_->begin.run(); code != SQLITE_OK) {
    result = failure<T>(code);
  } else {
    result = query();
  }
  statements_->commit.run();
  // A fresh connection forgets whatever state the failure left behind.
  if (result.error == StoreError::unavailable) disconnect();
  return result;
}

Result<StoredGame> Reader::load(const GameId& id, Extent extent) {
  return in_one_snapshot<StoredGame>([&] { return load_game(id, extent); });
}

Result<ListPage> Reader::list(const ListQuery& query) {
  return in_one_snapshot<ListPage>([&] { return list_games(query); });
}

Result<std::vector<GameId>> Reader::due(UnixMs now_ms, std::size_t limit) {
  return in_one_snapshot<std::vector<GameId>>([&] { return due_games(now_ms, limit); });
}

Result<Texts> Reader::texts() {
  return in_one_snapshot<Texts>([&] { return all_texts(); });
}

// ---- One game.

Result<StoredGame> Reader::load_game(const GameId& id, Extent extent) {
  Statement& find_game = statements_->find_game.bind(Text{id});
  const int found = find_game.step();
  if (found == SQLITE_DONE) return refusal<StoredGame>({StoreError::not_found, "there is no game " + id});
  if (found != SQLITE_ROW) return failure<StoredGame>(found);
  Entry entry = read_entry(find_game);
  find_game.reset();
  entry.id = id;  // that the row has another one shows in the checksum

  const GameHead& head = entry.head;
  StoredGame game{
      .id = id, .status = head.status, .created_ms = head.created_ms, .epoch = head.epoch, .next = head.next};
  std::string damage;
  int code = SQLITE_OK;
  if (!entry.intact()) damage = "its entry has a wrong checksum";
  if (damage.empty() && extent == Extent::resume) code = read_snapshot(entry, game.snapshot);
  if (damage.empty() && code == SQLITE_OK) code = read_set_up(entry, game.records.emplace_back(), damage);
  if (damage.empty() && code == SQLITE_OK) code = read_records(entry, game, damage);
  if (code != SQLITE_OK) return failure<StoredGame>(code);
  if (!damage.empty()) return refusal<StoredGame>({StoreError::corrupt, "game " + id + ": " + damage});
  return success(std::move(game));
}

// One that does not read back is as good as none.
int Reader::read_snapshot(const Entry& entry, Snapshot& snapshot) {
  Statement& row = statements_->snapshot.bind(entry.key);
  const int code = row.step();
  if (code == SQLITE_ROW) {
    Snapshot stored{static_cast<Sequence>(row.number(0)), row.bytes(2)};
    const auto checksum = static_cast<std::uint64_t>(row.number(1));
    row.reset();
    const bool intact = stored.covers >= 1 && stored.covers <= entry.head.next &&
                        checksum == snapshot_checksum(entry.id, stored.covers, stored.bytes);
    if (intact) snapshot = std::move(stored);
  }
  return error_of(code) == StoreError::unavailable ? code : SQLITE_OK;
}

int Reader::read_set_up(const Entry& entry, Record& setup, std::string& damage) {
  Statement& row = statements_->set_up.bind(entry.key);
  const int code = row.step();
  if (code == SQLITE_DONE) damage = "record 0 is missing";
  if (code != SQLITE_ROW) return code == SQLITE_DONE ? SQLITE_OK : code;
  setup = row.bytes(1);
  const auto checksum = static_cast<std::uint64_t>(row.number(0));
  row.reset();
  if (checksum != record_checksum(entry.id, 0, setup)) damage = "record 0 has a wrong checksum";
  return SQLITE_OK;
}

int Reader::read_records(const Entry& entry, StoredGame& game, std::string& damage) {
  Sequence expected = std::max<Sequence>(game.snapshot.covers, 1);
  std::string fault;
  int code = read_records(statements_->records, entry, expected, game.records, fault);
  // Some may not be filed yet. To look for them takes a look at the whole tail.
  if (code == SQLITE_DONE && expected < entry.head.next)
    code = read_records(statements_->unfiled_too, entry, expected, game.records, fault);
  if (code != SQLITE_DONE) return code;
  if (expected != entry.head.next && fault.empty())
    fault = "it had " + std::to_string(entry.head.next) + " records and has " + std::to_string(expected);
  if (expected != entry.head.next) damage = std::move(fault);
  return SQLITE_OK;
}

// Takes what is expected and in order; what is not may be another game's, which damage has brought here.
int Reader::read_records(Statement& table, const Entry& entry, Sequence& expected,
                         std::vector<Record>& records, std::string& fault) {
  Statement& row = table.bind(entry.key, expected);
  int code = SQLITE_OK;
  while ((code = row.step()) == SQLITE_ROW) {
    Record bytes = row.bytes(2);
    if (static_cast<Sequence>(row.number(0)) != expected) {
      if (fault.empty()) fault = "record " + std::to_string(expected) + " is missing";
    } else if (static_cast<std::uint64_t>(row.number(1)) != record_checksum(entry.id, expected, bytes)) {
      if (fault.empty()) fault = "record " + std::to_string(expected) + " has a wrong checksum";
    } else {
      records.push_back(std::move(bytes));
      ++expected;
    }
  }
  return code;
}

// ---- All games.

Statement& Reader::begin_list(const ListQuery& query) {
  const std::int64_t rows = static_cast<std::int64_t>(query.limit) + 1;
  const auto wanted = [&](GameStatus status) {
    return std::int64_t{query.status.value_or(status) == status};
  };
  if (query.player) {
    const std::int64_t status = query.status ? wanted(GameStatus::closed) : -1;
    return statements_->list_of_player.bind(Text{query.after}, rows, Blob{*query.player}, status);
  }
  if (query.unlisted_too && !query.status) return statements_->list_all.bind(Text{query.after}, rows);
  return statements_->list_shelves.bind(Text{query.after}, rows, wanted(GameStatus::open),
                                        wanted(GameStatus::closed), std::int64_t{query.unlisted_too});
}

Result<ListPage> Reader::list_games(const ListQuery& query) {
  Statement& list = begin_list(query);
  ListPage page;
  int code = SQLITE_OK;
  while (!page.more && (code = list.step()) == SQLITE_ROW) {
    page.more = page.games.size() == query.limit;
    if (page.more) break;
    ListedGame game;
    if (const int read = read_line(list, query, game); read != SQLITE_OK) {
      list.reset();
      return failure<ListPage>(read);
    }
    page.games.push_back(std::move(game));
  }
  if (page.more) list.reset();
  if (code != SQLITE_DONE && code != SQLITE_ROW) return failure<ListPage>(code);
  return success(std::move(page));
}

int Reader::read_line(const Statement& row, const ListQuery& query, ListedGame& game) {
  const Entry entry = read_entry(row);
  game = {.id = entry.id,
          .status = entry.head.status,
          .created_ms = entry.head.created_ms,
          .next_sequence = entry.head.next};
  game.readable = entry.intact();
  if (game.readable && query.player) {
    const auto checksum = static_cast<std::uint64_t>(row.number(kEntryColumns));
    game.readable = checksum == player_checksum(entry.id, *query.player);
  }
  if (!game.readable) return SQLITE_OK;
  std::string damage;
  const int code = read_set_up(entry, game.setup, damage);
  game.readable = code == SQLITE_OK && damage.empty();
  if (!game.readable) game.setup.clear();
  return error_of(code) == StoreError::unavailable ? code : SQLITE_OK;
}

Result<std::vector<GameId>> Reader::due_games(UnixMs now_ms, std::size_t limit) {
  Statement& due = statements_->due.bind(std::min(now_ms, kNever - 1));
  std::vector<GameId> games;
  int code = SQLITE_OK;
  while (games.size() < limit && (code = due.step()) == SQLITE_ROW)
    if (Entry entry = read_entry(due); entry.intact()) games.push_back(std::move(entry.id));
  if (code == SQLITE_ROW) due.reset();
  if (code != SQLITE_DONE && code != SQLITE_ROW) return failure<std::vector<GameId>>(code);
  return success(std::move(games));
}

Result<Texts> Reader::all_texts() {
  Statement& rows = statements_->texts;
  Texts texts;
  int code = SQLITE_OK;
  while ((code = rows.step()) == SQLITE_ROW) {
    std::string key = rows.bytes(0), text = rows.bytes(2);
    if (static_cast<std::uint64_t>(rows.number(1)) == text_checksum(key, text))
      texts.emplace_back(std::move(key), std::move(text));
  }
  if (code != SQLITE_DONE) return failure<Texts>(code);
  return success(std::move(texts));
}

}  // namespace landsraad::persistence
