// The tail: records read alike before they are filed, while they are, and after; and none is lost on the way.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
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
    stand_up();
    connection_ = connect({.path = path_});
    connection_.run("PRAGMA synchronous = OFF");
    ledger_.emplace(connection_);
    filing_.emplace(connection_);
  }

  void stand_up() {
    filing_.reset();
    ledger_.reset();
    connection_.close();
  }
  const std::string& path() const { return path_; }

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
  // Its records are damaged, and that shows when it is read.
  void give_up(const GameId& game) {
    expected_.erase(game);
    damaged_.insert(game);
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
    filing_->stop();
    return false;
  }
  // Gives back how many records stay in the tail.
  std::int64_t file_all() {
    filing_->stop();
    do REQUIRE(file_slice());
    while (filing_->is_under_way());
    return count("SELECT count(*) FROM tail");
  }

  void check() const {
    const auto store = std::move(SqliteStore::open({.path = path_, .read_only = true}).value);
    REQUIRE(store != nullptr);
    const auto load = [&](const GameId& id) {
      return wait_for<StoredGame>([&](auto done) { store->load(id, Extent::whole, done); });
    };
    for (const auto& [id, records] : expected_) {
      const auto loaded = load(id);
      REQUIRE_MESSAGE(loaded.ok(), loaded.why);
      CHECK(loaded.value.records == records);
    }
    for (const GameId& id : damaged_) CHECK(load(id).error == StoreError::corrupt);
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
  std::set<GameId> damaged_;
};

const std::vector<GameId> kGames{"arrakis", "caladan", "giedi"};

void append_to_all(Desk& desk, std::size_t times) {
  for (std::size_t n = 0; n < times; ++n)
    for (const GameId& game : kGames) desk.append(game);
}

void create_all(Desk& desk) {
  for (const GameId& game : kGames) desk.create(game);
}

// Changes the file behind SQLite's back.
template <class Change>
void change_file(const Desk& desk, Change change) {
  std::ifstream in(desk.path(), std::ios::binary);
  std::string file{std::istreambuf_iterator<char>(in), {}};
  change(file);
  std::ofstream(desk.path(), std::ios::binary) << file;
}

// Flips a bit in the place of the record with these bytes; it must be the only one.
void flip_place(Desk& desk, const Record& record, char place, char bit) {
  desk.stand_up();
  change_file(desk, [&](std::string& file) {
    const std::size_t at = file.find(record);
    REQUIRE(at != std::string::npos);
    REQUIRE(file.find(record, at + 1) == std::string::npos);
    std::size_t cell = 0;  // of the tail: size, place (the last bytes of it here), size of the header (6) ...
    for (std::size_t back = 6; back < 14; ++back)
      if (file[at - back] == place && file[at - back + 1] == 6) cell = at - back;
    REQUIRE(cell != 0);
    file[cell] = static_cast<char>(file[cell] ^ bit);
  });
  desk.sit_down();
}

}  // namespace

TEST_CASE("filing: records read alike all the while, and so do those that come meanwhile") {
  Desk desk;
  create_all(desk);
  append_to_all(desk, 2 * kFiledAtOnce);
  CHECK_FALSE(desk.filing().is_due());
  int slices = 0;
  do {
    REQUIRE(desk.file_slice());
    ++slices;
    append_to_all(desk, 1);
    desk.check();
  } while (desk.filing().is_under_way());
  constexpr int kSlices = 6;  // of three games
  CHECK(slices == 2 * kSlices);
  CHECK(desk.count("SELECT count(*) FROM record") == kSlices * static_cast<int>(kFiledAtOnce) + 3);
  CHECK(desk.count("SELECT count(*) FROM tail") == 3 * slices);
  CHECK_FALSE(desk.filing().is_due());
  CHECK(desk.file_all() == 0);
  desk.check();
}

TEST_CASE("filing: whoever comes after a death goes on with it at once") {
  Desk desk;
  create_all(desk);
  append_to_all(desk, kFiledAtOnce);
  REQUIRE(desk.file_slice());
  desk.sit_down();
  desk.check();
  CHECK(desk.filing().is_due());
  append_to_all(desk, 1);
  CHECK(desk.file_all() == 0);
  desk.check();
}

TEST_CASE("filing: a place is not given again while it is filed, also when the last game in it is deleted") {
  for (const bool after_a_death : {false, true}) {
    Desk desk;
    create_all(desk);
    append_to_all(desk, 1);
    if (after_a_death) desk.sit_down();
    REQUIRE(desk.file_slice());
    desk.purge("giedi");  // whose record was the last
    desk.append("arrakis");
    REQUIRE(desk.file_slice());
    CHECK_FALSE(desk.filing().is_under_way());
    CHECK(desk.count("SELECT count(*) FROM tail") == 1);
    desk.check();
    CHECK(desk.file_all() == 0);
    desk.check();
  }
}

