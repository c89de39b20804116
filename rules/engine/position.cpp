#include "rules/engine/position.h"

#include "rules/engine/frames.h"
#include "rules/engine/turns.h"

namespace landsraad::rules {

void clear_stack(State& state) {
  state.stack.clear();
  state.items.clear();
}

void start_turn(const Content&, State& state, Seat seat) {
  clear_stack(state);
  state.phase = Phase::turns;
  state.step = 1;
  state.turn.seat = seat;
  state.turn.kind = TurnKind::undecided;
  state.stack.push_back({.kind = FrameKind::take_turn, .seat = seat});
}

void start_agent_turn(const Content& content, State& state, Seat seat, SpaceId space, CardCopy card) {
  start_turn(content, state, seat);
  state.turn.kind = TurnKind::agent;
  state.turn.space = space;
  state.turn.card = card;
  state.stack.back() = {.kind = FrameKind::agent_turn, .seat = seat};
}

void start_reveal_turn(const Content& content, State& state, Seat seat, EventSink* sink) {
  start_turn(content, state, seat);
  Table table{content, state, sink};
  begin_reveal_turn(table, seat);
  settle(table);
}

void start_phase(const Content& content, State& state, Phase phase, EventSink* sink) {
  clear_stack(state);
  state.phase = phase;
  state.step = 0;
  state.turn = Turn{};
  Table table{content, state, sink};
  settle(table);
}

}  // namespace landsraad::rules
