// Who is in the room.
#include "server/room/room.h"

#include <algorithm>
#include <utility>

namespace landsraad::room {

Room::Room(House& house, RoomId id, Founding founding, Instant now)
    : house_(&house),
      id_(std::move(id)),
      options_(std::move(founding.options)),
      seats_(options_.players()),
      founder_(founding.owner),
      owner_(founding.owner),
      door_(std::move(founding.door)),
      empty_since_(now) {
  seed_ = draw_seed(house.entropy);
  for (std::size_t seat = 0; seat < founding.seats.size(); ++seat) {
    const OpeningSeat& given = founding.seats[seat];
    seats_[seat] = SeatHolder{true, false, given.name, given.token, given.player, {}, now};
    person_of({given.name, given.player});
  }
}

void Room::handle(Request from, const v1::ClientMessage& message, Instant now, Outbox& out) {
  if (find(from.session) == nullptr) return refuse(out, from, v1::ERROR_CODE_BUSY);  // the room still wakes
  dispatch(from, message, now, out);
  go_on(now, out);
}

void Room::dispatch(Request from, const v1::ClientMessage& message, Instant now, Outbox& out) {
  switch (message.body_case()) {
    case v1::ClientMessage::kAct:
      return hold(from, message, now, out) ? void() : act(from, message.act(), now, out);
    case v1::ClientMessage::kUndo:
      return hold(from, message, now, out) ? void() : undo(from, message.undo(), now, out);
    case v1::ClientMessage::kResign:
      return hold(from, message, now, out) ? void() : resign(from, now, out);
    case v1::ClientMessage::kPropose:
      return propose(from, message.propose(), out);
    case v1::ClientMessage::kVote:
      return vote(from, message.vote(), out);
    case v1::ClientMessage::kAutoplay:
      return hold(from, message, now, out) ? void() : autoplay(from, message.autoplay(), now, out);
    case v1::ClientMessage::kResync:
      return resync(from, message.resync(), now, out);
    case v1::ClientMessage::kTakeSeat:
      return take_seat(from, message.take_seat(), now, out);
    case v1::ClientMessage::kLeaveSeat:
      return leave_seat(from, out);
    case v1::ClientMessage::kReady:
      return set_ready(from, message.ready(), out);
    case v1::ClientMessage::kStartGame:
      return start(from, now, out);
    case v1::ClientMessage::kKick:
      return kick(from, message.kick(), now, out);
    case v1::ClientMessage::kTransfer:
      return hold(from, message, now, out) ? void() : transfer(from, message.transfer(), now, out);
    case v1::ClientMessage::kMute:
      return mute(from, message.mute(), out);
    case v1::ClientMessage::kInvite:
      return hold(from, message, now, out) ? void() : invite(from, now, out);
    case v1::ClientMessage::kChat:
      return chat(from, message.chat(), now, out);
    case v1::ClientMessage::kPlan:
      return plan(from, message.plan(), out);
    case v1::ClientMessage::kPreviewReveal:
      return preview_reveal(from, out);
    case v1::ClientMessage::kGetLog:
      return get_log(from, message.get_log(), out);
    case v1::ClientMessage::kGetRecord:
      return get_record(from, now, out);
    default:
      return refuse(out, from, v1::ERROR_CODE_MALFORMED);
  }
}

// ---- People.

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

Room::Person& Room::person_of(const Caller& caller) {
  const auto it = std::find_if(people_.begin(), people_.end(),
                               [&](const Person& person) { return person.player == caller.player; });
  if (it == people_.end()) return people_.emplace_back(Person{++last_person_, caller.player, caller.name});
  it->name = caller.name;
  return *it;
}

Room::Person& Room::person(std::uint32_t id) {
  return *std::find_if(people_.begin(), people_.end(),
                       [id](const Person& person) { return person.id == id; });
}

// Those who are neither here nor have a seat are nobody's business any more.
void Room::forget_strangers() {
  std::erase_if(people_, [this](const Person& person) {
    return !seat_of_player(person.player) && !is_here(person.id);
  });
}

Room::Occupant* Room::seated(Request from, Outbox& out) {
  Occupant* occupant = find(from.session);
  if (occupant->seat != rules::kNoSeat) return occupant;
  refuse(out, from, v1::ERROR_CODE_NOT_SEATED);
  return nullptr;
}

// ---- Coming and going.

bool Room::join(Request from, const Caller& caller, const v1::JoinRoom& request, Instant now, Outbox& out) {
  if (stage_ == Stage::waking) {
    if (waiting_joins_.size() >= house_->limits.waiting_joins) {
      refuse(out, from, v1::ERROR_CODE_BUSY);
      return false;
    }
    waiting_joins_.push_back({from, caller, request});
    return true;
  }
  const std::optional<rules::Seat> owned =
      request.seat_token().empty() ? seat_of_player(caller.player) : seat_of_token(request.seat_token());
  if (const Refusal why = why_not_in(caller, request, owned); why.code != v1::ERROR_CODE_UNSPECIFIED) {
    refuse(out, from, why.code, why.sentence);
    return false;
  }
  idle_ = false;
  const rules::Seat seat = owned.value_or(rules::kNoSeat);
  const std::uint32_t person = person_of(caller).id;
  occupants_.push_back({from.session, person, seat});

  v1::ServerMessage message;
  v1::RoomJoined& joined = *message.mutable_room_joined();
  write_state(*joined.mutable_room());
  if (owned) joined.set_seat(seat);
  if (owned) *joined.mutable_plan() = plans_[seat].to_message();
  joined.set_person(person);
  for (const v1::ChatLine& said : chat_.latest()) *joined.add_chat() = said;
  if (game_) {
    const auto held = request.has_held_version() ? std::optional{request.held_version()} : std::nullopt;
    write_game(seat, held, now, *joined.mutable_game());
  }
  answer(out, from, message);
  show_state(out, {}, from.session);
  come_back(seat, now, out);
  return true;
}

bool Room::leave(Request from, Instant now, Outbox& out) {
  if (owes_answer(from.session)) {
    refuse(out, from, v1::ERROR_CODE_BUSY,
           "An earlier request of yours is still being carried out; leave after its answer.");
    return false;
  }
  const bool owner_leaves = is_owner(find(from.session)->person);
  remove(from.session, now);
  if (owner_leaves && stage_ == Stage::lobby && !seat_of_player(owner_)) inherit();
  v1::ServerMessage message;
  message.mutable_room_left();
  answer(out, from, message);
  show_state(out);
  go_on(now, out);
  return true;
}

bool Room::owes_answer(SessionId session) const {
  const auto asked = [session](const auto& waiting) { return waiting.from.session == session; };
  const auto is_its = [session](Request request) { return request.session == session; };
  return std::any_of(record_askers_.begin(), record_askers_.end(), is_its) ||
         (pending_start_ && asked(*pending_start_)) || (pending_step_ && asked(*pending_step_)) ||
         std::any_of(held_requests_.begin(), held_requests_.end(), asked) ||
         std::any_of(waiting_joins_.begin(), waiting_joins_.end(), asked);
}

void Room::remove(SessionId session, Instant now) {
  if (const Occupant* occupant = find(session)) {
    const rules::Seat seat = occupant->seat;
    if (is_owner(occupant->person)) owner_left_ = now;
    occupants_.erase(occupants_.begin() + (occupant - occupants_.data()));
    if (seat != rules::kNoSeat && connections(seat) == 0) seats_[seat].absent_since = now;
  }
  const auto asked = [session](const auto& waiting) { return waiting.from.session == session; };
  std::erase_if(held_requests_, asked);
  std::erase_if(waiting_joins_, asked);
  std::erase_if(record_askers_, [session](Request request) { return request.session == session; });
  if (occupants_.empty()) empty_since_ = now;
  forget_strangers();
}

void Room::disconnect(SessionId session, Instant now, Outbox& out) {
  remove(session, now);
  if (stage_ != Stage::waking) show_state(out);
  go_on(now, out);
}

void Room::put_out(SessionId session, v1::RoomLeft::Reason reason, Instant now, Outbox& out) {
  v1::ServerMessage message;
  message.mutable_room_left()->set_reason(reason);
  out.send(session, to_frame(message));
  out.put_out.push_back(session);
  remove(session, now);
}

void Room::put_all_out(Outbox& out) {
  v1::ServerMessage message;
  message.mutable_room_left()->set_reason(v1::RoomLeft::REASON_CLOSED);
  const Frame frame = to_frame(message);
  for (const Occupant& occupant : occupants_) {
    out.send(occupant.session, frame);
    out.put_out.push_back(occupant.session);
  }
  occupants_.clear();
}

void Room::tick(Instant now, Outbox& out) {
  if (clocks_stand_until_ && now >= *clocks_stand_until_) {
    clocks_stand_until_.reset();
    game_->let_clocks_go(now);
  }
  go_on(now, out);
  if (stage_ != Stage::lobby) return;
  bool changed = false;
  for (std::size_t seat = 0; seat < seats_.size(); ++seat) {
    const SeatHolder& holder = seats_[seat];
    if (!holder.taken || connections(static_cast<rules::Seat>(seat)) > 0) continue;
    if (now - holder.absent_since < house_->limits.seat_grace) continue;
    free_seat(static_cast<rules::Seat>(seat));
    changed = true;
  }
  if (now - owner_left_ >= house_->limits.seat_grace && !seat_of_player(owner_)) changed |= inherit();
  if (changed) show_state(out);
}

bool Room::may_go(Instant now) const {
  if (lost_) return true;
  const std::optional<Instant> since = deserted_since();
  if (!since || clocks_stand_until_) return false;
  const auto& limits = house_->limits;
  if (!game_) return now - *since >= limits.lobby_idle;
  // Not for a nap that is shorter than it takes to notice that nobody is there.
  const std::optional<Instant> end = game_->clocks().next_end();
  if (end && *end - now < limits.sleep_after) return false;
  return idle_ || now - *since >= limits.sleep_after;
}

StorageRequest Room::go_to_sleep(Outbox& out) {
  if (clocks_stand_until_) game_->let_clocks_go(*clocks_stand_until_);
  if (!game_->over() && game_->records() > snapshot_covers_) keep_snapshot(out);
  StorageRequest request;
  request.verb = StorageVerb::sleep;
  request.game = id_;
  request.epoch = epoch_;
  request.when = game_->over() ? kNever : game_->clocks().next_end().value_or(kNever);
  return request;
}

std::optional<Instant> Room::deserted_since() const {
  if (!occupants_.empty() || !waiting_joins_.empty() || waits_for_storage_) return std::nullopt;
  return empty_since_;
}

}  // namespace landsraad::room
