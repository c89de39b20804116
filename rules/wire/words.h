// Words of the game on the wire. The engine's enums may be reordered; the numbers of the wire stay.
#pragma once

#include <cstdint>

#include "landsraad/v1/game.pb.h"
#include "rules/engine/action.h"
#include "rules/engine/content.h"
#include "rules/engine/event.h"

namespace landsraad::wire {

v1::Phase to_wire(rules::Phase);
v1::TurnKind to_wire(rules::TurnKind);
v1::ActionKind to_wire(rules::ActionKind);
v1::DecisionKind to_wire(rules::DecisionKind);
v1::EventKind to_wire(rules::EventKind);
v1::SourceKind to_wire(rules::SourceKind);

// Where an effect comes from, with a card named by its kind and not by its copy.
struct WireSource {
  v1::SourceKind kind = v1::SOURCE_KIND_RULE;
  std::uint32_t id = 0;
  bool operator==(const WireSource&) const = default;
};
WireSource to_wire(const rules::Content&, rules::Source);

}  // namespace landsraad::wire
