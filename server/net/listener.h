// Accepts connections, answers plain HTTP, and hands WebSockets to sessions.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "server/net/beast.h"
#include "server/net/shard.h"

namespace landsraad::net {

inline constexpr std::string_view kSubprotocol = "landsraad.v1";
inline constexpr std::uint32_t kMaxHttpHeaderBytes = 8 * 1024;

// Runs on the first shard's thread.
class Listener {
 public:
  explicit Listener(Shards& shards);

  // Binds and listens; what went wrong, or nothing. port 0 = any free one.
  std::string open(const std::string& address, std::uint16_t port);
  std::uint16_t port() const { return port_; }

  asio::awaitable<void> run();
  void close();  // no new connections; those that are there stay

 private:
  asio::awaitable<void> serve(tcp::socket socket, Shard& shard);

  Shards& shards_;
  tcp::acceptor acceptor_;
  std::uint16_t port_ = 0;
  std::atomic<std::size_t> connections_ = 0;
};

}  // namespace landsraad::net
