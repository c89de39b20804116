// The rules of the game as a pure state machine: the few verbs everything else is built on.
//
//   State state = new_game(content, options, seed);
//   while (SeatMask seats = deciders(state)) {
//     Seat seat = first_seat(seats);
//     ActionList actions = legal_actions(content, state, seat);
//     apply(content, state, seat, actions[pick]);
//   }
#pragma once

#include <array>
#include <cstdint>

#include "rules/engine/action.h"
#include "rules/engine/content.h"
#include "rules/engine/event.h"
#include "rules/engine/state.h"

namespace landsraad::rules {

// What a seat is asked. Everyone may know it; the legal actions are the seat's alone.
struct Decision {
  DecisionKind kind = DecisionKind::none;
  Seat seat = kNoSeat;
  NodeId node = kNoNode;  // the effect that asks, if any
  Source source;          // the card, space, ... that asks
  bool operator==(const Decision&) const = default;
};

// A game right after set-up, waiting for its first decision. options.seats must be 3 or 4.
State new_game(const Content&, const Options&, const Seed&, EventSink* = nullptr);

// The seats the game waits for; 0 only when the game is over. Today always one; modes with simultaneous
// choices wait for several, which may answer in any order.
SeatMask deciders(const State&);
Seat first_seat(SeatMask);

inline bool is_over(const State& state) { return state.phase == Phase::over; }

// What one of the deciders is asked; kind none for every other seat.
Decision pending(const Content&, const State&, Seat);

// All legal actions of the seat, in a deterministic order; never empty for a decider, empty for others.
void legal_actions(const Content&, const State&, Seat, ActionList& out);
inline ActionList legal_actions(const Content& content, const State& state, Seat seat) {
  ActionList out;
  legal_actions(content, state, seat, out);
  return out;
}

// Whether `action` is in legal_actions().
bool is_legal(const Content&, const State&, Seat, const Action&);

// Carries out a legal action and everything that follows up to the next decision. The caller has checked
// is_legal(); debug builds assert it. Increases state.version by one.
void apply(const Content&, State&, Seat, const Action&, EventSink* = nullptr);

// Of all bytes of the state: equal states, equal hashes. It finds accidents (a wrong replay, a damaged
// record) and is taken after every action, so it is fast and not cryptographic.
using StateHash = std::array<std::uint8_t, 8>;
StateHash hash(const State&);

// The first open effect in printed order, if all that the seat is asked about its effects is their order:
// each of them must be carried out and offers no choice. Kind none otherwise. Says nothing about what else
// the seat might do now (play an Intrigue card, deploy).
Action next_in_printed_order(const Content&, const State&, Seat);

// What a Reveal turn taken now would give before any choice is made in it; for clients.
struct RevealPreview {
  int persuasion = 0;
  int strength = 0;
};
RevealPreview preview_reveal(const Content&, const State&, Seat);

}  // namespace landsraad::rules
