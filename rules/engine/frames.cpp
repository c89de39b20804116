#include "rules/engine/frames.h"

#include <array>

#include "rules/engine/factions.h"
#include "rules/engine/intrigue.h"
#include "rules/engine/phases.h"
#include "rules/engine/require.h"
#include "rules/engine/turns.h"

namespace landsraad::rules {

namespace {

// ---- menu ----

// Takes what need not be asked; false if the player must choose.
bool step_menu(Table& table) {
  const std::size_t menu = top_index(table.state);
  if (run_plain_items(table, menu)) return true;
  ActionList entries;
  list_entries(table, menu, entries);
  if (entries.empty()) {
    drop_items(table, menu);  // ORDER-6: what is impossible to the end is lost
    pop(table);
    return true;
  }
  if (entries.size() > 1 || !has_obligation(table, menu)) return false;
  resolve_entry(table, entries[0]);
  return true;
}

void list_menu(const Position& at, ActionList& out) {
  list_entries(at, top_index(at.state), out);
  if (!has_obligation(at, top_index(at.state))) out.push_back(kDone);
}

void choose_from_menu(Table& table, const Action& action) {
  if (action.kind == ActionKind::resolve) {
    resolve_entry(table, action);
    return;
  }
  drop_items(table, top_index(table.state));
  pop(table);
}

// ---- sequence, arrow, opponents ----

bool step_sequence(Table& table) {
  Frame& frame = top(table);
  NodeId part = table.node(frame.node).child;
  for (unsigned n = 0; n < frame.step && part != kNoNode; ++n) part = table.node(part).next;
  const Effect effect{part, frame.seat, frame.source};
  ++frame.step;
  if (part == kNoNode)
    pop(table);
  else
    run(table, effect);
  return true;
}

bool step_arrow(Table& table) {
  const Frame frame = top(table);
  pop(table);
  run(table, {table.node(table.node(frame.node).child).next, frame.seat, frame.source});
  return true;
}

bool step_opponents(Table& table) {
  Frame& frame = top(table);
  if (frame.left == 0) {
    pop(table);
    return true;
  }
  const auto seats = static_cast<int>(table.state.options.seats);
  const auto opponent = static_cast<Seat>((frame.seat + seats - frame.left) % seats);
  --frame.left;
  run(table, {table.node(frame.node).child, opponent, frame.source});
  return true;
}

// ---- operation ----

// Whether an only answer may be taken without asking: not if it would tell others about hidden cards.
bool answer_is_public(const Position& at, const Frame& frame) {
  switch (at.node(frame.node).op) {
    case Op::discard:
      return at.player(frame.seat).cards.size(Zone::hand) == 1;
    case Op::trash_intrigue:
      return at.player(frame.seat).intrigues.size() == 1;
    case Op::trash:
      return at.player(frame.seat).cards.size(Zone::hand) == 0;
    case Op::to_hand:
    case Op::to_discard:
    case Op::trash_looked:
      return at.state.turn.looked == 1;
    default:
      return true;
  }
}

bool step_operation(Table& table) {
  Frame& frame = top(table);
  const Operation& row = operation(table.node(frame.node).op);
  ActionList answers;
  if (frame.left > 0) row.list(table, frame, answers);
  if (answers.empty()) {
    pop(table);
    return true;
  }
  if (answers.size() > 1 || !answer_is_public(table, frame)) return false;
  row.choose(table, frame, answers[0]);
  return true;
}

void list_operation(const Position& at, ActionList& out) {
  const Frame& frame = top(at);
  operation(at.node(frame.node).op).list(at, frame, out);
}

void choose_operation(Table& table, const Action& action) {
  Frame& frame = top(table);
  operation(table.node(frame.node).op).choose(table, frame, action);
}

// In the order of `enum class FrameKind`.
constexpr std::array<FrameRow, static_cast<std::size_t>(FrameKind::count_)> kFrames{{
    {},
    {DecisionKind::pick_leader, nullptr, list_leaders, choose_leader},
    {DecisionKind::defensive_bonus, nullptr, list_defensive_bonus, choose_defensive_bonus},
    {DecisionKind::take_turn, nullptr, list_take_turn, choose_take_turn},
    {DecisionKind::gather_intelligence, nullptr, list_gather_intelligence, choose_gather_intelligence},
    {DecisionKind::agent_turn, step_agent_turn, list_agent_turn, choose_agent_turn},
    {DecisionKind::reveal_turn, step_reveal_turn, list_reveal_turn, choose_reveal_turn},
    {DecisionKind::combat_intrigue, step_combat_turn, list_combat_turn, choose_combat_turn},
    {DecisionKind::none, step_combat_reward, nullptr, nullptr},
    {DecisionKind::none, step_combat_end, nullptr, nullptr},
    {DecisionKind::endgame, nullptr, list_endgame, choose_endgame},
    {DecisionKind::effects, step_menu, list_menu, choose_from_menu},
    {DecisionKind::effects, step_intrigue_lines, list_intrigue_lines, choose_intrigue_line},
    {DecisionKind::none, step_intrigue_played, nullptr, nullptr},
    {DecisionKind::none, step_sequence, nullptr, nullptr},
    {DecisionKind::none, step_arrow, nullptr, nullptr},
    {DecisionKind::none, step_opponents, nullptr, nullptr},
    {DecisionKind::none, step_operation, list_operation, choose_operation},
    {DecisionKind::choose_opponent, nullptr, list_alliance_heirs, choose_alliance_heir},
}};

}  // namespace

const FrameRow& frame_row(FrameKind kind) { return kFrames[static_cast<std::size_t>(kind)]; }

void settle(Table& table) {
  State& state = table.state;
  for (int steps = 0; state.phase != Phase::over; ++steps) {
    require(steps < kMaxSteps, "an effect does not end");
    if (state.stack.empty()) {
      advance_phase(table);
      continue;
    }
    const FrameRow& row = frame_row(state.stack.back().kind);
    if (row.step == nullptr || !row.step(table)) return;
  }
}

}  // namespace landsraad::rules
