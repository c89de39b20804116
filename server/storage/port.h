// Between the halls' storage requests and the Store.
#pragma once

#include <functional>
#include <vector>

#include "persistence/sqlite/layout.h"
#include "persistence/store.h"
#include "server/room/outbox.h"

namespace landsraad::storage {

// Passes a request on; `reply` is called exactly once, on a thread of the store's.
void pass_on(persistence::Store& store, room::StorageRequest request,
             std::function<void(room::StorageReply)> reply);

// The list line of a game found in storage.
v1::RoomSummary listed(const persistence::ListedGame& game);

// What a game's opening says for lists: for games from elsewhere, and for files that an older version wrote.
persistence::GameDescription described(const persistence::Record& opening);

// How the store knows players.
persistence::PlayerKey key_of(const room::TokenHash& player);
std::vector<persistence::PlayerKey> keys_of(const std::vector<room::TokenHash>& players);

room::StorageError to_storage_error(persistence::StoreError error);

}  // namespace landsraad::storage
