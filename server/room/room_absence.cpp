// What happens without anybody asking for it just now: time that is up, bots that play, owners who come back,
// clocks that are written down when the server stops.
#include "server/room/autoplayer.h"
#include "server/room/room.h"

namespace landsraad::room {

// ---- One entry at a time: each is followed by its storage reply, and only that by the next.

void Room::go_on(Instant now, Outbox& out) {
  if (stage_ != Stage::playing || pending_step_ || lost_) return;
  review_proposal(out);
  if (const std::optional<Entry> entry = due(now)) write({}, *entry, out);
}

std::optional<Entry> Room::due(Instant now) const {
  if (stopping_) return stop_due(now);
  if (std::optional<Entry> entry = agreed_due(now)) return entry;
  if (std::optional<Entry> entry = return_due(now)) return entry;
  if (std::optional<Entry> entry = resume_due(now)) return entry;
  if (game_->paused()) return std::nullopt;
  if (std::optional<Entry> entry = plan_due(now)) return entry;
  if (std::optional<Entry> entry = time_out_due(now)) return entry;
  return bot_due(now);
}

// A decision whose time is up is still the bot's: its owner would run out of time once more.
std::optional<Entry> Room::return_due(Instant now) const {
  const auto returning = static_cast<rules::SeatMask>(returning_ & ~game_->clocks().out_of_time(now));
  for (rules::Seat seat = 0; seat < seats_.size(); ++seat)
    if ((returning & rules::seat_bit(seat)) != 0 && game_->control(seat) == v1::SEAT_CONTROL_BOT)
      return Entry{.deed = v1::SEAT_CONTROL_OWNER, .seat = seat, .when = now};
  return std::nullopt;
}

// When all have given up nobody is left who could agree to go on.
std::optional<Entry> Room::resume_due(Instant now) const {
  if (!game_->paused()) return std::nullopt;
  for (rules::Seat seat = 0; seat < seats_.size(); ++seat)
    if (game_->control(seat) != v1::SEAT_CONTROL_RESIGNED) return std::nullopt;
  return Entry{
      .deed = Pause{false}, .cause = v1::CAUSE_BOT, .when = now, .thinking = game_->clocks().thinking(now)};
}

std::optional<Entry> Room::time_out_due(Instant now) const {
  const Clocks& clocks = game_->clocks();
  const rules::Seat seat = rules::first_seat(clocks.out_of_time(now));
  if (seat == rules::kNoSeat || game_->control(seat) != v1::SEAT_CONTROL_OWNER) return std::nullopt;
  Entry entry{.seat = seat, .cause = v1::CAUSE_TIMEOUT, .when = now};
  switch (options_.timeout()) {
    case v1::TIMEOUT_POLICY_DEFAULT:
      entry.deed = choose_default(game_->content(), game_->state(), seat);
      entry.spent = clocks.used(seat, now);
      return entry;
    case v1::TIMEOUT_POLICY_RESIGN:
      entry.deed = giving_up();
      return entry;
    default:
      entry.deed = v1::SEAT_CONTROL_BOT;
      return entry;
  }
}

// A bot takes no time; what it is charged is what its player had used before it took over.
std::optional<Entry> Room::bot_due(Instant now) const {
  for (rules::Seat seat = 0; seat < seats_.size(); ++seat) {
    if (!game_->waits_for(seat) || game_->control(seat) == v1::SEAT_CONTROL_OWNER) continue;
    return Entry{.deed = choose_for_bot(game_->content(), game_->state(), seat),
                 .seat = seat,
                 .cause = v1::CAUSE_BOT,
                 .when = now,
                 .spent = game_->clocks().used(seat, now)};
  }
  return std::nullopt;
}

// ---- Leaving one's seat to a bot, and coming back.

Deed Room::giving_up() const {
  if (options_.resigning() == v1::RESIGN_POLICY_END) return v1::ENDING_RESIGNED;
  return v1::SEAT_CONTROL_RESIGNED;
}

void Room::resign(Request from, Instant now, Outbox& out) {
  const std::optional<rules::Seat> seat = player_of(from, out);
  if (!seat) return;
  if (game_->control(*seat) == v1::SEAT_CONTROL_RESIGNED) return show_state_to(from, out);
  write(from, {.deed = giving_up(), .seat = *seat, .when = now}, out);
}

void Room::autoplay(Request from, const v1::Autoplay& request, Instant now, Outbox& out) {
  const std::optional<rules::Seat> seat = player_of(from, out);
  if (!seat) return;
  const v1::SeatControl wanted = request.on() ? v1::SEAT_CONTROL_BOT : v1::SEAT_CONTROL_OWNER;
  if (game_->control(*seat) == v1::SEAT_CONTROL_RESIGNED)
    return refuse(out, from, v1::ERROR_CODE_NOT_ALLOWED, "This seat has been given up for good.");
  if (request.on()) returning_ &= static_cast<rules::SeatMask>(~rules::seat_bit(*seat));
  if (game_->control(*seat) == wanted) return show_state_to(from, out);
  write(from, {.deed = wanted, .seat = *seat, .when = now}, out);
}

void Room::come_back(rules::Seat seat, Instant now, Outbox& out) {
  if (game_ && seat != rules::kNoSeat && (game_->control(seat) == v1::SEAT_CONTROL_BOT || goes_to_bot(seat)))
    returning_ |= rules::seat_bit(seat);
  go_on(now, out);
}

void Room::note_absence(const Entry& entry) {
  if (std::holds_alternative<ServerStops>(entry.deed)) stopped_ = true;
  const auto* control = std::get_if<v1::SeatControl>(&entry.deed);
  if (control != nullptr && *control != v1::SEAT_CONTROL_BOT)
    returning_ &= static_cast<rules::SeatMask>(~rules::seat_bit(entry.seat));
}

bool Room::goes_to_bot(rules::Seat seat) const {
  if (!pending_step_ || pending_step_->step.entry.seat != seat) return false;
  const auto* control = std::get_if<v1::SeatControl>(&pending_step_->step.entry.deed);
  return control != nullptr && *control == v1::SEAT_CONTROL_BOT;
}

// ---- The server stops.

void Room::server_stops(Instant now, Outbox& out) {
  stopping_ = true;
  go_on(now, out);
}

// Days go on while no server runs, so nothing of them needs to be kept.
std::optional<Entry> Room::stop_due(Instant now) const {
  const Clocks& clocks = game_->clocks();
  if (stopped_ || clocks.rules().kind == ClockRules::Kind::days || !clocks.next_end()) return std::nullopt;
  return Entry{.deed = ServerStops{}, .when = now, .thinking = clocks.thinking(now)};
}

}  // namespace landsraad::room