TEST_CASE("filing: what is deleted leaves nothing in the tail to whoever gets its key") {
  Desk desk;
  create_all(desk);
  append_to_all(desk, 2);
  REQUIRE(desk.file_slice());
  desk.purge("giedi");
  desk.create("ix");
  CHECK(desk.count("SELECT key FROM game WHERE id = 'ix'") == 3);
  desk.append("ix");
  CHECK(desk.file_all() == 0);
  desk.check();
}

TEST_CASE("filing: if it is not possible records stay where they are, until the tail has grown") {
  Desk desk;
  create_all(desk);
  append_to_all(desk, kFiledAtOnce);
  REQUIRE(desk.file_slice());
  desk.connection().run("PRAGMA query_only = ON");
  CHECK_FALSE(desk.file_slice());
  desk.check();
  CHECK_FALSE(desk.filing().is_due());
  desk.connection().run("PRAGMA query_only = OFF");
  desk.filing().added(kLongTail);  // as far as it knows
  CHECK(desk.filing().is_due());
  CHECK(desk.file_all() == 0);
  desk.check();
}

// ---- Damage costs the game its records that it hits, and no other game anything.

TEST_CASE("filing: a record that names another game, also where that game expects one") {
  Desk desk;
  create_all(desk);
  append_to_all(desk, 5);
  desk.connection().run(
      "UPDATE tail SET game = 3 WHERE game = 2 AND sequence = 5");  // where giedi has its own
  desk.give_up("caladan");
  SUBCASE("its own is there") {}
  SUBCASE("its own comes later") {
    desk.connection().run("UPDATE tail SET sequence = 6 WHERE game = 3 AND place % 3 = 2 AND sequence = 5");
    desk.check();
    desk.append("giedi");
  }
  desk.check();
  desk.file_all();
  desk.append("giedi");
  desk.file_all();
  desk.check();
}

TEST_CASE("filing: a place in `record` that something else has taken") {
  Desk desk;
  create_all(desk);
  append_to_all(desk, 5);
  desk.connection().run("INSERT INTO record VALUES (3, 5, x'00', 0)");
  desk.check();
  CHECK(desk.file_all() == 1);
  append_to_all(desk, 1);
  desk.check();
  CHECK(desk.file_all() == 1);
  desk.check();
}

TEST_CASE("filing: a place that is out of order is left alone") {
  Desk desk;
  create_all(desk);
  append_to_all(desk, 10);
  flip_place(desk, "caladan4", 11, 0x40);
  CHECK(desk.file_all() > 0);  // by its place it is not found
  CHECK_FALSE(desk.filing().is_due());
  for (int again = 0; again < 5; ++again) {
    append_to_all(desk, 1);
    desk.check();
    desk.file_all();
    desk.check();
  }
  SqliteStore::open({.path = desk.path()});  // and closes it: else it would hang here
}

TEST_CASE("filing: a place that is another record's") {
  Desk desk;
  create_all(desk);
  append_to_all(desk, 2);
  flip_place(desk, "giedi1", 3, 1);  // now as that of caladan1
  desk.check();
  desk.file_all();
  desk.check();
}

TEST_CASE("filing: a record of another type") {
  Desk desk;
  create_all(desk);
  append_to_all(desk, 5);
  desk.stand_up();
  change_file(desk, [](std::string& file) {
    const std::size_t at = file.find("caladan4");
    REQUIRE(at != std::string::npos);
    REQUIRE(file[at - 4] == 28);  // a blob of 8 bytes; 29 would be a text
    file[at - 4] ^= 1;
  });
  desk.sit_down();
  desk.check();
  CHECK_FALSE(desk.file_slice());
  CHECK(desk.file_all() == 5);  // all but that game's
  desk.check();
}

TEST_CASE("filing: a last place that is too small") {
  Desk desk;
  create_all(desk);
  append_to_all(desk, 20);
  flip_place(desk, "giedi20", 60, 0x10);
  append_to_all(desk, 1);
  desk.check();
  desk.file_all();
  desk.check();
}

TEST_CASE("filing: a damaged page of one game's records") {
  Desk desk;
  create_all(desk);
  append_to_all(desk, 400);
  CHECK(desk.file_all() == 0);
  append_to_all(desk, 1);
  desk.connection().run("PRAGMA wal_checkpoint(TRUNCATE)");
  desk.stand_up();
  change_file(desk, [](std::string& file) {
    constexpr std::size_t kPage = 4096;
    const std::size_t at = file.find("giedi395");
    REQUIRE(at != std::string::npos);
    file[at - at % kPage] = 0x7f;
  });
  desk.sit_down();
  desk.give_up("giedi");  // the last: its last page is its own
  CHECK_FALSE(desk.file_slice());
  CHECK(desk.file_all() == 1);  // all but that game's
  desk.check();
}

}  // namespace landsraad::persistence::store_filing_test
