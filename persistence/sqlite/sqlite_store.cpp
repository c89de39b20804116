#include "persistence/sqlite/sqlite_store.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "persistence/admission.h"
#include "persistence/sqlite/reader.h"
#include "persistence/sqlite/writer.h"

namespace landsraad::persistence {

namespace {

using Opened = std::unique_ptr<SqliteStore>;

// Answers without doing anything, but on a thread of the store as promised.
template <class T>
void refuse(Reader& reader, Callback<T> done, Verdict verdict) {
  reader.put_always(
      [done = std::move(done), result = refusal<T>(std::move(verdict))](Reader&) { done(result); });
}

// The writer's answers are all numbers.
Callback<std::uint64_t> for_number(Callback<std::uint64_t> done) { return done; }
template <class T>
Callback<std::uint64_t> for_number(Callback<T> done) {
  return [done = std::move(done)](Result<std::uint64_t> result) {
    done({result.error, std::move(result.why), static_cast<T>(result.value)});
  };
}

template <class T>
void write(Reader& reader, Writer* writer, Verdict verdict, Task task, Callback<T> done,
           Writer::When when = Writer::When::soon) {
  WriteRequest request{std::move(task), for_number(std::move(done))};
  if (verdict.good() && writer == nullptr)
    verdict = {StoreError::unavailable, "the file was opened for reading only"};
  if (verdict.good() && !writer->put(std::move(request), when))
    verdict = {StoreError::unavailable, "too many requests wait for the storage"};
  if (!verdict.good()) refuse(reader, std::move(request.done), std::move(verdict));
}

template <class T, class Read>
void read(Reader& reader, Verdict verdict, Callback<T> done, Read read_it) {
  if (!verdict.good()) return refuse(reader, std::move(done), std::move(verdict));
  Reader::Job job = [done, read_it = std::move(read_it)](Reader& on) { done(read_it(on)); };
  if (!reader.put(std::move(job))) {
    refuse(reader, std::move(done), {StoreError::unavailable, "too many requests wait for the storage"});
  }
}

Verdict make_folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return {};
  return {StoreError::unavailable, "cannot make the folder " + folder.string() + ": " + error.message()};
}

}  // namespace

Result<Opened> SqliteStore::open(SqliteSettings settings) {
  FileLock lock;
  if (!settings.read_only) {
    if (Verdict folder = make_folder_of(settings.path); !folder.good()) {
      return refusal<Opened>(std::move(folder));
    }
    Result<FileLock> taken = FileLock::take(settings.path);
    if (!taken.ok()) return refusal<Opened>({taken.error, std::move(taken.why)});
    lock = std::move(taken.value);
  }
  if (Result<int> prepared = prepare_database(settings); !prepared.ok()) {
    return refusal<Opened>({prepared.error, std::move(prepared.why)});
  }
  return success(Opened(new SqliteStore(std::move(settings), std::move(lock))));
}

SqliteStore::SqliteStore(SqliteSettings settings, FileLock lock)
    : lock_(std::move(lock)), reader_(std::make_unique<Reader>(settings)) {
  if (!settings.read_only) {
    writer_ = std::make_unique<Writer>(std::move(settings), *reader_);
  }
}

SqliteStore::~SqliteStore() = default;

// ---- What the writer does.

void SqliteStore::create(GameId game, NewGame contents, Callback<Epoch> done) {
  Verdict verdict = first_fault({judge_id(game), judge_contents(contents)});
  write(*reader_, writer_.get(), std::move(verdict), CreateGame{std::move(game), std::move(contents)},
        std::move(done));
}

void SqliteStore::claim(GameId game, Callback<Epoch> done) {
  Verdict verdict = judge_id(game);
  write(*reader_, writer_.get(), std::move(verdict), ClaimGame{std::move(game)}, std::move(done));
}

void SqliteStore::append(GameId game, Epoch epoch, Sequence expected, Record record,
                         Callback<Sequence> done) {
  Verdict verdict = first_fault({judge_id(game), judge_record(record)});
  write(*reader_, writer_.get(), std::move(verdict),
        AppendRecord{std::move(game), epoch, expected, std::move(record)}, std::move(done),
        Writer::When::with_next_commit);
}

void SqliteStore::commit() {
  if (writer_) writer_->commit();
}

void SqliteStore::snapshot(GameId game, Epoch epoch, Snapshot snapshot, Callback<Sequence> done) {
  Verdict verdict = first_fault({judge_id(game), judge_size(snapshot)});
  write(*reader_, writer_.get(), std::move(verdict),
        KeepSnapshot{std::move(game), epoch, std::move(snapshot)}, std::move(done),
        Writer::When::with_next_commit);
}

void SqliteStore::close(GameId game, Epoch epoch, UnixMs closed_ms, Callback<Sequence> done) {
  Verdict verdict = judge_id(game);
  write(*reader_, writer_.get(), std::move(verdict), CloseGame{std::move(game), epoch, closed_ms},
        std::move(done), Writer::When::with_next_commit);
}

void SqliteStore::sleep(GameId game, Epoch epoch, UnixMs wake_ms, Callback<UnixMs> done) {
  Verdict verdict = first_fault({judge_id(game), judge_wake(wake_ms)});
  write(*reader_, writer_.get(), std::move(verdict), PutToSleep{std::move(game), epoch, wake_ms},
        std::move(done), Writer::When::with_next_commit);
}

void SqliteStore::purge(UnixMs closed_before_ms, std::size_t limit, Callback<std::uint64_t> done) {
  Verdict verdict = judge_limit(limit);
  write(*reader_, writer_.get(), std::move(verdict), PurgeGames{closed_before_ms, limit}, std::move(done));
}

void SqliteStore::amend(GameId game, Record setup, std::vector<PlayerKey> players, Callback<Sequence> done) {
  Verdict verdict = first_fault({judge_id(game), judge_record(setup), judge_players(players)});
  write(*reader_, writer_.get(), std::move(verdict),
        AmendGame{std::move(game), std::move(setup), std::move(players)}, std::move(done));
}

void SqliteStore::keep_text(std::string key, std::string text, Callback<bool> done) {
  Verdict verdict = first_fault({judge_id(key), judge_text(text)});
  write(*reader_, writer_.get(), std::move(verdict), KeepText{std::move(key), std::move(text)},
        std::move(done));
}

// ---- What the reader does.

void SqliteStore::load(GameId game, Extent extent, Callback<StoredGame> done) {
  Verdict verdict = judge_id(game);
  read<StoredGame>(*reader_, std::move(verdict), std::move(done),
                   [game = std::move(game), extent](Reader& reader) { return reader.load(game, extent); });
}

void SqliteStore::list(ListQuery query, Callback<ListPage> done) {
  Verdict verdict = judge_limit(query.limit);
  read<ListPage>(*reader_, std::move(verdict), std::move(done),
                 [query = std::move(query)](Reader& reader) { return reader.list(query); });
}

void SqliteStore::due(UnixMs now_ms, std::size_t limit, Callback<std::vector<GameId>> done) {
  read<std::vector<GameId>>(*reader_, judge_limit(limit), std::move(done),
                            [=](Reader& reader) { return reader.due(now_ms, limit); });
}

void SqliteStore::texts(Callback<Texts> done) {
  read<Texts>(*reader_, {}, std::move(done), [](Reader& reader) { return reader.texts(); });
}

}  // namespace landsraad::persistence
