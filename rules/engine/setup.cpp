// Setting up a game (SETUP).
#include <cassert>

#include "rules/engine/acquiring.h"
#include "rules/engine/board.h"
#include "rules/engine/frames.h"
#include "rules/engine/phases.h"
#include "rules/engine/spies.h"
#include "rules/engine/units.h"

namespace landsraad::rules {

namespace {

constexpr int kStartWater = 1;                    // SETUP-8
constexpr int kStartGarrison = 3;                 // SETUP-12
constexpr std::array kConflictsByLevel{1, 5, 4};  // SETUP-3, top to bottom

void set_up_conflicts(Table& table) {
  Board& board = table.state.board;
  for (std::uint8_t level = 3; level >= 1; --level) {  // the bottom of the deck first
    FixedList<ConflictId, 64> cards;
    for (std::size_t id = 0; id < table.content.conflicts.size(); ++id)
      if (table.content.conflicts[id].level == level) cards.push_back(static_cast<ConflictId>(id));
    table.state.random.shuffle(cards.begin(), cards.end());
    for (int n = 0; n < kConflictsByLevel[level - 1U]; ++n)
      board.conflict_deck.push_back(cards[static_cast<std::size_t>(n)]);
  }
}

// SETUP-4, SETUP-5
void set_up_common_decks(Table& table) {
  Board& board = table.state.board;
  std::size_t stacks = 0;
  for (std::size_t id = 0; id < table.content.cards.size(); ++id) {
    const Card& card = table.content.cards[id];
    for (CardCopy n = 0; n < card.all_copies; ++n) {
      const auto copy = static_cast<CardCopy>(card.first_copy + n);
      if (card.deck == Deck::imperium) board.imperium_deck.push_back(copy);
      if (card.deck == Deck::intrigue) board.intrigue_deck.push_back(copy);
    }
    if (card.deck != Deck::reserve) continue;
    assert(card.all_copies <= 32 && stacks < kMaxReserveStacks);
    const std::uint32_t all = card.all_copies == 32 ? ~0U : (1U << card.all_copies) - 1;
    board.reserve[stacks++] = {.card = static_cast<CardId>(id), .copies = all};
  }
  table.state.random.shuffle(board.imperium_deck.begin(), board.imperium_deck.end());
  table.state.random.shuffle(board.intrigue_deck.begin(), board.intrigue_deck.end());
  refill_row(table);
}

void set_up_player(Table& table, Seat seat) {
  Player& player = table.player(seat);
  player[Resource::water] = kStartWater;
  player.victory_points = table.state.options.seats >= 4 ? 1 : 0;  // SETUP-10
  player.garrison = kStartGarrison;
  player.supply = kTroopsPerPlayer - kStartGarrison;
  player.spies_in_supply = kSpiesPerPlayer;
  player.agents_on_leader = kAgentsAtStart;
  for (std::size_t id = 0; id < table.content.cards.size(); ++id) {
    const Card& card = table.content.cards[id];
    if (card.deck != Deck::starter) continue;
    for (int n = 0; n < card.copies; ++n)
      player.cards.put(Zone::deck, static_cast<CardCopy>(card.first_copy + seat * card.copies + n));
  }
  player.cards.shuffle_deck(table.state.random);
}

// SETUP-13
void deal_objectives(Table& table) {
  State& state = table.state;
  FixedList<ObjectiveId, 16> cards;
  for (std::size_t id = 0; id < table.content.objectives.size(); ++id)
    if ((table.content.objectives[id].player_counts >> state.options.seats & 1U) != 0)
      cards.push_back(static_cast<ObjectiveId>(id));
  assert(cards.size() >= state.options.seats);
  state.random.shuffle(cards.begin(), cards.end());
  for (Seat seat = 0; seat < state.options.seats; ++seat) {
    state.players[seat].objective = cards[seat];
    table.tell({.kind = EventKind::objective_dealt, .seat = seat, .subject = cards[seat]});
    if (table.content.objectives[cards[seat]].first_player) state.first_player = seat;
  }
  table.tell({.kind = EventKind::first_player, .seat = state.first_player});
}

bool is_taken(const State& state, LeaderId leader) {
  for (Seat seat = 0; seat < state.options.seats; ++seat)
    if (state.players[seat].leader == leader) return true;
  return false;
}

FixedList<LeaderId, 64> free_leaders(const Position& at) {
  FixedList<LeaderId, 64> pool;
  for (std::size_t id = 0; id < at.content.leaders.size(); ++id)
    if (!at.content.leaders[id].back_side && !is_taken(at.state, static_cast<LeaderId>(id)))
      pool.push_back(static_cast<LeaderId>(id));
  return pool;
}

// SETUP-7: what the leader takes out of the starting deck leaves the order of the rest alone.
void give_leader(Table& table, Seat seat, LeaderId leader) {
  Player& player = table.player(seat);
  player.leader = leader;
  table.tell({.kind = EventKind::leader_picked, .seat = seat, .subject = leader});
  for (CardId removed : table.content.leaders[leader].removed_starters) {
    for (std::size_t i = 0; i < player.cards.size(Zone::deck); ++i) {
      if (table.content.card_id(player.cards.begin(Zone::deck)[i].copy) != removed) continue;
      table.state.board.trashed.push_back(player.cards.take(Zone::deck, i));
      break;
    }
  }
}

// SETUP-6
void deal_leaders(Table& table) {
  FixedList<LeaderId, 64> pool = free_leaders(table);
  assert(pool.size() >= table.state.options.seats);
  table.state.random.shuffle(pool.begin(), pool.end());
  for (Seat seat = 0; seat < table.state.options.seats; ++seat) give_leader(table, seat, pool[seat]);
}

// Reverse turn order: the last in turn order picks first, so it lies on top of the stack.
void ask_for_leaders(Table& table) {
  clockwise(table.state, table.state.first_player,
            [&](Seat seat) { table.state.stack.push_back({.kind = FrameKind::pick_leader, .seat = seat}); });
}

}  // namespace

void set_up(Table& table, const Seed& seed) {
  State& state = table.state;
  state.random.key = seed;
  state.board.control.fill(kNoSeat);
  state.board.alliance.fill(kNoSeat);
  table.tell({.kind = EventKind::game_began});
  set_up_conflicts(table);
  set_up_common_decks(table);
  for (Seat seat = 0; seat < state.options.seats; ++seat) set_up_player(table, seat);
  deal_objectives(table);
  if (state.options.leaders == LeaderSelection::random)
    deal_leaders(table);
  else
    ask_for_leaders(table);
}

void list_leaders(const Position& at, ActionList& out) {
  for (LeaderId leader : free_leaders(at))
    out.push_back({.kind = ActionKind::pick_leader, .subject = leader});
}

void choose_leader(Table& table, const Action& action) {
  const Seat seat = top(table).seat;
  pop(table);
  give_leader(table, seat, action.subject);
}

}  // namespace landsraad::rules
