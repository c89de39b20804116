#include "rules/engine/cards.h"

#include <algorithm>

#include "rules/engine/conditions.h"
#include "rules/engine/triggers.h"
#include "rules/engine/turns.h"

namespace landsraad::rules {

namespace {

constexpr std::array kTrashZones{Zone::hand, Zone::discard, Zone::play};  // TRASH-1

Event card_event(EventKind kind, const Effect& effect, CardId card) {
  Event event = change(kind, effect, 1);
  event.subject = card;
  return event;
}

bool zone_is_named(const Qualifiers& q, Zone zone) {
  const bool hand = q.has(Word::hand);
  const bool discard = q.has(Word::discard);
  const bool play = q.has(Word::in_play);
  if (!hand && !discard && !play) return true;
  return zone == Zone::hand ? hand : zone == Zone::discard ? discard : play;
}

bool may_be_trashed(const Position& at, const Effect& effect, Zone zone, const CardSlot& slot) {
  const Qualifiers& q = at.node(effect.node).qualifiers;
  const bool itself = effect.source.kind == SourceKind::card && effect.source.id == slot.copy;
  if (!zone_is_named(q, zone) || (q.has(Word::other) && itself)) return false;
  return q.factions == 0 || has_faction(at.content.card_of(slot.copy), q.factions);
}

template <class Visit>
void for_each_trashable(const Position& at, const Effect& effect, Visit visit) {
  const OwnedCards& cards = at.player(effect.seat).cards;
  for (Zone zone : kTrashZones)
    for (const CardSlot* slot = cards.begin(zone); slot != cards.end(zone); ++slot)
      if (may_be_trashed(at, effect, zone, *slot)) visit(zone, *slot);
}

struct Place {
  Zone zone = Zone::play;
  int index = -1;
};

// Which of several equal cards is trashed: of a hand the one everybody knows (INFO-7), in play one that was
// not revealed, for those revealed may still count or have open effects.
bool goes_first(Zone zone, const CardSlot& slot) {
  return zone == Zone::hand ? slot.known != 0 : slot.revealed == 0;
}

Place find_trashable(const Position& at, const Effect& effect, Zone zone, CardId card) {
  const OwnedCards& cards = at.player(effect.seat).cards;
  Place found{.zone = zone};
  for (std::size_t i = 0; i < cards.size(zone); ++i) {
    const CardSlot& slot = cards.begin(zone)[i];
    if (at.content.card_id(slot.copy) != card || !may_be_trashed(at, effect, zone, slot)) continue;
    if (goes_first(zone, slot)) return {zone, static_cast<int>(i)};
    if (found.index < 0) found.index = static_cast<int>(i);
  }
  return found;
}

Place find_copy(const Position& at, Seat seat, CardCopy copy) {
  const OwnedCards& cards = at.player(seat).cards;
  for (Zone zone : {Zone::play, Zone::hand, Zone::discard, Zone::deck})
    for (std::size_t i = 0; i < cards.size(zone); ++i)
      if (cards.begin(zone)[i].copy == copy) return {zone, static_cast<int>(i)};
  return {};
}

void trash_at(Table& table, const Effect& effect, Place place) {
  const CardCopy copy =
      table.player(effect.seat).cards.take(place.zone, static_cast<std::size_t>(place.index));
  const Card& card = table.content.card_of(copy);
  table.state.turn.last_trashed_cost = card.cost;
  table.tell(card_event(EventKind::card_trashed, effect, table.content.card_id(copy)));
  const Source itself = card_source(copy);
  if (effect.source != itself) {  // ORDER-9
    drop_items_of(table, itself);
    drop_waiting_of(table, itself);
  }
  on_card(table, effect.seat, copy, TriggerOn::trashed);
  trash_copy(table, effect, copy);
}

bool means_itself(const Position& at, const Effect& effect) {
  return at.node(effect.node).qualifiers.has(Word::self);
}

void add_card_choice(ActionList& out, CardId card, Zone zone) {
  const Action action{
      .kind = ActionKind::choose_card, .option = static_cast<std::uint8_t>(zone), .subject = card};
  if (!out.contains(action)) out.push_back(action);
}

// One of the cards on top of the deck that are being looked at.
CardCopy take_looked(Table& table, Seat seat, CardId card) {
  OwnedCards& cards = table.player(seat).cards;
  std::size_t i = cards.size(Zone::deck) - 1;
  while (table.content.card_id(cards.begin(Zone::deck)[i].copy) != card) --i;
  --table.state.turn.looked;
  return cards.take(Zone::deck, i);
}

}  // namespace

void draw_cards(Table& table, const Effect& effect, int amount) {
  OwnedCards& cards = table.player(effect.seat).cards;
  for (int n = 0; n < amount; ++n) {
    if (cards.size(Zone::deck) == 0) {
      if (cards.size(Zone::discard) == 0) break;
      cards.shuffle_discard_into_deck(table.state.random);
      table.tell(change(EventKind::deck_shuffled, effect, static_cast<int>(cards.size(Zone::deck))));
    }
    const CardCopy copy = cards.take(Zone::deck, cards.size(Zone::deck) - 1);
    cards.put(Zone::hand, copy);
    Event event = card_event(EventKind::card_drawn, effect, table.content.card_id(copy));
    event.subject_known_to = seat_bit(effect.seat);
    table.tell(event);
  }
  reveal_if_in_reveal_turn(table, effect.seat);
}

int find_in(const Position& at, Seat seat, Zone zone, CardId card) {
  const OwnedCards& cards = at.player(seat).cards;
  int found = -1;
  for (std::size_t i = 0; i < cards.size(zone); ++i) {
    const CardSlot& slot = cards.begin(zone)[i];
    if (at.content.card_id(slot.copy) != card) continue;
    if (found < 0 || slot.known != 0) found = static_cast<int>(i);  // rather the copy everybody knows
    if (slot.known != 0) break;
  }
  return found;
}

void return_to_reserve(Table& table, CardCopy copy) {
  for (ReserveStack& stack : table.state.board.reserve) {
    const Card& card = table.content.card_of(copy);
    if (stack.card == table.content.card_id(copy)) stack.copies |= 1U << (copy - card.first_copy);
  }
}

void trash_copy(Table& table, const Effect&, CardCopy copy) {
  if (table.content.card_of(copy).deck == Deck::reserve)
    return_to_reserve(table, copy);
  else
    table.state.board.trashed.push_back(copy);
}

// ---- Operations ------------------------------------------------------------------------------------

// ORDER-6: with nothing to draw the effect waits and does not hold up the end of the turn.
Duty duty_of_draw(const Position& at, const Effect& effect, int) {
  const OwnedCards& cards = at.player(effect.seat).cards;
  return cards.size(Zone::deck) + cards.size(Zone::discard) > 0 ? Duty::must : Duty::none;
}

void run_draw(Table& table, const Effect& effect, int amount) { draw_cards(table, effect, amount); }

// DECK-3: with too few cards, as many as possible; a cost must be paid in full.
Duty duty_of_discard(const Position& at, const Effect& effect, int amount) {
  const auto hand = static_cast<int>(at.player(effect.seat).cards.size(Zone::hand));
  return hand >= (at.node(effect.node).is_cost ? amount : 1) ? Duty::must : Duty::none;
}

void run_discard(Table& table, const Effect& effect, int amount) {
  table.state.turn.last_discarded = kNoCard;
  push_choices(table, effect, amount);
}

void list_discard(const Position& at, const Frame& frame, ActionList& out) {
  const OwnedCards& cards = at.player(frame.seat).cards;
  for (const CardSlot* slot = cards.begin(Zone::hand); slot != cards.end(Zone::hand); ++slot)
    add_card_choice(out, at.content.card_id(slot->copy), Zone::hand);
}

void choose_discard(Table& table, Frame& frame, const Action& action) {
  const Effect effect{frame.node, frame.seat, frame.source};
  --frame.left;
  const int index = find_in(table, effect.seat, Zone::hand, action.subject);
  OwnedCards& cards = table.player(effect.seat).cards;
  const CardCopy copy = cards.take(Zone::hand, static_cast<std::size_t>(index));
  cards.put(Zone::discard, copy);
  table.state.turn.last_discarded = action.subject;
  table.tell(card_event(EventKind::card_discarded, effect, action.subject));
  on_card(table, effect.seat, copy, TriggerOn::discarded);  // DECK-5
}

// TRASH-2: the plain icon is optional; a worded form is not.
Duty duty_of_trash(const Position& at, const Effect& effect, int amount) {
  const Node& node = at.node(effect.node);
  if (means_itself(at, effect))
    return find_copy(at, effect.seat, effect.source.id).index < 0 ? Duty::none : Duty::must;
  int found = 0;
  for_each_trashable(at, effect, [&](Zone, const CardSlot&) { ++found; });
  if (found < (node.is_cost ? amount : 1)) return Duty::none;
  const bool worded = node.qualifiers.words != 0 || node.qualifiers.factions != 0;
  return node.is_cost || worded ? Duty::must : Duty::may;
}

void run_trash(Table& table, const Effect& effect, int amount) {
  table.state.turn.last_trashed_cost = -1;
  if (!means_itself(table, effect)) {
    push_choices(table, effect, amount);
    return;
  }
  const Place place = find_copy(table, effect.seat, effect.source.id);
  if (place.index >= 0) trash_at(table, effect, place);
}

void list_trash(const Position& at, const Frame& frame, ActionList& out) {
  for_each_trashable(at, {frame.node, frame.seat, frame.source}, [&](Zone zone, const CardSlot& slot) {
    add_card_choice(out, at.content.card_id(slot.copy), zone);
  });
}

void choose_trash(Table& table, Frame& frame, const Action& action) {
  const Effect effect{frame.node, frame.seat, frame.source};
  --frame.left;
  trash_at(table, effect, find_trashable(table, effect, static_cast<Zone>(action.option), action.subject));
}

// DECK-6
Duty duty_of_look_top(const Position& at, const Effect& effect, int) {
  return at.player(effect.seat).cards.size(Zone::deck) > 0 ? Duty::must : Duty::none;
}

void run_look_top(Table& table, const Effect& effect, int amount) {
  const auto deck = static_cast<int>(table.player(effect.seat).cards.size(Zone::deck));
  table.state.turn.looked = static_cast<std::uint8_t>(std::min(amount, deck));
}

Duty duty_of_looked(const Position& at, const Effect&, int) {
  return at.state.turn.looked > 0 ? Duty::must : Duty::none;
}

Duty duty_of_to_hand(const Position& at, const Effect& effect, int amount) {
  if (!means_itself(at, effect)) return duty_of_looked(at, effect, amount);
  const Place place = find_copy(at, effect.seat, effect.source.id);
  return place.index >= 0 && place.zone == Zone::play ? Duty::must : Duty::none;
}

void run_to_hand(Table& table, const Effect& effect, int amount) {
  if (!means_itself(table, effect)) {
    push_choices(table, effect, amount);
    return;
  }
  const Place place = find_copy(table, effect.seat, effect.source.id);
  OwnedCards& cards = table.player(effect.seat).cards;
  const CardCopy copy = cards.take(place.zone, static_cast<std::size_t>(place.index));
  cards.put(Zone::hand, copy, true);  // INFO-7
  table.tell(card_event(EventKind::card_to_hand, effect, table.content.card_id(copy)));
  reveal_if_in_reveal_turn(table, effect.seat);
}

void run_looked(Table& table, const Effect& effect, int amount) { push_choices(table, effect, amount); }

void list_looked(const Position& at, const Frame& frame, ActionList& out) {
  const OwnedCards& cards = at.player(frame.seat).cards;
  for (unsigned n = 0; n < at.state.turn.looked; ++n)
    add_card_choice(out, at.content.card_id((cards.end(Zone::deck) - 1 - n)->copy), Zone::deck);
}

void choose_looked(Table& table, Frame& frame, const Action& action) {
  const Effect effect{frame.node, frame.seat, frame.source};
  --frame.left;
  OwnedCards& cards = table.player(effect.seat).cards;
  const CardCopy copy = take_looked(table, effect.seat, action.subject);
  switch (table.node(effect.node).op) {
    case Op::to_hand: {
      cards.put(Zone::hand, copy);
      Event event = card_event(EventKind::card_drawn, effect, action.subject);
      event.subject_known_to = seat_bit(effect.seat);
      table.tell(event);
      reveal_if_in_reveal_turn(table, effect.seat);
      return;
    }
    case Op::to_discard:
      cards.put(Zone::discard, copy);
      table.tell(card_event(EventKind::card_discarded, effect, action.subject));
      return;
    default:
      table.tell(card_event(EventKind::card_trashed, effect, action.subject));
      trash_copy(table, effect, copy);
      on_card(table, effect.seat, copy, TriggerOn::trashed);
  }
}

}  // namespace landsraad::rules
