// Asks a running server whether it is ready: for containers, in which there is nothing else that could.
#pragma once

#include <string>

#include "server/config.h"

namespace landsraad {

// Asks /readyz of the operations port that a server with this configuration has, or of its main port when it
// has none. Gives back why it is not ready, in one line; empty = it is. Takes a few seconds at most.
std::string why_not_healthy(const Config& config);

}  // namespace landsraad
