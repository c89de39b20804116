#include "tests/random/playout.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>

namespace landsraad::testing {

using namespace rules;

std::uint64_t Chance::next() {
  state += 0x9e3779b97f4a7c15ULL;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
  return mixed ^ (mixed >> 31);
}

std::uint32_t Chance::below(std::uint32_t bound) {
  assert(bound >= 1);
  return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
}

namespace {

constexpr std::uint64_t kStirredOneIn = 5;

bool gives_way(const Action& action) {
  return action.kind == ActionKind::done || action.kind == ActionKind::reveal;
}

const Action& pick_by_kind(const ActionList& actions, Chance& chance) {
  std::array<std::uint16_t, static_cast<std::size_t>(ActionKind::count_)> of_kind{};
  for (const Action& action : actions) ++of_kind[static_cast<std::size_t>(action.kind)];
  std::uint32_t kinds = 0;
  for (const std::uint16_t count : of_kind) kinds += count > 0 ? 1 : 0;

  std::uint32_t skip = chance.below(kinds);
  std::size_t kind = 0;
  while (of_kind[kind] == 0 || skip-- > 0) ++kind;

  std::uint32_t nth = chance.below(of_kind[kind]);
  for (const Action& action : actions) {
    if (static_cast<std::size_t>(action.kind) == kind && nth-- == 0) return action;
  }
  return actions[0];
}

const Action& pick_eager(const ActionList& actions, Chance& chance) {
  std::uint32_t busy = 0;
  for (const Action& action : actions) busy += gives_way(action) ? 0 : 1;
  if (busy == 0) return actions[chance.below(static_cast<std::uint32_t>(actions.size()))];
  std::uint32_t nth = chance.below(busy);
  for (const Action& action : actions) {
    if (!gives_way(action) && nth-- == 0) return action;
  }
  return actions[0];
}

std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr || *text == '\0' ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace

const Action& pick(const ActionList& actions, Style style, Chance& chance) {
  assert(!actions.empty());
  switch (style) {
    case Style::by_kind:
      return pick_by_kind(actions, chance);
    case Style::eager:
      return pick_eager(actions, chance);
    case Style::uniform:
    case Style::count_:
      break;
  }
  return actions[chance.below(static_cast<std::uint32_t>(actions.size()))];
}

rules::Seed seed_of(std::uint64_t number) {
  Chance chance{number};
  rules::Seed seed;
  for (std::uint8_t& byte : seed) byte = static_cast<std::uint8_t>(chance.next());
  return seed;
}

Playout begin_playout(const rules::Content& content, std::uint64_t number, rules::Options options,
                      Style style, rules::EventSink* events) {
  const rules::Seed seed = seed_of(number);
  const State start = rules::new_game(content, options, seed, events);
  return Playout{&content, number, style, options, seed, Chance{~number}, start, start, {}};
}

Playout begin_playout(const rules::Content& content, std::uint64_t number, rules::EventSink* events) {
  rules::Options options;
  options.seats = number % 2 == 0 ? 4 : 3;
  options.leaders = number / 2 % 2 == 0 ? rules::LeaderSelection::random : rules::LeaderSelection::pick;
  const auto style = static_cast<Style>(number / 4 % static_cast<std::uint64_t>(Style::count_));
  Playout game = begin_playout(content, number, options, style, events);
  if (number % kStirredOneIn == kStirredOneIn - 1) {
    stir(content, game.start, game.chance);
    game.state = game.start;
  }
  return game;
}

// ---- Stirring ---------------------------------------------------------------------------------------

namespace {

// In each function `below(n)` gives 0 .. n-1: how much of something, or with n = 2 whether at all.

void stir_goods(Player& player, Chance& chance) {
  for (std::int16_t& amount : player.resources) amount = static_cast<std::int16_t>(amount + chance.below(9));
  player.maker_hooks = chance.below(2) == 1;
  player.high_council = chance.below(4) == 1;
  if (chance.below(4) == 1) {
    player.swordmaster = true;
    ++player.agents_on_leader;
  }
  const auto recruited = static_cast<std::uint8_t>(chance.below(player.supply + 1U));
  player.supply = static_cast<std::uint8_t>(player.supply - recruited);
  player.garrison = static_cast<std::uint8_t>(player.garrison + recruited);
}

void stir_intrigues(State& state, Player& player, Chance& chance) {
  for (std::uint32_t n = chance.below(6); n > 0; --n)
    player.intrigues.push_back(state.board.intrigue_deck.pop_back());
}

void stir_spies(const Content& content, State& state, Seat seat, Chance& chance) {
  Player& player = state.player(seat);
  for (std::uint32_t n = chance.below(player.spies_in_supply + 1U); n > 0; --n) {
    SeatMask& post = state.board.spies[chance.below(static_cast<std::uint32_t>(content.posts.size()))];
    if (post != 0) continue;
    post = seat_bit(seat);
    --player.spies_in_supply;
  }
}

// Influence, its points and the Alliance as they would have come (FACT-5, ALLY-1, ALLY-6).
void stir_track(State& state, Faction faction, Chance& chance) {
  const auto track = static_cast<std::size_t>(faction);
  SeatMask highest = 0;
  int most = 4;
  for (Seat seat = 0; seat < state.options.seats; ++seat) {
    Player& player = state.player(seat);
    const auto influence = static_cast<std::int8_t>(chance.below(6));
    player.influence[track] = influence;
    if (influence >= 2) ++player.victory_points;
    if (influence > most) highest = 0;
    if (influence >= most) highest = static_cast<SeatMask>(highest | seat_bit(seat));
    most = std::max<int>(most, influence);
  }
  if (highest == 0) return;
  Seat holder = static_cast<Seat>(chance.below(state.options.seats));
  while ((highest & seat_bit(holder)) == 0) holder = state.next_seat(holder);
  state.board.alliance[track] = holder;
  ++state.player(holder).victory_points;
}

void stir_board(const Content& content, State& state, Chance& chance) {
  state.board.shield_wall = chance.below(2) == 1;
  for (std::size_t space = 0; space < content.spaces.size(); ++space) {
    if (content.spaces[space].maker)
      state.board.bonus_spice[space] = static_cast<std::uint8_t>(chance.below(4));
    if (content.spaces[space].critical && chance.below(2) == 1) {
      state.board.control[space] = static_cast<Seat>(chance.below(state.options.seats));
    }
  }
}

}  // namespace

void stir(const Content& content, State& state, Chance& chance) {
  for (Seat seat = 0; seat < state.options.seats; ++seat) {
    stir_goods(state.player(seat), chance);
    stir_intrigues(state, state.player(seat), chance);
    stir_spies(content, state, seat, chance);
  }
  for (const FactionTrack& track : content.tracks) stir_track(state, track.faction, chance);
  stir_board(content, state, chance);
}

// ---- Playing ----------------------------------------------------------------------------------------

std::optional<Move> next_move(Playout& game) {
  const rules::SeatMask seats = rules::deciders(game.state);
  if (seats == 0) return std::nullopt;
  const rules::Seat seat = rules::first_seat(seats);
  const ActionList actions = rules::legal_actions(*game.content, game.state, seat);
  if (actions.empty()) return std::nullopt;
  return Move{seat, pick(actions, game.style, game.chance)};
}

void play(Playout& game, const Move& move, rules::EventSink* events) {
  rules::apply(*game.content, game.state, move.seat, move.action, events);
  game.log.push_back(move);
}

std::uint64_t games_to_play(std::uint64_t otherwise) {
  return number_from_environment("LANDSRAAD_GAMES", otherwise);
}
std::uint64_t first_game() { return number_from_environment("LANDSRAAD_FIRST_GAME", 0); }

}  // namespace landsraad::testing
