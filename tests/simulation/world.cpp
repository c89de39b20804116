#include "tests/simulation/world.h"

#include <algorithm>

#include "rules/notation/load.h"

namespace landsraad::simulation {

namespace {

constexpr std::uint32_t kWholeGameOneIn = 12;  // seeds; in the others the games stop after some actions
constexpr std::uint32_t kClockOneIn = 6;       // tables
constexpr Span kPatience = 10min;              // in calm, for the next action of a game
constexpr Span kRest = 3min;                   // for everybody to be back and everything to arrive
constexpr std::uint32_t kEndless = 1'000'000;

class World {
 public:
  explicit World(std::uint64_t seed);
  Report run();

 private:
  // Who plays at one table.
  struct Party {
    Table table;
    std::vector<std::unique_ptr<Person>> people;
    std::vector<std::unique_ptr<Bot>> bots;
    std::uint32_t seen_version = 0;
    bool seen_start = false;
    Instant progress{};
  };

  static room::Limits draw_limits(Chance& chance);
  void open_table(bool whole_games);
  v1::RoomOptions draw_options();
  void draw_clock(v1::ClockOptions& out);
  void add_bot(Party& party, Person& person, Role role);

  void schedule_fault();
  void do_fault();
  void fault_of_network(Party& party);
  void fault_of_store();
  void fault_of_process(Party& party);
  void down_for(Span time);
  void calm_down();

  bool failed() const { return !oracle_.failure().empty(); }
  bool all_done();
  void watch_progress();
  void play();
  void rest();

