// Reads the fields of one block into the thing it describes.
#pragma once

#include <cstddef>

#include "rules/engine/content.h"
#include "rules/notation/block.h"
#include "rules/notation/source.h"

namespace landsraad::rules::notation {

// `index` is the place of the block's thing in the table of its kind. The ids of all blocks must be in the
// tables already, so that effects can name what comes later.
void fill(Content&, const Block&, std::size_t index, const Source&);

}  // namespace landsraad::rules::notation
