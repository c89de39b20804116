// Whole random games of three and four players with every invariant after every action.
//
// LANDSRAAD_GAMES=n plays n games, LANDSRAAD_FIRST_GAME=k begins with game k: the number in a failure
// message repeats that game alone with LANDSRAAD_FIRST_GAME=number LANDSRAAD_GAMES=1.
#include "tests/random/playout.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "rules/notation/load.h"
#include "tests/random/invariants.h"

namespace landsraad::testing {
namespace {

using namespace rules;

constexpr std::uint64_t kGames = 500;
constexpr int kForgeriesPerDecision = 4;

bool contains(const ActionList& actions, const Action& action) {
  return std::find(actions.begin(), actions.end(), action) != actions.end();
}

// An action near a legal one, or anything: what a broken or malicious client might send.
Action forged(const ActionList& actions, Chance& chance) {
  Action action = actions[chance.below(static_cast<std::uint32_t>(actions.size()))];
  switch (chance.below(6)) {
    case 0:
      action.kind = static_cast<ActionKind>(chance.below(static_cast<std::uint32_t>(ActionKind::count_)));
      break;
    case 1:
      action.option = static_cast<std::uint8_t>(chance.below(256));
      break;
    case 2:
      action.subject = static_cast<std::uint16_t>(chance.below(0x10000));
      break;
    case 3:
      action.target = static_cast<std::uint16_t>(chance.below(0x10000));
      break;
    case 4:
      action.post = static_cast<std::uint8_t>(chance.below(256));
      break;
    default:
      return std::bit_cast<Action>(chance.next());
  }
  return action;
}

// What is wrong with the present decision, in words; empty if nothing.
std::string broken_decision(const Playout& game, Chance& chance) {
  const Content& content = *game.content;
  for (Seat seat = 0; seat < game.options.seats; ++seat) {
    const ActionList actions = legal_actions(content, game.state, seat);
    if (std::string broken = broken_legality(content, game.state, seat, actions); !broken.empty())
      return broken;
    if (actions.empty()) continue;
    for (int i = 0; i < kForgeriesPerDecision; ++i) {
      const Action action = forged(actions, chance);
      for (Seat other = 0; other < game.options.seats; ++other) {
        const bool listed = other == seat && contains(actions, action);
        if (is_legal(content, game.state, other, action) != listed) return "is_legal and the list disagree";
      }
    }
  }
  return {};
}

// A saved game: the bytes of its state and how many moves came before.
struct Save {
  std::array<unsigned char, sizeof(State)> bytes{};
  std::size_t moves = 0;
};

Save save(const Playout& game) {
  Save saved;
  std::memcpy(saved.bytes.data(), &game.state, sizeof(State));
  saved.moves = game.log.size();
  return saved;
}

State replay_from(const Playout& game, const Save& saved) {
  State state;
  std::memcpy(&state, saved.bytes.data(), sizeof(State));
  for (std::size_t i = saved.moves; i < game.log.size(); ++i) {
    apply(*game.content, state, game.log[i].seat, game.log[i].action);
  }
  return state;
}

State replay(const Playout& game) {
  State state = game.start;
  for (const Move& move : game.log) apply(*game.content, state, move.seat, move.action);
  return state;
}

void check_whole_game(const Content& content, std::uint64_t number) {
  INFO("game " << number);
  Ledger ledger;
  Chance chance{number ^ 0xf0f0f0f0f0f0f0f0ULL};
  Playout game = begin_playout(content, number);
  REQUIRE(broken_invariant(content, game.state) == "");

  Save saved = save(game);
  while (!is_over(game.state)) {
    INFO("decision " << game.log.size());
    REQUIRE(broken_decision(game, chance) == "");
    const auto move = next_move(game);
    REQUIRE(move.has_value());
    // The n-th decision replaces the save with chance 1/n, so each is kept equally often.
    if (chance.below(static_cast<std::uint32_t>(game.log.size()) + 1) == 0) saved = save(game);

    const std::uint32_t version = game.state.version;
    ledger.open(game.state);
    play(game, *move, &ledger);
    REQUIRE(game.state.version == version + 1);
    REQUIRE(broken_invariant(content, game.state) == "");
    REQUIRE(ledger.difference(game.state) == "");
    REQUIRE(game.log.size() < kMaxDecisionsOfGame);
  }

  const StateHash expected = hash(game.state);
  CHECK(hash(replay(game)) == expected);
  CHECK(hash(replay_from(game, saved)) == expected);
}

TEST_CASE("options and seed give the same game, another seed another one") {
  const Content& content = uprising_content();
  const Playout game = begin_playout(content, 0);
  CHECK(hash(new_game(content, game.options, game.seed)) == hash(game.start));
  CHECK(hash(new_game(content, game.options, seed_of(1))) != hash(game.start));
}

TEST_CASE("random games keep every invariant from the first decision to the last") {
  const Content& content = uprising_content();
  const std::uint64_t first = first_game();
  const std::uint64_t games = games_to_play(kGames);
  for (std::uint64_t number = first; number < first + games; ++number) check_whole_game(content, number);
  MESSAGE(games << " games, from game " << first);
}

}  // namespace
}  // namespace landsraad::testing
