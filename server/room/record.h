// The records of a game in storage: its opening, then one for everything that happens in it
// (landsraad/v1/record.proto).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "landsraad/v1/protocol.pb.h"
#include "landsraad/v1/record.pb.h"
#include "rules/engine/engine.h"
#include "server/room/clocks.h"
#include "server/room/door.h"
#include "server/room/outbox.h"
#include "server/room/secrets.h"

namespace landsraad::room {

// Raised whenever the engine changes so that an old log would be replayed to another game.
inline constexpr std::string_view kEngineVersion = "2";

// Leading bytes of a state's hash that are stored with each entry.
inline constexpr std::size_t kStoredHashBytes = 8;

using std::chrono::milliseconds;

// ---- The opening: everything that is fixed when a game starts. Record 0.

inline constexpr std::size_t kMaxNonceBytes = 32;

struct OpeningSeat {
  std::string name;
  TokenHash token{};
  TokenHash player{};
  std::string nonce{};  // at most kMaxNonceBytes; the player's share in the game's seed
};

struct Opening {
  std::string engine_version{kEngineVersion};
  std::string content_version;
  v1::RoomOptions options;         // complete and checked
  rules::Seed seed{};              // the server's
  std::vector<OpeningSeat> seats;  // one for each seat
  TokenHash owner{};
  Door door;
  std::vector<TokenHash> barred;  // players put out before the start
  Instant created{};
  std::string state_hash;  // kStoredHashBytes of the hash after set-up
};

rules::Options game_options(const v1::RoomOptions& options);

// The seed of all chance in the game: the server's, mixed with what the players gave ("Fair shuffles" in
// proto/README.md). SHA-256 of the seed and every nonce, in the order of seats; if there is none, the seed.
rules::Seed game_seed(const Opening& opening);

// ---- The log: one entry for each thing that happens.

struct Undo {
  std::uint32_t to = 0;  // version
};
struct Pause {
  bool paused = true;
};
struct NewOwner {
  TokenHash player{};  // zeros in a record that was disclosed
};
struct ServerStops {};

// The first two lead the game to its next version; the others leave it where it is.
using Deed =
    std::variant<rules::Action, Undo, v1::SeatControl, Pause, v1::Ending, Door, NewOwner, ServerStops>;

struct Entry {
  Deed deed;
  rules::Seat seat = rules::kNoSeat;  // whose doing it is; kNoSeat = the table's or the server's
  v1::Cause cause = v1::CAUSE_PLAYER;
  Instant when{};
  milliseconds spent{0};                                  // time the seat is charged for
  std::array<milliseconds, rules::kMaxSeats> thinking{};  // Pause, ServerStops: used for the open decision

  const rules::Action* action() const { return std::get_if<rules::Action>(&deed); }
  bool moves_the_game() const { return deed.index() < 2; }
};

// An entry as it is stored.
struct StoredEntry {
  std::uint64_t version = 0;  // of the game after it
  Entry entry;
  std::string state_hash;  // leading bytes of the hash of the state after it
};

std::string stored_hash(const rules::State& state);
bool agrees(std::string_view stored, const rules::StateHash& hash);  // false if too short

v1::GameSetup to_message(const Opening& opening);
std::string write_opening(const Opening& opening);
void write_entry(const Entry& entry, v1::LogRecord& out);  // without version and hash
void write_door(const Door& from, v1::StoredDoor& to);
bool read_door(const v1::StoredDoor& from, Door& to);  // false: it does not read
void write_entry(std::uint64_t version, const Entry& entry, const rules::StateHash& after,
                 v1::LogRecord& out);
std::string write_entry(std::uint64_t version, const Entry& entry, const rules::StateHash& after);

// Nothing if the bytes are no such record or a number in them is out of range.
std::optional<Opening> read_opening(std::string_view bytes);
std::optional<Opening> read_opening(const v1::GameSetup& setup);
std::optional<StoredEntry> read_entry(std::string_view bytes);
std::optional<StoredEntry> read_entry(const v1::LogRecord& record);

}  // namespace landsraad::room
