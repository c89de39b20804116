// What the table agrees on: to take something back, to pause and go on, to end, to let a bot play for
// somebody who is away.
#include "server/room/room.h"

namespace landsraad::room {

namespace {

bool is_in(rules::SeatMask seats, rules::Seat seat) { return (seats & rules::seat_bit(seat)) != 0; }

}  // namespace

Table Room::table() const {
  Table table;
  for (rules::Seat seat = 0; seat < seats_.size(); ++seat) {
    if (game_->control(seat) == v1::SEAT_CONTROL_OWNER) table.playing |= rules::seat_bit(seat);
    if (connections(seat) > 0) table.connected |= rules::seat_bit(seat);
  }
  return table;
}

bool Room::makes_sense(const v1::Propose& what) const {
  switch (what.what_case()) {
    case v1::Propose::kUndoTo:
      return game_->leads_through(what.undo_to());
    case v1::Propose::kPause:
      return what.pause() != game_->paused();
    case v1::Propose::kEnd:
      return what.end();
    case v1::Propose::kBotSeat: {
      if (what.bot_seat() >= seats_.size()) return false;
      const auto seat = static_cast<rules::Seat>(what.bot_seat());
      return is_in(table().playing, seat) && !is_in(table().connected, seat);
    }
    case v1::Propose::WHAT_NOT_SET:
      break;
  }
  return false;
}

void Room::propose(Request from, const v1::Propose& request, Outbox& out) {
  const std::optional<rules::Seat> seat = player_of(from, out);
  if (!seat) return;
  if (!is_in(table().playing, *seat)) return refuse(out, from, v1::ERROR_CODE_BOT_PLAYS);
  if (request.what_case() == v1::Propose::kUndoTo && options_.undo() != v1::UNDO_POLICY_CONSENT)
    return refuse(out, from, v1::ERROR_CODE_NOT_ALLOWED);
  if (proposal_ || !makes_sense(request)) return refuse(out, from, v1::ERROR_CODE_BAD_PROPOSAL);
  proposal_.emplace(++last_proposal_, *seat, request);
  show_state(out, from);
}

void Room::vote(Request from, const v1::Vote& request, Outbox& out) {
  const std::optional<rules::Seat> seat = player_of(from, out);
  if (!seat) return;
  if (!is_in(table().playing, *seat)) return refuse(out, from, v1::ERROR_CODE_BOT_PLAYS);
  if (!proposal_ || proposal_->id() != request.proposal())
    return refuse(out, from, v1::ERROR_CODE_BAD_PROPOSAL);
  if (request.agree())
    proposal_->agree(*seat);
  else
    proposal_.reset();
  show_state(out, from);
}

// Its voters are gone, or somebody has come or done something that answers it.
void Room::review_proposal(Outbox& out) {
  if (!proposal_) return;
  if (makes_sense(proposal_->what()) && proposal_->voters(table()) != 0) return;
  proposal_.reset();
  show_state(out);
}

std::optional<Entry> Room::agreed_due(Instant now) const {
  if (!proposal_ || !proposal_->carried(table())) return std::nullopt;
  const v1::Propose& what = proposal_->what();
  Entry entry{.seat = proposal_->seat(), .cause = v1::CAUSE_AGREED, .when = now};
  switch (what.what_case()) {
    case v1::Propose::kUndoTo:
      entry.deed = Undo{what.undo_to()};
      break;
    case v1::Propose::kPause:
      entry.deed = Pause{what.pause()};
      entry.thinking = game_->clocks().thinking(now);
      break;
    case v1::Propose::kEnd:
      entry.deed = v1::ENDING_AGREED;
      break;
    default:
      entry.deed = v1::SEAT_CONTROL_BOT;
      entry.seat = static_cast<rules::Seat>(what.bot_seat());
      break;
  }
  return entry;
}

}  // namespace landsraad::room
