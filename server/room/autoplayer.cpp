#include "server/room/autoplayer.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace landsraad::room {

namespace {

using rules::Action;
using rules::ActionKind;
using rules::ActionList;

const Action* first_of(const ActionList& actions, ActionKind kind) {
  const Action* const found = std::find_if(actions.begin(), actions.end(),
                                           [kind](const Action& action) { return action.kind == kind; });
  return found == actions.end() ? nullptr : found;
}

// One step below a level that gives something (2: a point, 4: a bonus and perhaps the Alliance) is worth
// most.
int worth_of_faction(const rules::Player& player, std::size_t faction) {
  const int influence = player.influence[faction];
  return influence == 1 || influence == 3 ? 3 : influence < 4 ? 2 : 1;
}

// Spaces of a faction give Influence; others what is printed on them.
int worth_of_space(const rules::Content& content, const rules::Player& player, rules::SpaceId id) {
  const rules::Space& space = content.spaces[id];
  const int influence = space.faction == rules::kNoFaction ? 0 : worth_of_faction(player, space.faction);
  return influence + (space.combat ? 2 : 0);
}

// The larger, the sooner. Ending, passing and revealing come last, so that nothing is left undone.
int worth(const rules::Content& content, const rules::Player& player, const Action& action) {
  constexpr int kAct = 1000;  // apart by more than any detail counts
  switch (action.kind) {
    case ActionKind::done:
      return 0;
    case ActionKind::reveal:
      return kAct;
    case ActionKind::acquire:
      return 3 * kAct + content.cards[action.subject].cost;
    case ActionKind::send_agent:
      return 4 * kAct + worth_of_space(content, player, static_cast<rules::SpaceId>(action.target));
    case ActionKind::defend:
    case ActionKind::play_intrigue:
      return 5 * kAct;
    case ActionKind::resolve:
      return 6 * kAct;
    case ActionKind::match_wild:
      return 7 * kAct;
    case ActionKind::deploy:
    case ActionKind::choose_amount:
      return 2 * kAct + action.option;
    case ActionKind::choose_faction:
      return 2 * kAct + worth_of_faction(player, action.option);
    default:
      return 2 * kAct;
  }
}

// Spreads the versions over the numbers below `bound`: everyone may know it, nobody can steer it.
std::size_t any_below(std::size_t bound, std::uint32_t version) {
  const std::uint32_t mixed = (version + 1) * 2654435761U;
  return (mixed >> 8) % bound;
}

}  // namespace

Action choose_default(const rules::Content& content, const rules::State& state, rules::Seat seat) {
  const ActionList actions = rules::legal_actions(content, state, seat);
  assert(!actions.empty());
  for (const ActionKind least : {ActionKind::done, ActionKind::reveal})
    if (const Action* found = first_of(actions, least)) return *found;
  return actions[0];
}

Action choose_for_bot(const rules::Content& content, const rules::State& state, rules::Seat seat) {
  const ActionList actions = rules::legal_actions(content, state, seat);
  assert(!actions.empty());
  rules::FixedList<Action, rules::kMaxActions, std::uint16_t> best;
  int best_worth = -1;
  for (const Action& action : actions) {
    const int its_worth = worth(content, state.player(seat), action);
    if (its_worth > best_worth) best.clear();
    if (its_worth >= best_worth) best.push_back(action);
    best_worth = std::max(best_worth, its_worth);
  }
  return best[any_below(best.size(), state.version)];
}

}  // namespace landsraad::room
