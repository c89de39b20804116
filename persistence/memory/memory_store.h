// The Store in memory, for tests and simulation: it fails, and loses power, on demand. Single-threaded.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "persistence/admission.h"
#include "persistence/store.h"

namespace landsraad::persistence {

// What survives a MemoryStore: the disk of the simulated machine. One that writes at a time.
struct MemoryDisk {
  struct StoredRecord {
    Record bytes;
    std::uint64_t checksum = 0;
  };
  struct Game {
    std::int64_t created_ms = 0;
    GameHead head;
    std::vector<StoredRecord> records;
  };
  std::map<GameId, Game> games;

  // Flips one bit of a record, so that the game is corrupt. False if there is no such record.
  bool flip_bit(const GameId& game, Sequence sequence, std::size_t bit);
};

class MemoryStore final : public Store {
 public:
  // The disk must outlive the store.
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

  void create(GameId game, std::int64_t created_ms, Record setup, Callback<Epoch> done) override;
  void claim(GameId game, Callback<Epoch> done) override;
  void append(GameId game, Epoch epoch, Sequence expected, Record record, Callback<Sequence> done) override;
  void close(GameId game, Epoch epoch, Callback<Sequence> done) override;
  void load(GameId game, Callback<StoredGame> done) override;
  void list(ListQuery query, Callback<ListPage> done) override;

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

  Result<Epoch> create_now(const GameId& game, std::int64_t created_ms, const Record& setup);
  Result<Epoch> claim_now(const GameId& game);
  Result<Sequence> append_now(const GameId& game, Epoch epoch, Sequence expected, const Record& record);
  Result<Sequence> close_now(const GameId& game, Epoch epoch);
  Result<StoredGame> load_now(const GameId& game) const;
  Result<ListPage> list_now(const ListQuery& query) const;

  MemoryDisk& disk_;
  std::deque<Request> requests_;
  std::size_t failing_writes_ = 0;
  std::size_t failing_reads_ = 0;
};

}  // namespace landsraad::persistence
