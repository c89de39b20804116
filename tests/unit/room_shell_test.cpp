// The shell around the rooms, over real sockets: frames that are no good, readers that are too slow, HTTP.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/shell_world.h"

namespace landsraad::net::room_shell_test {
namespace {

v1::ClientMessage ping() {
  v1::ClientMessage message;
  message.mutable_ping();
  return message;
}

TEST_CASE("frames that are no good end at most their own connection") {
  RunningServer server;
  Caller good(server.port());
  REQUIRE(good.greet()->has_welcome());
  v1::ClientMessage create;
  create.mutable_create_room();
  REQUIRE(good.ask(create)->has_room_joined());

  {
    Caller text(server.port());
    text.send_frame(Caller::text, "hello");
    CHECK_FALSE(text.read());
    CHECK(text.close_code() == 1003);
  }
  {
    Caller big(server.port());
    big.send_frame(Caller::binary, std::string(room::Limits{}.frame_bytes + 1, 'x'));
    CHECK_FALSE(big.read());
    CHECK(big.close_code() == 1009);
  }
  {
    Caller malformed(server.port());
    malformed.send_frame(Caller::binary, "\xff\xff");
    CHECK(malformed.read()->error().code() == v1::ERROR_CODE_MALFORMED);
    CHECK(malformed.greet()->has_welcome());
    // In fragments, and with the longest frame that is allowed.
    v1::ClientMessage message = ping();
    message.set_request_id(100);
    const std::string bytes = message.SerializeAsString();
    malformed.send_frame(Caller::binary, bytes.substr(0, 1), false);
    malformed.send_frame(Caller::continuation, bytes.substr(1));
    CHECK(malformed.read()->has_pong());
    malformed.send_frame(Caller::binary, std::string(room::Limits{}.frame_bytes, '\xff'));
    CHECK(malformed.read()->error().code() == v1::ERROR_CODE_MALFORMED);
  }
  {
    Caller gone(server.port());
    REQUIRE(gone.greet());
    gone.line().break_off();
  }
  CHECK(good.alive());
}

TEST_CASE("who sends nothing but nonsense, or floods, is told so and shown the door") {
  room::Limits limits;
  limits.malformed_frames = 5;
  limits.message_burst = 10;
  limits.messages_per_second = 1;
  RunningServer server(limits);
  Caller babbler(server.port());
  for (int i = 0; i < 5; ++i) babbler.send_frame(Caller::binary, "\xff");
  for (int i = 0; i < 5; ++i) CHECK(babbler.read()->error().code() == v1::ERROR_CODE_MALFORMED);
  CHECK_FALSE(babbler.read());
  CHECK(babbler.close_code() == 1007);

  Caller flood(server.port());
  REQUIRE(flood.greet());
  std::size_t refused = 0;
  for (int i = 0; i < 1000; ++i) flood.send(ping());
  while (const auto answer = flood.read())
    if (answer->error().code() == v1::ERROR_CODE_TOO_FAST) ++refused;
  CHECK(refused >= limits.refused_bursts * limits.message_burst);
  CHECK(refused < 900);
  CHECK(flood.close_code() == 1008);
}

TEST_CASE("a reader that is too slow is dropped, and the others are not") {
  room::Limits limits = patient_limits();
  limits.outgoing_bytes = 256 * 1024;
  RunningServer server(limits);
  Caller good(server.port()), slow(server.port());
  REQUIRE(good.greet());
  REQUIRE(slow.greet());
  // Far more than the buffers of both sockets hold.
  v1::ClientMessage catalogue;
  catalogue.mutable_get_catalogue();
  for (int i = 0; i < 2000; ++i) slow.send(catalogue);
  CHECK(good.alive());
  int answers = 0;
  while (slow.read()) ++answers;
  CHECK(answers < 2000);
  CHECK(good.alive());
}

TEST_CASE("who neither reads nor sends any more leaves nothing waiting") {
  room::Limits limits = patient_limits();
  limits.outgoing_bytes = 256 * 1024 * 1024;
  RunningServer server(limits);
  Caller gone(server.port());
  REQUIRE(gone.greet());
  v1::ClientMessage catalogue;
  catalogue.mutable_get_catalogue();
  for (int i = 0; i < 500; ++i) gone.send(catalogue);
  gone.line().stop_sending();
  // What is queued also goes to 0 while the sockets still take everything; hence both, in one look.
  const auto nothing_is_left = [&] {
    const std::string metrics = get(server.operations_port(), "/metrics");
    return metrics.find("\nlandsraad_connections 0\n") != std::string::npos &&
           metrics.find("\nlandsraad_outgoing_queue_bytes 0\n") != std::string::npos;
  };
  while (!nothing_is_left()) std::this_thread::yield();  // else it would hang here
}

TEST_CASE("large frames arrive whole") {
  RunningServer server;
  Caller caller(server.port());
  REQUIRE(caller.greet());
  v1::ClientMessage catalogue;
  catalogue.mutable_get_catalogue();
  for (int i = 0; i < 20; ++i) caller.send(catalogue);
  for (int i = 0; i < 20; ++i) {
    const auto answer = caller.read();
    REQUIRE(answer);
    CHECK(answer->catalogue().cards_size() > 50);
  }
  CHECK(caller.alive());
}

TEST_CASE("a client must offer the subprotocol") {
  RunningServer server;
  CHECK(Caller(server.port(), {.subprotocol = "chat"}).status() == 400);
  CHECK(Caller(server.port(), {.subprotocol = "chat, landsraad.v1"}).status() == 101);
}

TEST_CASE("plain HTTP gets plain answers") {
  RunningServer server;
  CHECK(get(server.port(), "/").find("Landsraad") != std::string::npos);
  CHECK(get(server.port(), "/healthz").ends_with("\r\n\r\nok\n"));
  CHECK(get(server.port(), "/admin").starts_with("HTTP/1.1 404"));
  CHECK(get(server.port(), "/metrics").starts_with("HTTP/1.1 404"));
  CHECK(ask_http(server.port(), "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi")
            .starts_with("HTTP/1.1 405"));
  CHECK(ask_http(server.port(), "nonsense\r\n\r\n").starts_with("HTTP/1.1 400"));
  CHECK(ask_http(server.port(), "GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n")
            .starts_with("HTTP/1.1 431"));
}

TEST_CASE("a room is played from sessions of all threads") {
  RunningServer server;
  std::vector<std::unique_ptr<Caller>> players;
  std::string id;
  for (int i = 0; i < 3; ++i) {
    players.push_back(std::make_unique<Caller>(server.port()));
    Caller& player = *players.back();
    REQUIRE(player.greet());
    v1::ClientMessage message;
    if (i == 0)
      message.mutable_create_room()->mutable_options()->set_players(3);
    else
      message.mutable_join_room()->set_room(id);
    const auto joined = player.ask(message);
    REQUIRE(joined->has_room_joined());
    id = joined->room_joined().room().room();
    message.mutable_take_seat();
    REQUIRE(player.ask(message)->has_seat_taken());
    message.mutable_ready()->set_ready(true);
    REQUIRE(player.ask(message)->has_room());
  }
  v1::ClientMessage start;
  start.mutable_start_game();
  REQUIRE(players[0]->ask(start)->room().status() == v1::ROOM_STATUS_PLAYING);

  // Everybody reads everything; whoever is asked answers.
  constexpr std::uint32_t kActions = 99;
  std::uint32_t version = 0;
  for (;;) {
    std::uint32_t seen = 0;
    v1::ClientMessage act;
    Caller* asked = nullptr;
    for (auto& player : players) {
      std::optional<v1::ServerMessage> message;
      do message = player->read();
      while (message && !message->has_game());
      REQUIRE(message);
      const v1::GameUpdate& game = message->game();
      seen = game.has_snapshot() ? game.snapshot().version() : game.diffs(0).version();
      CHECK(seen == version);
      if (!game.has_decision()) continue;
      CHECK(asked == nullptr);
      asked = player.get();
      act.mutable_act()->set_version(seen);
      *act.mutable_act()->mutable_action() = game.decision().actions(game.decision().actions_size() / 2);
    }
    REQUIRE(asked != nullptr);
    if (version == kActions) break;
    asked->send(act);
    ++version;
  }
  const std::string metrics = get(server.operations_port(), "/metrics");
  CHECK(metrics.find("\nlandsraad_connections 3\n") != std::string::npos);
  CHECK(metrics.find("\nlandsraad_actions_total 99\n") != std::string::npos);
  CHECK(metrics.find("\nlandsraad_action_seconds_count 99\n") != std::string::npos);
}

}  // namespace
}  // namespace landsraad::net::room_shell_test
