// The round: Round Start, the order of turns, Makers, Recall (START, TURN, MAKER, RECALL).
#include "rules/engine/board.h"
#include "rules/engine/cards.h"
#include "rules/engine/frames.h"
#include "rules/engine/phases.h"
#include "rules/engine/turns.h"
#include "rules/engine/units.h"

namespace landsraad::rules {

namespace {

constexpr int kHandSize = 5;      // START-3
constexpr int kPointsToEnd = 10;  // RECALL-1

void enter(Table& table, Phase phase) {
  table.state.phase = phase;
  table.state.step = 0;
  table.tell({.kind = EventKind::phase_began, .amount = static_cast<std::int16_t>(phase)});
}

// START-1, START-2
void reveal_conflict(Table& table) {
  State& state = table.state;
  ++state.round;
  table.tell({.kind = EventKind::round_began, .amount = state.round});
  const ConflictId id = state.board.conflict_deck.pop_back();
  state.board.conflicts.push_back(id);
  table.tell({.kind = EventKind::conflict_revealed, .subject = id});
  const SpaceId location = table.content.conflicts[id].location;
  if (location == kNoSpace) return;
  const Seat controller = state.board.control[location];
  if (controller != kNoSeat && table.player(controller).supply > 0)
    state.stack.push_back({.kind = FrameKind::defensive_bonus,
                           .seat = controller,
                           .source = {SourceKind::control, 0, location}});
}

// START-3
void draw_hands(Table& table) {
  clockwise(table.state, table.state.first_player, [&](Seat seat) {
    draw_cards(table, {kNoNode, seat, {}}, kHandSize);
  });
}

void advance_round_start(Table& table) {
  if (table.state.step++ == 0) {
    reveal_conflict(table);
    return;
  }
  draw_hands(table);
  enter(table, Phase::turns);
}

// TURN-1, TURN-5, TURN-6
void advance_turns(Table& table) {
  State& state = table.state;
  const bool first_turn = state.step == 0;
  state.step = 1;
  Seat seat = first_turn ? state.first_player : state.next_seat(state.turn.seat);
  for (Seat n = 0; n < state.options.seats; ++n, seat = state.next_seat(seat)) {
    if (state.players[seat].revealed) continue;
    begin_turn(table, seat);
    return;
  }
  state.turn = Turn{};
  enter(table, Phase::combat);
}

// MAKER-1
void add_bonus_spice(Table& table) {
  Board& board = table.state.board;
  for (SpaceId space = 0; space < table.content.spaces.size(); ++space) {
    if (!table.content.spaces[space].maker || board.agents[space] != 0) continue;
    ++board.bonus_spice[space];
    table.tell({.kind = EventKind::bonus_spice, .detail = space, .amount = 1});
  }
  enter(table, Phase::recall);
}

bool endgame_begins(const State& state) {
  if (state.board.conflict_deck.empty()) return true;
  for (Seat seat = 0; seat < state.options.seats; ++seat)
    if (state.players[seat].victory_points >= kPointsToEnd) return true;
  return false;
}

// RECALL-1, RECALL-3
void recall(Table& table) {
  State& state = table.state;
  if (endgame_begins(state)) {
    enter(table, Phase::endgame);
    return;
  }
  for (SpaceId space = 0; space < table.content.spaces.size(); ++space)
    for (Seat seat = 0; seat < state.options.seats; ++seat)
      if ((state.board.agents[space] & seat_bit(seat)) != 0) return_agent(table, seat, space, {});
  for (Seat seat = 0; seat < state.options.seats; ++seat) {
    state.players[seat].revealed = false;
    state.players[seat].reveal_order = 0;
  }
  state.reveals = 0;
  state.first_player = state.next_seat(state.first_player);
  table.tell({.kind = EventKind::first_player, .seat = state.first_player});
  enter(table, Phase::round_start);
}

}  // namespace

void advance_phase(Table& table) {
  switch (table.state.phase) {
    case Phase::setup:
      enter(table, Phase::round_start);
      return;
    case Phase::round_start:
      advance_round_start(table);
      return;
    case Phase::turns:
      advance_turns(table);
      return;
    case Phase::combat:
      advance_combat(table);
      return;
    case Phase::makers:
      add_bonus_spice(table);
      return;
    case Phase::recall:
      recall(table);
      return;
    case Phase::endgame:
      advance_endgame(table);
      return;
    case Phase::over:
      return;
  }
}

void list_defensive_bonus(const Position&, ActionList& out) {
  out.push_back({.kind = ActionKind::defend});
  out.push_back(kDone);
}

void choose_defensive_bonus(Table& table, const Action& action) {
  const Frame frame = top(table);
  pop(table);
  if (action.kind == ActionKind::defend) deploy_from_supply(table, {kNoNode, frame.seat, frame.source}, 1);
}

}  // namespace landsraad::rules
