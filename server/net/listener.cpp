#include "server/net/listener.h"

#include <spdlog/spdlog.h>

#include <utility>

namespace landsraad::net {

namespace {

// A pause after a failed accept, so that running out of file descriptors does not spin.
constexpr std::chrono::milliseconds kAcceptPause{100};

}  // namespace

Listener::Listener(Shards& shards, Port kind)
    : shards_(shards), kind_(kind), acceptor_(shards[0].executor()) {}

std::string Listener::open(const std::string& address, std::uint16_t port) {
  error_code error;
  const tcp::endpoint endpoint(asio::ip::make_address(address, error), port);
  if (!error) acceptor_.open(endpoint.protocol(), error);
  if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (error) return "cannot listen on " + address + " port " + std::to_string(port) + ": " + error.message();
  port_ = acceptor_.local_endpoint().port();
  return {};
}

asio::awaitable<void> Listener::run() {
  asio::steady_timer pause(acceptor_.get_executor());
  while (acceptor_.is_open()) {
    Shard& shard = shards_.next();
    Socket socket(shard.executor());
    const auto [error] = co_await acceptor_.async_accept(socket, kAsTuple);
    if (error == asio::error::operation_aborted) co_return;
    if (error) {
      spdlog::warn("cannot accept a connection: {}", error.message());
      pause.expires_after(kAcceptPause);
      co_await pause.async_wait(kAsTuple);
      continue;
    }
    asio::co_spawn(shard.executor(), receive(kind_, shards_, shard, std::move(socket)), asio::detached);
  }
}

void Listener::close() {
  error_code ignored;
  acceptor_.close(ignored);
}

}  // namespace landsraad::net
