#include "server/room/proposal.h"

namespace landsraad::room {

namespace {

bool is_in(rules::SeatMask seats, rules::Seat seat) { return (seats & rules::seat_bit(seat)) != 0; }

}  // namespace

Proposal::Proposal(std::uint32_t id, rules::Seat seat, const v1::Propose& what)
    : id_(id), seat_(seat), what_(what), agreed_(rules::seat_bit(seat)) {}

void Proposal::agree(rules::Seat seat) {
  agreed_ = static_cast<rules::SeatMask>(agreed_ | rules::seat_bit(seat));
}

rules::SeatMask Proposal::voters(Table table) const {
  const bool concerns_all =
      what_.what_case() == v1::Propose::kUndoTo || what_.what_case() == v1::Propose::kEnd;
  return concerns_all ? table.playing : static_cast<rules::SeatMask>(table.playing & table.connected);
}

rules::SeatMask Proposal::still_asked(Table table) const {
  return static_cast<rules::SeatMask>(voters(table) & ~agreed_);
}

bool Proposal::carried(Table table) const { return voters(table) != 0 && still_asked(table) == 0; }

void Proposal::write(Table table, v1::Proposal& out) const {
  out.set_id(id_);
  out.set_seat(seat_);
  *out.mutable_what() = what_;
  for (rules::Seat seat = 0; seat < rules::kMaxSeats; ++seat) {
    if (is_in(agreed_, seat)) out.add_agreed(seat);
    if (is_in(still_asked(table), seat)) out.add_asked(seat);
  }
}

}  // namespace landsraad::room
