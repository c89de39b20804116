// What a viewer is sent depends on nothing the viewer may not know.
//
// Two games are made that differ only there ("forged" is the second one), and what the viewer is sent of
// both is compared byte for byte: of positions, for the encoder (INFO-1..12); and after the same action
// in both, for the engine, whose questions, events and automatic steps must not tell either (INFO-10).
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "rules/notation/load.h"
#include "rules/wire/encode.h"
#include "tests/random/playout.h"

namespace landsraad::testing {
namespace {

using namespace rules;
using wire::Viewer;

constexpr std::uint64_t kGames = 30;
constexpr std::size_t kDeckTopKept = 8;  // cards of a common deck that one action might turn up

struct Recorder : EventSink {
  std::vector<Event> events;
  void on(const Event& event) override { events.push_back(event); }
};

std::vector<Viewer> viewers(const State& state) {
  std::vector<Viewer> all{wire::kSpectator};
  for (Seat seat = 0; seat < state.options.seats; ++seat) all.push_back(Viewer{seat});
  return all;
}

// ---- Forging --------------------------------------------------------------------------------------

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

// Any position that looks the same to the viewer.
State forged_position(const Content& content, const State& real, Viewer viewer, Chance& chance) {
  State state = real;
  CopyPool intrigues;
  add_list(content, state.board.intrigue_deck, kNoCard, 0, intrigues);
  for (Seat seat = 0; seat < state.options.seats; ++seat) {
    Player& player = state.players[seat];
    const bool secret = seat != viewer.seat && !is_over(state);  // INFO-12
    const bool looks = seat == viewer.seat && state.turn.seat == seat;
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

// ---- Copies ---------------------------------------------------------------------------------------

using Renaming = std::vector<CardCopy>;

// Exchanges the copies of each kind of card among themselves.
Renaming renamed_copies(const Content& content, Chance& chance) {
  Renaming to(content.card_of_copy.size());
  std::iota(to.begin(), to.end(), CardCopy{0});
  for (const Card& card : content.cards) {
    CardCopy* const first = to.data() + card.first_copy;
    shuffle(first, first + card.all_copies, chance);
  }
  return to;
}

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

// ---- Positions ------------------------------------------------------------------------------------

std::string diff_bytes(const Content& content, const State& before, const State& after, Viewer viewer) {
  v1::GameView changes;
  wire::encode(content, &before, after, viewer, changes);
  return changes.SerializeAsString();
}

std::string snapshot_bytes(const Content& content, const State& state, Viewer viewer) {
  v1::Snapshot snapshot;
  wire::encode_snapshot(content, state, viewer, snapshot);
  return snapshot.SerializeAsString();
}

// More cards that everybody knows than random play brings into a hand (INFO-7).
State with_known_cards(const State& real, Chance& chance) {
  State state = real;
  for (Player& player : state.players)
    for (CardSlot* slot = player.cards.begin(Zone::hand); slot != player.cards.end(Zone::hand); ++slot)
      slot->known = (slot->known | chance.below(2)) & 1U;
  return state;
}

// Before and after are forged each for itself: nothing hidden may decide what counts as different.
void check_encoder(const Content& content, const State& before, const State& after, Viewer viewer,
                   Chance& chance) {
  const std::string sent = diff_bytes(content, before, after, viewer);
  const std::string snapshot = snapshot_bytes(content, after, viewer);

  State forged_before = forged_position(content, before, viewer, chance);
  State forged_after = forged_position(content, after, viewer, chance);
  REQUIRE(diff_bytes(content, forged_before, forged_after, viewer) == sent);
  REQUIRE(snapshot_bytes(content, forged_after, viewer) == snapshot);

  const Renaming to = renamed_copies(content, chance);
  rename(content, to, forged_before);
  rename(content, to, forged_after);
  REQUIRE(diff_bytes(content, forged_before, forged_after, viewer) == sent);
  REQUIRE(snapshot_bytes(content, forged_after, viewer) == snapshot);
}

TEST_CASE("a viewer is sent the same whatever the hidden cards, decks and numbers are") {
  const Content& content = uprising_content();
  const std::uint64_t first = first_game();
  const std::uint64_t games = games_to_play(kGames);
  for (std::uint64_t number = first; number < first + games; ++number) {
    INFO("game " << number);
    Chance chance{number};
    Playout game = begin_playout(content, number);
    while (const auto move = next_move(game)) {
      INFO("decision " << game.log.size());
      const State before = game.state;
      play(game, *move);
      for (const Viewer viewer : viewers(game.state)) {
        INFO("viewer " << int{viewer.seat});
        check_encoder(content, before, game.state, viewer, chance);
        if (chance.below(8) == 0)
          check_encoder(content, with_known_cards(before, chance), with_known_cards(game.state, chance),
                        viewer, chance);
      }
    }
  }
}

// ---- Actions --------------------------------------------------------------------------------------

// Actions that turn up the seat's own cards, those drawn in the same turn included (REVEAL-1, REVEAL-4).
bool reveals(const State& state, const Move& move) {
  return move.action.kind == ActionKind::reveal || state.turn.kind == TurnKind::reveal;
}

// A position in which the move is the same and turns up the same cards, but what stays hidden from the
// viewer differs. What the viewer may draw or steal stays as it is.
State forged_for(const Content& content, const State& real, Viewer viewer, const Move& move, Chance& chance) {
  State state = real;
  CopyPool intrigues;
  add_list(content, state.board.intrigue_deck, kNoCard, kDeckTopKept, intrigues);
  for (Seat seat = 0; seat < state.options.seats; ++seat) {
    if (seat == viewer.seat) continue;
    Player& player = state.players[seat];
    const bool moves = seat == move.seat;
    const CardId named = moves ? move.action.subject : kNoCard;
    if (viewer.seat != move.seat) add_list(content, player.intrigues, named, 0, intrigues);
    if (moves && reveals(state, move)) continue;
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

// A card that an action turned up.
struct TurnedUp {
  EventKind how;
  Seat seat;
  bool operator==(const TurnedUp&) const = default;
};

// Hidden cards that the action turned up beyond the one it names: their last cards, for instance, players
// discard without being asked. Which cards they are may differ between the games; how many may not.
std::vector<TurnedUp> turned_up(const std::vector<Event>& events, const Move& move, Viewer viewer) {
  std::vector<TurnedUp> cards;
  bool named = false;
  for (const Event& event : events) {
    const bool turns_up = event.kind == EventKind::card_discarded || event.kind == EventKind::card_trashed ||
                          event.kind == EventKind::intrigue_trashed;
    if (!turns_up || event.seat == viewer.seat) continue;
    const bool is_named = event.seat == move.seat && event.subject == move.action.subject && !named;
    named = named || is_named;
    if (!is_named) cards.push_back({event.kind, event.seat});
  }
  return cards;
}

struct Tally {
  std::uint64_t compared = 0, not_legal = 0, turned_up = 0;
};

void check_engine(const Content& content, const State& before, const State& after,
                  const std::vector<Event>& events, const Move& move, Viewer viewer, Chance& chance,
                  Tally& tally) {
  const State forged_before = forged_for(content, before, viewer, move, chance);
  if (!is_legal(content, forged_before, move.seat, move.action)) {
    ++tally.not_legal;
    return;
  }
  if (is_over(after)) return;  // INFO-12
  State forged_after = forged_before;
  Recorder forged;
  apply(content, forged_after, move.seat, move.action, &forged);
  const auto cards = turned_up(events, move, viewer);
  REQUIRE(turned_up(forged.events, move, viewer) == cards);
  if (!cards.empty()) {
    ++tally.turned_up;
    return;
  }

  v1::Diff sent, forged_sent;
  wire::encode_diff(content, before, after, events, viewer, sent);
  wire::encode_diff(content, forged_before, forged_after, forged.events, viewer, forged_sent);
  if (sent.SerializeAsString() != forged_sent.SerializeAsString())
    FAIL("sent: " << sent.ShortDebugString() << "\nforged: " << forged_sent.ShortDebugString());
  REQUIRE(snapshot_bytes(content, forged_after, viewer) == snapshot_bytes(content, after, viewer));
  ++tally.compared;
}

TEST_CASE("an action tells a viewer the same whatever stays hidden") {
  const Content& content = uprising_content();
  Tally tally;
  const std::uint64_t first = first_game();
  const std::uint64_t games = games_to_play(kGames);
  for (std::uint64_t number = first; number < first + games; ++number) {
    INFO("game " << number);
    Chance chance{number};
    Playout game = begin_playout(content, number);
    while (const auto move = next_move(game)) {
      INFO("decision " << game.log.size() << ", action " << int(move->action.kind) << " of seat "
                       << int{move->seat});
      const State before = game.state;
      Recorder recorder;
      play(game, *move, &recorder);
      for (const Viewer viewer : viewers(game.state)) {
        INFO("viewer " << int{viewer.seat});
        check_engine(content, before, game.state, recorder.events, *move, viewer, chance, tally);
      }
    }
  }
  MESSAGE(tally.compared << " compared, " << tally.not_legal << " not legal in the other game, "
                         << tally.turned_up << " turned up hidden cards");
  CHECK(tally.compared > 20 * (tally.not_legal + tally.turned_up));
}

}  // namespace
}  // namespace landsraad::testing
