// Who has which seat.
#include <algorithm>

#include "server/room/room.h"

namespace landsraad::room {

std::optional<rules::Seat> Room::seat_of_token(std::string_view text) const {
  const std::optional<Token> token = token_from_text(text);
  if (!token) return std::nullopt;
  std::vector<TokenHash> hashes;
  for (const SeatHolder& holder : seats_) hashes.push_back(holder.token);
  const std::optional<std::size_t> seat = find_token(hashes, *token);
  if (!seat || !seats_[*seat].taken) return std::nullopt;
  return static_cast<rules::Seat>(*seat);
}

std::optional<rules::Seat> Room::seat_of_player(const TokenHash& player) const {
  std::optional<rules::Seat> found;
  for (rules::Seat seat = 0; seat < seats_.size(); ++seat)
    if (seats_[seat].taken && same_hash(seats_[seat].player, player)) found = seat;
  return found;
}

void Room::take_seat(Request from, const v1::TakeSeat& request, Instant now, Outbox& out) {
  Occupant& occupant = *find(from.session);
  if (occupant.seat != rules::kNoSeat) return refuse(out, from, v1::ERROR_CODE_ALREADY_SEATED);
  if (!request.seat_token().empty()) return reclaim_seat(from, occupant, request.seat_token(), now, out);
  if (stage_ != Stage::lobby)
    return refuse(out, from, v1::ERROR_CODE_ALREADY_STARTED,
                  "The game has started; only its player or its token opens a seat.");

  const auto first_free = static_cast<std::size_t>(
      std::find_if(seats_.begin(), seats_.end(), [](const SeatHolder& holder) { return !holder.taken; }) -
      seats_.begin());
  const std::size_t seat = request.has_seat() ? request.seat() : first_free;
  if (seat >= seats_.size() || seats_[seat].taken) return refuse(out, from, v1::ERROR_CODE_SEAT_NOT_FREE);

  const Person& who = person(occupant.person);
  const Token token = draw_token(house_->entropy);
  seats_[seat] = SeatHolder{true, false, who.name, hash(token), who.player, {}, {}};
  // All connections of the player move to the seat.
  for (Occupant& each : occupants_)
    if (each.person == occupant.person) each.seat = static_cast<rules::Seat>(seat);
  v1::ServerMessage message;
  message.mutable_seat_taken()->set_seat(static_cast<std::uint32_t>(seat));
  message.mutable_seat_taken()->set_seat_token(to_text(token));
  answer(out, from, message);
  show_state(out);
}

void Room::reclaim_seat(Request from, Occupant& occupant, const std::string& token, Instant now,
                        Outbox& out) {
  const std::optional<rules::Seat> seat = seat_of_token(token);
  if (!seat) return refuse(out, from, v1::ERROR_CODE_WRONG_TOKEN);
  if (connections(*seat) >= house_->limits.seat_connections)
    return refuse(out, from, v1::ERROR_CODE_ROOM_FULL);
  occupant.seat = *seat;
  v1::ServerMessage message;
  message.mutable_seat_taken()->set_seat(*seat);
  message.mutable_seat_taken()->set_seat_token(token);
  if (game_) write_game(*seat, std::nullopt, now, *message.mutable_seat_taken()->mutable_game());
  answer(out, from, message);
  show_state(out);
  come_back(*seat, now, out);
}

void Room::leave_seat(Request from, Outbox& out) {
  const Occupant* occupant = seated(from, out);
  if (occupant == nullptr) return;
  if (stage_ != Stage::lobby) return refuse(out, from, v1::ERROR_CODE_ALREADY_STARTED);
  free_seat(occupant->seat);
  show_state(out, from);
}

void Room::set_ready(Request from, const v1::Ready& request, Outbox& out) {
  const Occupant* occupant = seated(from, out);
  if (occupant == nullptr) return;
  if (stage_ != Stage::lobby) return refuse(out, from, v1::ERROR_CODE_ALREADY_STARTED);
  if (request.nonce().size() > kMaxNonceBytes)
    return refuse(out, from, v1::ERROR_CODE_MALFORMED, "A nonce has at most 32 bytes.");
  seats_[occupant->seat].ready = request.ready();
  seats_[occupant->seat].nonce = request.nonce();
  show_state(out, from);
}

void Room::free_seat(rules::Seat seat) {
  seats_[seat] = SeatHolder{};
  for (Occupant& occupant : occupants_)
    if (occupant.seat == seat) occupant.seat = rules::kNoSeat;
  forget_strangers();
}

}  // namespace landsraad::room
