#include "rules/engine/engine.h"

#include <sodium.h>

#include <cassert>
#include <cstring>

#include "rules/engine/board.h"
#include "rules/engine/frames.h"
#include "rules/engine/phases.h"
#include "rules/engine/position.h"

namespace landsraad::rules {

State new_game(const Content& content, const Options& options, const Seed& seed, EventSink* sink) {
  assert(options.seats == 3 || options.seats == 4);
  State state;
  state.options = options;
  Table table{content, state, sink};
  set_up(table, seed);
  settle(table);
  return state;
}

SeatMask deciders(const State& state) { return state.stack.empty() ? SeatMask{0} : seat_bit(state.stack.back().seat); }

Seat first_seat(SeatMask seats) { return seats == 0 ? kNoSeat : static_cast<Seat>(__builtin_ctz(seats)); }

Decision pending(const Content& content, const State& state, Seat seat) {
  if ((deciders(state) & seat_bit(seat)) == 0) return {};
  const Frame& frame = state.stack.back();
  const DecisionKind kind = frame.kind == FrameKind::operation ? operation(content.node(frame.node).op).asks
                                                               : frame_row(frame.kind).asks;
  return {.kind = kind, .seat = frame.seat, .node = frame.node, .source = frame.source};
}

void legal_actions(const Content& content, const State& state, Seat seat, ActionList& out) {
  out.clear();
  if ((deciders(state) & seat_bit(seat)) == 0) return;
  frame_row(state.stack.back().kind).list({content, state}, out);
}

bool is_legal(const Content& content, const State& state, Seat seat, const Action& action) {
  return legal_actions(content, state, seat).contains(action);
}

void apply(const Content& content, State& state, Seat seat, const Action& action, EventSink* sink) {
  assert(is_legal(content, state, seat, action));
  (void)seat;
  Table table{content, state, sink};
  ++state.version;
  frame_row(state.stack.back().kind).choose(table, action);
  settle(table);
}

StateHash hash(const State& state) {
  StateHash result{};
  static_assert(result.size() == crypto_generichash_BYTES);
  crypto_generichash(result.data(), result.size(), reinterpret_cast<const unsigned char*>(&state), sizeof state, nullptr, 0);
  return result;
}

RevealPreview preview_reveal(const Content& content, const State& state, Seat seat) {
  State copy = state;
  copy.turn = Turn{};
  if (!copy.player(seat).revealed) start_reveal_turn(content, copy, seat, nullptr);
  return {.persuasion = copy.player(seat).persuasion, .strength = copy.player(seat).strength()};
}

}  // namespace landsraad::rules
