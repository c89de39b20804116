// Between the halls' storage requests and the Store.
#pragma once

#include <functional>
#include <vector>

#include "persistence/store.h"
#include "server/room/outbox.h"

namespace landsraad::net {

// Passes a request on; `reply` is called exactly once, on a thread of the store's.
void pass_on(persistence::Store& store, room::StorageRequest request,
             std::function<void(room::StorageReply)> reply);

// The list line of a game found in storage.
room::RoomChange listed(const persistence::ListedGame& game);

// All games in storage, asked for page by page. Blocks; for the start of the server.
persistence::Result<std::vector<persistence::ListedGame>> list_all(persistence::Store& store);

}  // namespace landsraad::net
