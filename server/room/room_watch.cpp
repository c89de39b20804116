// Spectators who see the game so many actions behind the seats, until it is over.
#include <algorithm>

#include "server/room/room.h"

namespace landsraad::room {

bool Room::is_behind(rules::Seat viewer) const {
  return viewer == rules::kNoSeat && options_.spectator_delay() > 0 && !game_->over();
}

std::uint32_t Room::version_for(rules::Seat viewer) const {
  const std::uint32_t version = game_->version();
  if (!is_behind(viewer)) return version;
  return version - std::min(version, options_.spectator_delay());
}

// Fills the queue as it would be had the room never slept.
void Room::begin_delay() {
  delay_ = Delay(options_.spectator_delay());
  if (!is_behind(rules::kNoSeat)) return;
  v1::Diff diff;
  game_->for_each_diff(version_for(rules::kNoSeat), game_->version(), wire::kSpectator, diff,
                       [this](const Move&, v1::Diff& made) {
                         v1::GameUpdate update;
                         update.add_diffs()->Swap(&made);
                         delay_.push(to_frame(update));
                       });
}

void Room::show_later(const Step& step, const rules::State& before, Outbox& out) {
  v1::GameUpdate& update = house_->scratch.fresh<v1::GameUpdate>();
  game_->write_diff(before, step, wire::kSpectator, *update.add_diffs());
  if (const Frame due = delay_.push(to_frame(update))) tell_spectators(due, out);
}

void Room::tell_spectators(const Frame& update, Outbox& out) const {
  for (const Occupant& occupant : occupants_)
    if (occupant.seat == rules::kNoSeat) out.send(occupant.session, update);
}

void Room::catch_up(Outbox& out) {
  for (const Frame& update : delay_.flush()) tell_spectators(update, out);
}

}  // namespace landsraad::room
