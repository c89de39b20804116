// The catalogue: the compiled content as one message for clients.
#pragma once

#include "landsraad/v1/catalogue.pb.h"
#include "rules/engine/content.h"

namespace landsraad::wire {

// Writes everything of the content, from the same trees that the engine resolves. `out` is replaced.
void write_catalogue(const rules::Content&, v1::Catalogue& out);

}  // namespace landsraad::wire
