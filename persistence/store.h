// Where games are kept: for each game a list of records, numbered from 0 without gaps.
//
// A Store knows nothing of the game. Record 0 is the set-up, every later one an entry of its log; all are
// opaque bytes here (proto/landsraad/v1/record.proto says what is in them). Once a request has been reported
// as done, it survives a crash of the process and of the machine.
//
// A game is awake while its owner has it in memory (create, claim), and sleeps from when the owner says so;
// it can leave word when it wants to be woken. Whoever opens a store anew finds the games that a dead owner
// left awake due at once.
//
// Every request returns at once; its callback runs exactly once, later, never inside the call. SqliteStore
// runs callbacks on its own threads and inside commit(), MemoryStore inside run(). A callback must not block
// (post to your own executor); it may make new requests. Requests about one game that write are carried out
// in the order in which they were made, so appends may be sent ahead of each other's results: if one fails,
// those behind it conflict. A load sees every write reported before it was requested.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace landsraad::persistence {

// ---- Limits. A request beyond them gets StoreError::invalid. ---------------------------------------
inline constexpr std::size_t kMaxGameIdBytes = 64;
inline constexpr std::size_t kMaxRecordBytes = 64 * 1024;
inline constexpr std::size_t kMaxSnapshotBytes = 4 * 1024 * 1024;
inline constexpr std::size_t kMaxTextBytes = 4 * 1024 * 1024;
inline constexpr std::size_t kMaxPlayersPerGame = 16;
inline constexpr std::size_t kMaxPlayerBytes = 64;
inline constexpr std::size_t kMaxRecordsPerGame = 100'000;
inline constexpr std::size_t kMaxListPage = 1000;  // also of due() and purge()
// Requests waiting inside a store; beyond it new ones get `unavailable`.
inline constexpr std::size_t kMaxWaitingRequests = 65'536;

using GameId = std::string;      // 1 .. kMaxGameIdBytes bytes, chosen by the caller
using Record = std::string;      // opaque bytes
using Sequence = std::uint64_t;  // place of a record in its game, from 0
using Epoch = std::uint64_t;     // counts the owners of a game, from 1: the fencing token
using PlayerKey = std::string;   // 1 .. kMaxPlayerBytes opaque bytes that name a player
using UnixMs = std::int64_t;     // milliseconds since 1970

inline constexpr UnixMs kNever = std::numeric_limits<UnixMs>::max();

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

// A game to be stored: one that begins (its set-up alone), or a whole one from elsewhere.
struct NewGame {
  UnixMs created_ms = 0;
  std::vector<Record> records{};     // 1 .. kMaxRecordsPerGame
  std::vector<PlayerKey> players{};  // by whom list() finds it
  bool listed = true;                // by everybody; else only by its players
};

// What a load brings.
enum class Extent : std::uint8_t {
  whole,   // every record
  resume,  // what it takes to go on: the set-up, the snapshot, and the records after it
};

// Stands for the first `covers` records of a game.
struct Snapshot {
  Sequence covers = 0;  // 0: there is none
  std::string bytes{};  // opaque
};

struct StoredGame {
  GameId id{};
  GameStatus status = GameStatus::open;
  UnixMs created_ms = 0;
  Epoch epoch = 0;
  Sequence next = 0;    // number of records
  Snapshot snapshot{};  // Extent::resume; none also if it does not read back, for the records tell the same
  std::vector<Record> records{};  // the set-up, then all from `snapshot.covers` (at least 1) on
};

struct ListQuery {
  std::optional<PlayerKey> player{};  // only games of this player, unlisted ones too; none: listed games
  std::optional<GameStatus> status{};
  bool unlisted_too = false;  // for operators
  GameId after{};             // ids greater than this one; empty = from the start
  std::size_t limit = 100;    // 1 .. kMaxListPage
};

struct ListedGame {
  GameId id{};
  GameStatus status = GameStatus::open;
  UnixMs created_ms = 0;
  Sequence next_sequence = 0;  // number of records
  bool readable = true;        // false: corrupt; the fields above may be wrong, `setup` is empty
  Record setup{};              // record 0
};

