// The Endgame step and the final ranking (END).
#include <array>

#include "rules/engine/board.h"
#include "rules/engine/frames.h"
#include "rules/engine/intrigue.h"
#include "rules/engine/phases.h"
#include "rules/engine/resources.h"
#include "rules/engine/rulings.h"

namespace landsraad::rules {

namespace {

// What decides the game, most important first (END-3, END-4, END-5).
std::array<int, 6> merits(const Player& player) {
  return {player.victory_points,   player[Resource::spice], player[Resource::solari],
          player[Resource::water], player.garrison,         player.reveal_order};
}

void rank_players(Table& table) {
  State& state = table.state;
  for (Seat seat = 0; seat < state.options.seats; ++seat) {
    std::uint8_t place = 1;
    for (Seat other = 0; other < state.options.seats; ++other)
      if (merits(state.players[other]) > merits(state.players[seat])) ++place;
    state.players[seat].place = place;
  }
}

// ICON-4: a wild icon pairs with any face-up icon, a second wild included.
void list_wild_matches(const Position& at, Seat seat, ActionList& out) {
  for (const WonConflict& wild : at.player(seat).won) {
    if (wild.face_down || at.content.conflicts[wild.conflict].icon != BattleIcon::wild) continue;
    for_each_face_up(at, seat, [&](std::uint16_t id, bool objective, BattleIcon icon) {
      if (!objective && id == wild.conflict) return;
      if (icon == BattleIcon::wild && (!kWildMatchesWild || id < wild.conflict)) return;  // each pair once
      out.push_back({.kind = ActionKind::match_wild,
                     .option = objective ? std::uint8_t{1} : std::uint8_t{0},
                     .subject = wild.conflict,
                     .target = id});
    });
  }
}

void match_wild(Table& table, Seat seat, const Action& action) {
  turn_face_down(table, seat, action.subject, false);
  turn_face_down(table, seat, action.target, action.option == 1);
  const Effect effect{kNoNode, seat, {SourceKind::conflict, 0, action.subject}};
  Event event = change(EventKind::battle_icons_matched, effect, 1);
  event.subject = action.subject;
  event.detail = static_cast<std::uint8_t>(BattleIcon::wild);
  table.tell(event);
  change_victory_points(table, effect, 1);
}

}  // namespace

// END-2: one window per player, from the First Player on.
void advance_endgame(Table& table) {
  State& state = table.state;
  state.turn = Turn{};
  if (state.step < state.options.seats) {
    const auto seat = static_cast<Seat>((state.first_player + state.step) % state.options.seats);
    ++state.step;
    state.stack.push_back({.kind = FrameKind::endgame_window, .seat = seat});
    return;
  }
  rank_players(table);
  state.phase = Phase::over;
  table.tell({.kind = EventKind::game_over});
}

void list_endgame(const Position& at, ActionList& out) {
  const Seat seat = top(at).seat;
  list_playable(at, seat, IntrigueType::endgame, out);
  list_wild_matches(at, seat, out);
  out.push_back(kDone);
}

void choose_endgame(Table& table, const Action& action) {
  const Seat seat = top(table).seat;
  switch (action.kind) {
    case ActionKind::play_intrigue:
      play_intrigue(table, seat, action.subject, IntrigueType::endgame);
      return;
    case ActionKind::match_wild:
      match_wild(table, seat, action);
      return;
    default:
      pop(table);
  }
}

}  // namespace landsraad::rules
