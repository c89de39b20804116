// What --healthcheck says of servers that are ready, stopping, silent, or not there.
#include <doctest/doctest.h>

#include "server/healthcheck.h"
#include "tests/unit/shell_world.h"

namespace landsraad::net::shell_healthcheck_test {
namespace {

Config config_of(const RunningServer& server) {
  Config config;
  config.port = server.port();
  config.metrics_port = server.operations_port();
  return config;
}

TEST_CASE("a server is healthy from when it is ready until it stops") {
  RunningServer server;
  Config config = config_of(server);
  CHECK(why_not_healthy(config).empty());
  config.metrics_address = "0.0.0.0";
  CHECK(why_not_healthy(config).empty());
  server.shards().tell_draining();
  CHECK(why_not_healthy(config) == "not ready: the server is stopping");
}

TEST_CASE("without an operations port the main one is asked, unless it speaks TLS") {
  const RunningServer server;
  Config config = config_of(server);
  config.metrics_port.reset();
  CHECK(why_not_healthy(config).empty());
  config.tls_certificate = "certificate.pem";
  CHECK(why_not_healthy(config).find("no TLS") != std::string::npos);
}

TEST_CASE("a server that is not there is not healthy") {
  Config config;
  {
    const RunningServer gone;
    config = config_of(gone);
  }
  CHECK(why_not_healthy(config).starts_with("nobody answers on 127.0.0.1 port "));
  config.metrics_port = 0;
  CHECK(why_not_healthy(config).find("name one with --metrics-port") != std::string::npos);
}

}  // namespace
}  // namespace landsraad::net::shell_healthcheck_test
