// What the table is asked to agree on, and who has agreed.
//
// Pure: told who plays and who is there. What is agreed is carried out by the room.
#pragma once

#include <cstdint>

#include "landsraad/v1/protocol.pb.h"
#include "rules/engine/types.h"

namespace landsraad::room {

// Who could vote now.
struct Table {
  rules::SeatMask playing = 0;    // by their owners: neither a bot plays the seat nor has it been given up
  rules::SeatMask connected = 0;  // somebody sits there
};

class Proposal {
 public:
  // `seat` proposes and so agrees; `what` has one of its fields set.
  Proposal(std::uint32_t id, rules::Seat seat, const v1::Propose& what);

  std::uint32_t id() const { return id_; }
  rules::Seat seat() const { return seat_; }
  const v1::Propose& what() const { return what_; }

  void agree(rules::Seat seat);

  // Undo and the end of the game take something from everybody who plays, here or not; the rest must not wait
  // for somebody who is away, so it is up to those who are here.
  rules::SeatMask voters(Table table) const;
  rules::SeatMask still_asked(Table table) const;
  // All voters have agreed. Without any there is nothing to carry out.
  bool carried(Table table) const;

  void write(Table table, v1::Proposal& out) const;

 private:
  std::uint32_t id_;
  rules::Seat seat_;
  v1::Propose what_;
  rules::SeatMask agreed_;
};

}  // namespace landsraad::room
