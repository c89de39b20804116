// The next game of the same players: a new room in which everyone has a seat.
#include <algorithm>

#include "server/room/room.h"

namespace landsraad::room {

namespace {

// Which old seat's player sits where: order[new seat] = old seat.
std::vector<std::size_t> seating(std::size_t seats, v1::SeatOrder order, const Entropy& entropy) {
  std::vector<std::size_t> from(seats);
  for (std::size_t seat = 0; seat < seats; ++seat) from[seat] = seat;
  if (order == v1::SEAT_ORDER_ROTATED) std::rotate(from.begin(), from.end() - 1, from.end());
  if (order == v1::SEAT_ORDER_RANDOM) {
    rules::RandomStream dice{.key = draw_seed(entropy)};
    dice.shuffle(from.data(), from.data() + from.size());
  }
  return from;
}

}  // namespace

std::optional<Founding> Room::found_rematch(Request from, v1::SeatOrder order, Outbox& out) {
  const auto no = [&](v1::ErrorCode code, std::string_view sentence = {}) {
    refuse(out, from, code, sentence);
    return std::nullopt;
  };
  if (find(from.session) == nullptr) return no(v1::ERROR_CODE_BUSY);  // the room still wakes
  if (seated(from, out) == nullptr) return std::nullopt;
  if (!game_ || !game_->over()) return no(v1::ERROR_CODE_NOT_OVER);
  if (!v1::SeatOrder_IsValid(order))
    return no(v1::ERROR_CODE_BAD_OPTIONS, "There is no such order of seats.");
  if (!rematch_.empty()) {
    show_state(out, from);  // somebody was faster
    return std::nullopt;
  }
  Founding founding{options_, game_->door(), game_->owner(), {}};
  for (const std::size_t seat : seating(seats_.size(), order, house_->entropy)) {
    const SeatHolder& holder = seats_[seat];
    founding.seats.push_back({holder.name, holder.token, holder.player, {}});
  }
  return founding;
}

void Room::rematch_opened(const RoomId& room, Request from, Outbox& out) {
  rematch_ = room;
  show_state(out, from);
}

}  // namespace landsraad::room
