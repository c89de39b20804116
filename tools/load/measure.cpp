#include "tools/load/measure.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

#include "tools/load/floor_table.h"
#include "tools/load/process.h"
#include "tools/load/room.h"

namespace landsraad::load {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kPatience{60};  // for set-up, and for a part of a game
constexpr seconds kWarmUp{1};
constexpr seconds kSettling{1};  // before memory is read
constexpr seconds kPace{1};      // from one action to the next
constexpr std::int32_t kLastRound = 10;
constexpr std::int32_t kWholeGame = 100;
constexpr int kTurns = 8;                  // of comparing rounds
constexpr auto kStep = milliseconds(250);  // from one line of progress to the next

// Bots are quicker than people, and all of them come at once.
std::vector<std::string> server_command(const Options& options, const std::string& folder) {
  const std::string many = "100000";
  return {options.server,
          "--address",
          "127.0.0.1",
          "--port",
          "0",
          "--metrics-port",
          "off",
          "--database",
          folder + "/load.sqlite",
          "--threads",
          std::to_string(options.threads),
          "--log-level",
          "warn",
          "--max-connections",
          many,
          "--max-handshakes",
          many,
          "--max-rooms",
          many,
          "--messages-per-second",
          many,
          "--message-burst",
          many};
}

struct Cost {
  std::chrono::microseconds cpu{};
  std::uint64_t actions = 0;

  void operator+=(const Cost& more) {
    cpu += more.cpu;
    actions += more.actions;
  }
  double of_each() const { return static_cast<double>(cpu.count()) / static_cast<double>(actions); }
};

// The target, if we started it, and the tables that play on it.
template <class Table>
class Run {
 public:
  using Tables = std::span<const std::unique_ptr<Table>>;

  Run(const Options& options, Target target) : options_(options), folder_(options.folder) {
    result_.target = target;
    result_.mode = options.mode;
    result_.rooms = options.rooms;
    result_.connections = options.rooms * kSeats;
    if (target == Target::floor) {
      process_.emplace(std::vector{options.floor, std::to_string(options.threads)}, options.threads);
    } else if (!options.server.empty()) {
      process_.emplace(server_command(options, folder_.path()), 1);
    }
    addresses_ = process_ ? process_->addresses() : std::vector{read_address(options.url)};
  }

  // Until `done`, or `patience` has passed; then `what` is the reason to give up, if there is one.
  void wait(Clock::duration patience, const char* what, const std::function<bool()>& done) {
    const Clock::time_point deadline = Clock::now() + patience;
    const auto stop = [&] { return done() || !tally_.failure.empty(); };
    while (!loop_.run(std::min(deadline, Clock::now() + kStep), stop)) {
      show_progress(label() + progress());
      if (Clock::now() < deadline) continue;
      if (what != nullptr) throw std::runtime_error(label() + "gave up waiting for " + what);
      break;
    }
    if (!tally_.failure.empty()) throw std::runtime_error(label() + tally_.failure);
  }
  void wait(Clock::duration time) {
    wait(time, nullptr, [] { return false; });
  }

  void connect() {
    const std::uint64_t before = resident();
    for (std::size_t i = 0; i < options_.rooms; ++i)
      tables_.push_back(std::make_unique<Table>(loop_, tally_, static_cast<std::uint32_t>(i),
                                                addresses_[i % addresses_.size()]));
    wait(kPatience, "the connections", [this] { return all(tables_, &Table::greeted); });
    wait(kSettling);
    connected_resident_ = resident();
    if (process_)
      result_.connection_bytes =
          static_cast<double>(connected_resident_ - before) / static_cast<double>(result_.connections);
  }

  Tables tables() const { return tables_; }

  void begin(Tables tables) {
    const bool paced = options_.mode == Mode::paced;
    std::mt19937 chance(1);
    for (const auto& table : tables) {
      const milliseconds delay(paced ? chance() % milliseconds(kPace).count() : 0);
      table->begin(paced ? Clock::duration(kPace) : Clock::duration::zero(), delay);
    }
    wait(kPatience, "the games to start", [=] { return all(tables, &Table::playing); });
  }

  // The same, but the games are not played yet.
  void prepare(Tables tables) {
    for (const auto& table : tables) table->play_up_to(0);
    begin(tables);
  }

