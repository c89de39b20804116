#include "tests/random/forging.h"

#include <algorithm>
#include <numeric>

namespace landsraad::testing {

using namespace rules;

namespace {

constexpr std::size_t kDeckTopKept = 8;  // cards of a common deck that one action might turn up

using SlotPool = std::vector<CardSlot*>;
using CopyPool = std::vector<CardCopy*>;

void put(CardSlot& slot, CardCopy copy) { slot.copy = copy & 0xfffU; }

// Which card lies where changes; the slots and their flags stay.
void shuffle(SlotPool& pool, Chance& chance) {
  for (std::size_t left = pool.size(); left > 1; --left) {
    CardSlot& a = *pool[left - 1];
    CardSlot& b = *pool[chance.below(static_cast<std::uint32_t>(left))];
    const CardCopy kept = a.copy;
    put(a, b.copy);
    put(b, kept);
  }
}

template <class T>
void shuffle(T* begin, T* end, Chance& chance) {
  for (auto left = end - begin; left > 1; --left)
    std::swap(begin[left - 1], begin[chance.below(static_cast<std::uint32_t>(left))]);
}

void shuffle(CopyPool& pool, Chance& chance) {
  for (std::size_t left = pool.size(); left > 1; --left)
    std::swap(*pool[left - 1], *pool[chance.below(static_cast<std::uint32_t>(left))]);
}

// The deck, but for the `kept` cards on top.
void add_deck(Player& player, std::size_t kept, SlotPool& pool) {
  const std::size_t size = player.cards.size(Zone::deck);
  for (std::size_t i = 0; i + kept < size; ++i) pool.push_back(player.cards.begin(Zone::deck) + i);
}

// Unknown cards in the hand, but for one of the kind `kept`.
void add_hand(const Content& content, Player& player, CardId kept, SlotPool& pool) {
  bool found = false;
  for (CardSlot* slot = player.cards.begin(Zone::hand); slot != player.cards.end(Zone::hand); ++slot) {
    const bool keep = !found && content.card_id(slot->copy) == kept;
    found = found || keep;
    if (!keep && slot->known == 0) pool.push_back(slot);
  }
}

template <class List>
void add_list(const Content& content, List& list, CardId kept, std::size_t kept_on_top, CopyPool& pool) {
  bool found = false;
  for (std::size_t i = 0; i + kept_on_top < list.size(); ++i) {
    const bool keep = !found && content.card_id(list[i]) == kept;
    found = found || keep;
    if (!keep) pool.push_back(&list[i]);
  }
}

bool is_used(const State& state, ConflictId conflict) {
  const Board& board = state.board;
  if (board.conflict_deck.contains(conflict) || board.conflicts.contains(conflict)) return true;
  for (const Player& player : state.players)
    for (const WonConflict& won : player.won)
      if (won.conflict == conflict) return true;
  return false;
}

// Other cards from among those removed in setup too (INFO-3).
void forge_conflicts(const Content& content, State& state, std::size_t kept_on_top, Chance& chance) {
  std::vector<ConflictId> pool;
  for (std::size_t c = 0; c < content.conflicts.size(); ++c)
    if (!is_used(state, static_cast<ConflictId>(c))) pool.push_back(static_cast<ConflictId>(c));
  auto& deck = state.board.conflict_deck;
  if (deck.size() <= kept_on_top) return;
  const std::size_t hidden = deck.size() - kept_on_top;
  pool.insert(pool.end(), deck.begin(), deck.begin() + hidden);
  shuffle(pool.data(), pool.data() + pool.size(), chance);
  std::copy_n(pool.begin(), hidden, deck.begin());
}

void forge_random(State& state, Chance& chance) {
  for (std::uint8_t& byte : state.random.key) byte = static_cast<std::uint8_t>(chance.next());
  for (std::uint8_t& byte : state.random.block) byte = static_cast<std::uint8_t>(chance.next());
  state.random.next_block = chance.below(1000);
  state.random.used = 2 * chance.below(33);
}

// Actions that turn up the seat's own cards, those drawn in the same turn included (REVEAL-1, REVEAL-4).
bool turns_up_own_cards(const State& state, const Move& move) {
  return move.action.kind == ActionKind::reveal || state.turn.kind == TurnKind::reveal;
}

}  // namespace

State forged_position(const Content& content, const State& real, Seat viewer, Chance& chance) {
  State state = real;
  CopyPool intrigues;
  add_list(content, state.board.intrigue_deck, kNoCard, 0, intrigues);
  for (Seat seat = 0; seat < state.options.seats; ++seat) {
    Player& player = state.players[seat];
    const bool secret = seat != viewer && !is_over(state);  // INFO-12
    const bool looks = seat == viewer && state.turn.seat == seat;
    SlotPool cards;
    add_deck(player, looks ? state.turn.looked : 0U, cards);
    if (secret) add_hand(content, player, kNoCard, cards);
    shuffle(cards, chance);
    if (!secret) continue;
    shuffle(player.cards.begin(Zone::hand), player.cards.end(Zone::hand), chance);
    add_list(content, player.intrigues, kNoCard, 0, intrigues);
  }
  shuffle(intrigues, chance);
  shuffle(state.board.imperium_deck.begin(), state.board.imperium_deck.end(), chance);
  forge_conflicts(content, state, 0, chance);
  forge_random(state, chance);
  return state;
}

State forged_for(const Content& content, const State& real, Seat viewer, const Move& move, Chance& chance) {
  State state = real;
  CopyPool intrigues;
  add_list(content, state.board.intrigue_deck, kNoCard, kDeckTopKept, intrigues);
  for (Seat seat = 0; seat < state.options.seats; ++seat) {
    if (seat == viewer) continue;
    Player& player = state.players[seat];
    const bool moves = seat == move.seat;
    const CardId named = moves ? move.action.subject : kNoCard;
    if (viewer != move.seat) add_list(content, player.intrigues, named, 0, intrigues);
    if (moves && turns_up_own_cards(state, move)) continue;
    SlotPool cards;
    add_deck(player, moves ? state.turn.looked : 0U, cards);
    add_hand(content, player, named, cards);
    shuffle(cards, chance);
  }
  shuffle(intrigues, chance);
  auto& imperium = state.board.imperium_deck;
  if (imperium.size() > kDeckTopKept) shuffle(imperium.begin(), imperium.end() - kDeckTopKept, chance);
  forge_conflicts(content, state, 1, chance);
  return state;
}

// ---- Copies ---------------------------------------------------------------------------------------

Renaming renamed_copies(const Content& content, Chance& chance) {
  Renaming to(content.card_of_copy.size());
  std::iota(to.begin(), to.end(), CardCopy{0});
  for (const Card& card : content.cards) {
    CardCopy* const first = to.data() + card.first_copy;
    shuffle(first, first + card.all_copies, chance);
  }
  return to;
}

namespace {

void rename(const Renaming& to, Source& source) {
  const bool is_card = source.kind == SourceKind::card || source.kind == SourceKind::intrigue;
  if (is_card && source.id != kNoCopy) source.id = to[source.id];
}

void rename(const Content& content, const Renaming& to, ReserveStack& stack) {
  if (stack.card == kNoCard) return;
  const CardCopy first = content.cards[stack.card].first_copy;
  std::uint32_t copies = 0;
  for (CardCopy n = 0; n < 32; ++n)
    if ((stack.copies >> n & 1U) != 0) copies |= 1U << (to[static_cast<std::size_t>(first + n)] - first);
  stack.copies = copies;
}

}  // namespace

void rename(const Content& content, const Renaming& to, State& state) {
  const auto all = [&](auto& list) {
    for (CardCopy& copy : list) copy = to[copy];
  };
  for (Player& player : state.players) {
    for (CardSlot* slot = player.cards.begin(Zone::deck); slot != player.cards.end(Zone::discard); ++slot)
      put(*slot, to[slot->copy]);
    all(player.intrigues);
  }
  Board& board = state.board;
  all(board.row);
  all(board.imperium_deck);
  all(board.intrigue_deck);
  all(board.intrigue_discard);
  all(board.intrigue_trashed);
  all(board.trashed);
  for (SetAside& aside : board.set_aside) aside.copy = to[aside.copy];
  for (ReserveStack& stack : board.reserve) rename(content, to, stack);
  if (state.turn.card != kNoCopy) state.turn.card = to[state.turn.card];
  for (Frame& frame : state.stack) rename(to, frame.source);
  for (Item& item : state.items) rename(to, item.source);
  for (Waiting& waiting : state.waiting) rename(to, waiting.source);
}

}  // namespace landsraad::testing
