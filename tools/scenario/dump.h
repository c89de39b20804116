// A position in the words of a scenario file.
#pragma once

#include <string>

#include "rules/engine/engine.h"
#include "tools/scenario/fields.h"

namespace landsraad::scenario {

// The given part of a scenario that builds this position, hidden cards and half-resolved effects included.
// Reading it back gives an equal State but for the random stream, the count of applied actions and which
// of several copies of one card lies where.
std::string dump_position(const rules::Content&, const rules::State&);
std::string dump_position(const Lexicon&, const rules::State&);

// The same without the decks, for people who look for what went wrong.
std::string outline_of(const Lexicon&, const rules::State&);

}  // namespace landsraad::scenario
