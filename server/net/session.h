// One WebSocket connection: reads frames into its hall one after the other, writes what the halls send.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "server/net/beast.h"
#include "server/room/hall.h"

namespace landsraad::net {

class Shard;
class Shards;

using Stream = websocket::stream<beast::tcp_stream>;

// Belongs to the shard that accepted it and runs on that shard's thread alone; only send(), close() and
// drop() may be called from others. The hall that the visitor is in may be another shard's.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(room::SessionId id, Stream stream, Shards& shards, Shard& home);

  room::SessionId id() const { return id_; }

  // Serves the connection, whose handshake is done, until it ends.
  asio::awaitable<void> run();

  // Queues a frame. A reader that lets more than Limits::outgoing_bytes wait is dropped.
  void send(room::Frame frame);

  // Says goodbye once everything queued is written.
  void close(websocket::close_code code);

  // Ends the connection without a word: run() then sees its read fail.
  void drop();

 private:
  asio::awaitable<void> deliver(std::string_view frame);
  void enqueue(room::Frame frame);
  void write_next();
  void say_goodbye();

  room::SessionId id_;
  Stream stream_;
  Shards& shards_;
  Shard* home_;
  Shard* hall_;                       // where the visitor is
  std::deque<room::Frame> outgoing_;  // front: being written
  std::size_t outgoing_bytes_ = 0;
  bool writing_ = false;
  bool closing_ = false;
  websocket::close_code close_code_ = websocket::close_code::normal;
};

}  // namespace landsraad::net
