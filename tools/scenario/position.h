// The given part of a scenario -> a State.
//
// What is not said gets a quiet default: the numbers of set-up, no leader, empty hands, the starting cards
// in the own deck, a Row that is dear, the first Conflict card of level I. Every copy of every card lies
// in exactly one place.
#pragma once

#include <vector>

#include "rules/engine/engine.h"
#include "tools/scenario/fields.h"
#include "tools/scenario/outcome.h"
#include "tools/scenario/script.h"

namespace landsraad::scenario {

struct Built {
  rules::State state;
  std::vector<Problem> problems;  // the state is of no use if there are any
};

Built build_position(const Lexicon&, const Scenario&);

// Every copy of the kind of card in the order in which a dump names them: seat by seat, then the table.
std::vector<rules::CardCopy> copies_in_order(const rules::Content&, const rules::State&, rules::CardId);

}  // namespace landsraad::scenario
