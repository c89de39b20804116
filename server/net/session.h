// One WebSocket connection: reads frames into its hall one after the other, writes what the halls send.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "server/net/beast.h"
#include "server/net/gate.h"
#include "server/net/transport.h"
#include "server/room/hall.h"

namespace landsraad::net {

class Shard;
class Shards;

// Runs on the thread of one shard alone, its home: at first the one that accepted it, then the one whose hall
// the visitor is in, so that an action needs no other thread. A connection with TLS cannot move; then the
// hall is another shard's.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(room::SessionId id, Stream stream, Shards& shards, Shard& home, Gate::Pass pass);

  room::SessionId id() const { return id_; }
  Shard& home() const { return *home_; }

  // Serves the connection, whose handshake is done, until it ends.
  void start();

  // Queues a frame for the end of this turn of the loop. A reader that lets more than Limits::outgoing_bytes
  // wait is dropped.
  void send(const room::Frame& frame);

  // Says goodbye behind everything queued.
  void close(websocket::close_code code);

  // Ends the connection without a word: reading then fails.
  void drop();

  // Writes what is queued, in one call where it fits.
  void flush();

  // Sends a ping to a client that has long said nothing, and drops one that does not answer: about once a
  // second.
  using Clock = std::chrono::steady_clock;
  void check_life(Clock::time_point now);

 private:
  void read_next();
  void arrived(error_code error, std::size_t size);
  std::string_view frame() const;
  void give_to_hall();
  void given(std::optional<room::Departure> departure);
  void follow(room::Departure departure);
  void move_home(Shard& there);
  void end();

  const room::SessionId id_;
  Stream stream_;
  Shards& shards_;
  Shard* home_;
  Shard* hall_;  // where the visitor is
  Gate::Pass pass_;
  beast::flat_buffer incoming_;
  Clock::time_point arrived_at_;
  Clock::time_point heard_ = Clock::now(), pinged_{}, closed_at_{};
  bool pinging_ = false;
  bool flush_is_due_ = false;
  bool closing_ = false;
};

}  // namespace landsraad::net
