// One moment of a game in words.
#pragma once

#include <ostream>

#include "landsraad/v1/game.pb.h"
#include "rules/engine/state.h"
#include "tools/replay/json.h"
#include "tools/words/narrator.h"

namespace landsraad::replay {

// Says what the snapshot says, and knows no more: whose turn it is, the table, the cards the viewer may see,
// and of all others how many there are. The narrator knows the content and the players' names.
void tell_position(const rules::Content& content, const words::Narrator& narrator,
                   const v1::Snapshot& snapshot, std::ostream& out);

// What no viewer sees before it is turned up: the decks, the next card first.
void tell_decks(const rules::Content& content, const words::Narrator& narrator, const rules::State& state,
                std::ostream& out);
void write_decks(const rules::Content& content, const words::Narrator& narrator, const rules::State& state,
                 JsonWriter& json);

}  // namespace landsraad::replay
