// What the store costs over bare SQLite: the same records, in transactions of the same size, as synchronous.
// And whether it minds how many games sleep in it.
#include <benchmark/benchmark.h>
#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <latch>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "persistence/sqlite/sqlite_store.h"
#include "persistence/wait.h"

namespace {

using namespace landsraad::persistence;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kGames = 50;  // that append at the same time, so records in one transaction
constexpr std::size_t kActionsPerTurn =
    20;  // of each game, before the other side of the comparison has its turn
constexpr std::size_t kActionsOfAGame = 600;
const Record kRecord(48, 'r');  // as long as a typical LogRecord

[[noreturn]] void stop(const std::string& why) {
  std::fprintf(stderr, "store_bench: %s\n", why.c_str());
  std::exit(1);
}

struct Folder {
  std::string path = (std::filesystem::temp_directory_path() / "landsraad-store-bench-XXXXXX").string();
  Folder() {
    if (mkdtemp(path.data()) == nullptr) stop("cannot make " + path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
};

GameId id_of(std::size_t game) { return "game-" + std::to_string(game); }

// ---- Through the store -----------------------------------------------------------------------------

class ThroughStore {
 public:
  explicit ThroughStore(const std::string& folder) {
    Result<std::unique_ptr<SqliteStore>> opened = SqliteStore::open({.path = folder + "/store.sqlite"});
    if (!opened.ok()) stop(opened.why);
    store_ = std::move(opened.value);
    for (std::size_t game = 0; game < kGames; ++game) {
      std::promise<void> created;
      store_->create(id_of(game), {.records = {kRecord}}, [&](Result<Epoch>) { created.set_value(); });
      created.get_future().get();
    }
  }

  // Every game appends its next action when the one before is durable, as rooms do.
  void append(std::size_t actions) {
    for (std::size_t n = 0; n < actions; ++n, ++next_) {
      std::latch durable(kGames);
      for (std::size_t game = 0; game < kGames; ++game)
        store_->append(id_of(game), 1, next_, kRecord, [&](Result<Sequence> appended) {
          if (!appended.ok()) stop(appended.why);
          durable.count_down();
        });
      store_->commit();
      durable.wait();
    }
  }

  SqliteStore& store() { return *store_; }

 private:
  std::unique_ptr<SqliteStore> store_;
  Sequence next_ = 1;
};

// ---- Bare SQLite -----------------------------------------------------------------------------------

class Bare {
 public:
  explicit Bare(const std::string& folder) {
    if (sqlite3_open((folder + "/bare.sqlite").c_str(), &handle_) != SQLITE_OK) stop("cannot open a file");
    run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        "CREATE TABLE record (game INTEGER NOT NULL, sequence INTEGER NOT NULL, bytes BLOB NOT NULL,"
        " checksum INTEGER NOT NULL, PRIMARY KEY (game, sequence)) STRICT, WITHOUT ROWID");
    const char* sql = "INSERT INTO record (game, sequence, bytes, checksum) VALUES (?1, ?2, ?3, ?4)";
    if (sqlite3_prepare_v2(handle_, sql, -1, &insert_, nullptr) != SQLITE_OK) stop(sqlite3_errmsg(handle_));
  }
  ~Bare() {
    sqlite3_finalize(insert_);
    sqlite3_close(handle_);
  }
  Bare(const Bare&) = delete;
  Bare& operator=(const Bare&) = delete;

  void append(std::size_t actions) {
    for (std::size_t n = 0; n < actions; ++n, ++next_) {
      run("BEGIN IMMEDIATE");
      for (std::size_t game = 0; game < kGames; ++game) insert(game);
      run("COMMIT");
    }
  }

 private:
  void insert(std::size_t game) {
    sqlite3_bind_int64(insert_, 1, static_cast<sqlite3_int64>(game));
    sqlite3_bind_int64(insert_, 2, static_cast<sqlite3_int64>(next_));
    sqlite3_bind_blob64(insert_, 3, kRecord.data(), kRecord.size(), SQLITE_STATIC);
    sqlite3_bind_int64(insert_, 4, static_cast<sqlite3_int64>(next_ * 0x9e3779b97f4a7c15U));
    if (sqlite3_step(insert_) != SQLITE_DONE) stop(sqlite3_errmsg(handle_));
    sqlite3_reset(insert_);
  }

  void run(const char* sql) {
    if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) stop(sqlite3_errmsg(handle_));
  }

