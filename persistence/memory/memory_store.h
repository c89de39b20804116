// The Store in memory, for tests and simulation: it fails, and loses power, on demand. Single-threaded.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "persistence/memory/memory_disk.h"
#include "persistence/store.h"

namespace landsraad::persistence {

class MemoryStore final : public Store {
 public:
  // The disk must outlive the store. Whoever starts anew on it calls its wake_orphans() first.
  explicit MemoryStore(MemoryDisk& disk) : disk_(disk) {}
  // Requests that still wait are neither carried out nor reported, as when the process is killed.
  ~MemoryStore() override = default;

  // Carries out and reports what waits, and what the callbacks ask for, until nothing waits.
  void run();
  // The same for the oldest request only; false if none waits.
  bool run_one();
  std::size_t waiting() const { return requests_.size(); }

  // ---- Faults -------------------------------------------------------------------------------------
  // The next `count` requests that write (or that read) are `unavailable`.
  void fail_writes(std::size_t count) { failing_writes_ = count; }
  void fail_reads(std::size_t count) { failing_reads_ = count; }
  // The power fails: of the requests that wait, the first `stored` that write reach the disk, the rest are
  // lost; none is ever reported.
  void lose_power(std::size_t stored);

  void create(GameId game, NewGame contents, Callback<Epoch> done) override;
  void claim(GameId game, Callback<Epoch> done) override;
  void append(GameId game, Epoch epoch, Sequence expected, Record record, Callback<Sequence> done) override;
  void commit() override {}  // only run() does anything
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
  // Carries a request out and gives back the report still to be made. `fails`: storage fails it.
  using Report = std::function<void()>;
  struct Request {
    bool writes = false;
    std::function<Report(bool fails)> carry_out;
  };
  template <class T>
  void put(bool writes, Callback<T> done, std::function<Result<T>()> work);
  bool next_fails(bool writes);

  MemoryDisk& disk_;
  std::deque<Request> requests_;
  std::size_t failing_writes_ = 0;
  std::size_t failing_reads_ = 0;
};

}  // namespace landsraad::persistence
