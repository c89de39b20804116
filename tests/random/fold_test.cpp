// Folding the diffs of a game always gives exactly the snapshot, for every seat and for spectators; and
// every legal action comes back from the wire as it was.
#include "rules/wire/fold.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "rules/notation/load.h"
#include "rules/wire/actions.h"
#include "rules/wire/encode.h"
#include "tests/random/playout.h"

namespace landsraad::testing {
namespace {

using namespace rules;
using wire::Viewer;

constexpr std::uint64_t kGames = 40;
constexpr std::size_t kMaxSnapshotBytes = 3000;
constexpr std::size_t kTypicalDiffBytes = 200;

struct Recorder : EventSink {
  std::vector<Event> events;
  void on(const Event& event) override { events.push_back(event); }
};

// One client: what it holds, kept by folding, and a game it saw earlier and may come back from.
struct Client {
  Viewer viewer;
  v1::GameView view;
  State remembered;
  v1::GameView remembered_view;
};

std::string snapshot_bytes(const Content& content, const State& state, Viewer viewer) {
  v1::GameView view;
  wire::encode(content, nullptr, state, viewer, view);
  return view.SerializeAsString();
}

Client join(const Content& content, const State& state, Viewer viewer) {
  Client client{.viewer = viewer, .view = {}, .remembered = state, .remembered_view = {}};
  wire::encode(content, nullptr, state, viewer, client.view);
  client.remembered_view = client.view;
  return client;
}

struct Sizes {
  std::size_t diffs = 0, diff_bytes = 0, longest_diff = 0, longest_snapshot = 0;

  void add(std::size_t diff, std::size_t snapshot) {
    ++diffs;
    diff_bytes += diff;
    longest_diff = std::max(longest_diff, diff);
    longest_snapshot = std::max(longest_snapshot, snapshot);
  }
  std::size_t mean() const { return diffs == 0 ? 0 : diff_bytes / diffs; }
};

void check_diff(const Content& content, const State& before, const State& after,
                const std::vector<Event>& events, Client& client, Sizes& sizes) {
  v1::Diff diff;
  wire::encode_diff(content, before, after, events, client.viewer, diff);
  const std::string sent = diff.SerializeAsString();
  v1::Diff received;
  REQUIRE(received.ParseFromString(sent));
  wire::fold(client.view, received.changes());

  const std::string snapshot = snapshot_bytes(content, after, client.viewer);
  REQUIRE(client.view.SerializeAsString() == snapshot);
  REQUIRE(received.version() == after.version);
  REQUIRE(received.waiting().empty() == is_over(after));
  sizes.add(sent.size(), snapshot.size());
}

// Somebody who was away for some actions catches up in one step.
void check_return(const Content& content, const State& now, Client& client) {
  v1::GameView changes;
  wire::encode(content, &client.remembered, now, client.viewer, changes);
  wire::fold(client.remembered_view, changes);
  REQUIRE(client.remembered_view.SerializeAsString() == snapshot_bytes(content, now, client.viewer));
  client.remembered = now;
}

void check_actions(const Content& content, const State& state, Seat seat) {
  v1::LegalActions sent;
  wire::encode_legal_actions(content, state, seat, sent);
  const ActionList actions = legal_actions(content, state, seat);
  REQUIRE(sent.version() == state.version);
  REQUIRE(static_cast<std::size_t>(sent.actions_size()) == actions.size());
  for (std::size_t i = 0; i < actions.size(); ++i)
    REQUIRE(wire::from_wire(sent.actions(static_cast<int>(i))) == actions[i]);
}

void check_whole_game(const Content& content, std::uint64_t number, Sizes& sizes) {
  INFO("game " << number);
  Chance chance{number};
  Playout game = begin_playout(content, number);
  std::vector<Client> clients{join(content, game.state, wire::kSpectator)};
  for (Seat seat = 0; seat < game.options.seats; ++seat)
    clients.push_back(join(content, game.state, Viewer{seat}));

  while (const auto move = next_move(game)) {
    INFO("decision " << game.log.size());
    check_actions(content, game.state, move->seat);
    const State before = game.state;
    Recorder recorder;
    play(game, *move, &recorder);
    for (Client& client : clients) {
      INFO("viewer " << int{client.viewer.seat});
      check_diff(content, before, game.state, recorder.events, client, sizes);
      if (chance.below(20) == 0) check_return(content, game.state, client);
    }
  }
}

TEST_CASE("folding the diffs gives the snapshot, for every viewer") {
  const Content& content = uprising_content();
  Sizes sizes;
  const std::uint64_t first = first_game();
  const std::uint64_t games = games_to_play(kGames);
  for (std::uint64_t number = first; number < first + games; ++number)
    check_whole_game(content, number, sizes);
  MESSAGE(sizes.diffs << " diffs: mean " << sizes.mean() << " bytes, longest " << sizes.longest_diff
                      << "; longest snapshot " << sizes.longest_snapshot);
  CHECK(sizes.mean() < kTypicalDiffBytes);
  CHECK(sizes.longest_snapshot < kMaxSnapshotBytes);
}

TEST_CASE("numbers that do not fit the engine are no action") {
  v1::Action action;
  CHECK_FALSE(wire::from_wire(action).has_value());
  action.set_kind(v1::ACTION_KIND_SEND_AGENT);
  CHECK(wire::from_wire(action).has_value());
  SUBCASE("option") { action.set_option(0x100); }
  SUBCASE("subject") { action.set_subject(0x10000); }
  SUBCASE("target") { action.set_target(0x10000); }
  SUBCASE("post") { action.set_post(kMaxPosts); }
  SUBCASE("kind") { action.set_kind(static_cast<v1::ActionKind>(1000)); }
  CHECK_FALSE(wire::from_wire(action).has_value());
}

}  // namespace
}  // namespace landsraad::testing
