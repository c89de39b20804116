// What must hold in every position between two decisions, whatever was played before.
#pragma once

#include <array>
#include <cstdint>
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

// Compares what the events of an action say with what it changed: nothing changes in silence.
class Ledger : public rules::EventSink {
 public:
  void on(const rules::Event& event) override;

  // Takes the state as it is, before an action; forgets all events.
  void open(const rules::State&);
  // The first figure of the state after it that the events do not account for, in words; empty if none.
  //   Added up exactly: resources, Influence, victory points, Spies on posts, Intrigue cards held, bonus
  //   spice. Must have an event of a fitting kind: other cards, troops, sandworms, Agents, Persuasion and
  //   swords.
  std::string difference(const rules::State& after) const;

 private:
  struct Account {
    std::array<int, rules::kResources> resources{};
    std::array<int, rules::kMaxFactions> influence{};
    int victory_points = 0;
    int spies_on_board = 0;
    int intrigues = 0;
    std::uint64_t kinds = 0;  // bit n = an event of EventKind n has named this seat
  };
  std::string difference_of_sums(const rules::State& after, rules::Seat) const;
  std::string silent_change(const rules::State& after, rules::Seat) const;

  rules::State before_;
  std::array<Account, rules::kMaxSeats> accounts_{};
  std::array<int, rules::kMaxSpaces> bonus_spice_{};
  std::uint64_t kinds_of_table_ = 0;
};

}  // namespace landsraad::testing