  sqlite3* handle_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  Sequence next_ = 1;
};

// ---- Figures ---------------------------------------------------------------------------------------

double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

double median(std::vector<double> figures) {
  std::sort(figures.begin(), figures.end());
  return figures[figures.size() / 2];
}

// Both take turns, so that they see the same machine. 1 = as fast as bare SQLite.
void store_to_bare_sqlite(benchmark::State& state) {
  const Folder folder;
  ThroughStore store(folder.path);
  Bare bare(folder.path);
  Clock::duration in_store{}, in_bare{};
  std::vector<double> ratios;
  for (auto _ : state) {
    const Clock::time_point begin = Clock::now();
    store.append(kActionsPerTurn);
    const Clock::time_point middle = Clock::now();
    bare.append(kActionsPerTurn);
    const Clock::time_point end = Clock::now();
    in_store += middle - begin;
    in_bare += end - middle;
    ratios.push_back(seconds(end - middle) / seconds(middle - begin));
  }
  const auto appends =
      static_cast<double>(state.iterations()) * static_cast<double>(kActionsPerTurn * kGames);
  state.counters["value"] = seconds(in_bare) / seconds(in_store);
  state.counters["store_to_bare_sqlite_median_turn"] = median(ratios);
  state.counters["store_to_bare_sqlite_worst_turn"] = *std::min_element(ratios.begin(), ratios.end());
  state.counters["store_appends_per_second"] = appends / seconds(in_store);
  state.counters["bare_sqlite_appends_per_second"] = appends / seconds(in_bare);
  state.SetLabel("ratio");
}
BENCHMARK(store_to_bare_sqlite)->Unit(benchmark::kMillisecond)->UseRealTime()->MinTime(3);

// Reading all of a game of usual length, as when a room wakes.
void store_load(benchmark::State& state) {
  const Folder folder;
  ThroughStore store(folder.path);
  store.append(kActionsOfAGame);
  for (auto _ : state) {
    std::promise<Result<StoredGame>> loaded;
    store.store().load(id_of(7), Extent::whole,
                       [&](Result<StoredGame> game) { loaded.set_value(std::move(game)); });
    const Result<StoredGame> game = loaded.get_future().get();
    if (game.value.records.size() != kActionsOfAGame + 1) stop("a game was not read as it was written");
  }
}
BENCHMARK(store_load)->Unit(benchmark::kMicrosecond)->UseRealTime();

// ---- Many sleeping games ---------------------------------------------------------------------------

constexpr std::size_t kFewGames = 10;
constexpr int kTurns = 31;
constexpr UnixMs kFarAway = 4'000'000'000'000;

// A file in which games sleep, of usual length the first ten, short the others.
class Dormitory {
 public:
  explicit Dormitory(std::size_t games) {
    open();
    std::promise<void> all_asleep;
    std::atomic<std::size_t> left = games;
    for (std::size_t game = 0; game < games; ++game) {
      // In step with the writer, so that its queue never overflows.
      while (game > games - left + kAhead) std::this_thread::yield();
      const std::size_t records = game < kFewGames ? kActionsOfAGame : 4;
      const GameId id = id_of(game);
      store_->create(id,
                     {.records = std::vector<Record>(records, kRecord),
                      .players = {"player" + std::to_string(game % 1000), "player" + std::to_string(game)}},
                     [](Result<Epoch>) {});
      store_->snapshot(id, 1, {records - 3, std::string(game < kFewGames ? 8192 : 64, 's')},
                       [](Result<Sequence>) {});
      store_->sleep(id, 1, kFarAway + static_cast<UnixMs>(game), [&](Result<UnixMs> asleep) {
        if (!asleep.ok()) stop(asleep.why);
        if (--left == 0) all_asleep.set_value();
      });
    }
    store_->commit();
    all_asleep.get_future().get();
  }

  void open() {
    store_.reset();
    Result<std::unique_ptr<SqliteStore>> opened = SqliteStore::open({.path = folder_.path + "/store.sqlite"});
    if (!opened.ok()) stop(opened.why);
    store_ = std::move(opened.value);
  }

  // What a server does before it is ready.
  double start() {
    store_.reset();
    const Clock::time_point begin = Clock::now();
    open();
    answer<std::vector<GameId>>([&](auto done) { store_->due(1'700'000'000'000, 100, done); });
    answer<ListPage>([&](auto done) { store_->list({.status = GameStatus::open}, done); });
    return seconds(Clock::now() - begin);
  }

  // What it takes from storage to wake a game.
  double load(std::size_t game) {
    const Clock::time_point begin = Clock::now();
    const StoredGame loaded =
        answer<StoredGame>([&](auto done) { store_->load(id_of(game), Extent::resume, done); });
    const double time = seconds(Clock::now() - begin);
    if (loaded.records.size() != 4) stop("a game was not read as it was written");
    return time;
  }

 private:
  static constexpr std::size_t kAhead = 5000;

  template <class T, class Request>
  T answer(Request request) {
    Result<T> result = wait_for<T>(std::move(request));
    if (!result.ok()) stop(result.why);
    return std::move(result.value);
  }

  Folder folder_;
  std::unique_ptr<SqliteStore> store_;
};

Dormitory& dormitory(std::size_t games) {
  static std::map<std::size_t, std::unique_ptr<Dormitory>> all;
  std::unique_ptr<Dormitory>& found = all[games];
  if (!found) found = std::make_unique<Dormitory>(games);
  return *found;
}

// The time with so many games to the time with a few, by the median; they take turns. 1 = it does not matter.
template <class Measure>
void compare(benchmark::State& state, std::size_t games, Measure measure) {
  Dormitory &many = dormitory(games), &few = dormitory(kFewGames);
  std::vector<double> with_many, with_few;
  for (auto _ : state) {
    with_few.push_back(measure(few));
    with_many.push_back(measure(many));
  }
  state.counters["value"] = median(with_many) / median(with_few);
  state.counters["us_with_few"] = median(with_few) * 1e6;
  state.counters["us_with_many"] = median(with_many) * 1e6;
  state.SetLabel("ratio");
}

void start(benchmark::State& state, std::size_t games) {
  compare(state, games, [](Dormitory& dormitory) { return dormitory.start(); });
}

void wake(benchmark::State& state, std::size_t games) {
  std::size_t turn = 0;
  compare(state, games, [&](Dormitory& dormitory) { return dormitory.load(turn++ / 2 % kFewGames); });
}

void store_start_1000_games(benchmark::State& state) { start(state, 1000); }
void store_start_100000_games(benchmark::State& state) { start(state, 100'000); }
void store_wake_1000_games(benchmark::State& state) { wake(state, 1000); }
void store_wake_100000_games(benchmark::State& state) { wake(state, 100'000); }
BENCHMARK(store_start_1000_games)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(kTurns);
BENCHMARK(store_start_100000_games)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(kTurns);
BENCHMARK(store_wake_1000_games)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(10 * kTurns);
BENCHMARK(store_wake_100000_games)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(10 * kTurns);

}  // namespace
