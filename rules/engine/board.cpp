#include "rules/engine/board.h"

#include "rules/engine/resources.h"
#include "rules/engine/rulings.h"

namespace landsraad::rules {

namespace {

// TERM-14: own Agents other than the one sent this turn.
SpaceMask other_agents(const Position& at, Seat seat) {
  const Turn& turn = at.state.turn;
  SpaceMask mask = 0;
  for (SpaceId space = 0; space < at.content.spaces.size(); ++space) {
    const bool sent_now = turn.seat == seat && turn.space == space;
    if ((at.state.board.agents[space] & seat_bit(seat)) != 0 && !sent_now) mask |= space_bit(space);
  }
  return mask;
}

template <class Visit>
void for_each_flippable(const Position& at, const Frame& frame, Visit visit) {
  const Qualifiers& q = at.node(frame.node).qualifiers;
  for_each_face_up(at, frame.seat, [&](std::uint16_t id, bool objective, BattleIcon icon) {
    if (objective && !kFlipMayUseObjective) return;
    if (q.has(Word::any) || (q.battle_icons & battle_icon_bit(icon)) != 0) visit(id, objective);
  });
}

}  // namespace

void return_agent(Table& table, Seat seat, SpaceId space, Source cause) {
  SeatMask& there = table.state.board.agents[space];
  there = static_cast<SeatMask>(there & ~seat_bit(seat));
  ++table.player(seat).agents_on_leader;
  table.tell({.kind = EventKind::agent_recalled, .seat = seat, .detail = space, .cause = cause});
}

void turn_face_down(Table& table, Seat seat, std::uint16_t id, bool objective) {
  Player& player = table.player(seat);
  if (objective) {
    player.objective_face_down = true;
    return;
  }
  for (WonConflict& won : player.won)
    if (won.conflict == id) won.face_down = true;
}

void match_battle_icon(Table& table, Seat seat) {
  const ConflictId won = table.player(seat).won.back().conflict;
  const BattleIcon icon = table.content.conflicts[won].icon;
  if (icon == BattleIcon::wild) return;  // ICON-4
  int partner = -1;
  bool partner_is_objective = false;
  for_each_face_up(table, seat, [&](std::uint16_t id, bool objective, BattleIcon other) {
    if (other != icon || (!objective && id == won)) return;
    partner = id;
    partner_is_objective = objective;
  });
  if (partner < 0) return;
  turn_face_down(table, seat, won, false);
  turn_face_down(table, seat, static_cast<std::uint16_t>(partner), partner_is_objective);
  const Effect effect{kNoNode, seat, {SourceKind::conflict, 0, won}};
  Event event = change(EventKind::battle_icons_matched, effect, 1);
  event.subject = won;
  event.detail = static_cast<std::uint8_t>(icon);
  table.tell(event);
  change_victory_points(table, effect, 1);
}

// ---- Operations ------------------------------------------------------------------------------------

Duty duty_of_high_council(const Position& at, const Effect& effect, int) {
  return at.player(effect.seat).high_council ? Duty::none : Duty::must;
}

void run_high_council(Table& table, const Effect& effect, int) {
  table.player(effect.seat).high_council = true;
  table.tell(change(EventKind::high_council_seat, effect, 1));
  const Turn& turn = table.state.turn;
  if (turn.seat == effect.seat && turn.kind == TurnKind::reveal)  // COUNCIL-5
    gain_persuasion(table, {kNoNode, effect.seat, {SourceKind::high_council, 0, 0}}, kCouncilPersuasion);
}

Duty duty_of_swordmaster(const Position& at, const Effect& effect, int) {
  return at.player(effect.seat).swordmaster ? Duty::none : Duty::must;
}

void run_swordmaster(Table& table, const Effect& effect, int) {
  Player& player = table.player(effect.seat);
  player.swordmaster = true;
  ++player.agents_on_leader;  // SWORD-1: usable this round
  table.tell(change(EventKind::swordmaster_taken, effect, 1));
}

// WORM-3: a second one gives nothing.
void run_maker_hooks(Table& table, const Effect& effect, int) {
  Player& player = table.player(effect.seat);
  if (player.maker_hooks) return;
  player.maker_hooks = true;
  table.tell(change(EventKind::maker_hooks_taken, effect, 1));
}

// CTRL-2
void run_control(Table& table, const Effect& effect, int) {
  const auto space = static_cast<SpaceId>(table.node(effect.node).qualifiers.ref);
  Seat& controller = table.state.board.control[space];
  if (controller == effect.seat) return;
  controller = effect.seat;
  Event event = change(EventKind::control_taken, effect, 1);
  event.detail = space;
  table.tell(event);
}

void run_ignore_requirements(Table& table, const Effect&, int) {
  table.state.turn.ignore_requirements = true;
}

Duty duty_of_recall_agent(const Position& at, const Effect& effect, int) {
  return other_agents(at, effect.seat) != 0 ? Duty::must : Duty::none;
}

void run_recall_agent(Table& table, const Effect& effect, int amount) { push_choices(table, effect, amount); }

void list_recall_agent(const Position& at, const Frame& frame, ActionList& out) {
  const SpaceMask mask = other_agents(at, frame.seat);
  for (SpaceId space = 0; space < at.content.spaces.size(); ++space)
    if ((mask & space_bit(space)) != 0) out.push_back({.kind = ActionKind::recall_agent, .target = space});
}

void choose_recall_agent(Table& table, Frame& frame, const Action& action) {
  --frame.left;
  return_agent(table, frame.seat, static_cast<SpaceId>(action.target), frame.source);
}

Duty duty_of_flip_icon(const Position& at, const Effect& effect, int amount) {
  int found = 0;
  for_each_flippable(at, {.seat = effect.seat, .node = effect.node}, [&](std::uint16_t, bool) { ++found; });
  return found >= amount ? Duty::must : Duty::none;
}

void run_flip_icon(Table& table, const Effect& effect, int amount) { push_choices(table, effect, amount); }

void list_flip_icon(const Position& at, const Frame& frame, ActionList& out) {
  for_each_flippable(at, frame, [&](std::uint16_t id, bool objective) {
    out.push_back({.kind = ActionKind::choose_conflict,
                   .option = objective ? std::uint8_t{1} : std::uint8_t{0},
                   .subject = id});
  });
}

void choose_flip_icon(Table& table, Frame& frame, const Action& action) {
  --frame.left;
  turn_face_down(table, frame.seat, action.subject, action.option == 1);
}

}  // namespace landsraad::rules
