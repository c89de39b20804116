#include "server/net/storage_port.h"

#include <chrono>
#include <future>
#include <utility>

#include "server/room/record.h"

namespace landsraad::net {

namespace {

using persistence::Result;
using persistence::StoreError;
using room::StorageError;
using room::StorageReply;
using room::StorageRequest;
using room::StorageVerb;

StorageError translated(StoreError error) {
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

persistence::UnixMs unix_ms_now() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since_1970).count();
}

template <class T>
StorageReply begin_reply(StorageVerb verb, const room::RoomId& game, const Result<T>& result) {
  StorageReply reply;
  reply.verb = verb;
  reply.game = game;
  reply.error = translated(result.error);
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

}  // namespace

void pass_on(persistence::Store& store, StorageRequest request, std::function<void(StorageReply)> reply) {
  switch (request.verb) {
    case StorageVerb::create:
      return store.create(
          request.game,
          {.created_ms = request.created.time_since_epoch().count(), .records = {std::move(request.record)}},
          report(request, std::move(reply)));
    case StorageVerb::claim:
      return store.claim(request.game, report(request, std::move(reply)));
    case StorageVerb::append:
      return store.append(request.game, request.epoch, request.expected, std::move(request.record),
                          report(request, std::move(reply)));
    case StorageVerb::close:
      return store.close(request.game, request.epoch, unix_ms_now(), report(request, std::move(reply)));
    case StorageVerb::load:
      return store.load(
          request.game, persistence::Extent::whole,
          [game = request.game, reply = std::move(reply)](Result<persistence::StoredGame> result) {
            StorageReply out = begin_reply(StorageVerb::load, game, result);
            out.records = std::move(result.value.records);
            out.closed = result.value.status == persistence::GameStatus::closed;
            reply(std::move(out));
          });
  }
}

room::RoomChange listed(const persistence::ListedGame& game) {
  room::RoomChange change;
  v1::RoomSummary& summary = change.summary;
  summary.set_room(game.id);
  summary.set_status(game.status == persistence::GameStatus::closed ? v1::ROOM_STATUS_OVER
                                                                    : v1::ROOM_STATUS_PLAYING);
  const auto opening = game.readable ? room::read_opening(game.setup) : std::nullopt;
  if (!opening) {
    summary.mutable_options()->set_unlisted(true);  // perhaps it was; whoever joins it is told what is wrong
    return change;
  }
  for (const room::OpeningSeat& seat : opening->seats) change.players.push_back(seat.player);
  *summary.mutable_options() = opening->options;
  summary.set_seats_taken(opening->options.players());
  return change;
}

Result<std::vector<persistence::ListedGame>> list_all(persistence::Store& store) {
  Result<std::vector<persistence::ListedGame>> all;
  persistence::ListQuery query;
  query.limit = persistence::kMaxListPage;
  for (bool more = true; more;) {
    std::promise<Result<persistence::ListPage>> promise;
    store.list(query, [&promise](Result<persistence::ListPage> page) { promise.set_value(std::move(page)); });
    Result<persistence::ListPage> page = promise.get_future().get();
    if (!page.ok()) {
      all.error = page.error;
      all.why = page.why;
      return all;
    }
    for (persistence::ListedGame& game : page.value.games) all.value.push_back(std::move(game));
    more = page.value.more;
    if (more) query.after = all.value.back().id;
  }
  return all;
}

}  // namespace landsraad::net
