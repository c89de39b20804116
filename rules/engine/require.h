// Checks that stay on in every build: passing one of the engine's limits is a bug, and stopping is better
// than a wrong game or an endless loop in a live room.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace landsraad::rules {

inline void require(bool holds, const char* what) {
  if (holds) [[likely]]
    return;
  std::fprintf(stderr, "landsraad rules: %s\n", what);
  std::abort();
}

}  // namespace landsraad::rules
