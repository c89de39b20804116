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

void write(Reader& reader, Writer* writer, Verdict verdict, WriteRequest request) {
  if (verdict.error == StoreError::none && writer == nullptr) {
    verdict = {StoreError::unavailable, "the file was opened for reading only"};
  }
  if (verdict.error == StoreError::none && !writer->put(std::move(request))) {
    verdict = {StoreError::unavailable, "too many requests wait for the storage"};
  }
  if (verdict.error != StoreError::none) refuse(reader, std::move(request.done), std::move(verdict));
}

template <class T, class Read>
void read(Reader& reader, Verdict verdict, Callback<T> done, Read read_it) {
  if (verdict.error != StoreError::none) return refuse(reader, std::move(done), std::move(verdict));
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
    if (Verdict folder = make_folder_of(settings.path); folder.error != StoreError::none) {
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
    writer_ = std::make_unique<Writer>(std::move(settings), [this] { reader_->request_checkpoint(); });
  }
}

SqliteStore::~SqliteStore() = default;

void SqliteStore::create(GameId game, std::int64_t created_ms, Record setup, Callback<Epoch> done) {
  Verdict verdict = judge_id(game);
  if (verdict.error == StoreError::none) verdict = judge_record(setup);
  write(*reader_, writer_.get(), std::move(verdict),
        {.kind = WriteRequest::Kind::create,
         .game = std::move(game),
         .created_ms = created_ms,
         .record = std::move(setup),
         .done = std::move(done)});
}

void SqliteStore::claim(GameId game, Callback<Epoch> done) {
  Verdict verdict = judge_id(game);
  write(*reader_, writer_.get(), std::move(verdict),
        {.kind = WriteRequest::Kind::claim, .game = std::move(game), .done = std::move(done)});
}

void SqliteStore::append(GameId game, Epoch epoch, Sequence expected, Record record,
                         Callback<Sequence> done) {
  Verdict verdict = judge_id(game);
  if (verdict.error == StoreError::none) verdict = judge_record(record);
  write(*reader_, writer_.get(), std::move(verdict),
        {.kind = WriteRequest::Kind::append,
         .game = std::move(game),
         .epoch = epoch,
         .expected = expected,
         .record = std::move(record),
         .done = std::move(done)});
}

void SqliteStore::close(GameId game, Epoch epoch, Callback<Sequence> done) {
  Verdict verdict = judge_id(game);
  write(
      *reader_, writer_.get(), std::move(verdict),
      {.kind = WriteRequest::Kind::close, .game = std::move(game), .epoch = epoch, .done = std::move(done)});
}

void SqliteStore::load(GameId game, Callback<StoredGame> done) {
  Verdict verdict = judge_id(game);
  read<StoredGame>(*reader_, std::move(verdict), std::move(done),
                   [game = std::move(game)](Reader& reader) { return reader.load(game); });
}

void SqliteStore::list(ListQuery query, Callback<ListPage> done) {
  Verdict verdict = judge_list(query);
  read<ListPage>(*reader_, std::move(verdict), std::move(done),
                 [query = std::move(query)](Reader& reader) { return reader.list(query); });
}

}  // namespace landsraad::persistence
