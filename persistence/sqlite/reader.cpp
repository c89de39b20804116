#include "persistence/sqlite/reader.h"

#include <limits>
#include <utility>

#include "persistence/admission.h"
#include "persistence/checksum.h"

namespace landsraad::persistence {

namespace {

GameStatus status_of(std::int64_t stored) { return stored == 0 ? GameStatus::open : GameStatus::closed; }

}  // namespace

#define GAME_COLUMNS "SELECT key, status, created_ms, epoch, records, checksum, id FROM game "

Reader::Statements::Statements(const Connection& connection)
    : begin(connection, "BEGIN"),
      commit(connection, "COMMIT"),
      find_game(connection, GAME_COLUMNS "WHERE id = ?1"),
      records(connection,
              "SELECT sequence, checksum, bytes FROM record WHERE game = ?1 UNION ALL "
              "SELECT sequence, checksum, bytes FROM tail WHERE game = ?1 ORDER BY sequence"),
      list_all(connection, GAME_COLUMNS "WHERE id > ?1 ORDER BY id LIMIT ?2"),
      list_open(connection, GAME_COLUMNS "WHERE id > ?1 AND status = 0 ORDER BY id LIMIT ?2"),
      set_up(connection, "SELECT checksum, bytes FROM record WHERE game = ?1 AND sequence = 0") {}

#undef GAME_COLUMNS

Reader::Reader(SqliteSettings settings) : settings_(std::move(settings)), thread_([this] { loop(); }) {}

Reader::~Reader() {
  inbox_.close();
  thread_.join();
}

void Reader::put_always(Job job) { inbox_.put(std::move(job), std::numeric_limits<std::size_t>::max()); }

void Reader::request_checkpoint() {
  if (!checkpoint_waits_.exchange(true)) put_always([](Reader& reader) { reader.checkpoint(); });
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

void Reader::checkpoint() {
  checkpoint_waits_ = false;
  if (!connect_again()) return;
  // Passive: it waits for nobody and holds up nobody; what it cannot copy now it copies next time.
  const int code =
      sqlite3_wal_checkpoint_v2(connection_.handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  if (code != SQLITE_OK && error_of(code) == StoreError::unavailable) disconnect();
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

Result<StoredGame> Reader::load(const GameId& id) {
  return in_one_snapshot<StoredGame>([&] { return load_game(id); });
}

Result<ListPage> Reader::list(const ListQuery& query) {
  return in_one_snapshot<ListPage>([&] { return list_games(query); });
}

Result<StoredGame> Reader::load_game(const GameId& id) {
  Statement& find_game = statements_->find_game.bind(Text{id});
  const int found = find_game.step();
  if (found == SQLITE_DONE) return refusal<StoredGame>({StoreError::not_found, "there is no game " + id});
  if (found != SQLITE_ROW) return failure<StoredGame>(found);
  const std::int64_t key = find_game.number(0);
  const GameHead head{.status = status_of(find_game.number(1)),
                      .epoch = static_cast<Epoch>(find_game.number(3)),
                      .next = static_cast<Sequence>(find_game.number(4))};
  StoredGame game{.id = id, .status = head.status, .created_ms = find_game.number(2), .epoch = head.epoch};
  const auto checksum = static_cast<std::uint64_t>(find_game.number(5));
  find_game.reset();

  std::string damage;
  if (checksum != game_checksum(id, game.created_ms, head)) damage = "its entry has a wrong checksum";
  if (damage.empty()) {
    if (const int code = read_records(key, game, damage); code != SQLITE_OK) return failure<StoredGame>(code);
  }
  if (damage.empty() && game.records.size() != head.next) {
    damage =
        "it had " + std::to_string(head.next) + " records and has " + std::to_string(game.records.size());
  }
  if (!damage.empty()) return refusal<StoredGame>({StoreError::corrupt, "game " + id + ": " + damage});
  return success(std::move(game));
}

int Reader::read_records(std::int64_t key, StoredGame& game, std::string& damage) {
  Statement& records = statements_->records.bind(key);
  int code = SQLITE_OK;
  while ((code = records.step()) == SQLITE_ROW) {
    const Sequence expected = game.records.size();
    Record bytes = records.bytes(2);
    if (static_cast<Sequence>(records.number(0)) != expected) {
      damage = "record " + std::to_string(expected) + " is missing";
    } else if (static_cast<std::uint64_t>(records.number(1)) != record_checksum(game.id, expected, bytes)) {
      damage = "record " + std::to_string(expected) + " has a wrong checksum";
    }
    if (!damage.empty()) {
      records.reset();
      return SQLITE_OK;
    }
    game.records.push_back(std::move(bytes));
  }
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

Result<ListPage> Reader::list_games(const ListQuery& query) {
  // One more than asked for tells whether there are more.
  Statement& list = query.open_only ? statements_->list_open : statements_->list_all;
  list.bind(Text{query.after}, static_cast<std::int64_t>(query.limit) + 1);
  ListPage page;
  int code = SQLITE_OK;
  while ((code = list.step()) == SQLITE_ROW) {
    if (page.games.size() == query.limit) {
      page.more = true;
      list.reset();
      break;
    }
    const GameHead head{.status = status_of(list.number(1)),
                        .epoch = static_cast<Epoch>(list.number(3)),
                        .next = static_cast<Sequence>(list.number(4))};
    ListedGame game{
        .id = list.bytes(6), .status = head.status, .created_ms = list.number(2), .next_sequence = head.next};
    game.readable =
        static_cast<std::uint64_t>(list.number(5)) == game_checksum(game.id, game.created_ms, head);
    if (game.readable) {
      const int read = read_set_up(list.number(0), game);
      if (read != SQLITE_OK && error_of(read) != StoreError::corrupt) {
        list.reset();
        return failure<ListPage>(read);
      }
      game.readable = read == SQLITE_OK && !game.setup.empty();
    }
    if (!game.readable) game.setup.clear();
    page.games.push_back(std::move(game));
  }
  if (code != SQLITE_DONE && code != SQLITE_ROW) return failure<ListPage>(code);
  return success(std::move(page));
}

int Reader::read_set_up(std::int64_t key, ListedGame& game) {
  Statement& set_up = statements_->set_up.bind(key);
  const int code = set_up.step();
  if (code != SQLITE_ROW) return code == SQLITE_DONE ? SQLITE_CORRUPT : code;
  game.setup = set_up.bytes(1);
  const bool intact = static_cast<std::uint64_t>(set_up.number(0)) == record_checksum(game.id, 0, game.setup);
  set_up.reset();
  return intact ? SQLITE_OK : SQLITE_CORRUPT;
}

}  // namespace landsraad::persistence