struct ListPage {
  std::vector<ListedGame> games;  // by id, ascending
  bool more = false;              // ask again with `after` = the last id
};

using Texts = std::vector<std::pair<std::string, std::string>>;  // key and text

class Store {
 public:
  virtual ~Store() = default;

  // ---- One game, by its owner.

  // Stores a game that was not there. The caller owns it, awake, under the epoch that is reported (1).
  // exists, unavailable, invalid.
  virtual void create(GameId game, NewGame contents, Callback<Epoch> done) = 0;

  // Takes the game over from whoever owned it: reports a new epoch, and what is written under older ones is
  // fenced from now on. The game is awake. Claim, then load. not_found, corrupt, unavailable.
  virtual void claim(GameId game, Callback<Epoch> done) = 0;

  // What follows here, and writes, gathers until somebody calls commit(), or until another request that
  // writes takes it along.

  // Stores the record that comes after `expected` earlier ones, so with sequence `expected`, and reports the
  // next sequence. Of two appends that expect the same sequence, at most one ever succeeds.
  // conflict, fenced, closed, not_found, corrupt, unavailable, invalid.
  virtual void append(GameId game, Epoch epoch, Sequence expected, Record record,
                      Callback<Sequence> done) = 0;

  // Keeps a snapshot, in place of the one before, so that a load need not bring what it stands for. Reports
  // what it covers. conflict (covers more than there is), fenced, not_found, corrupt, unavailable, invalid.
  virtual void snapshot(GameId game, Epoch epoch, Snapshot snapshot, Callback<Sequence> done) = 0;

  // Ends a game at `closed_ms`: it takes no more records. Reports the number of its records. Closing twice is
  // fine. fenced, not_found, corrupt, unavailable.
  virtual void close(GameId game, Epoch epoch, UnixMs closed_ms, Callback<Sequence> done) = 0;

  // The owner lets the game out of memory. It is due at `wake_ms`, 1 .. kNever. Reports that time.
  // fenced, not_found, corrupt, unavailable, invalid.
  virtual void sleep(GameId game, Epoch epoch, UnixMs wake_ms, Callback<UnixMs> done) = 0;

  // Writes what has gathered so far: on this thread, waiting for the disk, if the disk has been quick of
  // late; else it leaves it to a thread of the store's. Callbacks, also of what others have asked for, may
  // run inside; what they ask for waits for another commit.
  virtual void commit() = 0;

  // not_found, corrupt, unavailable.
  virtual void load(GameId game, Extent extent, Callback<StoredGame> done) = 0;

  // ---- All games.

  // One page of the games, by id. A game that does not read back is listed with readable = false and
  // disturbs no other. unavailable, invalid; corrupt if the list as such cannot be read.
  virtual void list(ListQuery query, Callback<ListPage> done) = 0;

  // Open games that sleep and are due by `now_ms`, at most `limit` (1 .. kMaxListPage), the longest due
  // first. Games that do not read back are left out. unavailable, invalid.
  virtual void due(UnixMs now_ms, std::size_t limit, Callback<std::vector<GameId>> done) = 0;

  // Deletes sleeping games closed before `closed_before_ms`, at most `limit` (1 .. kMaxListPage), the oldest
  // first, and reports how many. Games that do not read back are left alone. unavailable, invalid.
  virtual void purge(UnixMs closed_before_ms, std::size_t limit, Callback<std::uint64_t> done) = 0;

  // Puts another set-up and other players in the place of a closed game's own, so that somebody can be
  // forgotten; drops its snapshot. Reports the number of its records.
  // conflict (it is still open), not_found, corrupt, unavailable, invalid.
  virtual void amend(GameId game, Record setup, std::vector<PlayerKey> players, Callback<Sequence> done) = 0;

  // ---- Texts that games need again as they were when they began. A key (1 .. kMaxGameIdBytes bytes, as ids)
  // always has the same text.

  // Reports whether the text was new. unavailable, invalid.
  virtual void keep_text(std::string key, std::string text, Callback<bool> done) = 0;

  // All of them, by key; those that do not read back are left out. unavailable.
  virtual void texts(Callback<Texts> done) = 0;
};

}  // namespace landsraad::persistence
