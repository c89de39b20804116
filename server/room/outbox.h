// What the core of the server wants done: frames to send, records to store, rooms to list, lines to log.
//
// The core only fills an Outbox; whoever called it carries it out, in order.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "landsraad/v1/protocol.pb.h"
#include "server/room/secrets.h"

namespace landsraad::room {

using Instant = std::chrono::sys_time<std::chrono::milliseconds>;

// One connection of a client. Never used again.
using SessionId = std::uint64_t;

// A serialised ServerMessage; one frame may go to many sessions.
using Frame = std::shared_ptr<const std::string>;

struct Delivery {
  SessionId session = 0;
  Frame frame;
};

// ---- Storage (persistence/store.h). Each request is followed by exactly one reply of the same kind. ------
enum class StorageVerb : std::uint8_t {
  create,
  claim,
  load,      // what it takes to go on: the opening, the snapshot, the entries after it
  load_all,  // every record
  append,
  snapshot,
  close,
  sleep,
  list,    // of many games: sleeping ones too
  forget,  // a player, in finished games
};

inline constexpr Instant kNever = Instant::max();

enum class StorageError : std::uint8_t {
  none,
  unavailable,  // nothing is stored; worth trying again
  lost,         // another owner has written to the game or claimed it
  unreadable,   // what is stored does not read back
  missing,      // there is no such game
};

struct StorageRequest {
  StorageVerb verb = StorageVerb::append;
  RoomId game;                 // list: the last one that is known already
  std::uint64_t epoch = 0;     // append, snapshot, close, sleep: under which the game was created or claimed
  std::uint64_t expected = 0;  // append: number of records before this one; snapshot: that it stands for
  Instant when{};              // create, close: now; sleep: when the game is to be woken, or kNever
  std::string record;          // create, append, snapshot
  std::vector<TokenHash> players;   // create: who have seats
  bool listed = true;               // create
  std::optional<TokenHash> player;  // list: of this player only; forget: whom
  std::size_t limit = 0;            // list
  std::uint64_t ticket = 0;         // list, forget: comes back with the reply
};

struct StorageReply {
  StorageVerb verb = StorageVerb::append;
  RoomId game;
  StorageError error = StorageError::none;
  std::string why;                   // of an error, for the log
  std::uint64_t epoch = 0;           // create, claim
  std::string snapshot;              // load; empty: there is none
  std::vector<std::string> records;  // load: the opening, and those the snapshot does not stand for; load_all
  bool closed = false;               // load, load_all
  std::uint64_t ticket = 0;          // list, forget
  std::vector<v1::RoomSummary> games;     // list
  bool more = false;                      // list
  std::uint32_t forgotten = 0, kept = 0;  // forget: games without and with the name
};

// A line for the server's log.
struct Note {
  enum class Level : std::uint8_t { debug, info, warning, error } level = Level::info;
  RoomId room;
  std::string text;
};

// A connection to be closed once everything sent to it is written.
enum class Farewell : std::uint8_t {
  malformed,  // it went on sending what is no request
  flood,      // it went on asking faster than it may
};

struct Parting {
  SessionId session = 0;
  Farewell why = Farewell::malformed;
};

// A room's line in lists has changed, or the room is gone.
struct RoomChange {
  v1::RoomSummary summary;
  std::vector<TokenHash> players;  // who have its seats
  TokenHash founder{};             // who has opened it; meaningful before the start
  bool gone = false;
};

struct Outbox {
  std::vector<Delivery> deliveries;
  std::vector<StorageRequest> storage;
  std::vector<RoomChange> changes;
  std::vector<Note> notes;
  std::size_t unreadable = 0;      // games found in storage that cannot be played on
  std::vector<Parting> partings;   // after the deliveries
  std::vector<SessionId> put_out;  // sessions that a room no longer holds; for the hall alone

  void send(SessionId session, Frame frame) { deliveries.push_back({session, std::move(frame)}); }
  void note(Note::Level level, const RoomId& room, std::string text) {
    notes.push_back({level, room, std::move(text)});
  }
};

}  // namespace landsraad::room
