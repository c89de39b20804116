// One thread of the server with its hall, and all of them together.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <unordered_map>
#include <vector>

#include "persistence/store.h"
#include "server/net/beast.h"
#include "server/net/counters.h"
#include "server/net/gate.h"
#include "server/net/session.h"
#include "server/net/tls.h"
#include "server/room/hall.h"

namespace landsraad::net {

class Shards;

inline constexpr int kMostLooks = 8;  // at the sockets, before what has come is committed

room::Instant wall_clock();

// All members but executor() and counters() run on the shard's own thread.
class Shard {
 public:
  using Clock = std::chrono::steady_clock;

  Shard(Shards& shards, std::size_t index, std::size_t count, const room::Library& library);

  asio::io_context& context() { return context_; }
  asio::io_context::executor_type executor() { return context_.get_executor(); }
  Counters& counters() { return counters_; }

  // ---- Connections that live here.
  Transport begin_handshake(Socket socket);        // has to be done within Limits::handshake
  void open(std::shared_ptr<Session> session);     // a new one
  void take_in(std::shared_ptr<Session> session);  // one that has moved here
  void closed(room::SessionId session);
  void flush_soon(std::shared_ptr<Session> session);

  // ---- Visitors of the hall, who may live elsewhere.
  std::optional<room::Departure> receive(room::SessionId session, std::string_view frame,
                                         Clock::time_point arrived);
  void adopt(std::shared_ptr<Session> session, room::Visitor visitor, std::string_view frame);
  void leave(room::SessionId session);

  // ---- What else happens.
  void learn(const room::RoomChange& change) { hall_.learn(change); }
  void rouse(const room::RoomId& game);  // a sleeping game of this shard's hall is due
  asio::awaitable<void> tick_every_second();

  // ---- Shutdown.
  void drain();
  bool idle() const { return hall_.idle(); }
  void close_sessions();
  void drop_all();
  bool empty() const { return living_.empty(); }

 private:
  struct Parcel {  // for a session that lives elsewhere
    std::shared_ptr<Session> to;
    room::Frame frame;  // null: goodbye
    websocket::close_code code = websocket::close_code::none;
  };

  void carry_out(Clock::time_point begun);
  void end_turn_soon();
  void end_turn();
  bool more_comes();
  void flush();
  void request(room::StorageRequest request, Clock::time_point begun);
  void stored(const room::StorageReply& reply, Clock::time_point begun, bool asked_by_client);
  void deliver(room::SessionId session, room::Frame frame, websocket::close_code code);
  void send_parcels();
  void tick();
  void close_late_handshakes();
  void check_lives();

  Shards& shards_;
  std::size_t index_;
  Counters counters_;
  asio::io_context context_{1};
  room::Hall hall_;
  room::Outbox outbox_;
  bool serving_a_client_ = false;  // while a frame is being read
  bool turn_ends_ = false;
  std::size_t asked_store_ = 0;   // in this turn
  std::size_t asked_before_ = 0;  // when it was last looked whether more comes
  int looks_ = 0;
  std::unordered_map<room::SessionId, std::shared_ptr<Session>> living_;    // here
  std::unordered_map<room::SessionId, std::shared_ptr<Session>> visiting_;  // whose visitors are in the hall
  std::vector<std::weak_ptr<Line>> handshakes_;
  std::vector<std::shared_ptr<Session>> unflushed_;
  std::vector<std::vector<Parcel>> parcels_;  // by the shard they go to
};

// How long a refused write makes the server look unfit; then only the next one can tell.
inline constexpr std::chrono::seconds kRefusalCounts{10};

class Shards {
 public:
  // How connections are let in, beside the limits.
  struct Door {
    std::vector<asio::ip::address> trusted_proxies;
    std::vector<std::string> allowed_origins;
  };

  Shards(const room::Limits& limits, std::size_t count, const room::Library& library);
  Shards(const room::Limits& limits, std::size_t count, const room::Library& library, Door door);
  ~Shards();

  const room::Limits& limits() const { return limits_; }
  const Door& door() const { return door_; }
  // The operations port has a gate of its own: who crowds the game's must not make the server look dead.
  Gate& gate() { return gate_; }
  Gate& operations_gate() { return operations_gate_; }
  TlsCertificate& certificate() { return certificate_; }
  std::size_t size() const { return shards_.size(); }
  Shard& operator[](std::size_t index) { return *shards_[index]; }
  const std::vector<std::unique_ptr<Shard>>& all() const { return shards_; }

  // The shard of the next connection, in turn; and its number, never used again.
  Shard& next() { return *shards_[turn_++ % shards_.size()]; }
  room::SessionId next_session() { return ++sessions_; }

  // Where halls send their storage requests. To be set before start().
  void set_store(persistence::Store& store) { store_ = &store; }
  persistence::Store& store() { return *store_; }
  // Whether the store has lately refused to write, and not written since.
  bool store_refuses() const;
  void note_write(bool refused);

  void start();  // one thread each
  void stop();   // ends connections and threads; the listeners are closed by then
  bool draining() const { return draining_; }
  void tell_draining() { draining_ = true; }
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
  const room::Limits limits_;
  const Door door_;
  Gate gate_, operations_gate_;  // outlive all that counts on them, which lives in the shards
  TlsCertificate certificate_;
  std::vector<std::unique_ptr<Shard>> shards_;
  std::vector<asio::executor_work_guard<asio::io_context::executor_type>> work_;
  std::vector<std::thread> threads_;
  std::atomic<std::size_t> turn_ = 0;
  std::atomic<room::SessionId> sessions_ = 0;
  std::atomic<bool> draining_ = false;
  persistence::Store* store_ = nullptr;
  std::atomic<Shard::Clock::rep> refused_at_ = 0;  // 0: the latest write went well
};

}  // namespace landsraad::net
