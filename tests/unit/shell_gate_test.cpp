// Who may connect: how many, from where, from which pages, and for how long without a word.
#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "server/net/gate.h"
#include "tests/unit/shell_world.h"

namespace landsraad::net::shell_gate_test {
namespace {

asio::ip::address at(const char* text) { return asio::ip::make_address(text); }

// The server notices the end of connections in its own time.
bool becomes_true(const std::function<bool()>& holds) {
  for (int i = 0; i < 500; ++i) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

TEST_CASE("an IPv6 household is one address, and so is an IPv4 one in either form") {
  CHECK(key_of(at("2001:db8:1:2::3")) == key_of(at("2001:db8:1:2:ffff::9")));
  CHECK(key_of(at("2001:db8:1:2::3")) != key_of(at("2001:db8:1:3::3")));
  CHECK(key_of(at("192.0.2.7")) == key_of(at("::ffff:192.0.2.7")));
  CHECK(key_of(at("192.0.2.7")) != key_of(at("192.0.2.8")));
}

TEST_CASE("only trusted proxies may say whom they speak for") {
  const std::vector<asio::ip::address> proxies{at("10.0.0.1"), at("10.0.0.2")};
  CHECK(client_address(at("192.0.2.1"), "198.51.100.9", proxies) == at("192.0.2.1"));
  CHECK(client_address(at("10.0.0.1"), "198.51.100.9", proxies) == at("198.51.100.9"));
  CHECK(client_address(at("::ffff:10.0.0.1"), "198.51.100.9", proxies) == at("198.51.100.9"));
  CHECK(client_address(at("10.0.0.1"), "1.1.1.1, 198.51.100.9 ,10.0.0.2", proxies) == at("198.51.100.9"));
  CHECK(client_address(at("10.0.0.1"), "nonsense", proxies) == at("10.0.0.1"));
  CHECK(client_address(at("10.0.0.1"), "", proxies) == at("10.0.0.1"));
  CHECK(client_address(at("10.0.0.1"), "198.51.100.9", {}) == at("10.0.0.1"));
}

TEST_CASE("pages of the same host and of listed origins may call") {
  const std::vector<std::string> listed{"https://play.example.org"};
  CHECK(may_call("", "game.example.org", {}));
  CHECK(may_call("https://game.example.org", "Game.example.org", {}));
  CHECK(may_call("http://127.0.0.1:8080", "127.0.0.1:8080", {}));
  CHECK_FALSE(may_call("http://127.0.0.1:9999", "127.0.0.1:8080", {}));
  CHECK_FALSE(may_call("https://evil.example", "game.example.org", listed));
  CHECK_FALSE(may_call("null", "game.example.org", listed));
  CHECK_FALSE(may_call("https://", "", listed));
  CHECK(may_call("https://play.example.org", "game.example.org", listed));
  CHECK_FALSE(may_call("https://play.example.org.evil.example", "game.example.org", listed));
  CHECK(may_call("https://anything.example", "game.example.org", {"*"}));
}

TEST_CASE("the gate counts handshakes and connections apart, in all and by address") {
  room::Limits limits;
  limits.handshakes = 3;
  limits.address_handshakes = 2;
  limits.connections = 3;
  limits.address_connections = 2;
  Gate gate(limits, {});
  const auto a = at("192.0.2.1"), b = at("192.0.2.2"), local = at("127.0.0.1");
  {
    Gate::Pass first, second, third, more;
    CHECK(gate.enter(a, first) == Refusal::none);
    CHECK(gate.enter(a, second) == Refusal::none);
    CHECK(gate.enter(a, more) == Refusal::address_handshakes);
    CHECK(gate.enter(b, third) == Refusal::none);
    CHECK(gate.enter(b, more) == Refusal::handshakes);
    // Who is through makes room for the next.
    CHECK(gate.admit(a, first) == Refusal::none);
    CHECK(gate.admit(a, second) == Refusal::none);
    CHECK(gate.enter(a, more) == Refusal::none);
    CHECK(gate.admit(a, more) == Refusal::address_connections);
    CHECK(gate.admit(b, third) == Refusal::none);
    Gate::Pass last;
    CHECK(gate.enter(b, last) == Refusal::none);
    CHECK(gate.admit(b, last) == Refusal::connections);
  }
  // All have left; loopback counts in all only.
  std::vector<Gate::Pass> passes(3);
  for (Gate::Pass& pass : passes) {
    CHECK(gate.enter(local, pass) == Refusal::none);
    CHECK(gate.admit(local, pass) == Refusal::none);
  }
  Gate::Pass moved = std::move(passes.front());
  passes.clear();
  std::vector<Gate::Pass> others(2);
  for (Gate::Pass& pass : others) {
    CHECK(gate.enter(a, pass) == Refusal::none);
    CHECK(gate.admit(a, pass) == Refusal::none);
  }
}

TEST_CASE("connections are limited in all") {
  room::Limits limits = patient_limits();
  limits.connections = 5;
  RunningServer server(limits);
  std::vector<std::unique_ptr<Caller>> callers;
  for (int i = 0; i < 5; ++i) callers.push_back(std::make_unique<Caller>(server.port()));
  CHECK(callers.back()->status() == 101);
  CHECK(Caller(server.port()).status() == 503);
  callers.clear();
  CHECK(becomes_true([&] { return Caller(server.port()).status() == 101; }));
}

TEST_CASE("half-open connections keep nobody from playing") {
  room::Limits limits = patient_limits();
  limits.connections = 2;
  RunningServer server(limits);
  std::vector<std::unique_ptr<ClientLine>> idlers;
  for (int i = 0; i < 10; ++i) idlers.push_back(std::make_unique<ClientLine>(server.port(), false));
  Caller caller(server.port());
  CHECK(caller.greet());
}

TEST_CASE("beyond the limit of handshakes connections are closed at once") {
  room::Limits limits = patient_limits();
  limits.handshakes = 2;
  RunningServer server(limits);
  ClientLine first(server.port(), false), second(server.port(), false);
  CHECK(becomes_true([&] { return Caller(server.port()).status() == 0; }));
  // The other port still tells that the server is alive.
  CHECK(get(server.operations_port(), "/healthz").find("200 OK") != std::string::npos);
  first.break_off();
  CHECK(becomes_true([&] { return Caller(server.port()).status() == 101; }));
}

TEST_CASE("a handshake that takes too long is ended") {
  room::Limits limits = patient_limits();
  limits.handshake = std::chrono::seconds(1);
  RunningServer server(limits);
  ClientLine silent(server.port(), false), slow(server.port(), false);
  slow.write("GET / HTTP/1.1\r\nHost:");
  CHECK(silent.read(1).empty());
  CHECK(slow.read(1).empty());
  Caller caller(server.port());
  CHECK(caller.greet());
}

TEST_CASE("connections of one client are limited, also behind a proxy") {
  room::Limits limits = patient_limits();
  limits.address_connections = 2;
  RunningServer server(limits, {{at("127.0.0.1")}, {}});
  const Caller::Call one{.headers = "X-Forwarded-For: 192.0.2.1\r\n"};
  const Caller::Call other{.headers = "X-Forwarded-For: 192.0.2.2\r\n"};
  Caller first(server.port(), one), second(server.port(), one);
  CHECK(second.status() == 101);
  CHECK(Caller(server.port(), one).status() == 429);
  CHECK(Caller(server.port(), other).status() == 101);
  const std::string metrics = get(server.operations_port(), "/metrics");
  CHECK(metrics.find("landsraad_refused_connections_total{reason=\"address_connections\"} 1\n") !=
        std::string::npos);
}

TEST_CASE("pages of other sites get 403") {
  RunningServer server(patient_limits(), {{}, {"https://play.example.org"}});
  CHECK(Caller(server.port(), {.headers = "Origin: https://evil.example\r\n"}).status() == 403);
  CHECK(Caller(server.port(), {.headers = "Origin: https://play.example.org\r\n"}).status() == 101);
  CHECK(Caller(server.port(), {.headers = "Origin: http://localhost\r\n"}).status() == 101);
  CHECK(Caller(server.port(), {.headers = "Origin: http://localhost\r\nOrigin: https://evil.example\r\n"})
            .status() == 403);
}

TEST_CASE("pings tell the living from the dead") {
  room::Limits limits = patient_limits();
  limits.idle = std::chrono::seconds(1);
  RunningServer server(limits);
  Caller dead(server.port()), living(server.port());
  REQUIRE(dead.greet());
  REQUIRE(living.greet());
  dead.be_silent();
  std::thread reading([&] { CHECK_FALSE(living.read()); });  // and answering pings, until the server stops
  CHECK_FALSE(dead.read());
  CHECK(dead.pings() > 0);
  v1::ClientMessage message;
  message.mutable_ping();
  Caller third(server.port());
  CHECK(third.greet());
  CHECK(get(server.operations_port(), "/metrics").find("\nlandsraad_connections 2\n") != std::string::npos);
  server.stop();
  reading.join();
  CHECK(living.pings() > 0);
}

}  // namespace
}  // namespace landsraad::net::shell_gate_test
