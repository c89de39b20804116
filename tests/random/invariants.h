// What must hold in every position between two decisions, whatever was played before.
#pragma once

#include <array>
#include <string>

#include "rules/engine/engine.h"

namespace landsraad::testing {

// More decisions than any game of ten rounds can need: a game that passes it goes in circles.
inline constexpr std::size_t kMaxDecisionsOfGame = 20'000;

// The first invariant that the position breaks, in words; empty if all hold.
//   every card exactly once over all zones; 12 troops, 3 Spies, 2 or 3 Agents, at most 3 Control markers a
//   seat; Influence 0..6, no negative resource; Alliances as ALLY-6; points at least what the table shows;
//   somebody to decide unless the game is over; at most ten rounds.
std::string broken_invariant(const rules::Content&, const rules::State&);

// The same for a list of legal actions: not empty, nothing twice, the same when asked again, accepted by
// is_legal; a seat that is not asked has none.
std::string broken_legality(const rules::Content&, const rules::State&, rules::Seat,
                            const rules::ActionList&);

// Adds up what the events say and compares it with the state: nothing changes in silence.
class Ledger : public rules::EventSink {
 public:
  void on(const rules::Event& event) override;

  // Takes the state as it is; forgets what was added up.
  void open(const rules::State&);
  // The first figure that differs from opening figure plus events, in words; empty if none.
  std::string difference(const rules::State&) const;

 private:
  struct Account {
    std::array<int, rules::kResources> resources{};
    std::array<int, rules::kMaxFactions> influence{};
    int victory_points = 0;
  };
  std::array<Account, rules::kMaxSeats> accounts_{};
};

}  // namespace landsraad::testing
