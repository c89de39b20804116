#include "server/room/plan.h"

namespace landsraad::room {

SeatPlan::SeatPlan(const v1::Plan& wish, const rules::State& state)
    : pass_combat_(wish.pass_combat()), printed_order_(wish.printed_order()), round_(state.round) {
  expire(state);
}

v1::Plan SeatPlan::to_message() const {
  v1::Plan plan;
  plan.set_pass_combat(pass_combat_);
  plan.set_printed_order(printed_order_);
  return plan;
}

bool SeatPlan::expire(const rules::State& state) {
  const bool over = state.round != round_ || state.phase > rules::Phase::combat;
  if (!pass_combat_ || !over) return false;
  pass_combat_ = false;
  return true;
}

rules::Action SeatPlan::answer(const rules::Content& content, const rules::State& state,
                               rules::Seat seat) const {
  const rules::DecisionKind asked = rules::pending(content, state, seat).kind;
  if (pass_combat_ && asked == rules::DecisionKind::combat_intrigue) return {.kind = rules::ActionKind::done};
  if (printed_order_) return rules::next_in_printed_order(content, state, seat);
  return {};
}

}  // namespace landsraad::room
