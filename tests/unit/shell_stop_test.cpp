// How the server ends: in the middle of anything, and when it is told to.
#include <doctest/doctest.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <thread>
#include <vector>

#include "persistence/memory/memory_store.h"
#include "tests/unit/shell_world.h"

namespace landsraad::net::shell_stop_test {
namespace {

// Joins rooms of other threads and leaves them as fast as the server answers, until the server is gone.
void wander(Caller& caller, const std::vector<std::string>& rooms) {
  for (std::size_t i = 0;; ++i) {
    v1::ClientMessage join, leave;
    join.mutable_join_room()->set_room(rooms[i % rooms.size()]);
    leave.mutable_leave_room();
    if (!caller.ask(join) || !caller.ask(leave)) return;
  }
}

TEST_CASE("the server stops in the middle of handshakes, requests and visitors on their way") {
  for (int round = 0; round < 10; ++round) {
    RunningServer server;
    std::vector<std::unique_ptr<Caller>> hosts;
    std::vector<std::string> rooms;
    for (int i = 0; i < 6; ++i) {
      hosts.push_back(std::make_unique<Caller>(server.port()));
      REQUIRE(hosts.back()->greet());
      v1::ClientMessage create;
      create.mutable_create_room();
      rooms.push_back(hosts.back()->ask(create)->room_joined().room().room());
    }
    ClientLine silent(server.port(), false), half(server.port(), false);
    half.write("GET / HTTP/1.1\r\n");
    std::vector<std::unique_ptr<Caller>> guests;
    for (int i = 0; i < 4; ++i) {
      guests.push_back(std::make_unique<Caller>(server.port()));
      REQUIRE(guests.back()->greet());
    }
    std::vector<std::thread> wanderers;
    for (const auto& guest : guests) wanderers.emplace_back(wander, std::ref(*guest), std::cref(rooms));
    for (int i = 0; i < 20 * round; ++i) hosts[0]->alive();
    server.stop();
    for (std::thread& thread : wanderers) thread.join();
    for (auto& host : hosts)
      while (host->read()) {
      }
    CHECK(silent.read(1).empty());
    CHECK(half.read(1).empty());
    for (const auto& shard : server.shards().all()) {
      CHECK(shard->empty());
      CHECK(shard->counters().connections.value() == 0);
    }
  }
}

TEST_CASE("readiness follows the store and the drain, health does not") {
  // Nobody lets this store carry anything out.
  persistence::MemoryDisk disk;
  RunningServer server(patient_limits(), {}, std::make_unique<persistence::MemoryStore>(disk));
  CHECK(get(server.operations_port(), "/healthz").starts_with("HTTP/1.1 200"));
  const std::string answer = get(server.operations_port(), "/readyz");
  CHECK(answer.starts_with("HTTP/1.1 503"));
  CHECK(answer.ends_with("not ready: the store does not answer\n"));
  RunningServer good;
  CHECK(get(good.operations_port(), "/readyz").ends_with("\r\n\r\nok\n"));
  CHECK(get(good.port(), "/readyz").starts_with("HTTP/1.1 200"));
  good.shards().tell_draining();
  CHECK(get(good.operations_port(), "/readyz").ends_with("not ready: the server is stopping\n"));
  CHECK(get(good.operations_port(), "/healthz").starts_with("HTTP/1.1 200"));
}

TEST_CASE("SIGTERM: everyone is told, then connections are closed, and the exit code is 0") {
  const TemporaryPath database(".sqlite");
  ServerProcess server(small_config(database));
  CHECK(server.greeting().starts_with("listening on ws://127.0.0.1:"));
  Caller caller(server.port()), other(server.port());
  REQUIRE(caller.greet());
  REQUIRE(other.greet());
  server.signal(SIGTERM);
  for (Caller* each : {&caller, &other}) {
    const auto notice = each->read();
    REQUIRE(notice);
    CHECK(notice->notice().kind() == v1::Notice::KIND_SHUTTING_DOWN);
    CHECK_FALSE(each->read());
    CHECK(each->close_code() == 1001);
  }
  const int status = server.wait();
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("a second SIGTERM ends the server at once") {
  const TemporaryPath database(".sqlite");
  Config config = small_config(database);
  config.limits.drain = config.limits.goodbye = config.limits.handshake = std::chrono::seconds(300);
  ServerProcess server(config);
  Caller caller(server.port());
  REQUIRE(caller.greet());
  caller.be_silent();  // the server waits for its goodbye
  server.signal(SIGTERM);
  while (caller.read()) {
  }
  CHECK(caller.close_code() == 1001);
  server.signal(SIGTERM);
  const int status = server.wait();
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGTERM);
}

std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST_CASE("SIGHUP loads the certificate anew and opens the log file anew") {
  const TemporaryPath database(".sqlite"), certificate(".crt"), key(".key"), log(".log"), moved(".log.old");
  make_certificate("first", certificate.path(), key.path());
  Config config = small_config(database);
  config.tls_certificate = certificate.path();
  config.tls_key = key.path();
  config.log.file = log.path();
  config.log.level = "info";
  config.log.json = true;
  ServerProcess server(config);
  CHECK(server.greeting().starts_with("listening on wss://"));
  const auto name = [&] { return ClientLine(server.port(), true).certificate_name(); };
  const auto comes_to_be = [](const auto& holds) {  // signals take their time
    for (int i = 0; i < 500 && !holds(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return holds();
  };
  CHECK(name() == "first");
  Caller caller(server.port(), {.tls = true});
  REQUIRE(caller.greet());

  make_certificate("second", certificate.path(), key.path());
  std::filesystem::rename(log.path(), moved.path());
  server.signal(SIGHUP);
  CHECK(comes_to_be([&] { return name() == "second"; }));
  CHECK(comes_to_be([&] { return contents(log.path()).find("loaded anew") != std::string::npos; }));
  CHECK(caller.alive());  // under the certificate it began with

  std::ofstream(certificate.path()) << "no certificate";
  server.signal(SIGHUP);
  CHECK(comes_to_be([&] {
    const std::string text = contents(log.path());
    return text.find("\"level\":\"error\",\"text\":\"cannot use the certificate") != std::string::npos;
  }));
  CHECK(name() == "second");
  CHECK(caller.alive());
}

}  // namespace
}  // namespace landsraad::net::shell_stop_test
