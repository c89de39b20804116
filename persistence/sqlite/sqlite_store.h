// The Store in one SQLite file: the default, with nothing to install or run beside the server.
//
// WAL mode with synchronous=FULL. One thread writes and commits the requests of all games that wait at that
// moment in one transaction; another reads. One store at a time may write to a file.
#pragma once

#include <memory>
#include <string>

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

  void create(GameId game, std::int64_t created_ms, Record setup, Callback<Epoch> done) override;
  void claim(GameId game, Callback<Epoch> done) override;
  void append(GameId game, Epoch epoch, Sequence expected, Record record, Callback<Sequence> done) override;
  void close(GameId game, Epoch epoch, Callback<Sequence> done) override;
  void load(GameId game, Callback<StoredGame> done) override;
  void list(ListQuery query, Callback<ListPage> done) override;

 private:
  SqliteStore(SqliteSettings settings, FileLock lock);

  FileLock lock_;
  std::unique_ptr<Reader> reader_;
  std::unique_ptr<Writer> writer_;  // none when read_only; destroyed first, since it asks for checkpoints
};

}  // namespace landsraad::persistence
