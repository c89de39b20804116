// Whole random games, driven only through rules/engine/engine.h.
//
//   Playout game = begin_playout(content, 17);           // options, seed and style follow from the number
//   while (const auto move = next_move(game)) { ...; play(game, *move); }
//
// The same number plays the same game on every machine; a failing test prints it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rules/engine/engine.h"

namespace landsraad::testing {

// A small generator for the players' choices, apart from the game's own stream (SplitMix64).
struct Chance {
  std::uint64_t state = 0;
  std::uint64_t next();
  std::uint32_t below(std::uint32_t bound);  // 0 .. bound-1; bound >= 1
};

// How the players choose. Different styles reach different corners of the game.
enum class Style : std::uint8_t {
  uniform,  // any legal action
  by_kind,  // a kind of action first, then one of it
  eager,    // ends, passes and reveals only when nothing else is left: long, busy turns
  count_
};

struct Move {
  rules::Seat seat = rules::kNoSeat;
  rules::Action action;
  bool operator==(const Move&) const = default;
};

struct Playout {
  const rules::Content* content = nullptr;
  std::uint64_t number = 0;
  Style style = Style::uniform;
  rules::Options options;
  rules::Seed seed{};
  Chance chance;
  rules::State start;  // after set-up, and stirred if the game is
  rules::State state;
  std::vector<Move> log;
};

// Games alternate between 3 and 4 seats, random and picked leaders, and the styles; every fifth is stirred.
Playout begin_playout(const rules::Content&, std::uint64_t number, rules::EventSink* = nullptr);

// As begin_playout, with everything given.
Playout begin_playout(const rules::Content&, std::uint64_t number, rules::Options, Style,
                      rules::EventSink* = nullptr);

// The next move of the game; none when it is over.
std::optional<Move> next_move(Playout&);

void play(Playout&, const Move&, rules::EventSink* = nullptr);

// One of `actions`, which must not be empty.
const rules::Action& pick(const rules::ActionList& actions, Style, Chance&);

// Gives every seat goods, Influence, Spies, Intrigue cards and marks as if some rounds had been played, so
// that rare positions come up. For a game right after set-up.
void stir(const rules::Content&, rules::State&, Chance&);

// A seed that spreads the number over all bytes.
rules::Seed seed_of(std::uint64_t number);

// How many games a test plays, LANDSRAAD_GAMES or `otherwise`; and the number of the first one,
// LANDSRAAD_FIRST_GAME or 0.
std::uint64_t games_to_play(std::uint64_t otherwise);
std::uint64_t first_game();

}  // namespace landsraad::testing
