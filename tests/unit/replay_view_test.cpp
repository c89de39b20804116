// Moments of games in words: what they say depends on nothing that the viewer may not know.
#include <doctest/doctest.h>

#include <sstream>

#include "rules/notation/load.h"
#include "tests/random/forging.h"
#include "tests/unit/recorded_game.h"
#include "tools/replay/hearsay.h"
#include "tools/replay/position.h"
#include "tools/replay/teller.h"
#include "tools/replay/viewpoint.h"

namespace landsraad::replay::replay_view_test {

namespace {

using rules::Event;
using rules::EventKind;
using rules::State;
using testing::Chance;

const rules::Content& content() { return rules::uprising_content(); }

std::string told(const State& state, const Viewpoint& from) {
  words::Narrator narrator(content());
  std::ostringstream out;
  tell_position(content(), narrator, seen(content(), state, from), out);
  if (from.all) tell_decks(content(), narrator, state, out);
  return out.str();
}

std::vector<Viewpoint> viewers(const State& state) {
  std::vector<Viewpoint> all{Viewpoint{}};
  for (rules::Seat seat = 0; seat < state.options.seats; ++seat) all.push_back({.viewer = {seat}});
  return all;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// A scene told to a viewer.
std::string told(const room::Scene& scene, wire::Viewer viewer) {
  std::ostringstream out;
  Teller(content(), out, viewer).scene(scene);
  return out.str();
}

}  // namespace

TEST_CASE("words for a viewer stay the same when something hidden changes") {
  std::size_t really_differ = 0;
  for (std::uint64_t number = 0; number < 3; ++number) {
    Chance chance{number};
    testing::Playout game = testing::begin_playout(content(), number);
    for (std::size_t n = 0; const auto move = testing::next_move(game); ++n) {
      testing::play(game, *move);
      if (n % 7 != 0 || rules::is_over(game.state)) continue;
      for (const Viewpoint& from : viewers(game.state)) {
        const State forged = testing::forged_position(content(), game.state, from.viewer.seat, chance);
        REQUIRE(told(forged, from) == told(game.state, from));
        if (told(forged, {.all = true}) != told(game.state, {.all = true})) ++really_differ;
      }
    }
  }
  CHECK(really_differ > 100);
}

// Neither another card that was drawn nor another action of the same player may change what others hear.
TEST_CASE("a telling for a viewer has neither hidden cards nor the actions of others") {
  struct Listener final : room::Audience {
    void scene(const room::Scene& scene) override {
      for (rules::Seat seat = 0; seat <= scene.before.options.seats; ++seat) {
        const wire::Viewer viewer{seat < scene.before.options.seats ? seat : rules::kNoSeat};
        room::Step other = scene.step;
        if (scene.step.entry.action() != nullptr)
          other.entry.deed = rules::Action{.kind = rules::ActionKind::choose_amount, .option = 7};
        for (Event& event : other.events) {
          const bool known =
              event.subject_known_to == 0xff ||
              (viewer.seat != rules::kNoSeat && (event.subject_known_to & rules::seat_bit(viewer.seat)) != 0);
          if (known) continue;
          event.subject = 1;
          ++hidden;
        }
        const std::string words = told(scene, viewer);
        CHECK(told(room::Scene{scene.version, other, scene.before}, viewer) == words);
        CHECK_FALSE(has(words, "?"));
      }
    }
    std::size_t hidden = 0;
  };
  Listener listener;
  const Recorded game = record_game(3);
  CHECK(room::replay(content(), game.records, &listener).fault.empty());
  CHECK(listener.hidden > 50);
}

TEST_CASE("a seat is told its own cards, and of others how many they are") {
  Recorded game = record_game(3);
  const room::Replay middle = room::replay(content(), game.records, nullptr, 60);
  REQUIRE(middle.fault.empty());
  const State& state = middle.game->state();
  const std::string own = told(state, {.viewer = {1}}), side = told(state, {}),
                    all = told(state, {.all = true});
  CHECK(has(own, "in no order: "));
  CHECK_FALSE(has(side, "in no order: "));
  CHECK(has(side, "  Hand: " + std::to_string(state.player(1).cards.size(rules::Zone::hand)) + " card"));
  CHECK(has(all, "Decks, the next card first"));
  for (const std::string& text : {own, side, all}) {
    CHECK(has(text, "After 60 actions: round "));
    CHECK(has(text, " is to "));
    CHECK(has(text, "Imperium Row"));
    CHECK_FALSE(has(text, "?"));
  }
}

TEST_CASE("everything viewers hear is said in the engine's words") {
  const Recorded game = record_game(4);
  struct Listener final : room::Audience {
    void scene(const room::Scene& scene) override {
      for (const Event& event : scene.step.events) {
        const std::vector<Event> alone = hearsay(content(), {&event, 1}, {0});
        REQUIRE(alone.size() == 1);
        CHECK(alone.front().kind == event.kind);
        CHECK(alone.front().seat == event.seat);
        CHECK(alone.front().amount == event.amount);
        CHECK(alone.front().detail == event.detail);
        CHECK(narrator.source(alone.front().cause) == narrator.source(event.cause));
      }
    }
    words::Narrator narrator{content()};
  };
  Listener listener;
  CHECK(room::replay(content(), game.records, &listener).fault.empty());
}

TEST_CASE("a viewpoint is a seat, a name, the side or everywhere") {
  room::Opening opening = opening_of(3);  // three seats: Alia, Blia, Clia
  CHECK(viewpoint_of("0", opening)->viewer == wire::Viewer{0});
  CHECK(viewpoint_of("2", opening)->viewer == wire::Viewer{2});
  CHECK(viewpoint_of("Blia", opening)->viewer == wire::Viewer{1});
  CHECK(viewpoint_of("spectator", opening)->viewer == wire::kSpectator);
  CHECK_FALSE(viewpoint_of("spectator", opening)->all);
  CHECK(viewpoint_of("all", opening)->all);
  for (const char* wrong : {"3", "-1", "blia", "", "1x"})
    CHECK_FALSE(viewpoint_of(wrong, opening).has_value());
}

}  // namespace landsraad::replay::replay_view_test
