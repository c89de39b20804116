// Answers for seats whose players are away: the default action, and those of a simple bot.
//
// Both depend on nothing the seat may not know (its legal actions, its own cards, the public board), so that
// neither tells anybody anything: the same in two games that differ only in what is hidden from the seat.
#pragma once

#include "rules/engine/engine.h"

namespace landsraad::room {

// The least that can be done, by kind of decision (proto/README.md, "Clocks"): `done` where it is offered
// (pass, decline, end the turn), else the Reveal turn where a turn must be taken, else the first listed.
// `seat` is a decider.
rules::Action choose_default(const rules::Content& content, const rules::State& state, rules::Seat seat);

// A player who does what it can before it ends or passes: takes the dearer card and the larger amount, and
// aims at Influence 2 and 4. Of actions it likes equally one that depends on the version. `seat` is a
// decider.
rules::Action choose_for_bot(const rules::Content& content, const rules::State& state, rules::Seat seat);

}  // namespace landsraad::room
