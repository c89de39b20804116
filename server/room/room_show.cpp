// What those in the room are sent. What a viewer may see of the game is rules/wire's business alone.
#include <array>
#include <string>

#include "rules/wire/actions.h"
#include "server/room/room.h"

namespace landsraad::room {

namespace {

v1::RoomStatus to_wire(Stage stage) {
  switch (stage) {
    case Stage::waking:
    case Stage::lobby:
      return v1::ROOM_STATUS_LOBBY;
    case Stage::starting:
      return v1::ROOM_STATUS_STARTING;
    case Stage::playing:
      return v1::ROOM_STATUS_PLAYING;
    case Stage::over:
      return v1::ROOM_STATUS_OVER;
  }
  return v1::ROOM_STATUS_LOBBY;
}

}  // namespace

void Room::write_state(v1::RoomState& out) const {
  out.set_room(id_);
  *out.mutable_options() = options_;
  out.set_status(to_wire(stage_));
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    v1::SeatState& seat = *out.add_seats();
    seat.set_name(seats_[i].name);
    seat.set_taken(seats_[i].taken);
    seat.set_ready(seats_[i].ready);
    seat.set_connected(connections(static_cast<rules::Seat>(i)) > 0);
    if (!game_) continue;
    seat.set_control(game_->control(static_cast<rules::Seat>(i)));
    seat.set_nonce(seats_[i].nonce);
  }
  out.set_spectators(static_cast<std::uint32_t>(connections(rules::kNoSeat)));
  write_people(out);
  const rules::Seed& seed = game_ ? game_->opening().seed : seed_;
  out.set_seed_commitment(commitment(seed));
  out.set_rematch(rematch_);
  out.set_content_version((game_ ? game_->content() : house_->library->current()).version);
  if (!game_) return;
  out.set_paused(game_->paused());
  out.set_ending(game_->ending());
  if (game_->over()) out.set_seed(seed.data(), seed.size());
  if (proposal_) proposal_->write(table(), *out.mutable_proposal());
}

void Room::write_people(v1::RoomState& out) const {
  for (const Person& person : people_) {
    v1::Person& shown = *out.add_people();
    shown.set_id(person.id);
    shown.set_name(person.name);
    shown.set_owner(same_hash(person.player, owner()));
    shown.set_muted(muted_.has(person.player));
    if (const std::optional<rules::Seat> seat = seat_of_player(person.player)) shown.set_seat(*seat);
    for (const Occupant& occupant : occupants_) {
      if (occupant.person != person.id) continue;
      shown.set_connected(true);
      if (occupant.seat != rules::kNoSeat) shown.set_seat(occupant.seat);
    }
  }
}

RoomChange Room::line() const {
  RoomChange line;
  line.founder = founder_;
  v1::RoomSummary& out = line.summary;
  out.set_room(id_);
  *out.mutable_options() = options_;
  out.set_status(to_wire(stage_));
  for (const SeatHolder& holder : seats_)
    if (holder.taken) line.players.push_back(holder.player);
  out.set_seats_taken(static_cast<std::uint32_t>(line.players.size()));
  out.set_connections(static_cast<std::uint32_t>(occupants_.size()));
  return line;
}

void Room::tell_all(const v1::ServerMessage& message, Request asked, Outbox& out,
                    SessionId told_already) const {
  const Frame frame = to_frame(message);
  for (const Occupant& occupant : occupants_) {
    if (occupant.session == told_already) continue;
    out.send(occupant.session, occupant.session == asked.session ? as_answer(frame, asked.id) : frame);
  }
}

void Room::show_state(Outbox& out, Request asked, SessionId told_already) const {
  v1::ServerMessage& message = house_->scratch.fresh<v1::ServerMessage>();
  write_state(*message.mutable_room());
  tell_all(message, asked, out, told_already);
  out.changes.push_back(line());
}

void Room::show_state_to(Request asked, Outbox& out) const {
  v1::ServerMessage& message = house_->scratch.fresh<v1::ServerMessage>();
  write_state(*message.mutable_room());
  answer(out, asked, message);
}

