// Answers that a seat gives in advance. Kept in memory only, and told to nobody else.
#pragma once

#include <cstdint>

#include "landsraad/v1/protocol.pb.h"
#include "rules/engine/engine.h"

namespace landsraad::room {

class SeatPlan {
 public:
  SeatPlan() = default;
  // Made in this position.
  SeatPlan(const v1::Plan& wish, const rules::State& state);

  bool empty() const { return !pass_combat_ && !printed_order_; }
  v1::Plan to_message() const;

  // Drops what the game has gone beyond; whether there was anything to drop.
  bool expire(const rules::State& state);

  // What it answers for the seat, which the game waits for; kind none: the seat has to be asked. Depends on
  // nothing that others do not know: neither answer nor silence tells them what the seat holds.
  rules::Action answer(const rules::Content& content, const rules::State& state, rules::Seat seat) const;

 private:
  bool pass_combat_ = false;
  bool printed_order_ = false;
  std::uint8_t round_ = 0;  // whose combat is passed
};

}  // namespace landsraad::room
