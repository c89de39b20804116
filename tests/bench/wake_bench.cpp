// What it costs to wake a game that its server died under, without reading it from storage: a usual one,
// which has no snapshot yet, and the longest there can be, from its latest snapshot and from its whole log.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "rules/notation/load.h"
#include "server/room/limits.h"
#include "server/room/replay.h"
#include "server/room/snapshot.h"
#include "tests/random/playout.h"

namespace {

using namespace landsraad;

struct Stored {
  std::vector<std::string> records;
  std::string snapshot;           // the latest
  std::vector<std::string> rest;  // the opening, and the entries after it
};

// A random game; while its log is shorter than `entries`, whatever can be taken back mostly is.
Stored play(std::uint64_t entries) {
  room::Opening opening;
  opening.content_version = rules::uprising_content().version;
  opening.options.set_product("uprising");
  opening.options.set_players(4);
  opening.options.set_undo(v1::UNDO_POLICY_OWN);
  opening.seats.resize(4);
  room::Game game(rules::uprising_content(), std::move(opening));
  Stored stored;
  stored.records.push_back(room::write_opening(game.opening()));
  testing::Chance chance{7};
  while (!game.over()) {
    const rules::Seat seat = rules::first_seat(game.deciders());
    room::Entry entry{.seat = seat};
    const std::optional<std::uint32_t> floor = game.undo_to(seat);
    if (floor && game.records() < entries && chance.below(20) != 0) {
      entry.deed = room::Undo{*floor};
    } else {
      const rules::ActionList actions = rules::legal_actions(game.content(), game.state(), seat);
      entry.deed = testing::pick(actions, testing::Style::eager, chance);
    }
    const room::Step step = game.prepare(entry);
    stored.records.push_back(game.record(step));
    game.commit(step, {});
    stored.rest.push_back(stored.records.back());
    if (game.records() % room::Limits{}.snapshot_entries != 0) continue;
    stored.snapshot = room::write_snapshot(game);
    stored.rest.clear();
  }
  stored.rest.insert(stored.rest.begin(), stored.records.front());
  return stored;
}

const Stored& usual_game() {
  static const Stored stored = play(0);
  return stored;
}
const Stored& longest_game() {
  static const Stored stored = play(room::Limits{}.log_entries);
  return stored;
}

void expect(const room::Replay& replay) {
  if (replay.fault.empty()) return;
  std::fprintf(stderr, "wake_bench: %s\n", replay.fault.c_str());
  std::exit(1);
}

void replay(benchmark::State& state, const Stored& stored) {
  for (auto _ : state) expect(room::replay(rules::uprising_content(), stored.records));
}

void resume(benchmark::State& state, const Stored& stored) {
  for (auto _ : state) expect(room::resume(rules::uprising_content(), stored.rest, stored.snapshot));
}

void wake_longest_game(benchmark::State& state) {
  resume(state, longest_game());
  state.counters["longest_game_entries"] = static_cast<double>(longest_game().records.size() - 1);
  state.counters["longest_game_snapshot_bytes"] = static_cast<double>(longest_game().snapshot.size());
}
void replay_usual_game(benchmark::State& state) { replay(state, usual_game()); }
void replay_longest_game(benchmark::State& state) { replay(state, longest_game()); }

BENCHMARK(wake_longest_game)->Unit(benchmark::kMicrosecond);
BENCHMARK(replay_usual_game)->Unit(benchmark::kMicrosecond);
BENCHMARK(replay_longest_game)->Unit(benchmark::kMicrosecond);

}  // namespace
