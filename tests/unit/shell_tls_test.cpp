// TLS: the whole protocol over it, and what is said about files that are no good.
#include <doctest/doctest.h>

#include <fstream>

#include "server/net/tls.h"
#include "tests/unit/shell_world.h"

namespace landsraad::net::shell_tls_test {
namespace {

TEST_CASE("a game's worth of frames goes over TLS") {
  const TemporaryPath certificate(".crt"), key(".key");
  make_certificate("arrakis", certificate.path(), key.path());
  RunningServer server;
  REQUIRE(server.shards().certificate().load(certificate.path(), key.path()).empty());
  Caller caller(server.port(), {.tls = true});
  REQUIRE(caller.status() == 101);
  CHECK(caller.line().certificate_name() == "arrakis");
  REQUIRE(caller.greet());
  v1::ClientMessage catalogue;
  catalogue.mutable_get_catalogue();
  for (int i = 0; i < 50; ++i) caller.send(catalogue);
  for (int i = 0; i < 50; ++i) {
    const auto answer = caller.read();
    REQUIRE(answer);
    CHECK(answer->catalogue().cards_size() > 50);
  }
  caller.send_frame(Caller::text, "hello");
  CHECK_FALSE(caller.read());
  CHECK(caller.close_code() == 1003);
  CHECK(get(server.port(), "/healthz", true).ends_with("\r\n\r\nok\n"));
  // The operations port stays plain; and who speaks no TLS harms nobody.
  CHECK(get(server.operations_port(), "/healthz").ends_with("\r\n\r\nok\n"));
  CHECK(get(server.port(), "/healthz").find("200") == std::string::npos);
  Caller next(server.port(), {.tls = true});
  CHECK(next.greet());
}

TEST_CASE("files that are no good are named, and the certificate from before stays") {
  const TemporaryPath certificate(".crt"), key(".key"), other(".crt"), other_key(".key"), nonsense(".pem");
  make_certificate("first", certificate.path(), key.path());
  make_certificate("second", other.path(), other_key.path());
  std::ofstream(nonsense.path()) << "nonsense";
  RunningServer server;
  TlsCertificate& served = server.shards().certificate();
  REQUIRE(served.load(certificate.path(), key.path()).empty());
  CHECK(
      served.load(nonsense.path(), key.path()).starts_with("cannot use the certificate " + nonsense.path()));
  CHECK(served.load(certificate.path(), "/nonexistent").starts_with("cannot use the key /nonexistent"));
  CHECK_FALSE(served.load(certificate.path(), other_key.path()).empty());
  CHECK(ClientLine(server.port(), true).certificate_name() == "first");
  REQUIRE(served.load(other.path(), other_key.path()).empty());
  CHECK(ClientLine(server.port(), true).certificate_name() == "second");
}

}  // namespace
}  // namespace landsraad::net::shell_tls_test
