// Who may come in, and what the owner may do about it.
#include <algorithm>
#include <utility>

#include "server/room/room.h"

namespace landsraad::room {

// ---- The door.

// Before the start whoever waits for a free seat may be here too, whatever the room thinks of spectators.
std::size_t Room::places_to_watch() const {
  const std::size_t server_limit = house_->limits.spectators;
  if (stage_ == Stage::lobby) {
    const auto free =
        std::count_if(seats_.begin(), seats_.end(), [](const SeatHolder& holder) { return !holder.taken; });
    return std::max(server_limit, static_cast<std::size_t>(free));
  }
  return options_.has_spectators() ? std::min<std::size_t>(options_.spectators(), server_limit)
                                   : server_limit;
}

Refusal Room::why_not_in(const Caller& caller, const v1::JoinRoom& request,
                         std::optional<rules::Seat> owned) const {
  if (barred_.has(caller.player)) return {v1::ERROR_CODE_BARRED, {}};
  if (!owned && !request.seat_token().empty()) return {v1::ERROR_CODE_WRONG_TOKEN, {}};
  const bool known = owned || same_hash(caller.player, owner());
  if (!known && !door().opens(request.password(), request.invite()))
    return {v1::ERROR_CODE_WRONG_PASSWORD, {}};
  const std::size_t limit = owned ? house_->limits.seat_connections : places_to_watch();
  if (connections(owned.value_or(rules::kNoSeat)) < limit) return {};
  return {v1::ERROR_CODE_ROOM_FULL, limit == 0 ? "This room takes no spectators." : std::string_view{}};
}

// The game begins: who has found no seat stays only as far as the room takes spectators.
void Room::put_surplus_out(Instant now, Outbox& out) {
  std::size_t places = places_to_watch();
  std::vector<SessionId> surplus;
  for (const Occupant& occupant : occupants_) {
    if (occupant.seat != rules::kNoSeat) continue;
    if (places > 0)
      --places;
    else
      surplus.push_back(occupant.session);
  }
  for (const SessionId session : surplus) put_out(session, v1::RoomLeft::REASON_NO_SPECTATORS, now, out);
}

// ---- The owner.

bool Room::is_owner(std::uint32_t id) const {
  return std::any_of(people_.begin(), people_.end(), [&](const Person& person) {
    return person.id == id && same_hash(person.player, owner());
  });
}

bool Room::owns(Request from, Outbox& out) {
  if (is_owner(find(from.session)->person)) return true;
  refuse(out, from, v1::ERROR_CODE_NOT_OWNER);
  return false;
}

Room::Person* Room::named(Request from, std::uint32_t id, Outbox& out) {
  const auto it =
      std::find_if(people_.begin(), people_.end(), [id](const Person& person) { return person.id == id; });
  if (it != people_.end()) return &*it;
  refuse(out, from, v1::ERROR_CODE_UNKNOWN_PERSON);
  return nullptr;
}

bool Room::is_here(std::uint32_t id) const {
  return std::any_of(occupants_.begin(), occupants_.end(),
                     [id](const Occupant& occupant) { return occupant.person == id; });
}

// Before the start the room of an owner who has gone is that of who came next; players come before others.
bool Room::inherit() {
  const Person* heir = nullptr;
  for (const Person& person : people_) {
    if (!is_here(person.id)) continue;
    if (same_hash(person.player, owner_)) return false;
    if (heir == nullptr || (!seat_of_player(heir->player) && seat_of_player(person.player))) heir = &person;
  }
  if (heir == nullptr) return false;
  owner_ = heir->player;
  return true;
}

void Room::kick(Request from, const v1::Kick& request, Instant now, Outbox& out) {
  if (!owns(from, out)) return;
  if (stage_ != Stage::lobby) return refuse(out, from, v1::ERROR_CODE_ALREADY_STARTED);
  const Person* whom = named(from, request.person(), out);
  if (whom == nullptr) return;
  const TokenHash player = whom->player;
  if (same_hash(player, owner_))
    return refuse(out, from, v1::ERROR_CODE_NOT_ALLOWED,
                  "You cannot put yourself out; leave the room instead.");
  std::vector<SessionId> sessions;
  for (const Occupant& occupant : occupants_)
    if (occupant.person == whom->id) sessions.push_back(occupant.session);
  barred_.add(player);
  if (const std::optional<rules::Seat> seat = seat_of_player(player)) free_seat(*seat);
  for (const SessionId session : sessions) put_out(session, v1::RoomLeft::REASON_KICKED, now, out);
  show_state(out, from);
}

void Room::transfer(Request from, const v1::Transfer& request, Instant now, Outbox& out) {
  if (!owns(from, out)) return;
  const Person* to = named(from, request.person(), out);
  if (to == nullptr) return;
  if (stage_ == Stage::starting) return refuse(out, from, v1::ERROR_CODE_BUSY);
  if (!game_) {
    owner_ = to->player;
    return show_state(out, from);
  }
  if (game_->over()) return refuse(out, from, v1::ERROR_CODE_GAME_OVER);
  write(from, Entry{.deed = NewOwner{to->player}, .seat = find(from.session)->seat, .when = now}, out);
}

void Room::mute(Request from, const v1::Mute& request, Outbox& out) {
  if (!owns(from, out)) return;
  const Person* whom = named(from, request.person(), out);
  if (whom == nullptr) return;
  if (request.muted())
    muted_.add(whom->player);
  else
    muted_.drop(whom->player);
  show_state(out, from);
}

// ---- Invitations. There is one at a time.

void Room::invite(Request from, Instant now, Outbox& out) {
  if (!owns(from, out)) return;
  if (stage_ == Stage::starting) return refuse(out, from, v1::ERROR_CODE_BUSY);
  if (game_ && game_->over()) return refuse(out, from, v1::ERROR_CODE_GAME_OVER);
  const Token token = draw_token(house_->entropy);
  invite_ = to_text(token);
  Door changed = door();
  changed.invite = hash(token);
  if (game_) return write(from, Entry{.deed = changed, .seat = find(from.session)->seat, .when = now}, out);
  door_ = changed;
  send_invitation(from, out);
}

void Room::send_invitation(Request to, Outbox& out) {
  v1::ServerMessage message;
  message.mutable_invitation()->set_invite(std::exchange(invite_, {}));
  answer(out, to, message);
}

}  // namespace landsraad::room