  void play() {
    wait(kWarmUp);
    tally_.measuring = true;
    const auto cpu = this->cpu();
    const auto begun = Clock::now();
    wait(options_.seconds, nullptr,
         [this] { return options_.games > 0 && tally_.games_over >= options_.games; });
    result_.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
    if (process_ && tally_.actions > 0)
      result_.cpu_us = static_cast<double>((this->cpu() - cpu).count()) / static_cast<double>(tally_.actions);
    tally_.measuring = false;
    result_.actions = tally_.actions;
    result_.games = tally_.games_over;
    take_latencies(tally_.latencies, result_);
  }

  void weigh_rooms() {
    if (process_)
      result_.room_bytes = (static_cast<double>(resident()) - static_cast<double>(connected_resident_)) /
                           static_cast<double>(options_.rooms);
  }

  // These tables play until each of them has stopped.
  Cost play_part(Tables tables, const char* what, std::int32_t stop_round) {
    tally_.measuring = true;
    tally_.actions = 0;
    const auto cpu = this->cpu();
    const auto begun = Clock::now();
    for (const auto& table : tables) table->play_up_to(stop_round);
    wait(kPatience, what, [=] { return all(tables, &Table::stopped); });
    tally_.measuring = false;
    result_.actions += tally_.actions;
    result_.seconds += std::chrono::duration<double>(Clock::now() - begun).count();
    return {this->cpu() - cpu, tally_.actions};
  }

  Measurement& result() { return result_; }

 private:
  static bool all(Tables tables, bool (Table::*is)() const) {
    return std::all_of(tables.begin(), tables.end(), [is](const auto& table) { return ((*table).*is)(); });
  }

  std::chrono::microseconds cpu() const { return process_ ? process_->cpu() : std::chrono::microseconds(0); }
  std::uint64_t resident() const { return process_ ? process_->resident_bytes() : 0; }

  std::string label() const {
    return std::string(result_.target == Target::floor ? "floor" : "server") + ", " +
           std::to_string(options_.rooms) + " rooms, " + name(options_.mode) + ": ";
  }

  std::string progress() const {
    return std::to_string(tally_.actions) + " actions, " + std::to_string(tally_.games_over) + " games over";
  }

  const Options& options_;
  Folder folder_;
  std::optional<Process> process_;
  std::vector<Address> addresses_;
  Tally tally_;
  Loop loop_;
  std::vector<std::unique_ptr<Table>> tables_;
  std::uint64_t connected_resident_ = 0;
  Measurement result_;
};

template <class Table>
Measurement play(const Options& options, Target target) {
  Run<Table> run(options, target);
  run.connect();
  if (options.mode == Mode::idle) return run.result();
  run.begin(run.tables());
  run.play();
  if (target == Target::server && options.mode == Mode::paced) run.weigh_rooms();
  return run.result();
}

// A machine is not always as quick, so both rounds are played one after the other: while one half of the
// rooms is in the first, the other half has come to the last.
Measurement compare_rounds(const Options& options) {
  Run<Room> run(options, Target::server);
  run.connect();
  const std::size_t half = (run.tables().size() + 1) / 2;
  auto some = run.tables().first(half), others = run.tables().subspan(half);
  run.prepare(others);
  run.play_part(others, "the rounds up to the last", kLastRound);
  Cost first, last;
  for (int turn = 0; turn < kTurns; ++turn) {
    run.prepare(some);
    first += run.play_part(some, "the first round", 2);
    last += run.play_part(others, "the last round", kWholeGame);
    run.play_part(some, "the rounds up to the last", kLastRound);
    std::swap(some, others);
  }
  run.result().first_round_cpu_us = first.of_each();
  run.result().last_round_cpu_us = last.of_each();
  return run.result();
}

}  // namespace

void take_latencies(std::vector<std::uint32_t>& latencies, Measurement& result) {
  if (latencies.empty()) return;
  std::sort(latencies.begin(), latencies.end());
  const auto at = [&](double share) {
    return latencies[static_cast<std::size_t>(share * static_cast<double>(latencies.size() - 1))] / 10.0;
  };
  result.p50 = at(0.5);
  result.p99 = at(0.99);
  result.p999 = at(0.999);
}

Measurement measure(const Options& options, Target target) {
  if (target == Target::floor) return play<FloorTable>(options, target);
  if (options.mode == Mode::flatness) return compare_rounds(options);
  return play<Room>(options, target);
}

void show_progress(const std::string& line) { std::fprintf(stderr, "\r%-79s", line.c_str()); }

}  // namespace landsraad::load
