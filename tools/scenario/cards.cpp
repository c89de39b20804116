// Every copy of every card to its one place.
#include <algorithm>

#include "tools/scenario/half_resolved.h"
#include "tools/scenario/placing.h"
#include "tools/scenario/text.h"

namespace landsraad::scenario {

using namespace rules;

namespace {

// Says which copies of each kind are still nowhere.
class CopyPool {
 public:
  CopyPool(const Content& content, Seat seats)
      : content_(content), taken_(content.card_of_copy.size(), false), seats_(seats) {}

  // The first free copy; a starting card must be one of the seat's own. kNoCopy if there is none.
  CardCopy take(CardId id, Seat seat) {
    const Card& card = content_.cards[id];
    const bool starter = card.deck == Deck::starter;
    if (starter && seat == kNoSeat) return take_of_any_seat(id);
    const unsigned first = card.first_copy + (starter ? unsigned{seat} * card.copies : 0U);
    const unsigned count = starter ? card.copies : card.all_copies;
    for (unsigned copy = first; copy < first + count; ++copy) {
      if (taken_[copy]) continue;
      taken_[copy] = true;
      return static_cast<CardCopy>(copy);
    }
    return kNoCopy;
  }

  int copies(CardId id) const {
    const Card& card = content_.cards[id];
    return card.deck == Deck::starter ? card.copies : card.all_copies;
  }

 private:
  CardCopy take_of_any_seat(CardId id) {
    for (Seat seat = 0; seat < seats_; ++seat)
      if (const CardCopy copy = take(id, seat); copy != kNoCopy) return copy;
    return kNoCopy;
  }

  const Content& content_;
  std::vector<bool> taken_;
  Seat seats_;
};

class Cards : Placing {
 public:
  Cards(Given& given, State& state, EffectCopies& copies)
      : Placing(given, state), pool_(content_, options_.seats), copies_(copies) {}

  void place_cards() {
    Board& board = state_.board;
    for (Seat seat = 0; seat < options_.seats; ++seat) {
      place_own(FieldId::in_play, Zone::play, seat);
      place_own(FieldId::hand, Zone::hand, seat);
      place_own(FieldId::discard, Zone::discard, seat);
      place_own(FieldId::deck, Zone::deck, seat);
      place_pile(FieldId::intrigue, state_.player(seat).intrigues, seat);
      for (const Part& part : parts(FieldId::set_aside, seat))
        if (const CardCopy copy = take(part, FieldId::set_aside, seat); copy != kNoCopy)
          board.set_aside.push_back({copy, seat, 0});
    }
    place_pile(FieldId::row, board.row);
    place_pile(FieldId::trashed, board.trashed);
    place_pile(FieldId::intrigue_trashed, board.intrigue_trashed);
    place_pile(FieldId::intrigue_discard, board.intrigue_discard);
    take_copies_of_effects();
    place_pile(FieldId::imperium_deck, board.imperium_deck);
    place_pile(FieldId::intrigue_deck, board.intrigue_deck);
    if (!given_.is_sound()) return;
    place_starters();
    place_reserve();
    place_rest_of_intrigue();
    place_rest_of_imperium();
  }

 private:
  // A copy for a place, or kNoCopy and a problem.
  CardCopy take(const Part& part, FieldId id, Seat seat) {
    const CardCopy copy = pool_.take(part.entry.id, seat);
    if (copy != kNoCopy) return copy;
    const Card& card = content_.cards[part.entry.id];
    const int copies = pool_.copies(part.entry.id);
    problem(line_of(id, seat),
            "there " + std::string(copies == 1 ? "is" : "are") + " only " + std::to_string(copies) + " of " +
                card.id +
                (card.deck == Deck::starter ? " in the starting deck of each player" : " in the game") +
                ", and all are placed already");
    return kNoCopy;
  }

