// Where games are kept: for each game a list of records, numbered from 0 without gaps.
//
// A Store knows nothing of the game. Record 0 is the set-up, every later one an action; both are opaque
// bytes here (proto/landsraad/v1/record.proto says what is in them). Once a request has been reported as
// done, it survives a crash of the process and of the machine.
//
// Every request returns at once; its callback runs exactly once, later, never inside the call. SqliteStore
// runs callbacks on its own threads, MemoryStore inside run(). A callback must not block (post to your own
// executor); it may make new requests. Requests about one game that write (create, claim, append, close)
// are carried out in the order in which they were made, so appends may be sent ahead of each other's
// results: if one fails, those behind it conflict. A load sees every write reported before it was requested.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace landsraad::persistence {

// ---- Limits. A request beyond them gets StoreError::invalid. ---------------------------------------
inline constexpr std::size_t kMaxGameIdBytes = 64;
inline constexpr std::size_t kMaxRecordBytes = 64 * 1024;
inline constexpr std::size_t kMaxRecordsPerGame = 100'000;
inline constexpr std::size_t kMaxListPage = 1000;
// Requests waiting inside a store; beyond it new ones get `unavailable`.
inline constexpr std::size_t kMaxWaitingRequests = 65'536;

using GameId = std::string;      // 1 .. kMaxGameIdBytes bytes, chosen by the caller
using Record = std::string;      // opaque bytes
using Sequence = std::uint64_t;  // place of a record in its game, from 0
using Epoch = std::uint64_t;     // counts the owners of a game, from 1: the fencing token

enum class StoreError : std::uint8_t {
  none,
  conflict,  // another record already has the expected sequence, or earlier ones are missing
  fenced,    // a later owner has claimed the game: give it up
  exists,    // create: the id is taken
  not_found,
  closed,       // the game is closed: it takes no more records
  unavailable,  // storage failed: nothing of the request is stored now. Try again later. (If the process
                // dies before the next success, the request may turn out to be stored after all.)
  corrupt,      // what is stored of this game does not read back as it was written
  invalid,      // the request breaks a limit
};
std::string_view name(StoreError error);

// What came of a request: a value, or an error with a sentence for the log.
template <class T>
struct Result {
  StoreError error = StoreError::none;
  std::string why;  // empty without an error
  T value{};        // meaningful only without an error

  bool ok() const { return error == StoreError::none; }
};
template <class T>
using Callback = std::function<void(Result<T>)>;

enum class GameStatus : std::uint8_t { open, closed };

struct StoredGame {
  GameId id{};
  GameStatus status = GameStatus::open;
  std::int64_t created_ms = 0;  // Unix time, milliseconds
  Epoch epoch = 0;
  std::vector<Record> records{};  // records[n] has sequence n; at least the set-up
};

struct ListQuery {
  bool open_only = false;
  GameId after{};           // ids greater than this one; empty = from the start
  std::size_t limit = 100;  // 1 .. kMaxListPage
};

struct ListedGame {
  GameId id{};
  GameStatus status = GameStatus::open;
  std::int64_t created_ms = 0;
  Sequence next_sequence = 0;  // number of records
  bool readable = true;        // false: corrupt; the fields above may be wrong, `setup` is empty
  Record setup{};              // record 0
};

struct ListPage {
  std::vector<ListedGame> games;  // by id, ascending
  bool more = false;              // ask again with `after` = the last id
};

class Store {
 public:
  virtual ~Store() = default;

  // Begins a game: stores its record 0. The caller owns it under the epoch that is reported (1).
  // exists, unavailable, invalid.
  virtual void create(GameId game, std::int64_t created_ms, Record setup, Callback<Epoch> done) = 0;

  // Takes the game over from whoever owned it: reports a new epoch, and appends under older ones are
  // fenced from now on. Claim, then load. not_found, corrupt, unavailable.
  virtual void claim(GameId game, Callback<Epoch> done) = 0;

  // Stores the record that comes after `expected` earlier ones, so with sequence `expected`, and reports the
  // next sequence. Of two appends that expect the same sequence, at most one ever succeeds.
  // conflict, fenced, closed, not_found, corrupt, unavailable, invalid.
  virtual void append(GameId game, Epoch epoch, Sequence expected, Record record,
                      Callback<Sequence> done) = 0;

  // Ends a game: it takes no more records. Reports the number of its records. Closing twice is fine.
  // fenced, not_found, corrupt, unavailable.
  virtual void close(GameId game, Epoch epoch, Callback<Sequence> done) = 0;

  // All of a game, closed ones too. not_found, corrupt, unavailable.
  virtual void load(GameId game, Callback<StoredGame> done) = 0;

  // One page of the games, by id. A game that does not read back is listed with readable = false and
  // disturbs no other. unavailable, invalid; corrupt if the list as such cannot be read.
  virtual void list(ListQuery query, Callback<ListPage> done) = 0;
};

}  // namespace landsraad::persistence
