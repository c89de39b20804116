// A player's name taken out of all finished games.
#pragma once

#include <functional>

#include "persistence/store.h"
#include "server/room/outbox.h"

namespace landsraad::storage {

// Goes through the player's games one after the other; `reply` is called exactly once, on a thread of the
// store's. Games that go on, and those that do not read back, keep the name. Stopping half-way does no harm:
// asking again does the rest.
void forget_player(persistence::Store& store, const room::StorageRequest& request,
                   std::function<void(room::StorageReply)> reply);

}  // namespace landsraad::storage
