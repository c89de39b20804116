#include "rules/engine/conditions.h"

#include <algorithm>

namespace landsraad::rules {

namespace {

int influence_of(const Player& player, FactionMask factions) {
  for (std::size_t f = 0; f < kMaxFactions; ++f)
    if ((factions >> f & 1U) != 0) return player.influence[f];
  return 0;
}

int cards_in_play(const Position& at, Seat seat, FactionMask factions) {
  const OwnedCards& cards = at.player(seat).cards;
  int count = 0;
  for (const CardSlot* slot = cards.begin(Zone::play); slot != cards.end(Zone::play); ++slot)
    count += has_faction(at.content.card_of(slot->copy), factions) ? 1 : 0;
  return count;
}

// TERM-8: the card itself does not serve its own bond.
bool bond(const Position& at, Seat seat, FactionMask factions, Source source) {
  const OwnedCards& cards = at.player(seat).cards;
  for (const CardSlot* slot = cards.begin(Zone::play); slot != cards.end(Zone::play); ++slot) {
    const bool itself = source.kind == SourceKind::card && source.id == slot->copy;
    if (!itself && has_faction(at.content.card_of(slot->copy), factions)) return true;
  }
  return false;
}

bool holds_alliance(const Position& at, Seat seat, FactionMask factions) {
  for (std::size_t f = 0; f < kMaxFactions; ++f)
    if ((factions >> f & 1U) != 0 && at.state.board.alliance[f] == seat) return true;
  return false;
}

bool influence_on_opponent_alliance(const Position& at, Seat seat, const Qualifiers& test) {
  for (std::size_t f = 0; f < kMaxFactions; ++f) {
    const Seat holder = at.state.board.alliance[f];
    if (holder != kNoSeat && holder != seat && compares(test, at.player(seat).influence[f])) return true;
  }
  return false;
}

bool anybody_has_swordmaster(const Position& at) {
  for (Seat seat = 0; seat < at.state.options.seats; ++seat)
    if (at.player(seat).swordmaster) return true;
  return false;
}

bool visited(const Position& at, Seat seat, const Qualifiers& kind) {
  const Turn& turn = at.state.turn;
  if (turn.seat != seat || turn.space == kNoSpace) return false;
  const Space& space = at.content.spaces[turn.space];
  if (kind.has(Word::maker)) return space.maker;
  if (kind.has(Word::faction)) return space.faction != kNoFaction;
  return (kind.icons & icon_bit(space.icon)) != 0;
}

int cards_owned(const Position& at, Seat seat, CardId card) {
  const OwnedCards& cards = at.player(seat).cards;
  int count = 0;
  for (const CardSlot* slot = cards.begin(Zone::deck); slot != cards.end(Zone::discard); ++slot)
    count += at.content.card_id(slot->copy) == card ? 1 : 0;
  return count;
}

int spies_on_board(const Position& at, Seat seat) { return __builtin_popcount(own_posts(at, seat)); }

bool holds(const Position& at, const Condition& condition, Seat seat, Source source) {
  const Player& player = at.player(seat);
  const Turn& turn = at.state.turn;
  const bool own_turn = turn.seat == seat;
  const Qualifiers& q = condition.qualifiers;
  // clang-format off
  switch (condition.predicate) {
    case Predicate::bond: return bond(at, seat, q.factions, source);
    case Predicate::influence: return compares(q, influence_of(player, q.factions));
    case Predicate::alliance: return holds_alliance(at, seat, q.factions);
    case Predicate::any_alliance: return holds_alliance(at, seat, 0xff);
    case Predicate::influence_on_opponent_alliance: return influence_on_opponent_alliance(at, seat, q);
    case Predicate::high_council: return player.high_council;
    case Predicate::had_high_council: return own_turn && turn.had_high_council;
    case Predicate::swordmaster: return player.swordmaster;
    case Predicate::swordmaster_taken: return anybody_has_swordmaster(at);
    case Predicate::cost_option: return own_turn && compares(q, turn.cost_option + 1);
    case Predicate::agent_here:
      return source.kind == SourceKind::space && (at.state.board.agents[source.id] & seat_bit(seat)) != 0;
    case Predicate::units_in_conflict: return compares(q, player.units());
    case Predicate::sandworms_in_conflict: return compares(q, player.sandworms);
    case Predicate::strength: return compares(q, player.strength());
    case Predicate::spies_on_board: return compares(q, spies_on_board(at, seat));
    case Predicate::spying_on: return (spied_spaces(at, seat) & at.content.maker_spaces) != 0;
    case Predicate::spy_placed_on:
      return own_turn && turn.last_post != kNoPost && (at.content.posts[turn.last_post].icons & q.icons) != 0;
    case Predicate::visited: return visited(at, seat, q);
    case Predicate::recalled_spy_this_turn: return own_turn && turn.recalled_spy;
    case Predicate::maker_hooks: return player.maker_hooks;
    case Predicate::spice: return compares(q, player[Resource::spice]);
    case Predicate::water: return compares(q, player[Resource::water]);
    case Predicate::solari: return compares(q, player[Resource::solari]);
    case Predicate::gained_spice_this_turn: return own_turn && compares(q, turn.spice_gained);
    case Predicate::discarded:
      return turn.last_discarded != kNoCard && has_faction(at.content.cards[turn.last_discarded], q.factions);
    case Predicate::trashed_cost: return turn.last_trashed_cost >= 0 && compares(q, turn.last_trashed_cost);
    case Predicate::cards_owned: return compares(q, cards_owned(at, seat, q.ref));
    case Predicate::deck: return compares(q, static_cast<int>(player.cards.size(Zone::deck)));
    case Predicate::count_: break;
  }
  // clang-format on
  return false;
}

int revealed(const Position& at, Seat seat, const Qualifiers& which, Source source) {
  const OwnedCards& cards = at.player(seat).cards;
  int count = 0;
  for (const CardSlot* slot = cards.begin(Zone::play); slot != cards.end(Zone::play); ++slot) {
    if (slot->revealed == 0) continue;
    if (which.has(Word::other) && source.kind == SourceKind::card && source.id == slot->copy) continue;
    if (which.has(Word::sword) && slot->sword == 0) continue;
    if (which.factions != 0 && !has_faction(at.content.card_of(slot->copy), which.factions)) continue;
    ++count;
  }
  return count;
}

int count_of(const Position& at, const Effect& effect) {
  const Node& node = at.node(effect.node);
  const Qualifiers& q = node.per_qualifiers;
  switch (node.per) {
    case CountOf::cards_in_play:
      return cards_in_play(at, effect.seat, q.factions);
    case CountOf::revealed:
      return revealed(at, effect.seat, q, effect.source);
    case CountOf::sandworms_in_conflict:
      return at.player(effect.seat).sandworms;
    case CountOf::memories_returned:
      return at.state.turn.memories_returned;
    case CountOf::none:
    case CountOf::count_:
      break;
  }
  return 1;
}

}  // namespace

bool compares(const Qualifiers& test, int value) {
  switch (test.compare) {
    case Compare::at_least:
      return value >= test.value;
    case Compare::exactly:
      return value == test.value;
    case Compare::at_most:
      return value <= test.value;
    case Compare::none:
    case Compare::more_than_each_opponent:
      break;
  }
  return value > 0;
}

bool holds(const Position& at, const Conditions& conditions, Seat seat, Source source) {
  for (unsigned n = 0; n < conditions.count; ++n) {
    const Condition& condition = at.content.conditions[conditions.first + n];
    const bool met = holds(at, condition, seat, source) != condition.negated;
    if (met && conditions.any) return true;
    if (!met && !conditions.any) return false;
  }
  return conditions.count == 0 || !conditions.any;
}

int amount_of(const Position& at, const Effect& effect) {
  return at.node(effect.node).amount * count_of(at, effect);
}

bool has_faction(const Card& card, FactionMask factions) { return (card.factions & factions) != 0; }

PostMask own_posts(const Position& at, Seat seat) {
  PostMask mask = 0;
  for (PostId post = 0; post < at.content.posts.size(); ++post)
    if ((at.state.board.spies[post] & seat_bit(seat)) != 0) mask |= post_bit(post);
  return mask;
}

SpaceMask spied_spaces(const Position& at, Seat seat) {
  SpaceMask mask = 0;
  for (PostId post = 0; post < at.content.posts.size(); ++post)
    if ((at.state.board.spies[post] & seat_bit(seat)) != 0) mask |= at.content.posts[post].spaces;
  return mask;
}

}  // namespace landsraad::rules