  void place_own(FieldId id, Zone zone, Seat seat) {
    OwnedCards& cards = state_.player(seat).cards;
    for (const Part& part : parts(id, seat)) {
      if (content_.cards[part.entry.id].deck == Deck::intrigue) continue;
      const CardCopy copy = take(part, id, seat);
      if (copy == kNoCopy) continue;
      if (zone == Zone::deck) {
        cards.insert(Zone::deck, 0, copy);  // named from the top down
        continue;
      }
      cards.put(zone, copy, (part.entry.marks & kKnown) != 0);
      CardSlot& slot = *(cards.end(zone) - 1);
      slot.revealed = (part.entry.marks & kRevealed) != 0 ? 1 : 0;
      slot.sword = (part.entry.marks & kSword) != 0 ? 1 : 0;
    }
  }

  template <class Pile>
  void place_pile(FieldId id, Pile& pile, Seat seat = kNoSeat) {
    for (const Part& part : parts(id, seat))
      if (const CardCopy copy = take(part, id, seat); copy != kNoCopy) pile.push_back(copy);
  }

  // Intrigue cards that wait face up, or are being played, lie nowhere else.
  void take_copies_of_effects() {
    for (const SaidEffect& effect : given_.effects()) {
      Words words(effect.text);
      const bool played =
          effect.what == SaidEffect::What::frame && same_word(words.peek(), "intrigue_played");
      if (effect.what != SaidEffect::What::waiting && !played) continue;
      EffectWords said = effect_words(effect.text);
      if (said.name.empty()) said.name = Words(effect.text).until({"used"});  // `waiting call_to_arms`
      for (const Named& named : lexicon_.names.find_any(said.name)) {
        if (named.thing != Thing::intrigue || copies_.contains({named.id, said.copy})) continue;
        const CardCopy copy = pool_.take(named.id, kNoSeat);
        if (copy == kNoCopy)
          problem(effect.line, "all copies of " + content_.cards[named.id].id + " are placed already");
        else
          copies_[{named.id, said.copy}] = copy;
      }
    }
  }

  // The own starting cards that are nowhere else: under the deck, or out of the game after `deck only`.
  void place_starters() {
    for (Seat seat = 0; seat < options_.seats; ++seat) {
      OwnedCards& cards = state_.player(seat).cards;
      const LeaderId leader = state_.player(seat).leader;
      for (std::size_t i = 0; i < content_.cards.size(); ++i) {
        const Card& card = content_.cards[i];
        if (card.deck != Deck::starter) continue;
        const auto id = static_cast<CardId>(i);
        const bool removed = leader != kNoLeader && contains(content_.leaders[leader].removed_starters, id);
        for (CardCopy copy = pool_.take(id, seat); copy != kNoCopy; copy = pool_.take(id, seat)) {
          if (removed || only(FieldId::deck, seat))
            state_.board.trashed.push_back(copy);
          else
            cards.insert(Zone::deck, 0, copy);
        }
      }
    }
  }

  static bool contains(const std::vector<CardId>& cards, CardId card) {
    return std::find(cards.begin(), cards.end(), card) != cards.end();
  }

  void place_reserve() {
    for (ReserveStack& stack : state_.board.reserve) {
      if (stack.card == kNoCard) continue;
      const Card& card = content_.cards[stack.card];
      int wanted = card.all_copies;
      for (const Part& part : parts(FieldId::reserve, kNoSeat))
        if (part.entry.id == stack.card) wanted = part.entry.number;
      const bool is_said = wanted != card.all_copies;
      int there = 0;
      for (CardCopy copy = pool_.take(stack.card, kNoSeat); copy != kNoCopy;
           copy = pool_.take(stack.card, kNoSeat)) {
        if (there < wanted) {
          stack.copies |= 1U << (copy - card.first_copy);
          ++there;
        } else {
          state_.board.trashed.push_back(copy);
        }
      }
      if (is_said && there < wanted)
        problem(line_of(FieldId::reserve, kNoSeat),
                "only " + std::to_string(there) + " of " + card.id + " are left for the Reserve");
    }
    for (const Part& part : parts(FieldId::reserve, kNoSeat))
      if (content_.cards[part.entry.id].deck != Deck::reserve)
        problem(line_of(FieldId::reserve, kNoSeat), content_.cards[part.entry.id].id + " is no Reserve card");
  }

