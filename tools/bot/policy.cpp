#include "tools/bot/policy.h"

#include <vector>

namespace landsraad::bot {

namespace {

const v1::SeatView* seat_view(const v1::GameView& view, std::uint32_t seat) {
  for (const v1::SeatView& candidate : view.seats()) {
    if (candidate.id() == seat) return &candidate;
  }
  return nullptr;
}

// One step below a level that gives something (2: a point, 4: a bonus and perhaps the Alliance) is worth
// most.
int worth_of_faction(const v1::SeatView* own, std::uint32_t faction) {
  if (own == nullptr || static_cast<int>(faction) >= own->influence().values_size()) return 0;
  const int influence = own->influence().values(static_cast<int>(faction));
  return influence == 1 || influence == 3 ? 3 : influence < 4 ? 2 : 1;
}

// The larger, the sooner. Ending, passing and revealing come last, so that nothing is left undone.
int worth(const v1::Action& action, const v1::SeatView* own) {
  switch (action.kind()) {
    case v1::ACTION_KIND_DONE:
      return 0;
    case v1::ACTION_KIND_REVEAL:
      return 10;
    case v1::ACTION_KIND_MATCH_WILD:
      return 90;
    case v1::ACTION_KIND_RESOLVE:
      return 80;
    case v1::ACTION_KIND_DEFEND:
    case v1::ACTION_KIND_PLAY_INTRIGUE:
      return 70;
    case v1::ACTION_KIND_SEND_AGENT:
      return 60;
    case v1::ACTION_KIND_ACQUIRE:
      return 50;
    case v1::ACTION_KIND_DEPLOY:
    case v1::ACTION_KIND_CHOOSE_AMOUNT:
      return 20 + static_cast<int>(action.option());
    case v1::ACTION_KIND_CHOOSE_FACTION:
      return 20 + worth_of_faction(own, action.option());
    default:
      return 20;
  }
}

const v1::Action& any_of(const std::vector<const v1::Action*>& actions, std::mt19937_64& chance) {
  return *actions[std::uniform_int_distribution<std::size_t>{0, actions.size() - 1}(chance)];
}

}  // namespace

const v1::Action& choose(Policy policy, const v1::LegalActions& decision, const v1::GameView& view,
                         std::mt19937_64& chance) {
  const v1::SeatView* own = seat_view(view, decision.decision().seat());
  std::vector<const v1::Action*> best;
  int best_worth = -1;
  for (const v1::Action& action : decision.actions()) {
    const int action_worth = policy == Policy::random ? 0 : worth(action, own);
    if (action_worth > best_worth) best.clear();
    if (action_worth >= best_worth) {
      best.push_back(&action);
      best_worth = action_worth;
    }
  }
  return any_of(best, chance);
}

}  // namespace landsraad::bot
