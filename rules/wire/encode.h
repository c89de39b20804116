// What a viewer may see of a game: the one place where hidden information is removed (INFO-1..12).
//
// The output depends on nothing else: two games that differ only in what the viewer may not know encode to
// the same bytes, as snapshots and as diffs.
#pragma once

#include <google/protobuf/repeated_field.h>

#include <span>

#include "landsraad/v1/game.pb.h"
#include "rules/engine/engine.h"

namespace landsraad::wire {

// Somebody who looks at a game: from a seat, or from the side.
struct Viewer {
  rules::Seat seat = rules::kNoSeat;
  bool operator==(const Viewer&) const = default;
};
inline constexpr Viewer kSpectator{};

// Writes every field the viewer may see and that differs from `before`, an earlier state of the same game;
// all of them if `before` is null. `out` is cleared first; reuse it, it keeps its memory.
void encode(const rules::Content&, const rules::State* before, const rules::State& after, Viewer,
            v1::GameView& out);

// Events in their order, without subjects the viewer may not know; draws of unknown cards that follow each
// other become one event. `out` is replaced.
void encode_events(const rules::Content&, std::span<const rules::Event>, Viewer,
                   google::protobuf::RepeatedPtrField<v1::Event>& out);

// What a viewer is sent after the action that led from `before` to `after` and emitted `events`.
void encode_diff(const rules::Content&, const rules::State& before, const rules::State& after,
                 std::span<const rules::Event> events, Viewer, v1::Diff& out);

// What a viewer is sent who holds no view or too old a one.
void encode_snapshot(const rules::Content&, const rules::State&, Viewer, v1::Snapshot& out);

}  // namespace landsraad::wire
