// Effects that are half resolved, in the words of a dump.
#pragma once

#include <cstddef>
#include <string_view>

#include "rules/engine/state.h"

namespace landsraad::scenario {

// "EFFECT of NAME [as KIND] [copy N] [nth N] [used]"; each part may be missing.
struct EffectWords {
  std::string_view effect, name, kind;
  std::size_t copy = 0;  // 0: not said
  std::size_t nth = 1;
};
EffectWords effect_words(std::string_view text);

// The kinds of sources and frames by name, in the order of their enums.
inline constexpr std::string_view kSourceKinds[] = {"rule",         "card",     "intrigue",      "space",
                                                    "leader",       "conflict", "faction_track", "control",
                                                    "high_council", "objective"};
std::string_view name(rules::FrameKind);

}  // namespace landsraad::scenario
