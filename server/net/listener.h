// Accepts connections on one port and hands them to the shards in turn.
#pragma once

#include <string>

#include "server/net/beast.h"
#include "server/net/reception.h"
#include "server/net/shard.h"

namespace landsraad::net {

// Runs on the first shard's thread, and may go once close() was called and the shards have stopped.
class Listener {
 public:
  explicit Listener(Shards& shards, Port kind = Port::game);

  // Binds and listens; what went wrong, or nothing. port 0 = any free one.
  std::string open(const std::string& address, std::uint16_t port);
  std::uint16_t port() const { return port_; }

  asio::awaitable<void> run();
  void close();  // no new connections; those that are there stay

 private:
  using Acceptor = asio::basic_socket_acceptor<tcp, asio::io_context::executor_type>;

  Shards& shards_;
  const Port kind_;
  Acceptor acceptor_;
  std::uint16_t port_ = 0;
};

}  // namespace landsraad::net
