// The stack of half-resolved effects: what each kind of frame does when it is on top. Internal.
#pragma once

#include "rules/engine/effects.h"

namespace landsraad::rules {

// One row per FrameKind.
struct FrameRow {
  DecisionKind asks = DecisionKind::none;
  // Goes on by itself. True if something was done (the stack may have changed); false if the frame
  // waits for its seat's decision. Null: always waits.
  bool (*step)(Table&) = nullptr;
  void (*list)(const Position&, ActionList&) = nullptr;
  void (*choose)(Table&, const Action&) = nullptr;
};
const FrameRow& frame_row(FrameKind kind);

// Lets the game go on until somebody must decide or the game is over.
void settle(Table&);

inline Frame& top(Table& table) { return table.state.stack.back(); }
inline const Frame& top(const Position& at) { return at.state.stack.back(); }
inline std::size_t top_index(const State& state) { return state.stack.size() - 1; }
inline void pop(Table& table) { table.state.stack.pop_back(); }

inline constexpr Action kDone{.kind = ActionKind::done};

}  // namespace landsraad::rules
