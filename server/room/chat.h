// What is said in a room: the latest lines, and how much one may say. Kept in memory only.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "landsraad/v1/protocol.pb.h"
#include "server/room/limits.h"
#include "server/room/outbox.h"

namespace landsraad::room {

class Chat {
 public:
  // Whether the player may say something now, and has: at most Limits::chat_lines in any minute.
  bool takes_turn(const TokenHash& player, Instant now, const Limits& limits);

  // Numbers the line and remembers it; the oldest is forgotten.
  void say(v1::ChatLine& line, const Limits& limits);

  const std::vector<v1::ChatLine>& latest() const { return latest_; }  // oldest first

 private:
  struct Turn {
    TokenHash player{};
    Instant when{};
  };
  std::vector<Turn> turns_;  // of the last minute, oldest first
  std::vector<v1::ChatLine> latest_;
  std::uint32_t last_id_ = 0;
};

}  // namespace landsraad::room