  std::vector<CardCopy> rest_of(Deck deck) {
    std::vector<CardCopy> rest;
    for (std::size_t i = 0; i < content_.cards.size(); ++i) {
      if (content_.cards[i].deck != deck) continue;
      const auto id = static_cast<CardId>(i);
      for (CardCopy copy = pool_.take(id, kNoSeat); copy != kNoCopy; copy = pool_.take(id, kNoSeat))
        rest.push_back(copy);
    }
    return rest;
  }

  // Puts `rest` under the cards named from the top down, or out of the game.
  template <class Pile, class Away>
  void finish_deck(Pile& deck, const std::vector<CardCopy>& rest, bool nothing_more, Away& away) {
    std::reverse(deck.begin(), deck.end());
    if (nothing_more) {
      for (CardCopy copy : rest) away.push_back(copy);
      return;
    }
    for (CardCopy copy : rest) deck.insert(0, copy);
  }

  void place_rest_of_intrigue() {
    Board& board = state_.board;
    finish_deck(board.intrigue_deck, rest_of(Deck::intrigue), only(FieldId::intrigue_deck, kNoSeat),
                board.intrigue_trashed);
  }

  // Free places of the Row get the dearest cards: they are the least likely to be bought by accident.
  void place_rest_of_imperium() {
    Board& board = state_.board;
    std::vector<CardCopy> rest = rest_of(Deck::imperium);
    std::stable_sort(rest.begin(), rest.end(), [&](CardCopy a, CardCopy b) {
      return content_.card_of(a).cost > content_.card_of(b).cost;
    });
    if (!only(FieldId::row, kNoSeat))
      while (!board.row.full() && !rest.empty()) {
        board.row.push_back(rest.front());
        rest.erase(rest.begin());
      }
    finish_deck(board.imperium_deck, rest, only(FieldId::imperium_deck, kNoSeat), board.trashed);
  }

  CopyPool pool_;
  EffectCopies& copies_;
};

}  // namespace

void place_cards(Given& given, State& state, EffectCopies& copies) {
  Cards(given, state, copies).place_cards();
}

std::vector<CardCopy> copies_in_order(const Content& content, const State& state, CardId id) {
  std::vector<CardCopy> copies;
  const auto visit = [&](CardCopy copy) {
    if (content.card_id(copy) == id) copies.push_back(copy);
  };
  const auto visit_all = [&](const auto& pile) {
    for (CardCopy copy : pile) visit(copy);
  };
  for (Seat seat = 0; seat < state.options.seats; ++seat) {
    const OwnedCards& cards = state.player(seat).cards;
    for (const Zone zone : {Zone::play, Zone::hand, Zone::discard, Zone::deck})
      for (const CardSlot* slot = cards.begin(zone); slot != cards.end(zone); ++slot) visit(slot->copy);
    visit_all(state.player(seat).intrigues);
  }
  const Board& board = state.board;
  for (const SetAside& card : board.set_aside) visit(card.copy);
  visit_all(board.row);
  visit_all(board.trashed);
  visit_all(board.intrigue_trashed);
  visit_all(board.intrigue_discard);
  for (const Waiting& waiting : state.waiting)
    if (waiting.source.kind == SourceKind::intrigue) visit(waiting.source.id);
  for (const Frame& frame : state.stack)
    if (frame.kind == FrameKind::intrigue_played) visit(frame.source.id);
  visit_all(board.imperium_deck);
  visit_all(board.intrigue_deck);
  return copies;
}

}  // namespace landsraad::scenario
