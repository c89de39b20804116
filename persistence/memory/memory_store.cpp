#include "persistence/memory/memory_store.h"

namespace landsraad::persistence {

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

void MemoryStore::create(GameId game, NewGame contents, Callback<Epoch> done) {
  put<Epoch>(true, std::move(done), [=, this] { return disk_.create(game, contents); });
}

void MemoryStore::claim(GameId game, Callback<Epoch> done) {
  put<Epoch>(true, std::move(done), [=, this] { return disk_.claim(game); });
}

void MemoryStore::append(GameId game, Epoch epoch, Sequence expected, Record record,
                         Callback<Sequence> done) {
  put<Sequence>(true, std::move(done), [=, this] { return disk_.append(game, epoch, expected, record); });
}

void MemoryStore::snapshot(GameId game, Epoch epoch, Snapshot snapshot, Callback<Sequence> done) {
  put<Sequence>(true, std::move(done), [=, this] { return disk_.keep_snapshot(game, epoch, snapshot); });
}

void MemoryStore::close(GameId game, Epoch epoch, UnixMs closed_ms, Callback<Sequence> done) {
  put<Sequence>(true, std::move(done), [=, this] { return disk_.close(game, epoch, closed_ms); });
}

void MemoryStore::sleep(GameId game, Epoch epoch, UnixMs wake_ms, Callback<UnixMs> done) {
  put<UnixMs>(true, std::move(done), [=, this] { return disk_.sleep(game, epoch, wake_ms); });
}

void MemoryStore::load(GameId game, Extent extent, Callback<StoredGame> done) {
  put<StoredGame>(false, std::move(done), [=, this] { return disk_.load(game, extent); });
}

void MemoryStore::list(ListQuery query, Callback<ListPage> done) {
  put<ListPage>(false, std::move(done), [=, this] { return disk_.list(query); });
}

void MemoryStore::due(UnixMs now_ms, std::size_t limit, Callback<std::vector<GameId>> done) {
  put<std::vector<GameId>>(false, std::move(done), [=, this] { return disk_.due(now_ms, limit); });
}

void MemoryStore::purge(UnixMs closed_before_ms, std::size_t limit, Callback<std::uint64_t> done) {
  put<std::uint64_t>(true, std::move(done), [=, this] { return disk_.purge(closed_before_ms, limit); });
}

void MemoryStore::amend(GameId game, Record setup, std::vector<PlayerKey> players, Callback<Sequence> done) {
  put<Sequence>(true, std::move(done), [=, this] { return disk_.amend(game, setup, players); });
}

void MemoryStore::keep_text(std::string key, std::string text, Callback<bool> done) {
  put<bool>(true, std::move(done), [=, this] { return disk_.keep_text(key, text); });
}

void MemoryStore::texts(Callback<Texts> done) {
  put<Texts>(false, std::move(done), [this] { return disk_.texts(); });
}

}  // namespace landsraad::persistence
