// What the tests of every Store engine share: one way to make a request and wait for its report.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "persistence/memory/memory_store.h"
#include "persistence/sqlite/sqlite_store.h"
#include "persistence/store.h"

namespace landsraad::persistence {

// A folder of its own that goes away with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "landsraad-store-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// A memory store whose machine can be switched off and on.
class MemoryEngine {
 public:
  Store& store() { return *store_; }
  void settle() { store_->run(); }
  void close_and_reopen() { kill_and_reopen(); }
  void kill_and_reopen() { store_ = std::make_unique<MemoryStore>(disk_); }
  void damage(const GameId& game, Sequence sequence) { REQUIRE(disk_.flip_bit(game, sequence, 3)); }

 private:
  MemoryDisk disk_;
  std::unique_ptr<MemoryStore> store_ = std::make_unique<MemoryStore>(disk_);
};

class SqliteEngine {
 public:
  SqliteEngine() { open(folder_ / "games.sqlite"); }

  Store& store() { return *store_; }
  void settle() {}
  std::string path() const { return path_; }

  void close_and_reopen() {
    store_.reset();
    open(path_);
  }
  // What a killed process leaves: the files as they are at this moment, log included, never closed.
  void kill_and_reopen() {
    const std::string next = (folder_ / ("games" + std::to_string(++kills_) + ".sqlite")).string();
    std::filesystem::copy_file(path_, next);
    if (std::filesystem::exists(path_ + "-wal")) std::filesystem::copy_file(path_ + "-wal", next + "-wal");
    store_.reset();
    open(next);
  }
  // Changes one byte of a record behind the store's back.
  void damage(const GameId& game, Sequence sequence) {
    store_.reset();
    sqlite3* handle = nullptr;
    REQUIRE(sqlite3_open(path_.c_str(), &handle) == SQLITE_OK);
    const std::string sql =
        "UPDATE record SET bytes = CAST('~' || substr(bytes, 2) AS BLOB) WHERE sequence = " +
        std::to_string(sequence) + " AND game = (SELECT key FROM game WHERE id = '" + game + "')";
    REQUIRE(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
    REQUIRE(sqlite3_changes(handle) == 1);
    sqlite3_close(handle);
    open(path_);
  }

 private:
  void open(const std::string& path) {
    path_ = path;
    Result<std::unique_ptr<SqliteStore>> opened = SqliteStore::open({.path = path});
    REQUIRE_MESSAGE(opened.ok(), opened.why);
    store_ = std::move(opened.value);
  }

  TemporaryFolder folder_;
  std::string path_;
  int kills_ = 0;
  std::unique_ptr<SqliteStore> store_;
};

// A request that was made; value() waits for its report.
template <class T>
class Pending {
 public:
  Callback<T> callback() {
    return [promise = promise_](Result<T> result) { promise->set_value(std::move(result)); };
  }
  template <class Engine>
  Result<T> wait(Engine& engine) {
    engine.settle();
    return promise_->get_future().get();
  }

 private:
  std::shared_ptr<std::promise<Result<T>>> promise_ = std::make_shared<std::promise<Result<T>>>();
};

template <class Engine>
Result<Epoch> create(Engine& engine, const GameId& game, const Record& setup,
                     std::int64_t created_ms = 1000) {
  Pending<Epoch> pending;
  engine.store().create(game, created_ms, setup, pending.callback());
  return pending.wait(engine);
}

template <class Engine>
Result<Epoch> claim(Engine& engine, const GameId& game) {
  Pending<Epoch> pending;
  engine.store().claim(game, pending.callback());
  return pending.wait(engine);
}

template <class Engine>
Result<Sequence> append(Engine& engine, const GameId& game, Epoch epoch, Sequence expected,
                        const Record& record) {
  Pending<Sequence> pending;
  engine.store().append(game, epoch, expected, record, pending.callback());
  return pending.wait(engine);
}

template <class Engine>
Result<Sequence> close(Engine& engine, const GameId& game, Epoch epoch) {
  Pending<Sequence> pending;
  engine.store().close(game, epoch, pending.callback());
  return pending.wait(engine);
}

template <class Engine>
Result<StoredGame> load(Engine& engine, const GameId& game) {
  Pending<StoredGame> pending;
  engine.store().load(game, pending.callback());
  return pending.wait(engine);
}

template <class Engine>
Result<ListPage> list(Engine& engine, const ListQuery& query) {
  Pending<ListPage> pending;
  engine.store().list(query, pending.callback());
  return pending.wait(engine);
}

}  // namespace landsraad::persistence
