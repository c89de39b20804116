// Who is in the room, and on which seat.
#include "server/room/room.h"

#include <algorithm>
#include <utility>

namespace landsraad::room {

Room::Room(House& house, RoomId id, v1::RoomOptions options, Instant now)
    : house_(&house),
      id_(std::move(id)),
      options_(std::move(options)),
      seats_(options_.players()),
      empty_since_(now) {}

Room::Occupant* Room::find(SessionId session) {
  const auto it = std::find_if(occupants_.begin(), occupants_.end(),
                               [session](const Occupant& occupant) { return occupant.session == session; });
  return it == occupants_.end() ? nullptr : &*it;
}

std::size_t Room::connections(rules::Seat seat) const {
  return static_cast<std::size_t>(
      std::count_if(occupants_.begin(), occupants_.end(),
                    [seat](const Occupant& occupant) { return occupant.seat == seat; }));
}

std::optional<rules::Seat> Room::seat_of_token(std::string_view text) const {
  const std::optional<SeatToken> token = token_from_text(text);
  if (!token) return std::nullopt;
  std::vector<TokenHash> hashes;
  for (const SeatHolder& holder : seats_) hashes.push_back(holder.token);
  const std::optional<std::size_t> seat = find_token(hashes, *token);
  if (!seat || !seats_[*seat].taken) return std::nullopt;
  return static_cast<rules::Seat>(*seat);
}

bool Room::join(Request from, const std::string& name, const v1::JoinRoom& request, Outbox& out) {
  if (stage_ == Stage::waking) {
    if (waiting_joins_.size() >= house_->limits.waiting_joins) {
      refuse(out, from, v1::ERROR_CODE_BUSY);
      return false;
    }
    waiting_joins_.push_back({from, name, request});
    return true;
  }
  rules::Seat seat = rules::kNoSeat;
  if (!request.seat_token().empty()) {
    const std::optional<rules::Seat> owned = seat_of_token(request.seat_token());
    if (!owned) {
      refuse(out, from, v1::ERROR_CODE_WRONG_TOKEN);
      return false;
    }
    seat = *owned;
  }
  const std::size_t limit =
      seat == rules::kNoSeat ? house_->limits.spectators : house_->limits.seat_connections;
  if (connections(seat) >= limit) {
    refuse(out, from, v1::ERROR_CODE_ROOM_FULL);
    return false;
  }
  occupants_.push_back({from.session, name, seat});

  v1::ServerMessage message;
  v1::RoomJoined& joined = *message.mutable_room_joined();
  write_state(*joined.mutable_room());
  if (seat != rules::kNoSeat) joined.set_seat(seat);
  if (game_) {
    const auto held = request.has_held_version() ? std::optional{request.held_version()} : std::nullopt;
    write_game(seat, held, *joined.mutable_game());
  }
  answer(out, from, message);
  show_state(out, {}, from.session);
  return true;
}

bool Room::leave(Request from, Instant now, Outbox& out) {
  if (owes_answer(from.session)) {
    refuse(out, from, v1::ERROR_CODE_BUSY,
           "An earlier request of yours is still being carried out; leave after its answer.");
    return false;
  }
  remove(from.session, now);
  v1::ServerMessage message;
  message.mutable_room_left();
  answer(out, from, message);
  show_state(out);
  return true;
}

void Room::take_seat(Request from, const v1::TakeSeat& request, Outbox& out) {
  Occupant* occupant = find(from.session);
  if (occupant == nullptr) return refuse(out, from, v1::ERROR_CODE_BUSY);
  if (occupant->seat != rules::kNoSeat) return refuse(out, from, v1::ERROR_CODE_ALREADY_SEATED);
  if (!request.seat_token().empty()) return reclaim_seat(from, *occupant, request.seat_token(), out);
  if (stage_ != Stage::lobby)
    return refuse(out, from, v1::ERROR_CODE_ALREADY_STARTED,
                  "The game has started; only its token opens a seat.");

  const auto first_free = static_cast<std::size_t>(
      std::find_if(seats_.begin(), seats_.end(), [](const SeatHolder& holder) { return !holder.taken; }) -
      seats_.begin());
  const std::size_t seat = request.has_seat() ? request.seat() : first_free;
  if (seat >= seats_.size() || seats_[seat].taken) return refuse(out, from, v1::ERROR_CODE_SEAT_NOT_FREE);

  const SeatToken token = draw_token(house_->entropy);
  seats_[seat] = SeatHolder{true, false, occupant->name, hash(token), {}};
  occupant->seat = static_cast<rules::Seat>(seat);
  v1::ServerMessage message;
  message.mutable_seat_taken()->set_seat(occupant->seat);
  message.mutable_seat_taken()->set_seat_token(to_text(token));
  answer(out, from, message);
  show_state(out);
}

void Room::reclaim_seat(Request from, Occupant& occupant, const std::string& token, Outbox& out) {
  const std::optional<rules::Seat> seat = seat_of_token(token);
  if (!seat) return refuse(out, from, v1::ERROR_CODE_WRONG_TOKEN);
  if (connections(*seat) >= house_->limits.seat_connections)
    return refuse(out, from, v1::ERROR_CODE_ROOM_FULL);
  occupant.seat = *seat;
  v1::ServerMessage message;
  message.mutable_seat_taken()->set_seat(*seat);
  message.mutable_seat_taken()->set_seat_token(token);
  if (game_) write_game(*seat, std::nullopt, *message.mutable_seat_taken()->mutable_game());
  answer(out, from, message);
  show_state(out);
}

void Room::leave_seat(Request from, Outbox& out) {
  Occupant* occupant = seated(from, out);
  if (occupant == nullptr) return;
  if (stage_ != Stage::lobby) return refuse(out, from, v1::ERROR_CODE_ALREADY_STARTED);
  const rules::Seat seat = occupant->seat;
  free_seat(seat);
  show_state(out, from);
}

void Room::set_ready(Request from, bool ready, Outbox& out) {
  const Occupant* occupant = seated(from, out);
  if (occupant == nullptr) return;
  if (stage_ != Stage::lobby) return refuse(out, from, v1::ERROR_CODE_ALREADY_STARTED);
  seats_[occupant->seat].ready = ready;
  show_state(out, from);
}

void Room::free_seat(rules::Seat seat) {
  seats_[seat] = SeatHolder{};
  for (Occupant& occupant : occupants_)
    if (occupant.seat == seat) occupant.seat = rules::kNoSeat;
}

Room::Occupant* Room::seated(Request from, Outbox& out) {
  Occupant* occupant = find(from.session);
  if (occupant == nullptr) {
    refuse(out, from, v1::ERROR_CODE_BUSY);  // still waits for the room to wake
  } else if (occupant->seat == rules::kNoSeat) {
    refuse(out, from, v1::ERROR_CODE_NOT_SEATED);
    occupant = nullptr;
  }
  return occupant;
}

bool Room::owes_answer(SessionId session) const {
  const auto asked = [session](const auto& waiting) { return waiting.from.session == session; };
  return (pending_start_ && asked(*pending_start_)) || (pending_step_ && asked(*pending_step_)) ||
         std::any_of(held_acts_.begin(), held_acts_.end(), asked) ||
         std::any_of(waiting_joins_.begin(), waiting_joins_.end(), asked);
}

void Room::remove(SessionId session, Instant now) {
  if (const Occupant* occupant = find(session)) {
    const rules::Seat seat = occupant->seat;
    occupants_.erase(occupants_.begin() + (occupant - occupants_.data()));
    if (seat != rules::kNoSeat && connections(seat) == 0) seats_[seat].absent_since = now;
  }
  const auto asked = [session](const auto& waiting) { return waiting.from.session == session; };
  std::erase_if(held_acts_, asked);
  std::erase_if(waiting_joins_, asked);
  if (occupants_.empty()) empty_since_ = now;
}

void Room::disconnect(SessionId session, Instant now, Outbox& out) {
  remove(session, now);
  if (stage_ != Stage::waking) show_state(out);
}

void Room::put_all_out(Outbox& out) {
  v1::ServerMessage message;
  message.mutable_room_left();
  const Frame frame = to_frame(message);
  for (const Occupant& occupant : occupants_) {
    out.send(occupant.session, frame);
    out.put_out.push_back(occupant.session);
  }
  occupants_.clear();
}

void Room::tick(Instant now, Outbox& out) {
  if (stage_ != Stage::lobby) return;
  bool changed = false;
  for (std::size_t seat = 0; seat < seats_.size(); ++seat) {
    const SeatHolder& holder = seats_[seat];
    if (!holder.taken || connections(static_cast<rules::Seat>(seat)) > 0) continue;
    if (now - holder.absent_since < house_->limits.seat_grace) continue;
    free_seat(static_cast<rules::Seat>(seat));
    changed = true;
  }
  if (changed) show_state(out);
}

bool Room::may_go(Instant now) const {
  if (lost_) return true;
  if (!occupants_.empty() || !waiting_joins_.empty() || waits_for_storage_) return false;
  const auto& limits = house_->limits;
  return now - empty_since_ >= (stage_ == Stage::lobby ? limits.lobby_idle : limits.sleep_after);
}

}  // namespace landsraad::room
