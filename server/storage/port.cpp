#include "server/storage/port.h"

#include <utility>

#include "server/room/record.h"
#include "server/storage/forgetting.h"

namespace landsraad::storage {

namespace {

using persistence::Result;
using persistence::StoreError;
using room::StorageError;
using room::StorageReply;
using room::StorageRequest;
using room::StorageVerb;

template <class T>
StorageReply begin_reply(StorageVerb verb, const room::RoomId& game, const Result<T>& result) {
  StorageReply reply;
  reply.verb = verb;
  reply.game = game;
  reply.error = to_storage_error(result.error);
  if (!result.ok()) reply.why = std::string(persistence::name(result.error)) + ": " + result.why;
  return reply;
}

// A callback that says whether it worked and, if it is an epoch, which.
auto report(const StorageRequest& request, std::function<void(StorageReply)> reply) {
  return [verb = request.verb, game = request.game, reply = std::move(reply)](Result<std::uint64_t> result) {
    StorageReply out = begin_reply(verb, game, result);
    out.epoch = result.value;
    reply(std::move(out));
  };
}

// What a load brings.
auto bring(const StorageRequest& request, std::function<void(StorageReply)> reply) {
  return [verb = request.verb, game = request.game,
          reply = std::move(reply)](Result<persistence::StoredGame> result) {
    StorageReply out = begin_reply(verb, game, result);
    out.snapshot = std::move(result.value.snapshot.bytes);
    out.records = std::move(result.value.records);
    out.closed = result.value.status == persistence::GameStatus::closed;
    reply(std::move(out));
  };
}

auto show(const StorageRequest& request, std::function<void(StorageReply)> reply) {
  return [ticket = request.ticket, reply = std::move(reply)](Result<persistence::ListPage> result) {
    StorageReply out = begin_reply(StorageVerb::list, {}, result);
    out.ticket = ticket;
    for (const persistence::ListedGame& game : result.value.games) out.games.push_back(listed(game));
    out.more = result.value.more;
    reply(std::move(out));
  };
}

persistence::UnixMs to_unix_ms(room::Instant when) {
  return when == room::kNever ? persistence::kNever : when.time_since_epoch().count();
}

}  // namespace

StorageError to_storage_error(StoreError error) {
  switch (error) {
    case StoreError::none:
      return StorageError::none;
    case StoreError::unavailable:
      return StorageError::unavailable;
    case StoreError::not_found:
      return StorageError::missing;
    case StoreError::corrupt:
    case StoreError::invalid:
      return StorageError::unreadable;
    case StoreError::conflict:
    case StoreError::fenced:
    case StoreError::exists:
    case StoreError::closed:
      return StorageError::lost;
  }
  return StorageError::lost;
}

persistence::GameDescription described(const persistence::Record& record) {
  const auto opening = room::read_opening(record);
  if (!opening) return {};
  persistence::GameDescription game{.listed = !opening->options.unlisted()};
  for (const room::OpeningSeat& seat : opening->seats)
    if (seat.player != room::TokenHash{}) game.players.push_back(key_of(seat.player));  // else: forgotten
  return game;
}

persistence::PlayerKey key_of(const room::TokenHash& player) {
  return {reinterpret_cast<const char*>(player.data()), player.size()};
}

std::vector<persistence::PlayerKey> keys_of(const std::vector<room::TokenHash>& players) {
  std::vector<persistence::PlayerKey> keys;
  for (const room::TokenHash& player : players) keys.emplace_back(player.begin(), player.end());
  return keys;
}

void pass_on(persistence::Store& store, StorageRequest request, std::function<void(StorageReply)> reply) {
  switch (request.verb) {
    case StorageVerb::create:
      return store.create(request.game,
                          {.created_ms = to_unix_ms(request.when),
                           .records = {std::move(request.record)},
                           .players = keys_of(request.players),
                           .listed = request.listed},
                          report(request, std::move(reply)));
    case StorageVerb::claim:
      return store.claim(request.game, report(request, std::move(reply)));
    case StorageVerb::append:
      return store.append(request.game, request.epoch, request.expected, std::move(request.record),
                          report(request, std::move(reply)));
    case StorageVerb::snapshot:
      return store.snapshot(request.game, request.epoch, {request.expected, std::move(request.record)},
                            report(request, std::move(reply)));
    case StorageVerb::close:
      return store.close(request.game, request.epoch, to_unix_ms(request.when),
                         report(request, std::move(reply)));
    case StorageVerb::sleep:
      return store.sleep(request.game, request.epoch, to_unix_ms(request.when),
                         [verb = request.verb, game = request.game, reply = std::move(reply)](
                             Result<persistence::UnixMs> result) { reply(begin_reply(verb, game, result)); });
    case StorageVerb::load:
      return store.load(request.game, persistence::Extent::resume, bring(request, std::move(reply)));
    case StorageVerb::load_all:
      return store.load(request.game, persistence::Extent::whole, bring(request, std::move(reply)));
    case StorageVerb::list: {
      persistence::ListQuery query{.after = request.game, .limit = request.limit};
      if (request.player) query.player = key_of(*request.player);
      return store.list(std::move(query), show(request, std::move(reply)));
    }
    case StorageVerb::forget:
      return forget_player(store, request, std::move(reply));
  }
}

v1::RoomSummary listed(const persistence::ListedGame& game) {
  v1::RoomSummary summary;
  summary.set_room(game.id);
  summary.set_status(game.status == persistence::GameStatus::closed ? v1::ROOM_STATUS_OVER
                                                                    : v1::ROOM_STATUS_PLAYING);
  const auto opening = game.readable ? room::read_opening(game.setup) : std::nullopt;
  if (!opening) return summary;  // whoever joins it is told what is wrong
  *summary.mutable_options() = opening->options;
  summary.set_seats_taken(opening->options.players());
  return summary;
}

}  // namespace landsraad::storage
