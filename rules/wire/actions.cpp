#include "rules/wire/actions.h"

#include <array>
#include <limits>

#include "rules/wire/words.h"

namespace landsraad::wire {

namespace {

using rules::ActionKind;

// The engine's kind for each number of the wire, made from the one table that goes the other way.
std::array<ActionKind, v1::ActionKind_ARRAYSIZE> kinds_by_wire() {
  std::array<ActionKind, v1::ActionKind_ARRAYSIZE> kinds{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(ActionKind::count_); ++k) {
    const auto kind = static_cast<ActionKind>(k);
    kinds[static_cast<std::size_t>(to_wire(kind))] = kind;
  }
  return kinds;
}

template <class Narrow>
bool fits(std::uint32_t number) {
  return number <= std::numeric_limits<Narrow>::max();
}

}  // namespace

void to_wire(const rules::Action& action, v1::Action& out) {
  out.Clear();
  out.set_kind(to_wire(action.kind));
  out.set_option(action.option);
  out.set_subject(action.subject);
  out.set_target(action.target);
  if (action.post != rules::kNoPost) out.set_post(action.post);
}

std::optional<rules::Action> from_wire(const v1::Action& action) {
  static const auto kKinds = kinds_by_wire();
  if (!v1::ActionKind_IsValid(action.kind())) return std::nullopt;
  const ActionKind kind = kKinds[static_cast<std::size_t>(action.kind())];
  if (kind == ActionKind::none) return std::nullopt;
  if (!fits<std::uint8_t>(action.option()) || !fits<std::uint16_t>(action.subject()) ||
      !fits<std::uint16_t>(action.target()))
    return std::nullopt;
  if (action.has_post() && action.post() >= rules::kMaxPosts) return std::nullopt;
  return rules::Action{
      .kind = kind,
      .option = static_cast<std::uint8_t>(action.option()),
      .subject = static_cast<std::uint16_t>(action.subject()),
      .target = static_cast<std::uint16_t>(action.target()),
      .post = action.has_post() ? static_cast<rules::PostId>(action.post()) : rules::kNoPost,
  };
}

void to_wire(const rules::Content& content, const rules::Decision& decision, v1::Decision& out) {
  out.Clear();
  out.set_kind(to_wire(decision.kind));
  out.set_seat(decision.seat);
  out.set_node(decision.node);
  const WireSource source = to_wire(content, decision.source);
  out.set_source_kind(source.kind);
  out.set_source_id(source.id);
}

void encode_waiting(const rules::Content& content, const rules::State& state,
                    google::protobuf::RepeatedPtrField<v1::Decision>& out) {
  out.Clear();
  const rules::SeatMask asked = rules::deciders(state);
  for (rules::Seat seat = 0; seat < state.options.seats; ++seat)
    if ((asked & rules::seat_bit(seat)) != 0)
      to_wire(content, rules::pending(content, state, seat), *out.Add());
}

void encode_legal_actions(const rules::Content& content, const rules::State& state, rules::Seat seat,
                          v1::LegalActions& out) {
  const rules::ActionList legal = rules::legal_actions(content, state, seat);
  encode_legal_actions(content, state, seat, std::span(legal.begin(), legal.end()), out);
}

void encode_legal_actions(const rules::Content& content, const rules::State& state, rules::Seat seat,
                          std::span<const rules::Action> legal, v1::LegalActions& out) {
  out.Clear();
  out.set_version(state.version);
  const rules::Decision decision = rules::pending(content, state, seat);
  if (decision.kind == rules::DecisionKind::none) return;
  to_wire(content, decision, *out.mutable_decision());
  for (const rules::Action& action : legal) to_wire(action, *out.add_actions());
}

}  // namespace landsraad::wire
