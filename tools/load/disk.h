// What the disk alone costs.
#pragma once

#include "tools/load/measure.h"

namespace landsraad::load {

// Writes two pages and syncs them, as the commit of one action must at least, as often as `options.rooms`
// rooms act at one action a second, in the folder that the server's database is in. Throws a sentence if that
// does not work.
Measurement measure_disk(const Options& options);

}  // namespace landsraad::load
