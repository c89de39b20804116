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
#include <vector>

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
  void kill_and_reopen() {
    disk_.wake_orphans();
    store_ = std::make_unique<MemoryStore>(disk_);
  }
  void damage(const GameId& game, Sequence sequence) { REQUIRE(disk_.flip_bit(game, sequence, 3)); }
  void damage_entry(const GameId& game) { disk_.games.at(game).head.wake_ms ^= 2; }
  void damage_snapshot(const GameId& game) { disk_.games.at(game).snapshot.snapshot.bytes.at(0) ^= 1; }
  // The first player's key then begins with '~'.
  void damage_player(const GameId& game) { disk_.games.at(game).players.at(0).key.at(0) = '~'; }
  void damage_text(const std::string& key) { disk_.kept_texts.at(key).bytes.at(0) ^= 1; }

 private:
  MemoryDisk disk_;
  std::unique_ptr<MemoryStore> store_ = std::make_unique<MemoryStore>(disk_);
};

class SqliteEngine {
 public:
  SqliteEngine() { open(folder_ / "games.sqlite"); }

  Store& store() { return *store_; }
  void settle() { store().commit(); }
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
  // Each changes one byte behind the store's back.
  void damage(const GameId& game, Sequence sequence) {
    change_one_row("UPDATE record SET bytes = CAST('~' || substr(bytes, 2) AS BLOB) WHERE sequence = " +
                   std::to_string(sequence) + " AND game = " + key_of(game));
  }
  void damage_entry(const GameId& game) {
    change_one_row("UPDATE game SET wake_ms = wake_ms | 2 WHERE key = " + key_of(game));
  }
  void damage_snapshot(const GameId& game) {
    change_one_row("UPDATE snapshot SET bytes = CAST('~' || substr(bytes, 2) AS BLOB) WHERE game = " +
                   key_of(game));
  }
  void damage_player(const GameId& game) {
    change_one_row("UPDATE player SET player = CAST('~' || substr(player, 2) AS BLOB) WHERE game = " +
                   key_of(game));
  }
  void damage_text(const std::string& key) {
    change_one_row("UPDATE text SET bytes = CAST('~' || substr(bytes, 2) AS BLOB) WHERE key = '" + key + "'");
  }

 private:
  static std::string key_of(const GameId& game) { return "(SELECT key FROM game WHERE id = '" + game + "')"; }
  void change_one_row(const std::string& sql) {
    store_.reset();
    sqlite3* handle = nullptr;
    REQUIRE(sqlite3_open(path_.c_str(), &handle) == SQLITE_OK);
    REQUIRE(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
    REQUIRE(sqlite3_changes(handle) == 1);
    sqlite3_close(handle);
    open(path_);
  }
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

// Makes a request through a method of the store and waits for what comes of it.
template <class T, class Engine, class... Parameters, class... Arguments>
Result<T> ask(Engine& engine, void (Store::*request)(Parameters...), Arguments... arguments) {
  Pending<T> pending;
  (engine.store().*request)(std::move(arguments)..., pending.callback());
  return pending.wait(engine);
}

template <class Engine>
Result<Epoch> create(Engine& engine, const GameId& game, const NewGame& contents) {
  return ask<Epoch>(engine, &Store::create, game, contents);
}

template <class Engine>
Result<Epoch> create(Engine& engine, const GameId& game, const Record& setup, UnixMs created_ms = 1000) {
  return create(engine, game, NewGame{.created_ms = created_ms, .records = {setup}});
}

template <class Engine>
Result<Epoch> claim(Engine& engine, const GameId& game) {
  return ask<Epoch>(engine, &Store::claim, game);
}

template <class Engine>
Result<Sequence> append(Engine& engine, const GameId& game, Epoch epoch, Sequence expected,
                        const Record& record) {
  return ask<Sequence>(engine, &Store::append, game, epoch, expected, record);
}

template <class Engine>
Result<Sequence> keep_snapshot(Engine& engine, const GameId& game, Epoch epoch, Sequence covers,
                               const std::string& bytes) {
  return ask<Sequence>(engine, &Store::snapshot, game, epoch, Snapshot{covers, bytes});
}

template <class Engine>
Result<Sequence> close(Engine& engine, const GameId& game, Epoch epoch, UnixMs closed_ms = 2000) {
  return ask<Sequence>(engine, &Store::close, game, epoch, closed_ms);
}

template <class Engine>
Result<UnixMs> sleep(Engine& engine, const GameId& game, Epoch epoch, UnixMs wake_ms = kNever) {
  return ask<UnixMs>(engine, &Store::sleep, game, epoch, wake_ms);
}

template <class Engine>
Result<StoredGame> load(Engine& engine, const GameId& game, Extent extent = Extent::whole) {
  return ask<StoredGame>(engine, &Store::load, game, extent);
}

template <class Engine>
Result<ListPage> list(Engine& engine, const ListQuery& query) {
  return ask<ListPage>(engine, &Store::list, query);
}

// The ids of a page.
template <class Engine>
std::vector<GameId> ids(Engine& engine, const ListQuery& query) {
  std::vector<GameId> found;
  for (const ListedGame& game : list(engine, query).value.games) found.push_back(game.id);
  return found;
}

template <class Engine>
Result<std::vector<GameId>> due(Engine& engine, UnixMs now_ms, std::size_t limit = kMaxListPage) {
  return ask<std::vector<GameId>>(engine, &Store::due, now_ms, limit);
}

template <class Engine>
Result<std::uint64_t> purge(Engine& engine, UnixMs closed_before_ms, std::size_t limit = kMaxListPage) {
  return ask<std::uint64_t>(engine, &Store::purge, closed_before_ms, limit);
}

template <class Engine>
Result<Sequence> amend(Engine& engine, const GameId& game, const Record& setup,
                       const std::vector<PlayerKey>& players) {
  return ask<Sequence>(engine, &Store::amend, game, setup, players);
}

template <class Engine>
Result<bool> keep_text(Engine& engine, const std::string& key, const std::string& text) {
  return ask<bool>(engine, &Store::keep_text, key, text);
}

using Texts = std::vector<std::pair<std::string, std::string>>;
template <class Engine>
Result<Texts> texts(Engine& engine) {
  return ask<Texts>(engine, &Store::texts);
}

}  // namespace landsraad::persistence

TYPE_TO_STRING(landsraad::persistence::MemoryEngine);
TYPE_TO_STRING(landsraad::persistence::SqliteEngine);
// Against which every test of the contract is run. A new engine only has to join.
#define ENGINES MemoryEngine, SqliteEngine