void Room::write_present(rules::Seat viewer, Instant now, v1::GameUpdate& out) const {
  const Clocks& clocks = game_->clocks();
  if (!clocks.none() && !is_behind(viewer)) {
    for (rules::Seat seat = 0; seat < seats_.size(); ++seat) {
      v1::Clock& clock = *out.add_clocks();
      clock.set_seat(seat);
      clock.set_left_ms(clocks.left(seat, now).count());
      clock.set_running(clocks.running(seat));
    }
  }
  if (viewer == rules::kNoSeat) return;
  if (const std::optional<std::uint32_t> to = free_undo_to(viewer)) out.set_undo_to(*to);
  const bool decides = game_->waits_for(viewer) && game_->control(viewer) == v1::SEAT_CONTROL_OWNER;
  if (decides && !game_->paused())
    wire::encode_legal_actions(game_->content(), game_->state(), viewer, game_->legal_actions(viewer),
                               *out.mutable_decision());
}

void Room::write_game(rules::Seat viewer, std::optional<std::uint32_t> held_version, Instant now,
                      v1::GameUpdate& out) const {
  const std::uint32_t version = version_for(viewer);
  if (held_version && *held_version <= version && version - *held_version <= house_->limits.diffs) {
    v1::Diff diff;
    game_->for_each_diff(*held_version, version, wire::Viewer{viewer}, diff,
                         [&out](const Move&, v1::Diff& made) { out.add_diffs()->Swap(&made); });
  } else {
    wire::encode_snapshot(game_->content(), game_->state_at(version), wire::Viewer{viewer},
                          *out.mutable_snapshot());
  }
  write_present(viewer, now, out);
}

void Room::resync(Request from, const v1::Resync& request, Instant now, Outbox& out) {
  if (!game_) return refuse(out, from, v1::ERROR_CODE_NOT_STARTED);
  v1::ServerMessage& message = house_->scratch.fresh<v1::ServerMessage>();
  const auto held = request.has_held_version() ? std::optional{request.held_version()} : std::nullopt;
  write_game(find(from.session)->seat, held, now, *message.mutable_game());
  answer(out, from, message);
}

template <class Write>
void Room::show_each_viewer(Request asked, Outbox& out, Write write, bool spectators) const {
  // All connections to one seat see the same, and so do all spectators: encoded once for each.
  std::array<Frame, rules::kMaxSeats + 1> frames;
  for (const Occupant& occupant : occupants_) {
    if (occupant.seat == rules::kNoSeat && !spectators) continue;
    Frame& frame = frames[occupant.seat == rules::kNoSeat ? rules::kMaxSeats : occupant.seat];
    if (!frame) {
      v1::GameUpdate& update = house_->scratch.fresh<v1::GameUpdate>();
      write(occupant.seat, update);
      frame = to_frame(update);
    }
    out.send(occupant.session, occupant.session == asked.session ? as_answer(frame, asked.id) : frame);
  }
}

void Room::show_step(const PendingStep& pending, const rules::State& before, Instant now, Outbox& out) {
  const bool later = is_behind(rules::kNoSeat);
  const auto write = [&](rules::Seat viewer, v1::GameUpdate& update) {
    game_->write_diff(before, pending.step, wire::Viewer{viewer}, *update.add_diffs());
    write_present(viewer, now, update);
  };
  show_each_viewer(pending.from, out, write, !later);
  if (later) show_later(pending.step, before, out);
}

void Room::show_present(Instant now, Outbox& out) const {
  const auto write = [&](rules::Seat viewer, v1::GameUpdate& update) { write_present(viewer, now, update); };
  show_each_viewer({}, out, write, !is_behind(rules::kNoSeat));
}

void Room::show_game(Instant now, Outbox& out) const {
  show_each_viewer({}, out, [&](rules::Seat viewer, v1::GameUpdate& update) {
    write_game(viewer, std::nullopt, now, update);
  });
}

}  // namespace landsraad::room
