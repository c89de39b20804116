// The power fails at any write, truncation or sync of the store: what was reported as stored is there
// afterwards, though of what was not synced yet any sector may have got lost, the last page torn.
#include <doctest/doctest.h>

#include <filesystem>
#include <future>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "persistence/sqlite/faulty_vfs.h"
#include "persistence/sqlite/sqlite_store.h"
#include "tests/random/playout.h"

namespace landsraad::persistence::power_cut_test {

namespace {

using testing::Chance;

constexpr std::uint64_t kDisks = 60;
constexpr int kCutsOfEach = 8;
constexpr std::uint32_t kGames = 6;
constexpr std::uint32_t kMostOperations = 150;  // of the disk, before the power fails
constexpr std::uint32_t kMostAhead = 5;         // appends of one game on their way at once
constexpr int kMostRequests = 3000;             // before the power must have failed
constexpr std::uint32_t kMostRecordBytes = 3000;

// What may be stored of one game. The front of `records` has been reported; the rest has been sent, in some
// order, and nobody knows.
struct Expected {
  bool created = false;                  // reported
  std::vector<Record> reported{};        // from record 0 on
  std::vector<std::set<Record>> sent{};  // for each sequence, all that was ever tried
  Epoch epoch = 0;

  void send(Sequence sequence, const Record& record) {
    if (sent.size() <= sequence) sent.resize(sequence + 1);
    sent[sequence].insert(record);
  }
};

template <class T>
struct Answer {
  std::promise<Result<T>> promise{};
  Callback<T> callback() {
    return [this](Result<T> result) { promise.set_value(std::move(result)); };
  }
  Result<T> wait() { return promise.get_future().get(); }
};

class Disk {
 public:
  explicit Disk(std::uint64_t seed)
      : chance_{seed},
        folder_(std::filesystem::temp_directory_path() / ("landsraad-power-" + std::to_string(seed))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~Disk() {
    store_.reset();
    std::filesystem::remove_all(folder_);
  }

  void work_until_power_fails() {
    faulty_disk().power_lasts = static_cast<int>(1 + chance_.below(kMostOperations));
    open();
    for (int n = 0; store_ && faulty_disk().power_lasts != 0; ++n) {
      REQUIRE_MESSAGE(n < kMostRequests, "the store works without its disk");
      work();
    }
    DiskFaults& disk = faulty_disk();
    disk.writes_fail = disk.syncs_fail = disk.full = false;
    store_.reset();
    restore_power([this] { return chance_.below(2) == 1; });
    std::filesystem::remove(path() + "-shm");  // it is no file but shared memory
  }

  // Everything that was reported is there, and nothing that was never sent.
  void check() {
    open();
    REQUIRE(store_);
    for (auto& [id, game] : games_) check(id, game);
    store_.reset();
  }

 private:
  std::string path() const { return folder_ / "games.sqlite"; }

  void open() {
    auto opened = SqliteStore::open({.path = path(), .vfs = kFaultyVfs});
    if (opened.ok()) store_ = std::move(opened.value);
    if (!opened.ok()) CHECK_MESSAGE(faulty_disk().power_lasts == 0, opened.why);
  }

  Record some_record(const std::string& id, Sequence sequence) {
    const std::string what = id + " " + std::to_string(sequence) + " " + std::to_string(++attempts_) + " ";
    return what + std::string(chance_.below(kMostRecordBytes), '.');
  }

  // Now and then the disk fails for a while before that, so that failed commits lie in the log.
  void fail_at_times() {
    DiskFaults& disk = faulty_disk();
    disk.writes_fail = disk.syncs_fail = disk.full = false;
    switch (chance_.below(12)) {
      case 0:
        disk.writes_fail = true;
        break;
      case 1:
        disk.syncs_fail = true;
        break;
      case 2:
        disk.full = true;
        break;
      default:
        break;
    }
  }

  void work() {
    fail_at_times();
    const std::string id = "game" + std::to_string(chance_.below(kGames));
    Expected& game = games_[id];
    if (!game.created) return create(id, game);
    if (game.epoch == 0) return claim(id, game);
    append(id, game);
  }

  void create(const std::string& id, Expected& game) {
    const Record setup = some_record(id, 0);
    game.send(0, setup);
    Answer<Epoch> answer;
    store_->create(id, {.records = {setup}}, answer.callback());
    const Result<Epoch> result = answer.wait();
    if (result.error == StoreError::exists) return;  // stored before the power failed; check() has seen to it
    if (!result.ok()) return;
    game.created = true;
    game.reported = {setup};
    game.epoch = result.value;
  }

  void claim(const std::string& id, Expected& game) {
    Answer<Epoch> answer;
    store_->claim(id, answer.callback());
    const Result<Epoch> result = answer.wait();
    if (result.ok()) game.epoch = result.value;
  }

  void append(const std::string& id, Expected& game) {
    const std::size_t count = 1 + chance_.below(kMostAhead);
    const Sequence first = game.reported.size();
    std::vector<Record> records;
    std::vector<Answer<Sequence>> answers(count);
    for (std::size_t n = 0; n < count; ++n) {
      records.push_back(some_record(id, first + n));
      game.send(first + n, records.back());
      store_->append(id, game.epoch, first + n, records.back(), answers[n].callback());
    }
    store_->commit();
    for (std::size_t n = 0; n < count; ++n)
      if (answers[n].wait().ok()) game.reported.push_back(records[n]);
  }

  void check(const std::string& id, Expected& game) {
    CAPTURE(id);
    Answer<StoredGame> answer;
    store_->load(id, Extent::whole, answer.callback());
    const Result<StoredGame> loaded = answer.wait();
    if (loaded.error == StoreError::not_found) {
      CHECK_FALSE(game.created);
      return;
    }
    REQUIRE_MESSAGE(loaded.ok(), loaded.why);
    const std::vector<Record>& records = loaded.value.records;
    REQUIRE(records.size() >= game.reported.size());
    REQUIRE(records.size() <= game.sent.size());
    for (std::size_t n = 0; n < records.size(); ++n) {
      if (n < game.reported.size())
        CHECK(records[n] == game.reported[n]);
      else
        CHECK(game.sent[n].contains(records[n]));
    }
    // From here on everybody knows.
    game.created = true;
    game.reported = records;
    game.epoch = 0;
  }

  Chance chance_;
  std::filesystem::path folder_;
  std::unique_ptr<SqliteStore> store_;
  std::map<std::string, Expected> games_;
  std::uint64_t attempts_ = 0;
};

}  // namespace

TEST_CASE("whenever the power fails, what was reported is stored") {
  for (std::uint64_t seed = 0; seed < kDisks; ++seed) {
    CAPTURE(seed);
    Disk disk(seed);
    for (int cut = 0; cut < kCutsOfEach; ++cut) {
      disk.work_until_power_fails();
      disk.check();
    }
  }
}

}  // namespace landsraad::persistence::power_cut_test
