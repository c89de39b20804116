// Why an action that was said is not legal, as far as that can be seen from outside the engine.
#include <algorithm>

#include "tools/scenario/table_play.h"

namespace landsraad::scenario {

using namespace rules;

namespace {

std::string icons_text(IconMask icons) {
  std::string text;
  for (std::size_t i = 0; i < 10; ++i)
    if ((icons >> i & 1U) != 0)
      text += (text.empty() ? "" : ", ") + std::string(name(static_cast<AgentIcon>(i)));
  return text.empty() ? "no icon" : text;
}

bool spies_on(const InPlay& game, Seat seat, const Space& space) {
  for (PostMask posts = space.posts; posts != 0; posts &= posts - 1)
    if ((game.state.board.spies[static_cast<std::size_t>(__builtin_ctz(posts))] & seat_bit(seat)) != 0)
      return true;
  return false;
}

bool can_pay(const Player& player, const CostOption& cost) {
  for (std::size_t r = 0; r < kResources; ++r)
    if (player.resources[r] < cost.pays[r]) return false;
  return true;
}

std::string against_sending(const InPlay& game, Seat seat, const Form& form) {
  const Content& content = game.lexicon.content;
  if (game.decision().kind != DecisionKind::take_turn) return asked_text(game);
  const auto id = static_cast<SpaceId>(form.target.value_or(0));
  const Space& space = content.spaces[id];
  const Card& card = content.cards[static_cast<std::size_t>(form.subject.value_or(0))];
  const Player& player = game.state.player(seat);
  if (!holds_card(game, seat, form.kind, static_cast<CardId>(form.subject.value_or(0))))
    return "the card is not in hand";
  if (player.agents_on_leader == 0) return "no Agent is left";
  const bool by_icon = (card.icons & icon_bit(space.icon)) != 0;
  const bool by_spy = (card.icons & icon_bit(AgentIcon::spy)) != 0 && spies_on(game, seat, space);
  if (!by_icon && !by_spy)
    return card.id + " shows " + icons_text(card.icons) + ", but " + space.id + " needs " +
           std::string(name(space.icon));
  const SeatMask there = game.state.board.agents[id];
  const bool infiltrates = form.post.value_or(kNoPost) != kNoPost;
  if ((there & seat_bit(seat)) != 0) return "an own Agent stands there";
  if (there != 0 && !infiltrates) return "another Agent stands there (Infiltrate: '... recalling A')";
  if (there == 0 && infiltrates) return "nobody stands there, so no Spy is recalled";
  if (std::none_of(space.costs.begin(), space.costs.end(),
                   [&](const CostOption& cost) { return can_pay(player, cost); }))
    return "the cost of " + space.id + " cannot be paid";
  if (space.requirement.count > 0)
    return space.id + " requires " + conditions_text(content, space.requirement);
  return {};
}

}  // namespace

bool holds_card(const InPlay& game, Seat seat, ActionKind kind, CardId card) {
  const Content& content = game.lexicon.content;
  const Player& player = game.state.player(seat);
  if (kind == ActionKind::play_intrigue)
    return std::any_of(player.intrigues.begin(), player.intrigues.end(),
                       [&](CardCopy copy) { return content.card_id(copy) == card; });
  if (kind != ActionKind::send_agent) return true;
  return std::any_of(player.cards.begin(Zone::hand), player.cards.end(Zone::hand),
                     [&](const CardSlot& slot) { return content.card_id(slot.copy) == card; });
}

std::string reason_against(const InPlay& game, Seat seat, const Move& move) {
  const Form& form = move.forms.front();
  if (form.kind == ActionKind::send_agent) return against_sending(game, seat, form);
  const bool holds = !form.subject || holds_card(game, seat, form.kind, static_cast<CardId>(*form.subject));
  return holds ? "" : "the card is not held";
}

}  // namespace landsraad::scenario