  std::uint64_t seed_;
  Chance chance_;
  Clockwork clock_;
  persistence::MemoryDisk disk_;
  Oracle oracle_;
  Network network_;
  room::Limits limits_;
  Process process_;
  Manners manners_;
  std::vector<std::unique_ptr<Party>> parties_;
  bool calm_ = false;
  Instant calm_from_{};
  Span between_faults_{};
};

World::World(std::uint64_t seed)
    : seed_(seed),
      chance_{seed * 0x9e3779b97f4a7c15 + 1},
      oracle_(rules::uprising_content(), disk_),
      network_(clock_, chance_),
      limits_(draw_limits(chance_)),
      process_(clock_, chance_, network_, oracle_, disk_, limits_, 1 + seed % 3) {
  network_.listen(&process_);
  network_.longest_delay = between(chance_, 1ms, 120ms);
  network_.longest_silence = one_in(chance_, 3) ? 30s : 3s;
  network_.outgoing_bytes = between(chance_, 6, 16) * 1024;
  process_.longest_write = between(chance_, 1ms, 40ms);
  manners_.longest_thought = between(chance_, 5ms, 400ms);
  between_faults_ = between(chance_, 1s, 20s);
  const bool whole_games = seed % kWholeGameOneIn == 0;
  for (std::uint32_t tables = between(chance_, 1, whole_games ? 1 : 2); tables > 0; --tables)
    open_table(whole_games);
}

room::Limits World::draw_limits(Chance& chance) {
  room::Limits limits;
  limits.diffs = between(chance, 1, 20);
  limits.snapshot_entries = between(chance, 8, 80);
  limits.held_requests = between(chance, 1, 8);
  limits.waiting_joins = between(chance, 2, 20);
  limits.seat_connections = between(chance, 3, 6);
  limits.spectators = between(chance, 6, 20);
  limits.seat_grace = std::chrono::seconds(between(chance, 5, 60));
  limits.sleep_after = std::chrono::seconds(between(chance, 1, 20));
  return limits;
}

v1::RoomOptions World::draw_options() {
  v1::RoomOptions options;
  options.set_players(between(chance_, 3, 4));
  options.set_leader_selection(static_cast<v1::LeaderSelection>(chance_.below(2)));
  options.set_timeout(static_cast<v1::TimeoutPolicy>(chance_.below(3)));
  options.set_undo(static_cast<v1::UndoPolicy>(chance_.below(3)));
  options.set_resigning(static_cast<v1::ResignPolicy>(chance_.below(2)));
  options.set_unlisted(one_in(chance_, 2));
  if (one_in(chance_, 3)) options.set_spectator_delay(between(chance_, 1, 10));
  if (one_in(chance_, kClockOneIn)) draw_clock(*options.mutable_clock());
  return options;
}

void World::draw_clock(v1::ClockOptions& out) {
  switch (chance_.below(3)) {
    case 0:
      return out.mutable_per_decision()->set_seconds(between(chance_, 5, 30));
    case 1:
      out.mutable_bank()->set_seconds(between(chance_, 60, 300));
      return out.mutable_bank()->set_increment_seconds(chance_.below(5));
    default:
      return out.mutable_days()->set_days(between(chance_, 1, 3));
  }
}

void World::open_table(bool whole_games) {
  Party& party = *parties_.emplace_back(std::make_unique<Party>());
  Table& table = party.table;
  table.options = draw_options();
  // Where clocks run nothing comes to rest before the end.
  const bool to_the_end = whole_games || table.options.has_clock();
  table.target = to_the_end ? kEndless : between(chance_, 10, 150);
  for (std::uint32_t n = 0; n < table.options.players(); ++n) {
    Person& person = *party.people.emplace_back(std::make_unique<Person>());
    person.name = "Player " + std::to_string(n + 1);
    add_bot(party, person, n == 0 ? Role::host : Role::player);
    if (one_in(chance_, 4)) add_bot(party, person, Role::second_tab);
  }
  for (std::uint32_t n = chance_.below(3); n > 0; --n) {
    Person& person = *party.people.emplace_back(std::make_unique<Person>());
    person.name = "Spectator " + std::to_string(n);
    add_bot(party, person, Role::spectator);
  }
}

void World::add_bot(Party& party, Person& person, Role role) {
  party.bots.push_back(
      std::make_unique<Bot>(clock_, chance_, network_, oracle_, manners_, party.table, person, role));
  clock_.in(between(chance_, 0ms, 2s), [bot = party.bots.back().get()] { bot->connect(); });
}

// ---- Faults.

void World::schedule_fault() {
  clock_.in(between(chance_, 0ms, 2 * between_faults_), [this] {
    if (calm_) return;
    do_fault();
    schedule_fault();
  });
}

void World::do_fault() {
  Party& party = *parties_[chance_.below(static_cast<std::uint32_t>(parties_.size()))];
  switch (chance_.below(8)) {
    case 0:
    case 1:
      return fault_of_store();
    case 2:
      return fault_of_process(party);
    default:
      return fault_of_network(party);
  }
}

void World::fault_of_network(Party& party) {
  const Bot& bot = *party.bots[chance_.below(static_cast<std::uint32_t>(party.bots.size()))];
  switch (chance_.below(10)) {
    case 0:
      return network_.cut_all();
    case 1:  // everybody at one table: its room may fall asleep
      for (const auto& each : party.bots) network_.cut(each->session());
      return;
    case 2:
    case 3:
      return network_.slow_down(bot.session(), between(chance_, 100ms, 10s));
    case 4:  // reads nothing; mostly a spectator, for the game does not wait for one and outruns it
      return network_.slow_down(party.bots.back()->session(), 10min);
    case 5:
      network_.longest_delay = between(chance_, 1ms, 2s);
      return clock_.in(between(chance_, 1s, 10s), [this] { network_.longest_delay = 60ms; });
    default:
      return network_.cut(bot.session());
  }
}

void World::fault_of_store() {
  const Span time = between(chance_, 100ms, 15s);
  switch (chance_.below(3)) {
    case 0:
      process_.all_fails = true;
      return clock_.in(time, [this] { process_.all_fails = false; });
    case 1:
      process_.writes_fail = true;
      return clock_.in(time, [this] { process_.writes_fail = false; });
    default:
      process_.longest_write = between(chance_, 100ms, 3s);
      return clock_.in(time, [this] { process_.longest_write = 20ms; });
  }
}

void World::fault_of_process(Party& party) {
  switch (chance_.below(4)) {
    case 0:
      process_.shut_down();
      return down_for(between(chance_, 11s, 20s));
    case 1:
      return process_.lose_ownership(party.table.room);
    default:
      process_.crash();
      return down_for(between(chance_, 0ms, 5s));
  }
}

void World::down_for(Span time) {
  clock_.in(time, [this] { process_.start(); });
}

void World::calm_down() {
  calm_ = manners_.calm = true;
  calm_from_ = clock_.now();
  network_.longest_delay = 20ms;
  network_.longest_silence = 1s;
  process_.longest_write = 5ms;
  process_.all_fails = process_.writes_fail = false;
  network_.cut_slow_ones();
}

// ---- The course.

bool World::all_done() {
  return std::all_of(parties_.begin(), parties_.end(), [this](const auto& party) {
    const Chronicle* game = oracle_.chronicle(party->table.room);
    return game != nullptr && (game->over() || game->version() >= party->table.target);
  });
}

// No seat waits for ever.
void World::watch_progress() {
  for (const auto& party : parties_) {
    const Chronicle* game = oracle_.chronicle(party->table.room);
    const bool done = game != nullptr && (game->over() || game->version() >= party->table.target);
    if (done || (game != nullptr) != party->seen_start ||
        (game != nullptr && game->version() != party->seen_version))
      party->progress = clock_.now();
    party->seen_start = game != nullptr;
    party->seen_version = game == nullptr ? 0 : game->version();
    if (calm_ && clock_.now() - std::max(party->progress, calm_from_) > kPatience)
      oracle_.fail(party->table.room + " waits for ever " +
                   (game == nullptr ? "to begin" : "at version " + std::to_string(game->version())));
  }
}

void World::play() {
  while (!failed() && !(calm_ && all_done())) {
    if (!clock_.step()) return oracle_.fail("nothing happens any more");
    watch_progress();
  }
}

void World::rest() {
  const Instant until = clock_.now() + kRest;
  while (!failed() && clock_.now() < until && clock_.step()) {
  }
  oracle_.check_disk();
  for (const auto& party : parties_)
    for (const auto& bot : party->bots) bot->check_at_rest();
}

Report World::run() {
  const Instant begin = clock_.now();
  process_.start();
  schedule_fault();
  const bool whole = seed_ % kWholeGameOneIn == 0;
  clock_.in(between(chance_, 10s, whole ? 10min : 2min), [this] { calm_down(); });
  play();
  // From now on nobody acts: what is on its way may still count.
  for (const auto& party : parties_) party->table.target = 0;
  if (!failed()) rest();
  if (!failed() && one_in(chance_, 2)) {
    process_.crash();
    down_for(between(chance_, 0ms, 5s));
    rest();
  }

  Report report;
  report.failure = oracle_.failure();
  report.counts = oracle_.counts;
  report.restarts = process_.restarts();
  report.slow_readers_dropped = network_.slow_readers_dropped();
  report.simulated = clock_.now() - begin;
  for (const auto& party : parties_) {
    const Chronicle* game = oracle_.chronicle(party->table.room);
    if (game == nullptr) continue;
    ++report.games;
    report.games_over += game->over() ? 1 : 0;
    report.longest_game = std::max(report.longest_game, game->version());
  }
  return report;
}

}  // namespace

void Report::add(const Report& other) {
  counts.frames += other.counts.frames;
  counts.actions += other.counts.actions;
  counts.acknowledged += other.counts.acknowledged;
  counts.repeated += other.counts.repeated;
  counts.refused_by_store += other.counts.refused_by_store;
  counts.stale += other.counts.stale;
  counts.wakes += other.counts.wakes;
  counts.roused += other.counts.roused;
  counts.slept += other.counts.slept;
  counts.ownership_lost += other.counts.ownership_lost;
  counts.came_back_by_diffs += other.counts.came_back_by_diffs;
  counts.undone += other.counts.undone;
  counts.by_bots += other.counts.by_bots;
  counts.by_timeout += other.counts.by_timeout;
  counts.by_plan += other.counts.by_plan;
  counts.agreed += other.counts.agreed;
  counts.pauses += other.counts.pauses;
  counts.taken_back += other.counts.taken_back;
  counts.resigned += other.counts.resigned;
  games += other.games;
  games_over += other.games_over;
  restarts += other.restarts;
  slow_readers_dropped += other.slow_readers_dropped;
  longest_game = std::max(longest_game, other.longest_game);
  simulated += other.simulated;
}

Report simulate(std::uint64_t seed) { return World(seed).run(); }

}  // namespace landsraad::simulation
