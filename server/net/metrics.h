// What the server tells about itself: Prometheus metrics, and whether it is fit to serve.
#pragma once

#include <string>
#include <string_view>

#include "server/net/beast.h"
#include "server/net/counters.h"

namespace landsraad::net {

class Shards;
class Shard;

// Counts the frame if it is an Error of the server's.
void count_error(std::string_view frame, Counters& counters);

// All metrics in Prometheus' text format, version 0.0.4: the shards' counters added up.
std::string exposition(const Shards& shards);

// Why the server should get no new clients now, or nothing. Asks the store. Runs on `here`.
asio::awaitable<std::string> why_not_ready(Shards& shards, Shard& here);

}  // namespace landsraad::net
