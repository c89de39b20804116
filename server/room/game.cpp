#include "server/room/game.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "rules/engine/revealing.h"

namespace landsraad::room {

namespace {

class Collector final : public rules::EventSink {
 public:
  explicit Collector(std::vector<rules::Event>& events) : events_(events) {}
  void on(const rules::Event& event) override { events_.push_back(event); }

 private:
  std::vector<rules::Event>& events_;
};

// The moves that lead to a version, without those that were undone; latest first.
std::vector<const Move*> moves_behind(const std::vector<Move>& moves, std::uint32_t version) {
  std::vector<const Move*> path;
  while (version > 0) {
    const Move& move = moves[version - 1];
    if (move.is_undo()) {
      version = move.undo_to;
    } else {
      path.push_back(&move);
      --version;
    }
  }
  return path;
}

}  // namespace

Move to_move(const Entry& entry) {
  Move move{.spent_ms = static_cast<std::uint32_t>(entry.spent.count()),
            .unix_ms = entry.when.time_since_epoch().count(),
            .seat = entry.seat,
            .cause = static_cast<std::uint8_t>(entry.cause)};
  if (const rules::Action* action = entry.action())
    move.action = *action;
  else
    move.undo_to = std::get<Undo>(entry.deed).to;
  return move;
}

void Landmarks::pass(const rules::State& state) {
  const auto it = states_.find(state.version);
  if (it != states_.end()) it->second = std::make_unique<rules::State>(state);
}

const rules::State* Landmarks::find(std::uint32_t version) const {
  const auto it = states_.find(version);
  return it == states_.end() ? nullptr : it->second.get();
}

Game::Game(const rules::Content& content, Opening opening)
    : content_(&content),
      opening_(std::move(opening)),
      standing_{.state = dealt(),
                .owner = opening_.owner,
                .door = opening_.door,
                .clocks = Clocks(clock_rules(opening_.options.clock()))} {
  opening_.state_hash = stored_hash(state());
  standing_.clocks.wait_for(deciders(), opening_.created);
}

Game::Game(const rules::Content& content, Opening opening, Standing standing)
    : content_(&content), opening_(std::move(opening)), standing_(std::move(standing)) {}

rules::State Game::dealt() const {
  return rules::new_game(*content_, game_options(opening_.options), game_seed(opening_));
}

v1::Ending Game::ending() const {
  return standing_.ended == v1::ENDING_NONE && rules::is_over(standing_.state) ? v1::ENDING_PLAYED
                                                                               : standing_.ended;
}

rules::SeatMask Game::deciders() const {
  return over() ? rules::SeatMask{0} : rules::deciders(standing_.state);
}

std::optional<std::uint32_t> Game::undo_to(rules::Seat seat) const {
  if (opening_.options.undo() == v1::UNDO_POLICY_OFF || over() || standing_.paused) return std::nullopt;
  if (seat != standing_.undo_seat || standing_.undo_floor >= version()) return std::nullopt;
  if (standing_.control[seat] != v1::SEAT_CONTROL_OWNER) return std::nullopt;
  return standing_.undo_floor;
}

std::span<const rules::Action> Game::legal_actions(rules::Seat seat) const {
  if (listed_.version != version() || listed_.seat != seat) {
    const rules::ActionList actions = rules::legal_actions(*content_, state(), seat);
    listed_.version = version();
    listed_.seat = seat;
    listed_.actions.assign(actions.begin(), actions.end());
  }
  return listed_.actions;
}

// ---- Going on.

std::string_view Game::why_not(const Entry& entry) const {
  if (over()) return "follows the end of the game";
  if (entry.action() != nullptr) return why_no_action(entry);
  if (const auto* undo = std::get_if<Undo>(&entry.deed)) return why_no_undo(entry, undo->to);
  if (const auto* control = std::get_if<v1::SeatControl>(&entry.deed)) return why_no_control(entry, *control);
  const auto* pause = std::get_if<Pause>(&entry.deed);
  return pause != nullptr && pause->paused == standing_.paused ? "changes nothing" : "";
}

std::string_view Game::why_no_action(const Entry& entry) const {
  if (standing_.paused) return "falls into a pause";
  if (!waits_for(entry.seat)) return "is of a seat that is not asked";
  const bool owner = standing_.control[entry.seat] == v1::SEAT_CONTROL_OWNER;
  if (entry.cause == v1::CAUSE_PLAYER && !owner) return "is of a player whose seat a bot plays";
  if (entry.cause == v1::CAUSE_BOT && owner) return "is of a bot that does not play the seat";
  const std::span<const rules::Action> legal = legal_actions(entry.seat);
  return std::find(legal.begin(), legal.end(), *entry.action()) != legal.end() ? "" : "is not legal here";
}

std::string_view Game::why_no_undo(const Entry& entry, std::uint32_t to) const {
  const std::optional<std::uint32_t> floor = undo_to(entry.seat);
  const bool agreed = entry.cause == v1::CAUSE_AGREED && opening_.options.undo() == v1::UNDO_POLICY_CONSENT;
  const bool may = leads_through(to) && (agreed || (floor && to >= *floor));
  return may ? "" : "cannot be undone to";
}

std::string_view Game::why_no_control(const Entry& entry, v1::SeatControl control) const {
  if (entry.seat >= standing_.state.options.seats) return "is of no seat";
  if (standing_.control[entry.seat] == v1::SEAT_CONTROL_RESIGNED)
    return "is of a seat that has been given up";
  return standing_.control[entry.seat] == control ? "changes nothing" : "";
}

Step Game::prepare(const Entry& entry) const {
  Step step;
  prepare(entry, step);
  return step;
}

void Game::prepare(const Entry& entry, Step& step) const {
  step.entry = entry;
  step.after = standing_.state;
  step.events.clear();
  if (const rules::Action* action = entry.action()) {
    Collector collector(step.events);
    rules::apply(*content_, step.after, entry.seat, *action, &collector);
  } else if (const auto* undo = std::get_if<Undo>(&entry.deed)) {
    step.after = state_at(undo->to);
    step.after.version = standing_.state.version + 1;
  }
}

std::string Game::record(const Step& step) const {
  return write_entry(step.after.version, step.entry, rules::hash(step.after));
}

void Game::commit(const Step& step, Instant now) {
  ++standing_.records;
  const Entry& entry = step.entry;
  if (entry.moves_the_game()) apply_move(step);
  if (const auto* control = std::get_if<v1::SeatControl>(&entry.deed))
    standing_.control[entry.seat] = *control;
  if (const auto* ending = std::get_if<v1::Ending>(&entry.deed)) standing_.ended = *ending;
  if (const auto* door = std::get_if<Door>(&entry.deed)) standing_.door = *door;
  if (const auto* owner = std::get_if<NewOwner>(&entry.deed)) standing_.owner = owner->player;
  if (const auto* pause = std::get_if<Pause>(&entry.deed)) standing_.paused = pause->paused;
  const bool stops_clocks =
      std::holds_alternative<Pause>(entry.deed) || std::holds_alternative<ServerStops>(entry.deed);
  if (stops_clocks)
    for (rules::Seat seat = 0; seat < rules::kMaxSeats; ++seat)
      standing_.clocks.carry(seat, entry.thinking[seat]);
  let_clocks_go(now);
}

void Game::let_clocks_go(Instant now) {
  if (!standing_.paused) standing_.clocks.wait_for(deciders(), now);
}

void Game::apply_move(const Step& step) {
  assert(step.after.version == standing_.state.version + 1);
  if (step.entry.action() != nullptr) {
    standing_.clocks.answered(step.entry.seat, step.entry.spent);
    note_undo(step);
  } else {
    take_back_time(step.entry, std::get<Undo>(step.entry.deed).to);
  }
  standing_.state = step.after;
  landmarks_.pass(state());
  standing_.moves.push_back(to_move(step.entry));
}

// Whether this action can be taken back freely: its player has learned nothing by it, and a bot's is
// nobody's.
void Game::note_undo(const Step& step) {
  const Entry& entry = step.entry;
  const bool own = entry.cause == v1::CAUSE_PLAYER || entry.cause == v1::CAUSE_PLAN;
  if (!own || rules::reveals(standing_.state, step.after, entry.seat)) {
    standing_.undo_seat = rules::kNoSeat;
    return;
  }
  if (standing_.undo_seat == entry.seat) return;
  standing_.undo_seat = entry.seat;
  standing_.undo_floor = version();
}

// The version that was the game's before this one, as it is now remembered.
std::uint32_t Game::before(std::uint32_t version) const {
  const Move& move = standing_.moves[version - 1];
  return move.is_undo() ? move.undo_to : version - 1;
}

bool Game::leads_through(std::uint32_t wanted) const {
  std::uint32_t at = version();
  while (at > wanted) at = before(at);
  return at == wanted && wanted < version();
}

// Everyone's time is again what it was, except that who takes back alone has still used it: else one could
// think for ever by acting and undoing.
void Game::take_back_time(const Entry& entry, std::uint32_t to) {
  milliseconds used = entry.spent;
  for (std::uint32_t version = this->version(); version > to; version = before(version)) {
    const Move& move = standing_.moves[version - 1];
    if (move.is_undo()) continue;  // what it took is part of what the action after it took
    const milliseconds spent{move.spent_ms};
    if (move.seat == entry.seat) used += spent;
    standing_.clocks.taken_back(move.seat, spent);
  }
  if (entry.cause == v1::CAUSE_AGREED) {
    standing_.undo_seat = rules::kNoSeat;
    return;
  }
  ++standing_.undos[entry.seat];
  standing_.clocks.carry(entry.seat, used);
  if (to == standing_.undo_floor) standing_.undo_seat = rules::kNoSeat;
}

// ---- The past.

rules::State Game::state_at(std::uint32_t version) const {
  assert(version <= this->version());
  if (version == this->version()) return state();
  if (const rules::State* kept = landmarks_.find(version)) return *kept;
  rules::State state = dealt();
  const std::vector<const Move*> path = moves_behind(moves(), version);
  for (auto move = path.rbegin(); move != path.rend(); ++move)
    rules::apply(*content_, state, (*move)->seat, (*move)->action);
  state.version = version;
  return state;
}

void Game::expect_undos(std::span<const std::uint32_t> versions) {
  bool behind = false;
  for (const std::uint32_t version : versions) {
    landmarks_.expect(version);
    behind = behind || version < this->version();
  }
  landmarks_.pass(state());
  if (!behind) return;
  Landmarks all = undo_targets(version());
  for (const std::uint32_t wanted : versions) all.expect(wanted);
  play_to(version(), all);
  for (const std::uint32_t wanted : versions)
    if (const rules::State* kept = all.find(wanted)) landmarks_.pass(*kept);
}

Landmarks Game::undo_targets(std::uint32_t to) const {
  Landmarks landmarks;
  for (std::uint32_t version = 0; version < to; ++version)
    if (moves()[version].is_undo()) landmarks.expect(moves()[version].undo_to);
  return landmarks;
}

rules::State Game::play_to(std::uint32_t version, Landmarks& landmarks) const {
  rules::State state = dealt();
  landmarks.pass(state);
  for (std::uint32_t at = 0; at < version; ++at) {
    const Move& move = moves()[at];
    if (move.is_undo())
      state = *landmarks.find(move.undo_to);
    else
      rules::apply(*content_, state, move.seat, move.action);
    state.version = at + 1;
    landmarks.pass(state);
  }
  return state;
}

Step Game::replayed(const rules::State& before, const Move& move, const Landmarks& landmarks) const {
  Step step{{.deed = move.action, .seat = move.seat}, before, {}};
  if (move.is_undo()) {
    step.entry.deed = Undo{move.undo_to};
    step.after = *landmarks.find(move.undo_to);
    step.after.version = before.version + 1;
    return step;
  }
  Collector collector(step.events);
  rules::apply(*content_, step.after, move.seat, move.action, &collector);
  return step;
}

void Game::write_diff(const rules::State& before, const Step& step, wire::Viewer viewer,
                      v1::Diff& out) const {
  wire::encode_diff(*content_, before, step.after, step.events, viewer, out);
  if (const auto* undo = std::get_if<Undo>(&step.entry.deed)) {
    out.mutable_undone()->set_to(undo->to);
    out.mutable_undone()->set_seat(step.entry.seat);
  }
}

}  // namespace landsraad::room
