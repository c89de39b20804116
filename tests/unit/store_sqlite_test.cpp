// What is SQLite's own: the file, its layout and its owner, group commit, a failing disk, a killed process.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "persistence/sqlite/faulty_vfs.h"
#include "persistence/sqlite/writer.h"
#include "tests/unit/store_contract.h"

namespace landsraad::persistence::store_sqlite_test {

namespace {

// A store on the faulty disk, which is made whole again afterwards.
struct FaultyEngine {
  FaultyEngine() {
    Result<std::unique_ptr<SqliteStore>> opened = SqliteStore::open({.path = path, .vfs = kFaultyVfs});
    REQUIRE_MESSAGE(opened.ok(), opened.why);
    sqlite = std::move(opened.value);
  }
  ~FaultyEngine() {
    disk.writes_fail = disk.syncs_fail = disk.syncs_hang = disk.full = disk.reads_fail = false;
  }
  Store& store() { return *sqlite; }
  void settle() { store().commit(); }

  DiskFaults& disk = faulty_disk();
  TemporaryFolder folder;
  std::string path = folder / "games.sqlite";
  std::unique_ptr<SqliteStore> sqlite;
};

void execute(const std::string& path, const char* sql) {
  constexpr int kPatienceMs = 10'000;  // for a store that is just opening the file
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &handle) == SQLITE_OK);
  sqlite3_busy_timeout(handle, kPatienceMs);
  REQUIRE(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(handle);
}

// Rows that `query`, a literal, counts.
int count(const std::string& path, std::string_view query) {
  const Connection connection = Connection::open(path, SQLITE_OPEN_READONLY, nullptr);
  Statement statement(connection, query);
  REQUIRE(statement.step() == SQLITE_ROW);
  return static_cast<int>(statement.number(0));
}

std::string why_not_opened(const SqliteSettings& settings) {
  const Result<std::unique_ptr<SqliteStore>> opened = SqliteStore::open(settings);
  CHECK(opened.error == StoreError::unavailable);
  return opened.why;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("sqlite store: the folder of the file is made") {
  const TemporaryFolder folder;
  CHECK(SqliteStore::open({.path = folder / "new/deeper/games.sqlite"}).ok());
  std::ofstream(folder / "file") << "in the way";
  CHECK(has(why_not_opened({.path = folder / "file/games.sqlite"}), "cannot make the folder"));
}

TEST_CASE("sqlite store: a second owner is refused, and told who has the file") {
  const TemporaryFolder folder;
  const std::string path = folder / "games.sqlite";
  {
    const Result<std::unique_ptr<SqliteStore>> first = SqliteStore::open({.path = path});
    REQUIRE(first.ok());
    const std::string told = "in use by process " + std::to_string(getpid());
    CHECK(has(why_not_opened({.path = path}), told.c_str()));
    std::filesystem::create_symlink(path, folder / "link.sqlite");
    CHECK(has(why_not_opened({.path = folder / "link.sqlite"}), told.c_str()));
    std::filesystem::create_hard_link(path, folder / "twin.sqlite");
    CHECK(has(why_not_opened({.path = folder / "twin.sqlite"}), "in use under another name"));
  }
  CHECK(SqliteStore::open({.path = folder / "twin.sqlite"}).ok());
  CHECK(SqliteStore::open({.path = path}).ok());
}

TEST_CASE("sqlite store: only files of ours are opened") {
  const TemporaryFolder folder;
  const std::string path = folder / "games.sqlite";
  SUBCASE("text") {
    std::ofstream(path)
        << "This is a text, long enough to be taken for the header of a database, but it is none.";
    CHECK(has(why_not_opened({.path = path}), "not a database"));
  }
  SUBCASE("another program's database") {
    execute(path, "CREATE TABLE t (x)");
    CHECK(has(why_not_opened({.path = path}), "is a database of another program"));
  }
  SUBCASE("a newer layout") {
    CHECK(SqliteStore::open({.path = path}).ok());
    execute(path, "PRAGMA user_version = 999");
    CHECK(has(why_not_opened({.path = path}), "has layout 999, written by a newer version"));
  }
  SUBCASE("an older layout, for reading only") {
    execute(path, "PRAGMA application_id = 1280197715");
    CHECK(has(why_not_opened({.path = path, .read_only = true}), "start the server on it once"));
  }
  SUBCASE("none, for reading only") {
    CHECK(has(why_not_opened({.path = path, .read_only = true}), "unable to open database file"));
  }
}

TEST_CASE("sqlite store: a reader beside the owner sees what is stored and cannot write") {
  SqliteEngine owner;
  create(owner, "arrakis", "setup");
  append(owner, "arrakis", 1, 1, "a");

  struct {
    std::unique_ptr<SqliteStore> sqlite;
    Store& store() { return *sqlite; }
    void settle() { store().commit(); }
  } reader{std::move(SqliteStore::open({.path = owner.path(), .read_only = true}).value)};
  CHECK(load(reader, "arrakis").value.records.size() == 2);
  append(owner, "arrakis", 1, 2, "b");
  CHECK(load(reader, "arrakis").value.records.size() == 3);
  CHECK(append(reader, "arrakis", 1, 3, "c").error == StoreError::unavailable);
  CHECK(claim(reader, "arrakis").error == StoreError::unavailable);
}

TEST_CASE("sqlite store: all waiting appends share one sync") {
  FaultyEngine engine;
  constexpr std::size_t kGames = 40;
  for (std::size_t i = 0; i < kGames; ++i) create(engine, "game" + std::to_string(i), "setup");
  const int syncs_before = engine.disk.syncs;
  std::vector<Pending<Sequence>> sent(kGames);
  for (std::size_t i = 0; i < kGames; ++i)
    engine.store().append("game" + std::to_string(i), 1, 1, "a", sent[i].callback());
  CHECK(engine.disk.syncs == syncs_before);  // they gather
  engine.store().commit();
  for (Pending<Sequence>& pending : sent) CHECK(pending.wait(engine).ok());
  CHECK(engine.disk.syncs == syncs_before + 1);
}

TEST_CASE("sqlite store: what others append during a sync shares the next one") {
  FaultyEngine engine;
  constexpr std::size_t kThreads = 4;
  for (std::size_t i = 0; i <= kThreads; ++i) create(engine, "game" + std::to_string(i), "setup");
  const int syncs_before = engine.disk.syncs;
  std::vector<Pending<Sequence>> sent(kThreads + 1);
  const auto play = [&](std::size_t i) {
    engine.store().append("game" + std::to_string(i), 1, 1, "a", sent[i].callback());
  };
  engine.disk.syncs_hang = true;
  play(0);
  std::vector<std::thread> committing;
  committing.emplace_back([&] { engine.store().commit(); });
  while (engine.disk.syncs == syncs_before) std::this_thread::yield();
  for (std::size_t i = 1; i <= kThreads; ++i) play(i);
  for (std::size_t i = 1; i <= kThreads; ++i) committing.emplace_back([&] { engine.store().commit(); });
  engine.disk.syncs_hang = false;
  for (std::thread& thread : committing) thread.join();
  for (Pending<Sequence>& pending : sent) CHECK(pending.wait(engine).ok());
  CHECK(engine.disk.syncs == syncs_before + 2);
}

TEST_CASE("sqlite store: a commit writes all that waits, however many groups that takes") {
  SqliteEngine engine;
  create(engine, "arrakis", "setup");
  std::vector<Pending<Sequence>> sent(3 * kMaxGroup);
  for (Sequence n = 0; n < sent.size(); ++n)
    engine.store().append("arrakis", 1, n + 1, "a", sent[n].callback());
  engine.store().commit();
  MemoryEngine nothing;  // so that waiting commits no more
  for (Pending<Sequence>& pending : sent) CHECK(pending.wait(nothing).ok());
}

TEST_CASE("sqlite store: others do not wait for a commit that hangs") {
  FaultyEngine engine;
  constexpr std::size_t kThreads = 4;
  for (std::size_t i = 0; i <= kThreads; ++i) create(engine, "game" + std::to_string(i), "setup");
  std::vector<Pending<Sequence>> sent(kThreads + 1);
  const auto play = [&](std::size_t i) {
    engine.store().append("game" + std::to_string(i), 1, 1, "a", sent[i].callback());
    engine.store().commit();
  };
  const int syncs_before = engine.disk.syncs;
  engine.disk.syncs_hang = true;
  std::thread hanging([&] { play(0); });
  while (engine.disk.syncs == syncs_before) std::this_thread::yield();
  std::vector<std::thread> others;
  for (std::size_t i = 1; i <= kThreads; ++i) others.emplace_back([&, i] { play(i); });
  for (std::thread& thread : others) thread.join();  // else it would hang here
  engine.disk.syncs_hang = false;
  hanging.join();
  for (Pending<Sequence>& pending : sent) CHECK(pending.wait(engine).ok());
}

TEST_CASE("sqlite store: a checkpoint begins only when something new is in the log") {
  LogLength log;
  log.committed(kLongLogPages - 1);
  CHECK_FALSE(log.calls_for_checkpoint());
  log.committed(kLongLogPages + 4);
  CHECK(log.calls_for_checkpoint());
  log.checkpoint();  // begins; while the file is read nothing can be copied
  log.committed(4 * kLongLogPages);
  CHECK(log.calls_for_checkpoint());
  log.checkpoint();  // ends, with all of it copied
  CHECK_FALSE(log.calls_for_checkpoint());
  log.committed(5 * kLongLogPages);  // somebody still reads
  CHECK(log.calls_for_checkpoint());
  log.checkpoint();
  log.committed(3);  // afresh
  CHECK_FALSE(log.calls_for_checkpoint());
  log.committed(kLongLogPages);
  CHECK(log.calls_for_checkpoint());
}

TEST_CASE("sqlite store: once the disk has been slow, commits do not wait for it") {
  FaultyEngine engine;
  create(engine, "arrakis", "setup");
  engine.disk.syncs_hang = true;
  int syncs_before = engine.disk.syncs;
  Pending<Sequence> first, second;
  engine.store().append("arrakis", 1, 1, "a", first.callback());
  std::thread slow([&] { engine.store().commit(); });
  while (engine.disk.syncs == syncs_before) std::this_thread::yield();
  std::this_thread::sleep_for(2 * kQuickCommit);
  engine.disk.syncs_hang = false;
  slow.join();
  CHECK(first.wait(engine).ok());  // by whomever it was written

  syncs_before = engine.disk.syncs;
  engine.disk.syncs_hang = true;
  engine.store().append("arrakis", 1, 2, "b", second.callback());
  engine.store().commit();  // else it would hang here
  while (engine.disk.syncs == syncs_before) std::this_thread::yield();
  engine.disk.syncs_hang = false;
  CHECK(second.wait(engine).ok());
}

TEST_CASE("sqlite store: a slow write does not hold up a read") {
  FaultyEngine engine;
  create(engine, "arrakis", "setup");
  engine.disk.syncs_hang = true;
  const int syncs_before = engine.disk.syncs;
  std::atomic<bool> reported = false;
  engine.store().append("arrakis", 1, 1, "a", [&](Result<Sequence>) { reported = true; });
  std::thread committing([&] { engine.store().commit(); });
  while (engine.disk.syncs == syncs_before) std::this_thread::yield();
  Pending<StoredGame> loaded;
  engine.store().load("arrakis", Extent::whole, loaded.callback());
  MemoryEngine nothing;  // of its own to settle
  CHECK(loaded.wait(nothing).value.records.size() == 1);
  CHECK_FALSE(reported);
  engine.disk.syncs_hang = false;
  committing.join();
  CHECK(append(engine, "arrakis", 1, 2, "b").ok());
  CHECK(reported);
}

TEST_CASE("sqlite store: while the disk fails writes are unavailable, then it goes on by itself") {
  FaultyEngine engine;
  create(engine, "arrakis", "setup");
  CHECK(append(engine, "arrakis", 1, 1, "a").ok());
  std::atomic<bool>* fault = nullptr;
  SUBCASE("write errors") { fault = &engine.disk.writes_fail; }
  SUBCASE("sync errors") { fault = &engine.disk.syncs_fail; }
  SUBCASE("full") { fault = &engine.disk.full; }
  *fault = true;
  for (int attempt = 0; attempt < 3; ++attempt) {
    const Result<Sequence> result = append(engine, "arrakis", 1, 2, "lost");
    CHECK(result.error == StoreError::unavailable);
    CHECK(has(result.why, "games.sqlite"));
    CHECK(create(engine, "caladan", "setup").error == StoreError::unavailable);
  }
  CHECK(load(engine, "arrakis").value.records.size() == 2);  // what was reported can still be read
  *fault = false;
  CHECK(append(engine, "arrakis", 1, 2, "b").value == 3);
  CHECK(create(engine, "caladan", "setup").ok());
  CHECK(load(engine, "arrakis").value.records == std::vector<Record>{"setup", "a", "b"});
}

TEST_CASE("sqlite store: a file that may not be written to is refused") {
  const TemporaryFolder folder;
  const std::string path = folder / "games.sqlite";
  CHECK(SqliteStore::open({.path = path}).ok());
  std::filesystem::permissions(path, std::filesystem::perms::owner_read);
  if (access(path.c_str(), W_OK) == 0) return;  // root may write to everything
  CHECK(has(why_not_opened({.path = path}), "cannot be written to"));
}

TEST_CASE("sqlite store: nothing is reported as stored in a file that was moved away") {
  const TemporaryFolder folder;
  const std::string path = folder / "games.sqlite";
  struct {
    std::unique_ptr<SqliteStore> sqlite;
    Store& store() { return *sqlite; }
    void settle() { store().commit(); }
  } engine{std::move(SqliteStore::open({.path = path}).value)};
  CHECK(create(engine, "arrakis", "setup").ok());
  std::filesystem::rename(path, folder / "elsewhere.sqlite");
  const Result<Sequence> result = append(engine, "arrakis", 1, 1, "lost");
  CHECK(result.error == StoreError::unavailable);
  CHECK(has(result.why, "moved or deleted"));
  std::filesystem::rename(folder / "elsewhere.sqlite", path);
  CHECK(append(engine, "arrakis", 1, 1, "a").ok());
}

TEST_CASE("sqlite store: while the disk cannot be read loads are unavailable, then it goes on by itself") {
  FaultyEngine engine;
  create(engine, "arrakis", "setup");
  engine.disk.reads_fail = true;
  CHECK(load(engine, "arrakis").error == StoreError::unavailable);
  CHECK(list(engine, {}).error == StoreError::unavailable);
  engine.disk.reads_fail = false;
  CHECK(load(engine, "arrakis").ok());
  CHECK(list(engine, {}).value.games.size() == 1);
}

TEST_CASE("sqlite store: what waits when it is closed is stored and reported") {
  const TemporaryFolder folder;
  const std::string path = folder / "games.sqlite";
  std::vector<Pending<Sequence>> sent(100);
  {
    const std::unique_ptr<SqliteStore> store = std::move(SqliteStore::open({.path = path}).value);
    store->create("arrakis", {.records = {"setup"}}, [](Result<Epoch>) {});
    for (Sequence n = 0; n < sent.size(); ++n) store->append("arrakis", 1, n + 1, "a", sent[n].callback());
  }
  MemoryEngine nothing;  // there is nothing left to wait for
  for (Pending<Sequence>& pending : sent) CHECK(pending.wait(nothing).ok());
  CHECK_FALSE(std::filesystem::exists(path + "-wal"));
}

TEST_CASE("sqlite store: records are filed by game in the end, and read alike before and after") {
  SqliteEngine engine;
  const std::vector<GameId> games{"arrakis", "caladan"};
  for (const GameId& game : games) create(engine, game, "setup");
  constexpr Sequence kRecords = kLongTail / 2 + 2 * kMaxGroup;  // of each: more than the tail takes
  std::vector<Pending<Sequence>> sent(2 * kRecords);
  for (Sequence n = 0; n < sent.size(); ++n)
    engine.store().append(games[n % 2], 1, n / 2 + 1, games[n % 2] + std::to_string(n / 2),
                          sent[n].callback());
  for (Pending<Sequence>& pending : sent) CHECK(pending.wait(engine).ok());
  const auto check = [&] {
    for (const GameId& game : games) {
      const Result<StoredGame> loaded = load(engine, game);
      REQUIRE_MESSAGE(loaded.ok(), loaded.why);
      REQUIRE(loaded.value.records.size() == kRecords + 1);
      for (Sequence n = 0; n < kRecords; ++n) CHECK(loaded.value.records[n + 1] == game + std::to_string(n));
    }
  };
  check();
  CHECK(count(engine.path(), "SELECT count(*) FROM record") > 2);  // some are filed already,
  engine.kill_and_reopen();
  check();
  engine.close_and_reopen();
  check();
  CHECK(count(engine.path(), "SELECT count(*) FROM record") ==
        2 * (kRecords + 1));  // and all when the file is closed
  CHECK(count(engine.path(), "SELECT count(*) FROM tail") == 0);
}

TEST_CASE("sqlite store: a damaged record is found before it is filed and after") {
  SqliteEngine engine;
  for (const char* game : {"arrakis", "caladan"}) {
    create(engine, game, "setup");
    for (Sequence n = 1; n <= 3; ++n) append(engine, game, 1, n, "record");
  }
  engine.kill_and_reopen();
  SUBCASE("lost") { execute(engine.path(), "DELETE FROM tail WHERE game = 1 AND sequence = 3"); }
  SUBCASE("changed") {
    execute(engine.path(), "UPDATE tail SET bytes = x'00' WHERE game = 1 AND sequence = 2");
  }
  SUBCASE("of no game") {
    execute(engine.path(), "UPDATE tail SET game = 77 WHERE game = 1 AND sequence = 2");
  }
  SUBCASE("twice") { execute(engine.path(), "UPDATE tail SET sequence = 2 WHERE game = 1 AND sequence = 3"); }
  for (int reopened = 0; reopened < 2; ++reopened) {
    CHECK(load(engine, "arrakis").error == StoreError::corrupt);
    CHECK(load(engine, "caladan").value.records.size() == 4);
    engine.close_and_reopen();
  }
}

TEST_CASE("sqlite store: the log stays short under load that never pauses") {
  SqliteEngine engine;
  create(engine, "arrakis", "setup");
  const Record record(20'000, 'x');
  constexpr Sequence kRecords = 4000;
  for (Sequence n = 1; n <= kRecords; ++n) REQUIRE(append(engine, "arrakis", 1, n, record).ok());
  CHECK(load(engine, "arrakis").ok());
  CHECK(std::filesystem::file_size(engine.path() + "-wal") < kRecords * record.size() / 4);
}

// The real thing: a process is killed while it appends; whatever it was told is stored is there afterwards.
TEST_CASE("sqlite store: nothing that was reported is lost when the process is killed") {
  const TemporaryFolder folder;
  const std::string path = folder / "games.sqlite";
  std::srand(7);
  Sequence stored = 0;
  for (int round = 0; round < 10; ++round) {
    std::array<int, 2> pipe_ends{};
    REQUIRE(pipe(pipe_ends.data()) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      struct {
        std::unique_ptr<SqliteStore> sqlite;
        Store& store() { return *sqlite; }
        void settle() { store().commit(); }
      } engine{std::move(SqliteStore::open({.path = path}).value)};
      if (round == 0) create(engine, "arrakis", "setup");
      const Epoch epoch = claim(engine, "arrakis").value;
      for (Sequence next = load(engine, "arrakis").value.records.size();; ++next) {
        if (!append(engine, "arrakis", epoch, next, std::to_string(next)).ok()) _exit(1);
        if (write(pipe_ends[1], &next, sizeof next) != sizeof next) _exit(1);
      }
    }
    ::close(pipe_ends[1]);
    Sequence reported = 0;
    const int wanted = 1 + std::rand() % 40;
    for (int i = 0; i < wanted; ++i)
      REQUIRE(read(pipe_ends[0], &reported, sizeof reported) == sizeof reported);
    kill(child, SIGKILL);
    while (read(pipe_ends[0], &reported, sizeof reported) == sizeof reported) {
    }
    ::close(pipe_ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status));

    struct {
      std::unique_ptr<SqliteStore> sqlite;
      Store& store() { return *sqlite; }
      void settle() { store().commit(); }
    } engine{std::move(SqliteStore::open({.path = path}).value)};
    const Result<StoredGame> loaded = load(engine, "arrakis");
    REQUIRE_MESSAGE(loaded.ok(), loaded.why);
    CHECK(loaded.value.records.size() > reported);
    CHECK(loaded.value.records.size() > stored);
    for (Sequence n = 1; n < loaded.value.records.size(); ++n) {
      CHECK(loaded.value.records[n] == std::to_string(n));
    }
    stored = loaded.value.records.size();
  }
}

TEST_CASE("sqlite store: an append writes two pages, however many indexes there are") {
  SqliteEngine engine;
  create(engine, "arrakis", "setup");
  append(engine, "arrakis", 1, 1, "a");
  const std::uintmax_t before = std::filesystem::file_size(engine.path() + "-wal");
  append(engine, "arrakis", 1, 2, "b");
  constexpr std::uintmax_t kPageInLog = 24 + 4096;
  CHECK(std::filesystem::file_size(engine.path() + "-wal") - before == 2 * kPageInLog);
}

TEST_CASE("sqlite store: if the disk fails at the start, orphans are due from the first write on") {
  FaultyEngine engine;
  create(engine, "awake", "setup");
  const std::string copy = engine.folder / "copy.sqlite";
  std::filesystem::copy_file(engine.path, copy);
  std::filesystem::copy_file(engine.path + "-wal", copy + "-wal");
  engine.disk.writes_fail = true;
  struct {
    std::unique_ptr<SqliteStore> sqlite;
    Store& store() { return *sqlite; }
    void settle() { store().commit(); }
  } later{std::move(SqliteStore::open({.path = copy, .vfs = kFaultyVfs}).value)};
  REQUIRE(later.sqlite != nullptr);
  CHECK(due(later, 1).value.empty());
  CHECK(create(later, "caladan", "setup").error == StoreError::unavailable);
  engine.disk.writes_fail = false;
  CHECK(create(later, "caladan", "setup").ok());
  CHECK(due(later, 1).value == std::vector<GameId>{"awake"});
}

TEST_CASE("sqlite store: while the disk fails nothing is purged, and afterwards it is") {
  FaultyEngine engine;
  create(engine, "arrakis", "setup");
  close(engine, "arrakis", 1, 100);
  sleep(engine, "arrakis", 1);
  engine.disk.full = true;
  CHECK(purge(engine, 1000).error == StoreError::unavailable);
  CHECK(keep_text(engine, "key", "text").error == StoreError::unavailable);
  engine.disk.full = false;
  CHECK(load(engine, "arrakis").ok());
  CHECK(purge(engine, 1000).value == 1);
}

TEST_CASE("sqlite store: of a purged or amended game no bytes are left in the file") {
  SqliteEngine engine;
  for (const char* game : {"purged", "amended"}) {
    create(engine, game, NewGame{.records = {"Muad'Dib"}, .players = {"Muad'Dib"}});
    append(engine, game, 1, 1, "Muad'Dib");
    keep_snapshot(engine, game, 1, 1, std::string(10'000, 's') + "Muad'Dib");
    if (game == std::string("amended")) append(engine, game, 1, 2, "second");
    close(engine, game, 1, game == std::string("purged") ? 100 : 5000);
    sleep(engine, game, 1);
  }
  CHECK(purge(engine, 1000).value == 1);
  CHECK(amend(engine, "amended", "setup", {}).ok());
  engine.close_and_reopen();
  std::ifstream file(engine.path(), std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(file)), {});
  // Once in the log of the game that stays, which is no part of what is amended.
  CHECK(whole.find("Muad'Dib") == whole.rfind("Muad'Dib"));
}

}  // namespace landsraad::persistence::store_sqlite_test
