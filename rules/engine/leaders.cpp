#include "rules/engine/leaders.h"

#include <algorithm>

#include "rules/engine/triggers.h"

namespace landsraad::rules {

namespace {

const Leader& leader_of(const Position& at, Seat seat) { return at.content.leaders[at.player(seat).leader]; }

// Moves troops between supply and the leader's own zone; they are no units there.
void move_memories(Table& table, const Effect& effect, int to_zone) {
  Player& player = table.player(effect.seat);
  player.supply = static_cast<std::uint8_t>(player.supply - to_zone);
  player.memories = static_cast<std::uint8_t>(player.memories + to_zone);
  if (to_zone != 0) table.tell(change(EventKind::memories, effect, to_zone));
}

}  // namespace

void run_memory(Table& table, const Effect& effect, int amount) {
  move_memories(table, effect, std::min<int>(amount, table.player(effect.seat).supply));
}

void run_return_memories(Table& table, const Effect& effect, int) {
  const int troops = table.player(effect.seat).memories;
  table.state.turn.memories_returned = static_cast<std::uint8_t>(troops);
  move_memories(table, effect, -troops);
}

Duty duty_of_flip_leader(const Position& at, const Effect& effect, int) {
  return leader_of(at, effect.seat).other_side != kNoLeader ? Duty::must : Duty::none;
}

// CLAR-5: what the new side answers to may be used in the visit during which it was turned up.
void run_flip_leader(Table& table, const Effect& effect, int) {
  Player& player = table.player(effect.seat);
  player.leader = table.content.leaders[player.leader].other_side;
  Event event = change(EventKind::leader_flipped, effect, 1);
  event.subject = player.leader;
  table.tell(event);
  const Turn& turn = table.state.turn;
  if (turn.seat == effect.seat && turn.kind == TurnKind::agent && turn.space != kNoSpace)
    add_visit_triggers(table, effect.seat, turn.space);
}

Duty duty_of_repeat_space(const Position& at, const Effect& effect, int) {
  const Turn& turn = at.state.turn;
  return turn.seat == effect.seat && turn.kind == TurnKind::agent && turn.space != kNoSpace ? Duty::must
                                                                                            : Duty::none;
}

// CLAR-5: the printed effects, not the cost and not the Influence of the visit.
void run_repeat_space(Table& table, const Effect& effect, int) {
  const SpaceId space = table.state.turn.space;
  const Effect printed{table.content.spaces[space].effects, effect.seat, space_source(space)};
  add_items(table, static_cast<std::size_t>(turn_menu(table.state)), printed);
}

// CLAR-1: at the end of the track nothing more is gained.
Duty duty_of_track_advance(const Position& at, const Effect& effect, int) {
  const Leader& leader = leader_of(at, effect.seat);
  const std::size_t step = at.player(effect.seat).leader_step;
  return step < leader.track.size() && !leader.track[step].next.empty() ? Duty::must : Duty::none;
}

void run_track_advance(Table& table, const Effect& effect, int amount) {
  push_choices(table, effect, amount);
}

void list_track_advance(const Position& at, const Frame& frame, ActionList& out) {
  for (std::uint8_t step : leader_of(at, frame.seat).track[at.player(frame.seat).leader_step].next)
    out.push_back({.kind = ActionKind::choose_step, .option = step});
}

void choose_track_advance(Table& table, Frame& frame, const Action& action) {
  const Effect effect{frame.node, frame.seat, frame.source};
  --frame.left;
  table.player(effect.seat).leader_step = action.option;
  Event event = change(EventKind::leader_track, effect, 1);
  event.detail = action.option;
  table.tell(event);
  const NodeId reward = leader_of(table, effect.seat).track[action.option].reward;
  if (reward != kNoNode) run(table, {reward, effect.seat, effect.source});
}

}  // namespace landsraad::rules
