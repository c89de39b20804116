#include "tools/replay/teller.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <iomanip>

#include "tools/replay/deed.h"
#include "tools/replay/hearsay.h"

namespace landsraad::replay {

using namespace rules;

namespace {

bool is_heading(EventKind kind) {
  return kind == EventKind::round_began || kind == EventKind::phase_began || kind == EventKind::game_over;
}

// The heading of the round has said it.
bool is_round_start(const Event& event) {
  return event.kind == EventKind::phase_began && event.amount == static_cast<int>(Phase::round_start);
}

// The line of the action has said it.
bool is_the_action(const Event& event) {
  return event.kind == EventKind::agent_sent || event.kind == EventKind::intrigue_played;
}

}  // namespace

std::vector<std::string> names_of(const room::Opening& opening) {
  std::vector<std::string> names;
  for (const room::OpeningSeat& seat : opening.seats) names.push_back(seat.name);
  return names;
}

std::vector<Seat> by_place(const State& state) {
  std::vector<Seat> seats;
  for (Seat seat = 0; seat < state.options.seats; ++seat) seats.push_back(seat);
  std::stable_sort(seats.begin(), seats.end(),
                   [&](Seat a, Seat b) { return state.player(a).place < state.player(b).place; });
  return seats;
}

std::string written(room::Instant instant) {
  const std::time_t seconds = std::chrono::floor<std::chrono::seconds>(instant.time_since_epoch()).count();
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &parts)};
}

void Teller::opening(const room::Opening& opening, const State&, const std::vector<Event>& events) {
  narrator_.introduce(names_of(opening));
  if (!opening.options.title().empty()) out_ << opening.options.title() << '\n';
  out_ << opening.options.product() << ", " << opening.options.players() << " players, begun "
       << written(opening.created) << "\n\n";
  tell(events);
}

void Teller::scene(const room::Scene& scene) {
  out_ << std::setw(5) << scene.version << "  " << deed(scene) << '\n';
  tell(scene.step.events);
}

// Which action it was stays with its player; the events tell what others saw of it.
std::string Teller::deed(const room::Scene& scene) const {
  if (!viewer_ || scene.step.entry.action() == nullptr) return replay::words_for(narrator_, scene);
  return narrator_.player(scene.step.entry.seat);
}

std::string Teller::words_for(const Event& event) const {
  if (is_round_start(event) || (!viewer_ && is_the_action(event))) return "";
  return narrator_.event(event);
}

void Teller::tell(const std::vector<Event>& events) const {
  for (const Event& event : viewer_ ? hearsay(content_, events, *viewer_) : events) {
    const std::string sentence = words_for(event);
    if (sentence.empty()) continue;
    if (is_heading(event.kind)) {
      out_ << "\n== " << sentence << " ==\n";
    } else {
      out_ << "         " << sentence << '\n';
    }
  }
}

void Teller::standings(const State& state) const {
  out_ << '\n'
       << (is_over(state) ? "Result" : "So far") << " after " << state.version << " actions, round "
       << int{state.round} << ":\n";
  for (const Seat seat : by_place(state)) {
    const Player& player = state.player(seat);
    out_ << "  " << (player.place > 0 ? std::to_string(player.place) + ". " : "") << narrator_.player(seat);
    if (player.leader != kNoLeader) out_ << " (" << narrator_.leader(player.leader) << ')';
    out_ << ": " << player.victory_points << " victory points, " << player[Resource::spice] << " spice, "
         << player[Resource::solari] << " Solari, " << player[Resource::water] << " water, "
         << int{player.garrison} << " in the garrison\n";
  }
}

}  // namespace landsraad::replay
