#include "server/net/shard.h"

#include <spdlog/spdlog.h>

#include <utility>

#include "server/net/storage_port.h"

namespace landsraad::net {

namespace {

room::Instant now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

void log(const room::Note& note) {
  using Level = room::Note::Level;
  const auto level = note.level == Level::error     ? spdlog::level::err
                     : note.level == Level::warning ? spdlog::level::warn
                     : note.level == Level::info    ? spdlog::level::info
                                                    : spdlog::level::debug;
  spdlog::log(level, "room {}: {}", note.room, note.text);
}

}  // namespace

Shard::Shard(Shards& shards, std::size_t index, std::size_t count, const rules::Content& content)
    : shards_(shards), index_(index), hall_(shards.limits(), content, room::system_entropy(), index, count, now()) {}

void Shard::enter(std::shared_ptr<Session> session) {
  hall_.connect(session->id());
  sessions_.emplace(session->id(), std::move(session));
}

std::optional<room::Departure> Shard::receive(room::SessionId session, std::string_view frame) {
  std::optional<room::Departure> departure = hall_.receive(session, frame, now(), outbox_);
  carry_out();
  if (departure) sessions_.erase(session);
  return departure;
}

void Shard::adopt(std::shared_ptr<Session> session, room::Visitor visitor, std::string_view frame) {
  const room::SessionId id = session->id();
  sessions_.emplace(id, std::move(session));
  hall_.adopt(id, std::move(visitor), frame, now(), outbox_);
  carry_out();
}

void Shard::leave(room::SessionId session) {
  sessions_.erase(session);
  hall_.disconnect(session, now(), outbox_);
  carry_out();
}

void Shard::stored(const room::StorageReply& reply) {
  hall_.stored(reply, now(), outbox_);
  carry_out();
}

asio::awaitable<void> Shard::tick_every_second() {
  asio::steady_timer timer(context_);
  for (;;) {
    timer.expires_after(std::chrono::seconds(1));
    const auto [error] = co_await timer.async_wait(kAsTuple);
    if (error) co_return;
    hall_.tick(now(), outbox_);
    carry_out();
  }
}

void Shard::carry_out() {
  for (room::StorageRequest& request : outbox_.storage)
    pass_on(shards_.store(), std::move(request), [this](room::StorageReply reply) {
      asio::post(context_, [this, reply = std::move(reply)] { stored(reply); });
    });
  for (room::Delivery& delivery : outbox_.deliveries)
    if (const auto it = sessions_.find(delivery.session); it != sessions_.end())
      it->second->send(std::move(delivery.frame));
  for (const room::Parting& parting : outbox_.partings)
    if (const auto it = sessions_.find(parting.session); it != sessions_.end())
      it->second->close(parting.why == room::Farewell::flood ? websocket::close_code::policy_error
                                                             : websocket::close_code::bad_payload);
  for (const room::RoomChange& change : outbox_.changes) shards_.tell_others(index_, change);
  for (const room::Note& note : outbox_.notes) log(note);
  outbox_.storage.clear();
  outbox_.deliveries.clear();
  outbox_.partings.clear();
  outbox_.changes.clear();
  outbox_.notes.clear();
}

void Shard::drain() {
  hall_.drain(now(), outbox_);
  carry_out();
}

void Shard::close_sessions() {
  for (const auto& [id, session] : sessions_) session->close(websocket::close_code::going_away);
}

void Shard::drop_sessions() {
  for (const auto& [id, session] : sessions_) session->drop();
}

// ---- All of them.

Shards::Shards(const room::Limits& limits, std::size_t count, const rules::Content& content)
    : limits_(limits) {
  for (std::size_t index = 0; index < count; ++index)
    shards_.push_back(std::make_unique<Shard>(*this, index, count, content));
}

Shards::~Shards() { stop(); }

void Shards::start() {
  for (const auto& shard : shards_) {
    work_.emplace_back(shard->executor());
    asio::co_spawn(shard->executor(), shard->tick_every_second(), asio::detached);
    threads_.emplace_back([&context = shard->context()] { context.run(); });
  }
}

void Shards::stop() {
  // Once only: when the destructor comes here again, the listener and the store are gone, and half-open
  // connections and timers must not be led any further.
  if (threads_.empty()) return;
  work_.clear();
  for (const auto& shard : shards_) shard->context().stop();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  // A session in another shard's hall hangs on two contexts. So before the first one is destroyed, whoever
  // is still connected is led to the end on this thread.
  for (const auto& shard : shards_) shard->drop_sessions();
  for (bool busy = true; busy;) {
    busy = false;
    for (const auto& shard : shards_) {
      shard->context().restart();
      busy = shard->context().poll() > 0 || busy;
    }
  }
}

void Shards::tell_others(std::size_t from, const room::RoomChange& change) {
  for (std::size_t index = 0; index < shards_.size(); ++index)
    if (index != from)
      asio::post(shards_[index]->context(), [shard = shards_[index].get(), change] { shard->learn(change); });
}

}  // namespace landsraad::net
