// The Store in one SQLite file: the default, with nothing to install or run beside the server.
//
// WAL mode with synchronous=FULL. The requests of all games that wait at a moment are committed in one
// transaction; a thread of its own reads. One store at a time may write to a file.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "persistence/sqlite/database_file.h"
#include "persistence/store.h"

namespace landsraad::persistence {

class Reader;
class Writer;

class SqliteStore final : public Store {
 public:
  // Creates the file if need be. `unavailable` with a line a person can act on: in use by another process,
  // written by a newer version, not a database of ours, not writable.
  static Result<std::unique_ptr<SqliteStore>> open(SqliteSettings settings);

  // Carries out and reports all requests that wait, then closes the file. Not from a callback.
  ~SqliteStore() override;

  void create(GameId game, NewGame contents, Callback<Epoch> done) override;
  void claim(GameId game, Callback<Epoch> done) override;
  void append(GameId game, Epoch epoch, Sequence expected, Record record, Callback<Sequence> done) override;
  void commit() override;
  void snapshot(GameId game, Epoch epoch, Snapshot snapshot, Callback<Sequence> done) override;
  void close(GameId game, Epoch epoch, UnixMs closed_ms, Callback<Sequence> done) override;
  void sleep(GameId game, Epoch epoch, UnixMs wake_ms, Callback<UnixMs> done) override;
  void load(GameId game, Extent extent, Callback<StoredGame> done) override;
  void list(ListQuery query, Callback<ListPage> done) override;
  void due(UnixMs now_ms, std::size_t limit, Callback<std::vector<GameId>> done) override;
  void purge(UnixMs closed_before_ms, std::size_t limit, Callback<std::uint64_t> done) override;
  void amend(GameId game, Record setup, std::vector<PlayerKey> players, Callback<Sequence> done) override;
  void keep_text(std::string key, std::string text, Callback<bool> done) override;
  void texts(Callback<Texts> done) override;

 private:
  SqliteStore(SqliteSettings settings, FileLock lock);

  FileLock lock_;
  std::unique_ptr<Reader> reader_;
  std::unique_ptr<Writer> writer_;  // none when read_only; destroyed first, since it needs the reader
};

}  // namespace landsraad::persistence
