// The runs of landsraad_durability. Each throws e2e::Failure if anything is not as it must be.
#pragma once

#include "tests/durability/options.h"

namespace landsraad::durability {

// The server is killed again and again while all rooms play.
void run_crash(const Options& options);

// The disk fills up while all rooms play, and is emptied again. False if this machine does not let us make a
// small disk.
bool run_full_disk(const Options& options);

}  // namespace landsraad::durability
