#include "tools/replay/viewpoint.h"

#include <charconv>

namespace landsraad::replay {

namespace {

std::optional<std::size_t> seat_number(std::string_view word) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

v1::Snapshot snapshot_for(const rules::Content& content, const rules::State& state, wire::Viewer viewer) {
  v1::Snapshot snapshot;
  wire::encode_snapshot(content, state, viewer, snapshot);
  return snapshot;
}

}  // namespace

std::optional<Viewpoint> viewpoint_of(std::string_view word, const room::Opening& opening) {
  if (word == "all") return Viewpoint{.all = true};
  if (word == "spectator") return Viewpoint{};
  const std::size_t seats = opening.seats.size();
  const std::optional<std::size_t> number = seat_number(word);
  for (std::size_t seat = 0; seat < seats; ++seat) {
    if (number == seat || (!number && opening.seats[seat].name == word))
      return Viewpoint{.viewer = {static_cast<rules::Seat>(seat)}};
  }
  return std::nullopt;
}

v1::Snapshot seen(const rules::Content& content, const rules::State& state, const Viewpoint& from) {
  v1::Snapshot snapshot = snapshot_for(content, state, from.viewer);
  if (!from.all) return snapshot;
  for (int seat = 0; seat < snapshot.view().seats_size(); ++seat) {
    v1::Snapshot own = snapshot_for(content, state, {static_cast<rules::Seat>(seat)});
    snapshot.mutable_view()->mutable_seats(seat)->Swap(own.mutable_view()->mutable_seats(seat));
  }
  return snapshot;
}

}  // namespace landsraad::replay
