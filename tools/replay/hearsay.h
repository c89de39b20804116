// What viewers are sent, back in the words of the engine, for the narrator.
#pragma once

#include <span>
#include <vector>

#include "rules/wire/encode.h"

namespace landsraad::replay {

// The events as the viewer is told of them: cards the viewer may not know are kNoCard, and draws of several
// such cards one event.
std::vector<rules::Event> hearsay(const rules::Content& content, std::span<const rules::Event> events,
                                  wire::Viewer viewer);

rules::Phase phase_of(v1::Phase phase);
// A card stands for all its copies.
rules::Source source_of(const rules::Content& content, v1::SourceKind kind, std::uint32_t id);

}  // namespace landsraad::replay
