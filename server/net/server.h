// The server as a whole: store, shards, listener; from start to shutdown.
#pragma once

#include "server/config.h"

namespace landsraad::net {

// Serves until SIGTERM or SIGINT, then finishes what is begun and returns the exit code: 0, or 1 if it
// could not start (one line on stderr says why). Prints "listening on ws://ADDRESS:PORT" when ready.
int serve(const Config& config);

}  // namespace landsraad::net
