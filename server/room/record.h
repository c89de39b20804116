// The records of a game in storage: its opening, then one for each action (landsraad/v1/record.proto).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/engine/engine.h"
#include "server/room/outbox.h"
#include "server/room/secrets.h"

namespace landsraad::room {

// Raised whenever the engine changes so that an old log would be replayed to another game.
inline constexpr std::string_view kEngineVersion = "1";

// Leading bytes of a state's hash that are stored with each action.
inline constexpr std::size_t kStoredHashBytes = 8;

struct OpeningSeat {
  std::string name;
  TokenHash token{};
};

// Everything that is fixed when a game starts: record 0.
struct Opening {
  std::string engine_version{kEngineVersion};
  std::string product;
  std::string content_version;
  rules::Options options;
  rules::Seed seed{};
  std::vector<OpeningSeat> seats;  // one for each seat
  Instant created{};
  std::string state_hash;  // kStoredHashBytes of the hash after set-up
  std::string title;
};

// One action of the log.
struct Play {
  rules::Seat seat = rules::kNoSeat;
  rules::Action action;
};

// The same as read back.
struct StoredPlay {
  std::uint64_t version = 0;  // after the action
  Play play;
  std::string state_hash;  // leading bytes of the hash after the action
};

std::string stored_hash(const rules::State& state);
bool agrees(std::string_view stored, const rules::StateHash& hash);  // false if too short

std::string write_opening(const Opening& opening);
std::string write_play(std::uint64_t version, const Play& play, const rules::StateHash& after, Instant when);

// The options a room shows, from those a stored game began with.
void write_options(const Opening& opening, v1::RoomOptions& out);

// Nothing if the bytes are no such record or a number in them is out of range.
std::optional<Opening> read_opening(std::string_view bytes);
std::optional<StoredPlay> read_play(std::string_view bytes);

}  // namespace landsraad::room
