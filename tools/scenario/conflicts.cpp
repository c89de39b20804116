// Conflict cards and Objectives of a given position.
#include <algorithm>

#include "tools/scenario/placing.h"

namespace landsraad::scenario {

using namespace rules;

namespace {

constexpr int kRounds = 10;  // ROUND-2

class Conflicts : Placing {
 public:
  using Placing::Placing;

  void place_conflicts() {
    for (Seat seat = 0; seat < options_.seats; ++seat)
      for (const Part& part : parts(FieldId::won, seat))
        state_.player(seat).won.push_back({use(part, FieldId::won, seat), (part.entry.marks & kDown) != 0});
    place(FieldId::conflict, state_.board.conflicts);
    place(FieldId::conflict_deck, state_.board.conflict_deck);
    if (!said(FieldId::conflict, kNoSeat) && needs_current())
      if (const auto id = first_unused(1, 3)) state_.board.conflicts.push_back(*id);
    if (!only(FieldId::conflict_deck, kNoSeat)) fill_deck();
  }

 private:
  ConflictId use(const Part& part, FieldId id, Seat seat) {
    if (used_[part.entry.id])
      problem(line_of(id, seat), content_.conflicts[part.entry.id].id + " lies in two places");
    used_[part.entry.id] = true;
    return static_cast<ConflictId>(part.entry.id);
  }

  // Named from the top down.
  template <class Pile>
  void place(FieldId id, Pile& pile) {
    for (const Part& part : parts(id, kNoSeat)) pile.insert(0, use(part, id, kNoSeat));
  }

  // Before a Round Start and after a Combat the Conflict space is usually empty.
  bool needs_current() const {
    const Phase phase = given_.phase();
    return phase == Phase::turns || phase == Phase::combat;
  }

  // One card for each round to come (ROUND-2), levels II and III.
  void fill_deck() {
    auto& deck = state_.board.conflict_deck;
    while (deck.size() < static_cast<std::size_t>(std::max(0, kRounds - state_.round))) {
      const auto id = first_unused(2, 3);
      if (!id) return;
      deck.insert(0, *id);
    }
  }

  std::optional<ConflictId> first_unused(int from_level, int to_level) {
    for (int level = from_level; level <= to_level; ++level)
      for (std::size_t i = 0; i < used_.size(); ++i) {
        if (used_[i] || content_.conflicts[i].level != level) continue;
        used_[i] = true;
        return static_cast<ConflictId>(i);
      }
    return std::nullopt;
  }

  std::vector<bool> used_ = std::vector<bool>(content_.conflicts.size(), false);
};

class Objectives : Placing {
 public:
  using Placing::Placing;

  void place_objectives() {
    std::vector<bool> used(content_.objectives.size(), false);
    for (Seat seat = 0; seat < options_.seats; ++seat) {
      Player& player = state_.player(seat);
      if (!said(FieldId::objective, seat) || parts(FieldId::objective, seat).empty()) continue;
      const Entry& entry = parts(FieldId::objective, seat).front().entry;
      if (used[entry.id])
        problem(line_of(FieldId::objective, seat), content_.objectives[entry.id].id + " lies in two places");
      used[entry.id] = true;
      player.objective = static_cast<ObjectiveId>(entry.id);
      player.objective_face_down = (entry.marks & kDown) != 0;
    }
    for (Seat seat = 0; seat < options_.seats; ++seat) {
      if (said(FieldId::objective, seat)) continue;
      for (std::size_t i = 0; i < used.size(); ++i) {
        if (used[i] || (content_.objectives[i].player_counts >> options_.seats & 1U) == 0) continue;
        used[i] = true;
        state_.player(seat).objective = static_cast<ObjectiveId>(i);
        break;
      }
    }
  }
};

}  // namespace

void place_conflicts(Given& given, State& state) {
  Conflicts(given, state).place_conflicts();
  Objectives(given, state).place_objectives();
}

}  // namespace landsraad::scenario
