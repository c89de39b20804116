// What the engine and the encoder cost, in random four-player games whose players choose uniformly.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "landsraad/v1/game.pb.h"
#include "rules/notation/load.h"
#include "rules/wire/encode.h"
#include "tests/random/playout.h"

namespace {

using namespace landsraad;
using namespace landsraad::testing;
using namespace landsraad::rules;

constexpr std::uint64_t kSampleGames = 16;
constexpr std::size_t kSamplesPerGame = 4;  // few enough that all positions stay in the cache, as in play
constexpr std::size_t kReferenceBytes = 4096;
constexpr wire::Viewer kViewer{0};

Playout four_players(std::uint64_t number) {
  Options options;
  options.seats = 4;
  return begin_playout(uprising_content(), number, options, Style::uniform);
}

Playout whole_game(std::uint64_t number) {
  Playout game = four_players(number);
  while (const auto move = next_move(game)) play(game, *move);
  return game;
}

struct Recorder : EventSink {
  std::vector<Event> events;
  void on(const Event& event) override { events.push_back(event); }
};

struct Transition {
  State before;
  State after;
  std::vector<Event> events;
};

// Evenly spaced moments of some games.
std::vector<Transition> sample_transitions() {
  std::vector<Transition> transitions;
  for (std::uint64_t number = 0; number < kSampleGames; ++number) {
    const Playout recorded = whole_game(number);
    const std::size_t stride = recorded.log.size() / kSamplesPerGame + 1;
    State state = new_game(uprising_content(), recorded.options, recorded.seed);
    for (std::size_t i = 0; i < recorded.log.size(); ++i) {
      const State before = state;
      Recorder recorder;
      apply(uprising_content(), state, recorded.log[i].seat, recorded.log[i].action, &recorder);
      if (i % stride == stride / 2) transitions.push_back({before, state, recorder.events});
    }
  }
  return transitions;
}

const std::vector<Transition>& samples() {
  static const std::vector<Transition> transitions = sample_transitions();
  return transitions;
}

// A fixed piece of work of about the same nature (integer, in cache), so that figures of different machines
// can be compared as ratios: mixing 4 KiB.
void reference_mean(benchmark::State& state) {
  Chance chance{1};
  for (auto _ : state) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < kReferenceBytes / sizeof(sum); ++i) sum ^= chance.next();
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK(reference_mean);

// One decision: list the legal actions, pick one, apply it. Beginning a new game when one ends is included.
void decision_mean(benchmark::State& state) {
  std::uint64_t number = 0;
  Playout game = four_players(number);
  game.log.reserve(kReferenceBytes);
  for (auto _ : state) {
    const auto move = next_move(game);
    if (move) {
      play(game, *move);
    } else {
      game = four_players(++number);
    }
  }
  state.counters["decisions_per_second"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(decision_mean);

void game_mean(benchmark::State& state) {
  std::uint64_t number = 0;
  std::size_t decisions = 0;
  for (auto _ : state) decisions += whole_game(number++).log.size();
  state.counters["games_per_second"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["decisions_per_game"] =
      static_cast<double>(decisions) / static_cast<double>(state.iterations());
}
BENCHMARK(game_mean);

void state_copy(benchmark::State& state) {
  const State& original = samples()[0].before;
  State copy = original;
  for (auto _ : state) {
    std::memcpy(&copy, &original, sizeof(State));
    benchmark::DoNotOptimize(&copy);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(state_copy);

void list_mean(benchmark::State& state) {
  const Content& content = uprising_content();
  ActionList actions;
  std::size_t next = 0;
  for (auto _ : state) {
    const State& position = samples()[next++ % samples().size()].before;
    legal_actions(content, position, first_seat(deciders(position)), actions);
    benchmark::DoNotOptimize(actions.size());
  }
}
BENCHMARK(list_mean);

// Applying alone: recorded games are replayed, so each iteration is one apply on a hot state.
void apply_mean(benchmark::State& state) {
  const Content& content = uprising_content();
  std::vector<Playout> games;
  for (std::uint64_t number = 0; number < kSampleGames; ++number) games.push_back(whole_game(number));
  std::size_t game = 0;
  std::size_t next = 0;
  State position = new_game(content, games[0].options, games[0].seed);
  for (auto _ : state) {
    if (next == games[game].log.size()) {
      game = (game + 1) % games.size();
      next = 0;
      position = new_game(content, games[game].options, games[game].seed);
    }
    const Move& move = games[game].log[next++];
    apply(content, position, move.seat, move.action);
  }
}
BENCHMARK(apply_mean);

// The message for one viewer after one action, serialised into a string that is used again.
void encode_diff_mean(benchmark::State& state) {
  const Content& content = uprising_content();
  v1::Diff diff;
  std::string bytes;
  std::size_t next = 0;
  for (auto _ : state) {
    const Transition& sample = samples()[next++ % samples().size()];
    wire::encode_diff(content, sample.before, sample.after, sample.events, kViewer, diff);
    diff.SerializeToString(&bytes);
    benchmark::DoNotOptimize(bytes.data());
  }
}
BENCHMARK(encode_diff_mean);

// ---- Sizes ------------------------------------------------------------------------------------------

struct Sizes {
  double diff_mean = 0, diff_largest = 0, snapshot_mean = 0, snapshot_largest = 0;
};

// Over every action and every viewer of the sample games.
Sizes measure_sizes() {
  const Content& content = uprising_content();
  Sizes sizes;
  double messages = 0;
  v1::Diff diff;
  v1::Snapshot snapshot;
  for (std::uint64_t number = 0; number < kSampleGames; ++number) {
    Playout game = four_players(number);
    while (const auto move = next_move(game)) {
      const State before = game.state;
      Recorder recorder;
      play(game, *move, &recorder);
      for (const Seat seat : {Seat{0}, Seat{1}, Seat{2}, Seat{3}, kNoSeat}) {
        wire::encode_diff(content, before, game.state, recorder.events, wire::Viewer{seat}, diff);
        wire::encode_snapshot(content, game.state, wire::Viewer{seat}, snapshot);
        const auto diff_bytes = static_cast<double>(diff.ByteSizeLong());
        const auto snapshot_bytes = static_cast<double>(snapshot.ByteSizeLong());
        messages += 1;
        sizes.diff_mean += diff_bytes;
        sizes.snapshot_mean += snapshot_bytes;
        sizes.diff_largest = std::max(sizes.diff_largest, diff_bytes);
        sizes.snapshot_largest = std::max(sizes.snapshot_largest, snapshot_bytes);
      }
    }
  }
  sizes.diff_mean /= messages;
  sizes.snapshot_mean /= messages;
  return sizes;
}

const Sizes& sizes() {
  static const Sizes measured = measure_sizes();
  return measured;
}

void report_size(benchmark::State& state, double bytes) {
  for (auto _ : state) benchmark::DoNotOptimize(bytes);
  state.counters["value"] = bytes;
  state.SetLabel("bytes");
}

void state_bytes(benchmark::State& state) { report_size(state, sizeof(State)); }
void diff_bytes_mean(benchmark::State& state) { report_size(state, sizes().diff_mean); }
void diff_bytes_largest(benchmark::State& state) { report_size(state, sizes().diff_largest); }
void snapshot_bytes(benchmark::State& state) { report_size(state, sizes().snapshot_mean); }
void snapshot_bytes_largest(benchmark::State& state) { report_size(state, sizes().snapshot_largest); }
BENCHMARK(state_bytes)->Iterations(1);
BENCHMARK(diff_bytes_mean)->Iterations(1);
BENCHMARK(diff_bytes_largest)->Iterations(1);
BENCHMARK(snapshot_bytes)->Iterations(1);
BENCHMARK(snapshot_bytes_largest)->Iterations(1);

}  // namespace
