#include "rules/engine/units.h"

#include <algorithm>

#include "rules/engine/triggers.h"

namespace landsraad::rules {

namespace {

std::uint8_t byte(int value) { return static_cast<std::uint8_t>(value); }

void count_deployed(Table& table, Seat seat, int units) {
  Turn& turn = table.state.turn;
  if (turn.seat != seat || units == 0) return;
  turn.units_deployed = byte(std::max(0, turn.units_deployed + units));  // UNIT-14: net
  if (units > 0) on_units_deployed(table, seat);
}

struct Range {
  int low, high;
};

// How many troops an effect may retreat: "up to n" and "any number" are written as such, the rest exact.
Range retreat_range(const Position& at, const Effect& effect) {
  const Node& node = at.node(effect.node);
  const int troops = at.player(effect.seat).troops_in_conflict;
  if (node.amount == kAmountAny) return {0, troops};
  const int high = std::min<int>(node.amount_max, troops);
  return {std::max<int>(node.amount, node.qualifiers.compare == Compare::none ? 1 : 0), high};
}

void list_amounts(ActionList& out, Range range) {
  for (int n = range.low; n <= range.high; ++n)
    out.push_back({.kind = ActionKind::choose_amount, .option = byte(n)});
}

}  // namespace

void recruit(Table& table, const Effect& effect, int amount) {
  Player& player = table.player(effect.seat);
  const int troops = std::min<int>(amount, player.supply);
  if (troops <= 0) return;
  player.supply = byte(player.supply - troops);
  player.garrison = byte(player.garrison + troops);
  Turn& turn = table.state.turn;
  if (turn.seat == effect.seat) turn.recruited = byte(turn.recruited + troops);
  table.tell(change(EventKind::troops_recruited, effect, troops));
}

void deploy_from_garrison(Table& table, const Effect& effect, int amount) {
  Player& player = table.player(effect.seat);
  player.garrison = byte(player.garrison - amount);
  player.troops_in_conflict = byte(player.troops_in_conflict + amount);
  if (amount > 0) table.tell(change(EventKind::troops_deployed, effect, amount));
  count_deployed(table, effect.seat, amount);
}

// UNIT-13
void deploy_from_supply(Table& table, const Effect& effect, int amount) {
  Player& player = table.player(effect.seat);
  const int troops = std::min<int>(amount, player.supply);
  player.supply = byte(player.supply - troops);
  player.troops_in_conflict = byte(player.troops_in_conflict + troops);
  if (troops > 0) table.tell(change(EventKind::troops_deployed, effect, troops));
  count_deployed(table, effect.seat, troops);
}

bool conflict_is_protected(const Position& at) {
  const Board& board = at.state.board;
  if (!board.shield_wall || board.conflicts.empty()) return false;
  const SpaceId location = at.content.conflicts[board.conflicts.back()].location;
  return location != kNoSpace && at.content.spaces[location].critical;
}

int deployable(const Position& at, Seat seat) {
  const Turn& turn = at.state.turn;
  if (turn.seat != seat || turn.kind != TurnKind::agent || turn.space == kNoSpace) return 0;
  const bool combat = at.content.spaces[turn.space].combat;
  int allowance = combat ? kGarrisonAllowance : 0;
  if (combat || turn.deploy_recruited) allowance += turn.recruited;
  return std::max(0, std::min<int>(at.player(seat).garrison, allowance - turn.deployed_by_limit));
}

void list_deployments(const Position& at, Seat seat, ActionList& out) {
  for (int n = 1; n <= deployable(at, seat); ++n)
    out.push_back({.kind = ActionKind::deploy, .option = byte(n)});
}

void choose_deployment(Table& table, Seat seat, const Action& action) {
  Turn& turn = table.state.turn;
  turn.deployed_by_limit = byte(turn.deployed_by_limit + action.option);
  deploy_from_garrison(table, {kNoNode, seat, space_source(turn.space)}, action.option);
}

// ---- Operations ------------------------------------------------------------------------------------

// SUPPLY-7, ORDER-6
Duty duty_of_troop(const Position& at, const Effect& effect, int) {
  return at.player(effect.seat).supply > 0 ? Duty::must : Duty::none;
}

void run_troop(Table& table, const Effect& effect, int amount) { recruit(table, effect, amount); }

// WORM-5
Duty duty_of_sandworm(const Position& at, const Effect&, int) {
  return at.state.board.conflicts.empty() || conflict_is_protected(at) ? Duty::none : Duty::must;
}

void run_sandworm(Table& table, const Effect& effect, int amount) {
  Player& player = table.player(effect.seat);
  player.sandworms = byte(player.sandworms + amount);
  table.tell(change(EventKind::sandworms_summoned, effect, amount));
  count_deployed(table, effect.seat, amount);
}

// WALL-4: picking it removes the Wall; it can always be left alone.
Duty duty_of_blow_wall(const Position& at, const Effect&, int) {
  return at.state.board.shield_wall ? Duty::may : Duty::none;
}

void run_blow_wall(Table& table, const Effect& effect, int) {
  table.state.board.shield_wall = false;
  table.tell(change(EventKind::shield_wall_removed, effect, 0));
}

Duty duty_of_deploy(const Position& at, const Effect& effect, int) {
  const Node& node = at.node(effect.node);
  if (node.qualifiers.has(Word::recruited_this_turn)) return Duty::must;  // a permission, see run_deploy
  return at.player(effect.seat).garrison > 0 ? Duty::may : Duty::none;
}

void run_deploy(Table& table, const Effect& effect, int) {
  if (table.node(effect.node).qualifiers.has(Word::recruited_this_turn))
    table.state.turn.deploy_recruited = true;
  else
    push_choices(table, effect, 1);
}

void list_deploy(const Position& at, const Frame& frame, ActionList& out) {
  const int most = std::min<int>(at.node(frame.node).amount_max, at.player(frame.seat).garrison);
  list_amounts(out, {1, most});
}

void choose_deploy(Table& table, Frame& frame, const Action& action) {
  const Effect effect{frame.node, frame.seat, frame.source};
  frame.left = 0;
  deploy_from_garrison(table, effect, action.option);
}

Duty duty_of_retreat(const Position& at, const Effect& effect, int) {
  const Node& node = at.node(effect.node);
  const Range range = retreat_range(at, effect);
  if (range.low > range.high) return Duty::none;
  const bool up_to = node.amount != kAmountAny && node.qualifiers.compare == Compare::none && !node.is_cost;
  return up_to ? Duty::may : Duty::must;
}

void run_retreat(Table& table, const Effect& effect, int) { push_choices(table, effect, 1); }

void list_retreat(const Position& at, const Frame& frame, ActionList& out) {
  list_amounts(out, retreat_range(at, {frame.node, frame.seat, frame.source}));
}

void choose_retreat(Table& table, Frame& frame, const Action& action) {
  const Effect effect{frame.node, frame.seat, frame.source};
  frame.left = 0;
  Player& player = table.player(effect.seat);
  player.troops_in_conflict = byte(player.troops_in_conflict - action.option);
  player.garrison = byte(player.garrison + action.option);
  if (action.option > 0) table.tell(change(EventKind::troops_retreated, effect, action.option));
  count_deployed(table, effect.seat, -action.option);
}

}  // namespace landsraad::rules
