#include "rules/engine/acquiring.h"

#include <algorithm>

#include "rules/engine/cards.h"
#include "rules/engine/conditions.h"
#include "rules/engine/resources.h"
#include "rules/engine/triggers.h"
#include "rules/engine/turns.h"

namespace landsraad::rules {

namespace {

void list_from(ActionList& out, ActionKind kind, CardId card, AcquireFrom from) {
  const Action action{.kind = kind, .option = static_cast<std::uint8_t>(from), .subject = card};
  if (!out.contains(action)) out.push_back(action);
}

// Calls visit(card, from) for every card the seat could acquire if it could pay.
template <class Visit>
void for_each_offer(const Position& at, Seat seat, Visit visit) {
  const Board& board = at.state.board;
  for (CardCopy copy : board.row) visit(at.content.card_id(copy), AcquireFrom::row);
  for (const ReserveStack& stack : board.reserve)
    if (stack.copies != 0) visit(stack.card, AcquireFrom::reserve);
  for (const SetAside& aside : board.set_aside)
    if (aside.seat == seat) visit(at.content.card_id(aside.copy), AcquireFrom::set_aside);
}

int price(const Position& at, const Qualifiers& q, CardId card) {
  if (q.has(Word::pay_none)) return 0;
  return std::max(0, at.content.cards[card].cost - q.discount);
}

int money(const Position& at, Seat seat, const Qualifiers& q) {
  if (q.has(Word::pay_none)) return 0;
  return q.has(Word::pay_solari) ? at.player(seat)[Resource::solari] : at.player(seat).persuasion;
}

bool offered(const Position& at, const Effect& effect, CardId card, AcquireFrom from) {
  const Qualifiers& q = at.node(effect.node).qualifiers;
  if (q.has(Word::removed) && from != AcquireFrom::set_aside) return false;
  if (q.has(Word::from_row) && from == AcquireFrom::reserve) return false;
  if (q.compare != Compare::none && !compares(q, at.content.cards[card].cost)) return false;
  return price(at, q, card) <= money(at, effect.seat, q);
}

CardCopy take_offer(Table& table, Seat seat, CardId card, AcquireFrom from) {
  Board& board = table.state.board;
  if (from == AcquireFrom::reserve) {
    for (ReserveStack& stack : board.reserve) {
      if (stack.card != card) continue;
      const int first = __builtin_ctz(stack.copies);
      stack.copies &= stack.copies - 1;
      return static_cast<CardCopy>(table.content.cards[card].first_copy + first);
    }
  }
  if (from == AcquireFrom::set_aside) {
    for (std::size_t i = 0; i < board.set_aside.size(); ++i)
      if (board.set_aside[i].seat == seat && table.content.card_id(board.set_aside[i].copy) == card)
        return board.set_aside.erase(i).copy;
  }
  std::size_t i = 0;
  while (table.content.card_id(board.row[i]) != card) ++i;
  return board.row.erase(i);
}

// ORDER-11: card to its destination, Row refilled, acquire box, triggers. What comes last is put on the
// stack first.
void acquire(Table& table, const Effect& effect, const Action& action, Zone destination) {
  const auto from = static_cast<AcquireFrom>(action.option);
  const CardCopy copy = take_offer(table, effect.seat, action.subject, from);
  Event event = change(EventKind::card_acquired, effect, 1);
  event.subject = action.subject;
  event.detail = action.option;
  table.tell(event);
  table.player(effect.seat).cards.put(destination, copy, destination == Zone::hand);  // INFO-7
  refill_row(table);
  if (table.state.turn.seat == effect.seat && !table.state.turn.acquired.full())
    table.state.turn.acquired.push_back(action.subject);
  on_acquired(table, effect.seat, action.subject);
  const NodeId box = table.content.cards[action.subject].acquire;
  if (box != kNoNode) push_unit(table, {box, effect.seat, card_source(copy)});
  if (destination == Zone::hand) reveal_if_in_reveal_turn(table, effect.seat);
}

Zone destination_of(const Qualifiers& q) {
  if (q.has(Word::to_hand)) return Zone::hand;
  return q.has(Word::to_top) ? Zone::deck : Zone::discard;
}

}  // namespace

void refill_row(Table& table) {
  Board& board = table.state.board;
  while (!board.row.full() && !board.imperium_deck.empty()) {
    const CardCopy copy = board.imperium_deck.pop_back();
    board.row.push_back(copy);
    table.tell({.kind = EventKind::row_refilled, .subject = table.content.card_id(copy)});
  }
}

void list_purchases(const Position& at, Seat seat, ActionList& out) {
  const int persuasion = at.player(seat).persuasion;
  for_each_offer(at, seat, [&](CardId card, AcquireFrom from) {
    // A card set aside is bought through the effect that set it aside.
    if (from != AcquireFrom::set_aside && at.content.cards[card].cost <= persuasion)
      list_from(out, ActionKind::acquire, card, from);
  });
}

void choose_purchase(Table& table, Seat seat, const Action& action) {
  const Effect effect{kNoNode, seat, {}};
  gain_persuasion(table, effect, -table.content.cards[action.subject].cost);
  acquire(table, effect, action, Zone::discard);
}

void drop_set_aside(Table& table, Seat seat) {
  auto& aside = table.state.board.set_aside;
  for (std::size_t i = aside.size(); i-- > 0;)
    if (aside[i].seat == seat) trash_copy(table, {kNoNode, seat, {}}, aside.erase(i).copy);
}

// ---- Operations ------------------------------------------------------------------------------------

Duty duty_of_acquire(const Position& at, const Effect& effect, int) {
  bool any = false;
  for_each_offer(at, effect.seat,
                 [&](CardId card, AcquireFrom from) { any = any || offered(at, effect, card, from); });
  return any ? Duty::must : Duty::none;
}

void run_acquire(Table& table, const Effect& effect, int) { push_choices(table, effect, 1); }

void list_acquire(const Position& at, const Frame& frame, ActionList& out) {
  const Effect effect{frame.node, frame.seat, frame.source};
  for_each_offer(at, frame.seat, [&](CardId card, AcquireFrom from) {
    if (offered(at, effect, card, from)) list_from(out, ActionKind::choose_card, card, from);
  });
}

void choose_acquire(Table& table, Frame& frame, const Action& action) {
  const Effect effect{frame.node, frame.seat, frame.source};
  const Qualifiers& q = table.node(effect.node).qualifiers;
  frame.left = 0;
  const int cost = price(table, q, action.subject);
  if (q.has(Word::pay_solari))
    change_resource(table, effect, Resource::solari, -cost);
  else if (!q.has(Word::pay_none))
    gain_persuasion(table, effect, -cost);
  acquire(table, effect, action, destination_of(q));
}

Duty duty_of_remove_row(const Position& at, const Effect&, int) {
  return at.state.board.row.empty() ? Duty::none : Duty::must;
}

void run_remove_row(Table& table, const Effect& effect, int amount) { push_choices(table, effect, amount); }

void list_remove_row(const Position& at, const Frame&, ActionList& out) {
  for (CardCopy copy : at.state.board.row)
    list_from(out, ActionKind::choose_card, at.content.card_id(copy), AcquireFrom::row);
}

void choose_remove_row(Table& table, Frame& frame, const Action& action) {
  const Effect effect{frame.node, frame.seat, frame.source};
  --frame.left;
  const CardCopy copy = take_offer(table, effect.seat, action.subject, AcquireFrom::row);
  table.state.board.set_aside.push_back({.copy = copy, .seat = effect.seat});
  Event event = change(EventKind::row_card_removed, effect, 1);
  event.subject = action.subject;
  table.tell(event);
  refill_row(table);
}

}  // namespace landsraad::rules
