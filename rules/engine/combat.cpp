// Phase 3: Combat Intrigue, rewards, ties (COMBAT, TIE, DOUBLE).
#include <algorithm>

#include "rules/engine/board.h"
#include "rules/engine/frames.h"
#include "rules/engine/intrigue.h"
#include "rules/engine/phases.h"

namespace landsraad::rules {

namespace {

enum Step : std::uint8_t { kBegin, kIntrigue, kResolve, kLeave };

bool takes_part(const State& state, Seat seat) { return state.players[seat].units() > 0; }  // COMBAT-1

int participants(const State& state) {
  int count = 0;
  for (Seat seat = 0; seat < state.options.seats; ++seat) count += takes_part(state, seat) ? 1 : 0;
  return count;
}

void ask(Table& table, Seat seat) {
  table.state.stack.push_back({.kind = FrameKind::combat_turn, .seat = seat});
}

// COMBAT-2, COMBAT-3: from the First Player on, until all participants have passed one after the other.
void ask_next(Table& table, Seat from) {
  State& state = table.state;
  if (state.combat_passes >= participants(state)) {
    state.step = kResolve;
    return;
  }
  Seat seat = from;
  while (!takes_part(state, seat)) seat = state.next_seat(seat);
  state.turn.seat = kNoSeat;
  ask(table, seat);
}

// ---- Ranks -----------------------------------------------------------------------------------------

struct Ranking {
  FixedList<Seat, kMaxSeats> seats;  // strength above 0, highest first; ties from the First Player on
};

Ranking rank(const State& state) {
  Ranking ranking;
  clockwise(state, state.first_player, [&](Seat seat) {
    const int strength = state.players[seat].strength();
    if (strength == 0) return;  // COMBAT-10
    std::size_t i = 0;
    while (i < ranking.seats.size() && state.players[ranking.seats[i]].strength() >= strength) ++i;
    ranking.seats.insert(i, seat);
  });
  return ranking;
}

std::size_t tied_from(const State& state, const Ranking& ranking, std::size_t first) {
  if (first >= ranking.seats.size()) return 0;
  std::size_t count = 1;
  while (first + count < ranking.seats.size() && state.players[ranking.seats[first + count]].strength() ==
                                                     state.players[ranking.seats[first]].strength())
    ++count;
  return count;
}

struct Reward {
  Seat seat = kNoSeat;
  std::uint8_t rank = 0;  // 1..3
};
using Rewards = FixedList<Reward, kMaxSeats>;

void give(Rewards& rewards, const Ranking& ranking, std::size_t first, std::size_t count,
          std::uint8_t reward) {
  for (std::size_t i = first; i < first + count; ++i) rewards.push_back({ranking.seats[i], reward});
}

// The table of ties in section 18. `third` tells whether there is a third reward by rank (COMBAT-12).
Rewards rewards_for(const State& state, const Ranking& ranking) {
  const bool third = state.options.seats >= 4;
  Rewards rewards;
  const std::size_t first = tied_from(state, ranking, 0);
  if (first == 0) return rewards;
  if (first >= 2) {
    give(rewards, ranking, 0, first, 2);
    if (first == 2 && third && tied_from(state, ranking, 2) == 1) give(rewards, ranking, 2, 1, 3);  // TIE-3
    return rewards;
  }
  give(rewards, ranking, 0, 1, 1);
  const std::size_t second = tied_from(state, ranking, 1);
  if (second >= 2) {
    give(rewards, ranking, 1, second, 3);  // TIE-2
    return rewards;
  }
  if (second == 1) give(rewards, ranking, 1, 1, 2);
  if (third && tied_from(state, ranking, 2) == 1) give(rewards, ranking, 2, 1, 3);
  return rewards;
}

// COMBAT-11: first place first; so it is put on the stack last, above the end of the Combat.
void resolve(Table& table) {
  State& state = table.state;
  const Ranking ranking = rank(state);
  const Rewards rewards = rewards_for(state, ranking);
  const bool won = !rewards.empty() && rewards[0].rank == 1;
  state.stack.push_back({.kind = FrameKind::combat_end, .seat = won ? rewards[0].seat : kNoSeat});
  for (std::size_t i = rewards.size(); i-- > 0;)
    state.stack.push_back(
        {.kind = FrameKind::combat_reward, .seat = rewards[i].seat, .left = rewards[i].rank});
  state.step = kLeave;
}

// ---- Rewards ---------------------------------------------------------------------------------------

// DOUBLE-3: control is not taken twice.
void open_reward(Table& table, const Frame& reward, bool second_time) {
  State& state = table.state;
  const ConflictId id = state.board.conflicts.back();
  const NodeId node = table.content.conflicts[id].rewards[static_cast<std::size_t>(reward.left - 1)];
  if (node == kNoNode) return;
  const Source source{SourceKind::conflict, 0, id};
  state.turn.arrows_used.clear();  // DOUBLE-5
  state.stack.push_back({.kind = FrameKind::menu, .seat = reward.seat, .node = node, .source = source});
  add_items(table, top_index(state), {node, reward.seat, source});
  if (!second_time) return;
  for (std::size_t i = state.items.size(); i-- > 0;)
    if (state.items[i].menu == top_index(state) && table.node(state.items[i].node).op == Op::control)
      state.items.erase(i);
}

// COMBAT-14
void clear_conflict(Table& table) {
  for (Seat seat = 0; seat < table.state.options.seats; ++seat) {
    Player& player = table.player(seat);
    if (player.troops_in_conflict > 0) {
      table.tell({.kind = EventKind::troops_lost, .seat = seat, .amount = player.troops_in_conflict});
      player.supply = static_cast<std::uint8_t>(player.supply + player.troops_in_conflict);
    }
    player.troops_in_conflict = 0;
    player.sandworms = 0;
    player.swords = 0;
  }
}

}  // namespace

void advance_combat(Table& table) {
  State& state = table.state;
  switch (state.step) {
    case kBegin:
      state.combat_passes = 0;
      state.step = kIntrigue;
      ask_next(table, state.first_player);
      return;
    case kIntrigue:
      state.step = kResolve;
      return;
    case kResolve:
      resolve(table);
      return;
    default:
      state.phase = Phase::makers;
      state.step = 0;
      table.tell({.kind = EventKind::phase_began, .amount = static_cast<std::int16_t>(Phase::makers)});
  }
}

void list_combat_turn(const Position& at, ActionList& out) {
  list_playable(at, top(at).seat, IntrigueType::combat, out);
  out.push_back(kDone);
}

// COMBAT-5: a card that takes the last unit away ends the part of its player.
bool step_combat_turn(Table& table) {
  const Seat seat = top(table).seat;
  if (takes_part(table.state, seat)) return false;
  pop(table);
  ask_next(table, table.state.next_seat(seat));
  return true;
}

// frame.used = 1: the seat has played a card in this turn of the sequence, so `done` is no pass.
void choose_combat_turn(Table& table, const Action& action) {
  const Seat seat = top(table).seat;
  if (action.kind == ActionKind::play_intrigue) {
    top(table).used = 1;
    table.state.combat_passes = 0;
    play_intrigue(table, seat, action.subject, IntrigueType::combat);
    return;
  }
  const bool passes = top(table).used == 0;
  pop(table);
  if (passes) {
    ++table.state.combat_passes;
    table.tell({.kind = EventKind::passed, .seat = seat});
  }
  ask_next(table, table.state.next_seat(seat));
}

bool step_combat_reward(Table& table) {
  Frame& reward = top(table);
  const ConflictId id = table.state.board.conflicts.back();
  const bool doubled = reward.used != 0;
  if (reward.step == 0) {
    reward.used = table.player(reward.seat).sandworms > 0 ? 1 : 0;  // DOUBLE-1
    table.tell({.kind = EventKind::reward, .seat = reward.seat, .subject = id, .amount = reward.left});
  } else if (reward.step == 2 || !doubled) {
    pop(table);
    return true;
  }
  ++reward.step;
  const Frame now = reward;
  open_reward(table, now, now.step == 2);
  return true;
}

// COMBAT-13, COMBAT-16
bool step_combat_end(Table& table) {
  const Seat winner = top(table).seat;
  pop(table);
  Board& board = table.state.board;
  const ConflictId id = board.conflicts.back();
  if (winner == kNoSeat) {
    table.tell({.kind = EventKind::conflict_unclaimed, .subject = id});
  } else {
    board.conflicts.pop_back();
    table.player(winner).won.push_back({.conflict = id});
    table.tell({.kind = EventKind::conflict_won, .seat = winner, .subject = id});
    match_battle_icon(table, winner);
  }
  clear_conflict(table);
  return true;
}

}  // namespace landsraad::rules
