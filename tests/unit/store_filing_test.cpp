// The tail: records read alike before they are filed, while they are, and after; and none is lost on the way.
#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "persistence/sqlite/database_file.h"
#include "persistence/sqlite/filing.h"
#include "persistence/sqlite/ledger.h"
#include "persistence/wait.h"
#include "tests/unit/store_contract.h"

namespace landsraad::persistence::store_filing_test {

namespace {

// What the writer does, one step at a time.
class Desk {
 public:
  Desk() {
    REQUIRE(prepare_database({.path = path_}).ok());
    sit_down();
  }

  // As after the death of the process.
  void sit_down() {
    filing_.reset();
    ledger_.reset();
    connection_ = connect({.path = path_});
    ledger_.emplace(connection_);
    filing_.emplace(connection_);
  }

  void create(const GameId& game) {
    REQUIRE(carry_out(CreateGame{game, {.records = {"setup"}}}).ok());
    expected_[game] = {"setup"};
  }
  void append(const GameId& game) {
    std::vector<Record>& records = expected_[game];
    records.push_back(game + std::to_string(records.size()));
    REQUIRE(carry_out(AppendRecord{game, 1, records.size() - 1, records.back()}).ok());
  }
  void purge(const GameId& game) {
    REQUIRE(carry_out(CloseGame{game, 1, 1000}).ok());
    REQUIRE(carry_out(PutToSleep{game, 1, kNever}).ok());
    REQUIRE(carry_out(PurgeGames{.closed_before_ms = 2000, .limit = 1}).value == 1);
    expected_.erase(game);
  }

  Ledger::Answer carry_out(Task task) {
    Ledger::Answer answer;
    connection_.run("BEGIN IMMEDIATE");
    REQUIRE(ledger_->carry_out(task, answer) == SQLITE_OK);
    REQUIRE(ledger_->write_entries() == SQLITE_OK);
    REQUIRE(connection_.run("COMMIT") == SQLITE_OK);
    filing_->added(ledger_->committed());
    return answer;
  }

  bool file_slice() {
    connection_.run("BEGIN IMMEDIATE");
    if (filing_->carry_out_slice() == SQLITE_OK) return connection_.run("COMMIT") == SQLITE_OK;
    connection_.run("ROLLBACK");
    filing_->give_up();
    return false;
  }
  void file_all() {
    while (!filing_->tail_is_empty()) REQUIRE(file_slice());
    CHECK(count("SELECT count(*) FROM tail") == 0);
  }

  void check() const {
    const auto store = std::move(SqliteStore::open({.path = path_, .read_only = true}).value);
    REQUIRE(store != nullptr);
    for (const auto& [id, records] : expected_) {
      const auto loaded = wait_for<StoredGame>([&](auto done) { store->load(id, Extent::whole, done); });
      REQUIRE_MESSAGE(loaded.ok(), loaded.why);
      CHECK(loaded.value.records == records);
    }
  }

  std::int64_t count(std::string_view query) const {
    Statement statement(connection_, query);
    REQUIRE(statement.step() == SQLITE_ROW);
    return statement.number(0);
  }

  const Connection& connection() const { return connection_; }
  Filing& filing() { return *filing_; }

 private:
  TemporaryFolder folder_;
  std::string path_ = folder_ / "games.sqlite";
  Connection connection_;
  std::optional<Ledger> ledger_;
  std::optional<Filing> filing_;
  std::map<GameId, std::vector<Record>> expected_;
};

const std::vector<GameId> kGames{"arrakis", "caladan", "giedi"};

void append_to_all(Desk& desk, std::size_t times) {
  desk.connection().run("PRAGMA synchronous = OFF");
  for (std::size_t n = 0; n < times; ++n)
    for (const GameId& game : kGames) desk.append(game);
}

}  // namespace

TEST_CASE("filing: records read alike all the while, and so do those that come meanwhile") {
  Desk desk;
  for (const GameId& game : kGames) desk.create(game);
  append_to_all(desk, kDeletedAtOnce / 2);
  CHECK_FALSE(desk.filing().is_due());
  int slices = 0;
  for (bool some_left = true; some_left; ++slices) {
    REQUIRE(desk.file_slice());
    some_left = desk.filing().is_due();
    append_to_all(desk, 1);
    desk.check();
  }
  constexpr int kRecords = 3 * kDeletedAtOnce / 2;
  CHECK(slices == kRecords / static_cast<int>(kFiledAtOnce) + 2);
  CHECK(desk.count("SELECT count(*) FROM record") == kRecords + 3);
  CHECK(desk.count("SELECT count(*) FROM tail") == 3 * slices);
  desk.file_all();
  desk.check();
}

TEST_CASE("filing: whoever comes after a death goes on with it at once") {
  Desk desk;
  for (const GameId& game : kGames) desk.create(game);
  append_to_all(desk, kFiledAtOnce);
  REQUIRE(desk.file_slice());
  desk.sit_down();
  desk.check();
  CHECK(desk.filing().is_due());
  append_to_all(desk, 1);
  desk.file_all();
  desk.check();
}

TEST_CASE("filing: a place is not given again while it is filed, also when the last game in it is deleted") {
  Desk desk;
  for (const GameId& game : kGames) desk.create(game);
  append_to_all(desk, 1);
  REQUIRE(desk.file_slice());
  desk.purge("giedi");  // whose record was the last
  desk.append("arrakis");
  REQUIRE(desk.file_slice());
  CHECK(desk.count("SELECT count(*) FROM tail") == 1);
  desk.check();
  desk.file_all();
  desk.check();
}

TEST_CASE("filing: if it is not possible records stay where they are, until the tail has grown") {
  Desk desk;
  for (const GameId& game : kGames) desk.create(game);
  append_to_all(desk, kFiledAtOnce);
  REQUIRE(desk.file_slice());
  desk.connection().run("CREATE TEMP TRIGGER no BEFORE INSERT ON record BEGIN SELECT RAISE(ABORT, ''); END");
  CHECK_FALSE(desk.file_slice());
  desk.check();
  CHECK_FALSE(desk.filing().is_due());
  desk.connection().run("DROP TRIGGER no");
  desk.filing().added(kLongTail);  // as far as it knows
  CHECK(desk.filing().is_due());
  desk.file_all();
  desk.check();
}

}  // namespace landsraad::persistence::store_filing_test
