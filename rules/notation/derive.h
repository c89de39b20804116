// What follows from the blocks, and whether the engine can hold it.
#pragma once

#include <string>
#include <vector>

#include "rules/engine/content.h"

namespace landsraad::rules::notation {

// Numbers the copies of all cards in the order of the cards; starting cards once for every seat.
void number_copies(Content&);

// Fills the masks of spaces and the icons of posts.
void mark_board(Content&);

// Every limit of the engine that the content exceeds, as a sentence. Counts of copies need number_copies().
std::vector<std::string> exceeded_limits(const Content&);

}  // namespace landsraad::rules::notation
