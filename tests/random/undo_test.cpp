// Free undo tells nobody anything they did not know.
//
// Of two games that differ only in what the acting seat may not know ("forged" is the second one), the same
// action must be open to undo in both or in neither; and where it is, the seat must see the same after it. So
// whatever it looks at before it takes the action back, it knew already.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rules/engine/revealing.h"
#include "rules/notation/load.h"
#include "rules/wire/encode.h"
#include "tests/random/forging.h"

namespace landsraad::testing {
namespace {

using namespace rules;

constexpr std::uint64_t kGames = 30;
constexpr int kForgeries = 3;  // of each position

struct Recorder : EventSink {
  std::vector<Event> events;
  void on(const Event& event) override { events.push_back(event); }
};

struct Seen {
  bool reveals = false;
  std::string diff, snapshot;
  ActionList actions;  // if the seat decides again
};

Seen see(const Content& content, const State& before, const Move& move) {
  State after = before;
  Recorder recorder;
  apply(content, after, move.seat, move.action, &recorder);
  Seen seen;
  seen.reveals = reveals(before, after, move.seat);
  v1::Diff diff;
  wire::encode_diff(content, before, after, recorder.events, {move.seat}, diff);
  v1::Snapshot snapshot;
  wire::encode_snapshot(content, after, {move.seat}, snapshot);
  seen.diff = diff.SerializeAsString();
  seen.snapshot = snapshot.SerializeAsString();
  legal_actions(content, after, move.seat, seen.actions);
  return seen;
}

bool same(const ActionList& a, const ActionList& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

TEST_CASE("what can be taken back freely has shown its player nothing") {
  const Content& content = uprising_content();
  std::uint64_t open = 0, revealing = 0;
  const std::uint64_t first = first_game();
  for (std::uint64_t number = first; number < first + games_to_play(kGames); ++number) {
    INFO("game " << number);
    Chance chance{number};
    Playout game = begin_playout(content, number);
    while (const auto move = next_move(game)) {
      INFO("decision " << game.log.size() << ", action " << int(move->action.kind) << " of seat "
                       << int{move->seat});
      const Seen real = see(content, game.state, *move);
      (real.reveals ? revealing : open) += 1;
      for (int n = 0; n < kForgeries; ++n) {
        const State forged = forged_position(content, game.state, move->seat, chance);
        REQUIRE(is_legal(content, forged, move->seat, move->action));
        const Seen other = see(content, forged, *move);
        REQUIRE(other.reveals == real.reveals);
        if (real.reveals) continue;
        REQUIRE(other.diff == real.diff);
        REQUIRE(other.snapshot == real.snapshot);
        REQUIRE(same(other.actions, real.actions));
      }
      play(game, *move);
    }
  }
  MESSAGE(open << " open to undo, " << revealing << " not");
  CHECK(open > revealing);
  CHECK(revealing > 0);
}

}  // namespace
}  // namespace landsraad::testing
