// Text of the effect notation -> parse tree. Knows the grammar, not the vocabulary.
#pragma once

#include <optional>
#include <string_view>

#include "rules/notation/effect.h"
#include "rules/notation/source.h"

namespace landsraad::rules::notation {

inline constexpr int kMaxDepth = 24;  // braces, arrows, conditions inside each other

// One effect (grammar: EFFECT). `place` is where the text begins in its file. On an error: nothing, and
// the first error of the text is added to the source.
std::optional<Effect> parse_effect(std::string_view text, Place place, const Source&);

// What must hold to use a board space: the inside of an if(...).
std::optional<Conditions> parse_conditions(std::string_view text, Place place, const Source&);

}  // namespace landsraad::rules::notation
