// One thread of the server with its hall, and all of them together.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <unordered_map>
#include <vector>

#include "persistence/store.h"
#include "server/net/beast.h"
#include "server/net/session.h"
#include "server/room/hall.h"

namespace landsraad::net {

class Shards;

// All members but executor() run on the shard's own thread.
class Shard {
 public:
  Shard(Shards& shards, std::size_t index, std::size_t count, const rules::Content& content);

  asio::io_context& context() { return context_; }
  asio::io_context::executor_type executor() { return context_.get_executor(); }

  // ---- What sessions do.
  void enter(std::shared_ptr<Session> session);
  std::optional<room::Departure> receive(room::SessionId session, std::string_view frame);
  void adopt(std::shared_ptr<Session> session, room::Visitor visitor, std::string_view frame);
  void leave(room::SessionId session);

  // ---- What else happens.
  void learn(const room::RoomChange& change) { hall_.learn(change); }
  void stored(const room::StorageReply& reply);
  asio::awaitable<void> tick_every_second();

  // ---- Shutdown.
  void drain();
  bool idle() const { return hall_.idle(); }
  void close_sessions();
  void drop_sessions();
  bool empty() const { return sessions_.empty(); }

 private:
  void carry_out();

  Shards& shards_;
  std::size_t index_;
  asio::io_context context_{1};
  room::Hall hall_;
  room::Outbox outbox_;
  std::unordered_map<room::SessionId, std::shared_ptr<Session>> sessions_;  // whose visitors are in the hall
};

class Shards {
 public:
  Shards(const room::Limits& limits, std::size_t count, const rules::Content& content);
  ~Shards();

  const room::Limits& limits() const { return limits_; }
  std::size_t size() const { return shards_.size(); }
  Shard& operator[](std::size_t index) { return *shards_[index]; }

  // The shard of the next connection, in turn; and its number, never used again.
  Shard& next() { return *shards_[turn_++ % shards_.size()]; }
  room::SessionId next_session() { return ++sessions_; }

  // Where halls send their storage requests. To be set before start().
  void set_store(persistence::Store& store) { store_ = &store; }
  persistence::Store& store() { return *store_; }

  void start();  // one thread each
  void stop();   // ends connections and threads
  void tell_others(std::size_t from, const room::RoomChange& change);

  // Runs `work` on a shard's thread and comes back to one's own.
  template <class Work>
  asio::awaitable<void> on(Shard& there, Shard& here, Work work) {
    if (&there == &here) {
      work();
      co_return;
    }
    co_await asio::co_spawn(
        there.executor(),
        [&work]() -> asio::awaitable<void> {
          work();
          co_return;
        },
        asio::use_awaitable);
  }

 private:
  room::Limits limits_;
  std::vector<std::unique_ptr<Shard>> shards_;
  std::vector<asio::executor_work_guard<asio::io_context::executor_type>> work_;
  std::vector<std::thread> threads_;
  std::atomic<std::size_t> turn_ = 0;
  std::atomic<room::SessionId> sessions_ = 0;
  persistence::Store* store_ = nullptr;
};

}  // namespace landsraad::net
