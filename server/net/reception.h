// What happens to a connection before it is a session: TLS, HTTP, and the WebSocket handshake.
#pragma once

#include <string_view>

#include "server/net/beast.h"
#include "server/net/gate.h"
#include "server/net/tls.h"

namespace landsraad::net {

class Shard;
class Shards;

inline constexpr std::string_view kSubprotocol = "landsraad.v1";

enum class Port : std::uint8_t {
  game,        // WebSockets; over plain HTTP whether the server is alive and ready
  operations,  // that, and metrics
};

// Serves one connection on its shard: answers its one HTTP request, or makes a session of it.
asio::awaitable<void> receive(Port port, Shards& shards, Shard& shard, Socket socket);

}  // namespace landsraad::net
