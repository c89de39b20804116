#include "rules/engine/turns.h"

#include "rules/engine/acquiring.h"
#include "rules/engine/board.h"
#include "rules/engine/cards.h"
#include "rules/engine/conditions.h"
#include "rules/engine/frames.h"
#include "rules/engine/intrigue.h"
#include "rules/engine/resources.h"
#include "rules/engine/rulings.h"
#include "rules/engine/spies.h"
#include "rules/engine/triggers.h"
#include "rules/engine/units.h"

namespace landsraad::rules {

namespace {

// ---- Sending an Agent: what is legal ---------------------------------------------------------------

// What holds for a space whatever card is used.
struct Entrance {
  std::uint8_t costs = 0;        // bit n = cost option n can be paid (COST-1, COST-2)
  bool requirement_met = false;  // AGENT-6
  PostMask infiltrate = 0;       // own Spies one of which must be recalled; 0 = not occupied
  bool open = false;             // neither own Agent nor an occupied space without a Spy to recall
};

std::uint8_t payable_costs(const Position& at, Seat seat, SpaceId id) {
  const Space& space = at.content.spaces[id];
  const Player& player = at.player(seat);
  std::uint8_t mask = 0;
  for (std::size_t n = 0; n < space.costs.size(); ++n) {
    const CostOption& cost = space.costs[n];
    bool payable = holds(at, cost.conditions, seat, space_source(id));
    for (std::size_t r = 0; r < kResources; ++r) payable = payable && player.resources[r] >= cost.pays[r];
    if (payable) mask = static_cast<std::uint8_t>(mask | 1U << n);
  }
  return mask;
}

// AGENT-9: closed to a player to whom it would give nothing any more.
bool is_used_up(const Position& at, Seat seat, const Space& space) {
  return space.once_per_game && duty(at, {space.effects, seat, {}}) == Duty::none;
}

Entrance entrance(const Position& at, Seat seat, SpaceId id, PostMask own) {
  const Space& space = at.content.spaces[id];
  const SeatMask there = at.state.board.agents[id];
  Entrance result;
  if ((there & seat_bit(seat)) != 0 || is_used_up(at, seat, space)) return result;  // AGENT-5
  result.infiltrate = there == 0 ? 0 : own & space.posts;                           // SPY-8
  result.open = there == 0 || result.infiltrate != 0;
  if (!result.open) return result;
  result.costs = payable_costs(at, seat, id);
  result.requirement_met = holds(at, space.requirement, seat, space_source(id));
  return result;
}

bool ignores_requirements(const Position& at, const Card& card) {
  for (NodeId passive : card.passives) {
    const Node& node = at.node(passive);
    if (node.op == Op::trigger && node.trigger == TriggerOn::send_agent &&
        at.node(node.child).op == Op::ignore_influence_requirements)
      return true;
  }
  return false;
}

// AGENT-2, SPY-14
SpaceMask reachable(const Position& at, const Card& card, SpaceMask spied) {
  SpaceMask mask = (card.icons & icon_bit(AgentIcon::spy)) != 0 ? spied : 0;
  for (IconMask icons = card.icons; icons != 0; icons &= static_cast<IconMask>(icons - 1))
    mask |= at.content.spaces_with_icon[static_cast<std::size_t>(__builtin_ctz(icons))];
  return mask;
}

void list_entering(ActionList& out, CardId card, SpaceId space, const Entrance& entrance) {
  for (std::uint8_t option = 0; option < 8; ++option) {
    if ((entrance.costs >> option & 1U) == 0) continue;
    Action action{.kind = ActionKind::send_agent, .option = option, .subject = card, .target = space};
    if (entrance.infiltrate == 0) {
      out.push_back(action);
      continue;
    }
    for (PostMask posts = entrance.infiltrate; posts != 0; posts &= posts - 1) {
      action.post = static_cast<PostId>(__builtin_ctz(posts));
      out.push_back(action);
    }
  }
}

void list_send_agent(const Position& at, Seat seat, ActionList& out) {
  const Player& player = at.player(seat);
  if (player.agents_on_leader == 0) return;
  const PostMask own = own_posts(at, seat);
  const SpaceMask spied = spied_spaces(at, seat);
  std::array<Entrance, kMaxSpaces> entrances;
  SpaceMask known = 0;
  FixedList<CardId, kMaxOwnedCards> listed;
  for (const CardSlot* slot = player.cards.begin(Zone::hand); slot != player.cards.end(Zone::hand); ++slot) {
    const CardId id = at.content.card_id(slot->copy);
    const Card& card = at.content.cards[id];
    if (card.icons == 0 || listed.contains(id)) continue;  // AGENT-3
    listed.push_back(id);
    const bool ignores = at.state.turn.ignore_requirements || ignores_requirements(at, card);
    for (SpaceMask spaces = reachable(at, card, spied); spaces != 0; spaces &= spaces - 1) {
      const auto space = static_cast<SpaceId>(__builtin_ctzll(spaces));
      if ((known & space_bit(space)) == 0) entrances[space] = entrance(at, seat, space, own);
      known |= space_bit(space);
      const Entrance& way = entrances[space];
      if (way.open && (way.requirement_met || ignores)) list_entering(out, id, space, way);
    }
  }
}

// ---- Sending an Agent: what happens ----------------------------------------------------------------

void pay_space_cost(Table& table, Seat seat, SpaceId space, std::uint8_t option) {
  const Effect effect{kNoNode, seat, space_source(space)};
  const CostOption& cost = table.content.spaces[space].costs[option];
  for (std::size_t r = 0; r < kResources; ++r)
    change_resource(table, effect, static_cast<Resource>(r), -int{cost.pays[r]});
}

// CTRL-4
void pay_control_bonus(Table& table, SpaceId space) {
  const Seat controller = table.state.board.control[space];
  if (controller == kNoSeat) return;
  run(table, {table.content.spaces[space].control_bonus, controller, {SourceKind::control, 0, space}});
}

void play_card(Table& table, Seat seat, CardId card) {
  OwnedCards& cards = table.player(seat).cards;
  const int index = find_in(table, seat, Zone::hand, card);
  const CardCopy copy = cards.take(Zone::hand, static_cast<std::size_t>(index));
  cards.put(Zone::play, copy);
  table.state.turn.card = copy;
  for (NodeId passive : table.content.cards[card].passives) {
    const Node& node = table.node(passive);
    if (node.op == Op::trigger && node.trigger == TriggerOn::send_agent)
      perform(table, {node.child, seat, card_source(copy)});
  }
}

// The order of section 5 of the rules: card, Infiltrate, cost, Agent, what the placement triggers,
// Gather Intelligence, then everything else in any order.
void send_agent(Table& table, Seat seat, const Action& action) {
  State& state = table.state;
  Turn& turn = state.turn;
  const auto space = static_cast<SpaceId>(action.target);
  turn.kind = TurnKind::agent;
  turn.cost_option = action.option;
  turn.had_high_council = table.player(seat).high_council;
  play_card(table, seat, action.subject);
  table.tell({.kind = EventKind::agent_sent,
              .seat = seat,
              .detail = space,
              .subject = action.subject,
              .amount = static_cast<std::int16_t>(action.option),
              .cause = card_source(turn.card)});
  if (action.post != kNoPost) recall_spy(table, {kNoNode, seat, space_source(space)}, action.post);
  pay_space_cost(table, seat, space, action.option);

  turn.space = space;
  --table.player(seat).agents_on_leader;
  state.board.agents[space] = static_cast<SeatMask>(state.board.agents[space] | seat_bit(seat));

  state.stack.back() = {.kind = FrameKind::agent_turn, .seat = seat};
  const std::size_t menu = top_index(state);
  const Space& printed = table.content.spaces[space];
  add_items(table, menu, {printed.effects, seat, space_source(space)});
  add_items(table, menu, {table.content.card_of(turn.card).agent, seat, card_source(turn.card)});
  if (printed.faction != kNoFaction)
    add_items(table, menu, {table.content.visit_influence, seat, space_source(space)});
  if ((own_posts(table, seat) & printed.posts) != 0)
    state.stack.push_back(
        {.kind = FrameKind::gather_intelligence, .seat = seat, .source = space_source(space)});
  on_visit(table, seat, space);
  pay_control_bonus(table, space);
}

// ---- Reveal turn -----------------------------------------------------------------------------------

// What a card turned up in the Reveal turn gives at once, and what it leaves open.
void use_reveal_box(Table& table, Seat seat, std::size_t menu, CardCopy copy) {
  const Card& card = table.content.card_of(copy);
  const Effect effect{card.reveal, seat, card_source(copy)};
  gain_persuasion(table, effect, card.reveal_persuasion);
  gain_swords(table, effect, card.reveal_swords);
  add_items(table, menu, effect);
}

void end_turn(Table& table, Seat seat) {
  drop_items(table, top_index(table.state));
  pop(table);
  expire(table, seat, {Duration::turn});
  table.tell({.kind = EventKind::turn_ended, .seat = seat});
}

// REVEAL-12
void clean_up(Table& table, Seat seat) {
  Player& player = table.player(seat);
  player.cards.clean_up();
  player.persuasion = 0;
  player.revealed = true;
  player.reveal_order = ++table.state.reveals;
  expire(table, seat, {Duration::round, Duration::reveal_turn});
  drop_set_aside(table, seat);
}

// What every moment of an own turn offers: open effects, Plot cards, the end of the turn (ORDER-8).
void list_turn(const Position& at, ActionList& out) {
  const std::size_t menu = top_index(at.state);
  list_entries(at, menu, out);
  list_playable(at, top(at).seat, IntrigueType::plot, out);
  if (!has_obligation(at, menu)) out.push_back(kDone);
}

}  // namespace

void begin_turn(Table& table, Seat seat) {
  table.state.turn = Turn{};
  table.state.turn.seat = seat;
  table.state.turn.kind = TurnKind::undecided;
  table.state.stack.push_back({.kind = FrameKind::take_turn, .seat = seat});
  table.tell({.kind = EventKind::turn_began, .seat = seat});
}

void begin_reveal_turn(Table& table, Seat seat) {
  State& state = table.state;
  state.turn.kind = TurnKind::reveal;
  state.stack.back() = {.kind = FrameKind::reveal_turn, .seat = seat};
  Player& player = table.player(seat);
  const std::size_t count = player.cards.size(Zone::hand);
  table.tell({.kind = EventKind::revealed, .seat = seat, .amount = static_cast<std::int16_t>(count)});
  player.cards.reveal_hand();
  const std::size_t menu = top_index(state);
  for (std::size_t i = 0; i < count; ++i)
    use_reveal_box(table, seat, menu, player.cards.begin(Zone::play)[i].copy);
  if (player.high_council)  // COUNCIL-2
    gain_persuasion(table, {kNoNode, seat, {SourceKind::high_council, 0, 0}}, kCouncilPersuasion);
  on_reveal_turn(table, seat, menu);
}

void reveal_if_in_reveal_turn(Table& table, Seat seat) {
  const Turn& turn = table.state.turn;
  if (turn.seat != seat || turn.kind != TurnKind::reveal) return;
  OwnedCards& cards = table.player(seat).cards;
  const std::size_t count = cards.size(Zone::hand);
  if (count == 0) return;
  const auto menu = static_cast<std::size_t>(turn_menu(table.state));
  table.tell({.kind = EventKind::revealed, .seat = seat, .amount = static_cast<std::int16_t>(count)});
  cards.reveal_hand();
  for (std::size_t i = 0; i < count; ++i) use_reveal_box(table, seat, menu, cards.begin(Zone::play)[i].copy);
}

// ---- Frames ----------------------------------------------------------------------------------------

void list_take_turn(const Position& at, ActionList& out) {
  const Seat seat = top(at).seat;
  list_send_agent(at, seat, out);
  out.push_back({.kind = ActionKind::reveal});       // TURN-4
  list_playable(at, seat, IntrigueType::plot, out);  // TURN-7
}

void choose_take_turn(Table& table, const Action& action) {
  const Seat seat = top(table).seat;
  switch (action.kind) {
    case ActionKind::send_agent:
      send_agent(table, seat, action);
      return;
    case ActionKind::reveal:
      begin_reveal_turn(table, seat);
      return;
    default:
      play_intrigue(table, seat, action.subject, IntrigueType::plot);
  }
}

// SPY-10
void list_gather_intelligence(const Position& at, ActionList& out) {
  const Frame& frame = top(at);
  list_own_posts(at, frame.seat, at.content.spaces[frame.source.id].posts, out);
  out.push_back(kDone);
}

void choose_gather_intelligence(Table& table, const Action& action) {
  const Frame frame = top(table);
  pop(table);
  if (action.kind != ActionKind::recall_spy) return;
  const Effect effect{kNoNode, frame.seat, frame.source};
  recall_spy(table, effect, action.post);
  draw_cards(table, effect, 1);
}

bool step_agent_turn(Table& table) { return run_plain_items(table, top_index(table.state)); }

void list_agent_turn(const Position& at, ActionList& out) {
  list_turn(at, out);
  list_deployments(at, top(at).seat, out);  // UNIT-10
}

void choose_agent_turn(Table& table, const Action& action) {
  const Seat seat = top(table).seat;
  switch (action.kind) {
    case ActionKind::resolve:
      resolve_entry(table, action);
      return;
    case ActionKind::deploy:
      choose_deployment(table, seat, action);
      return;
    case ActionKind::play_intrigue:
      play_intrigue(table, seat, action.subject, IntrigueType::plot);
      return;
    default:
      end_turn(table, seat);
  }
}

bool step_reveal_turn(Table& table) { return run_plain_items(table, top_index(table.state)); }

void list_reveal_turn(const Position& at, ActionList& out) {
  list_turn(at, out);
  list_purchases(at, top(at).seat, out);  // REVEAL-3
}

void choose_reveal_turn(Table& table, const Action& action) {
  const Seat seat = top(table).seat;
  switch (action.kind) {
    case ActionKind::resolve:
      resolve_entry(table, action);
      return;
    case ActionKind::acquire:
      choose_purchase(table, seat, action);
      return;
    case ActionKind::play_intrigue:
      play_intrigue(table, seat, action.subject, IntrigueType::plot);
      return;
    default:
      end_turn(table, seat);
      clean_up(table, seat);
  }
}

}  // namespace landsraad::rules
