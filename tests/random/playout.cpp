#include "tests/random/playout.h"

#include <array>
#include <cassert>
#include <cstdlib>

namespace landsraad::testing {

using rules::Action;
using rules::ActionKind;
using rules::ActionList;

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
  return Playout{&content,
                 number,
                 style,
                 options,
                 seed,
                 Chance{~number},
                 rules::new_game(content, options, seed, events),
                 {}};
}

Playout begin_playout(const rules::Content& content, std::uint64_t number, rules::EventSink* events) {
  rules::Options options;
  options.seats = number % 2 == 0 ? 4 : 3;
  options.leaders = number / 2 % 2 == 0 ? rules::LeaderSelection::random : rules::LeaderSelection::pick;
  const auto style = static_cast<Style>(number / 4 % static_cast<std::uint64_t>(Style::count_));
  return begin_playout(content, number, options, style, events);
}

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
