#include "rules/engine/engine.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

#include "rules/engine/board.h"
#include "rules/engine/effects.h"
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

SeatMask deciders(const State& state) {
  return state.stack.empty() ? SeatMask{0} : seat_bit(state.stack.back().seat);
}

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
  // Four lanes that do not wait for each other. Each step is a bijection of its lane, so a change of any
  // one word always changes the result of its lane.
  constexpr std::size_t kLanes = 4;
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  std::array<std::uint64_t, kLanes> lanes{1, 2, 3, 4};
  std::array<std::uint64_t, kLanes> words{};
  const auto* bytes = reinterpret_cast<const unsigned char*>(&state);
  for (std::size_t at = 0; at < sizeof state; at += sizeof words) {
    words = {};
    std::memcpy(words.data(), bytes + at, std::min(sizeof words, sizeof state - at));
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] = (lanes[lane] ^ words[lane]) * kOdd;
      lanes[lane] ^= lanes[lane] >> 29;
    }
  }
  std::uint64_t sum = sizeof state;
  for (const std::uint64_t lane : lanes) {
    sum = (sum ^ lane) * kOdd;
    sum ^= sum >> 32;
  }
  StateHash result{};
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<std::uint8_t>(sum >> (8 * i));
  return result;
}

Action next_in_printed_order(const Content& content, const State& state, Seat seat) {
  if ((deciders(state) & seat_bit(seat)) == 0) return {};
  switch (state.stack.back().kind) {
    case FrameKind::agent_turn:
    case FrameKind::reveal_turn:
    case FrameKind::menu:
      return next_in_order({content, state}, state.stack.size() - 1);
    default:
      return {};
  }
}

RevealPreview preview_reveal(const Content& content, const State& state, Seat seat) {
  State copy = state;
  copy.turn = Turn{};
  if (!copy.player(seat).revealed) start_reveal_turn(content, copy, seat, nullptr);
  return {.persuasion = copy.player(seat).persuasion, .strength = copy.player(seat).strength()};
}

}  // namespace landsraad::rules
