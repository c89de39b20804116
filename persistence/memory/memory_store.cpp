#include "persistence/memory/memory_store.h"

#include <utility>

#include "persistence/checksum.h"

namespace landsraad::persistence {

namespace {

Verdict no_such_game(const GameId& game) { return {StoreError::not_found, "there is no game " + game}; }

bool intact(const GameId& game, Sequence sequence, const MemoryDisk::StoredRecord& record) {
  return record.checksum == record_checksum(game, sequence, record.bytes);
}

void store_record(const GameId& id, MemoryDisk::Game& game, const Record& record) {
  game.records.push_back({record, record_checksum(id, game.head.next, record)});
  ++game.head.next;
}

}  // namespace

bool MemoryDisk::flip_bit(const GameId& game, Sequence sequence, std::size_t bit) {
  const auto found = games.find(game);
  if (found == games.end() || sequence >= found->second.records.size()) return false;
  Record& bytes = found->second.records[sequence].bytes;
  if (bit / 8 >= bytes.size()) return false;
  bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
  return true;
}

void MemoryStore::run() {
  while (run_one()) {
  }
}

bool MemoryStore::run_one() {
  if (requests_.empty()) return false;
  const Request request = std::move(requests_.front());
  requests_.pop_front();
  const Report report = request.carry_out(next_fails(request.writes));
  report();
  return true;
}

bool MemoryStore::next_fails(bool writes) {
  std::size_t& failing = writes ? failing_writes_ : failing_reads_;
  if (failing == 0) return false;
  --failing;
  return true;
}

void MemoryStore::lose_power(std::size_t stored) {
  while (!requests_.empty()) {
    const Request request = std::move(requests_.front());
    requests_.pop_front();
    if (!request.writes || stored == 0) continue;
    request.carry_out(false);
    --stored;
  }
}

template <class T>
void MemoryStore::put(bool writes, Callback<T> done, std::function<Result<T>()> work) {
  const bool full = requests_.size() >= kMaxWaitingRequests;
  requests_.push_back(
      {writes, [=, done = std::move(done), work = std::move(work)](bool fails) -> Report {
         Result<T> result = fails || full ? refusal<T>({StoreError::unavailable, "the disk fails"}) : work();
         return [done, result = std::move(result)] { done(result); };
       }});
}

void MemoryStore::create(GameId game, std::int64_t created_ms, Record setup, Callback<Epoch> done) {
  put<Epoch>(true, std::move(done), [=, this] { return create_now(game, created_ms, setup); });
}

void MemoryStore::claim(GameId game, Callback<Epoch> done) {
  put<Epoch>(true, std::move(done), [=, this] { return claim_now(game); });
}

void MemoryStore::append(GameId game, Epoch epoch, Sequence expected, Record record,
                         Callback<Sequence> done) {
  put<Sequence>(true, std::move(done), [=, this] { return append_now(game, epoch, expected, record); });
}

void MemoryStore::close(GameId game, Epoch epoch, Callback<Sequence> done) {
  put<Sequence>(true, std::move(done), [=, this] { return close_now(game, epoch); });
}

void MemoryStore::load(GameId game, Callback<StoredGame> done) {
  put<StoredGame>(false, std::move(done), [=, this] { return load_now(game); });
}

void MemoryStore::list(ListQuery query, Callback<ListPage> done) {
  put<ListPage>(false, std::move(done), [=, this] { return list_now(query); });
}

Result<Epoch> MemoryStore::create_now(const GameId& game, std::int64_t created_ms, const Record& setup) {
  if (Verdict verdict = judge_id(game); verdict.error != StoreError::none) return refusal<Epoch>(verdict);
  if (Verdict verdict = judge_record(setup); verdict.error != StoreError::none)
    return refusal<Epoch>(verdict);
  const auto [entry, fresh] = disk_.games.try_emplace(game);
  if (!fresh) return refusal<Epoch>({StoreError::exists, "there is a game " + game + " already"});
  entry->second.created_ms = created_ms;
  entry->second.head.epoch = 1;
  store_record(game, entry->second, setup);
  return success<Epoch>(1);
}

Result<Epoch> MemoryStore::claim_now(const GameId& game) {
  if (Verdict verdict = judge_id(game); verdict.error != StoreError::none) return refusal<Epoch>(verdict);
  const auto found = disk_.games.find(game);
  if (found == disk_.games.end()) return refusal<Epoch>(no_such_game(game));
  return success(++found->second.head.epoch);
}

Result<Sequence> MemoryStore::append_now(const GameId& game, Epoch epoch, Sequence expected,
                                         const Record& record) {
  if (Verdict verdict = judge_id(game); verdict.error != StoreError::none) return refusal<Sequence>(verdict);
  if (Verdict verdict = judge_record(record); verdict.error != StoreError::none) {
    return refusal<Sequence>(verdict);
  }
  const auto found = disk_.games.find(game);
  if (found == disk_.games.end()) return refusal<Sequence>(no_such_game(game));
  Verdict verdict = judge_append(found->second.head, epoch, expected);
  if (verdict.error != StoreError::none) return refusal<Sequence>(std::move(verdict));
  store_record(game, found->second, record);
  return success(found->second.head.next);
}

Result<Sequence> MemoryStore::close_now(const GameId& game, Epoch epoch) {
  if (Verdict verdict = judge_id(game); verdict.error != StoreError::none) return refusal<Sequence>(verdict);
  const auto found = disk_.games.find(game);
  if (found == disk_.games.end()) return refusal<Sequence>(no_such_game(game));
  Verdict verdict = judge_close(found->second.head, epoch);
  if (verdict.error != StoreError::none) return refusal<Sequence>(std::move(verdict));
  found->second.head.status = GameStatus::closed;
  return success(found->second.head.next);
}

Result<StoredGame> MemoryStore::load_now(const GameId& game) const {
  if (Verdict verdict = judge_id(game); verdict.error != StoreError::none)
    return refusal<StoredGame>(verdict);
  const auto found = disk_.games.find(game);
  if (found == disk_.games.end()) return refusal<StoredGame>(no_such_game(game));
  const MemoryDisk::Game& stored = found->second;
  StoredGame loaded{
      .id = game, .status = stored.head.status, .created_ms = stored.created_ms, .epoch = stored.head.epoch};
  for (const MemoryDisk::StoredRecord& record : stored.records) {
    const Sequence sequence = loaded.records.size();
    if (!intact(game, sequence, record)) {
      return refusal<StoredGame>(
          {StoreError::corrupt,
           "game " + game + ": record " + std::to_string(sequence) + " has a wrong checksum"});
    }
    loaded.records.push_back(record.bytes);
  }
  return success(std::move(loaded));
}

Result<ListPage> MemoryStore::list_now(const ListQuery& query) const {
  if (Verdict verdict = judge_list(query); verdict.error != StoreError::none)
    return refusal<ListPage>(verdict);
  ListPage page;
  for (auto entry = disk_.games.upper_bound(query.after); entry != disk_.games.end(); ++entry) {
    const auto& [id, stored] = *entry;
    if (query.open_only && stored.head.status == GameStatus::closed) continue;
    if (page.games.size() == query.limit) {
      page.more = true;
      break;
    }
    ListedGame game{.id = id,
                    .status = stored.head.status,
                    .created_ms = stored.created_ms,
                    .next_sequence = stored.head.next};
    game.readable = intact(id, 0, stored.records.front());
    if (game.readable) game.setup = stored.records.front().bytes;
    page.games.push_back(std::move(game));
  }
  return success(std::move(page));
}

}  // namespace landsraad::persistence
