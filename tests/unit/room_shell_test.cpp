// The shell around the rooms, over real sockets: frames that are no good, readers that are too slow, HTTP.
#include <doctest/doctest.h>
#include <unistd.h>

#include <boost/asio/read.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "persistence/sqlite/sqlite_store.h"
#include "rules/notation/load.h"
#include "server/net/beast.h"
#include "server/net/listener.h"
#include "server/net/shard.h"

namespace landsraad::net {
namespace {

room::Limits small_limits() {
  room::Limits limits;
  limits.outgoing_bytes = 256 * 1024;
  limits.connections = 5;
  limits.message_burst = 1'000'000;
  return limits;
}

// A whole server but for its options and signals.
class RunningServer {
 public:
  RunningServer() : shards_(small_limits(), 2, rules::uprising_content()), listener_(shards_) {
    persistence::SqliteSettings settings;
    settings.path = path_.native();
    auto opened = persistence::SqliteStore::open(settings);
    REQUIRE_MESSAGE(opened.ok(), opened.why);
    store_ = std::move(opened.value);
    shards_.set_store(*store_);
    REQUIRE(listener_.open("127.0.0.1", 0).empty());
    asio::co_spawn(shards_[0].executor(), listener_.run(), asio::detached);
    shards_.start();
  }
  ~RunningServer() {
    shards_.stop();
    store_.reset();
    for (const char* suffix : {"", "-wal", "-shm", "-lock"}) std::filesystem::remove(path_.native() + suffix);
  }

  tcp::endpoint endpoint() const { return {asio::ip::make_address("127.0.0.1"), listener_.port()}; }

 private:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("landsraad-shell-" + std::to_string(::getpid()) + ".sqlite");
  std::unique_ptr<persistence::SqliteStore> store_;
  Shards shards_;
  Listener listener_;
};

// A blocking client.
class Caller {
 public:
  explicit Caller(const RunningServer& server, const char* subprotocol = "landsraad.v1") : stream_(context_) {
    stream_.next_layer().connect(server.endpoint());
    stream_.set_option(websocket::stream_base::decorator([subprotocol](websocket::request_type& request) {
      request.set(http::field::sec_websocket_protocol, subprotocol);
    }));
    stream_.handshake(response_, "localhost", "/", handshake_error_);
    stream_.binary(true);
  }

  http::status status() const { return response_.result(); }
  error_code handshake_error() const { return handshake_error_; }
  auto& stream() { return stream_; }

  // The next message, or nothing when the connection has ended.
  std::optional<v1::ServerMessage> read() {
    beast::flat_buffer buffer;
    error_code error;
    const std::size_t size = stream_.read(buffer, error);
    if (error) return std::nullopt;
    v1::ServerMessage message;
    REQUIRE(message.ParseFromArray(buffer.data().data(), static_cast<int>(size)));
    return message;
  }

  void send(v1::ClientMessage message) {
    message.set_request_id(++requests_);
    error_code error;
    stream_.write(asio::buffer(message.SerializeAsString()), error);
  }

  // The answer; unasked messages are skipped.
  std::optional<v1::ServerMessage> ask(const v1::ClientMessage& message) {
    send(message);
    for (;;) {
      std::optional<v1::ServerMessage> answer = read();
      if (!answer || answer->reply_to() == requests_) return answer;
    }
  }

  bool alive() {
    v1::ClientMessage message;
    message.mutable_ping();
    const auto answer = ask(message);
    return answer && answer->has_pong();
  }

  std::optional<v1::ServerMessage> greet() {
    v1::ClientMessage message;
    message.mutable_hello()->set_name("Chani");
    return ask(message);
  }

 private:
  asio::io_context context_;
  websocket::stream<tcp::socket> stream_;
  websocket::response_type response_;
  error_code handshake_error_;
  std::uint64_t requests_ = 0;
};

std::string get(const RunningServer& server, const std::string& request) {
  asio::io_context context;
  tcp::socket socket(context);
  socket.connect(server.endpoint());
  asio::write(socket, asio::buffer(request));
  std::string answer;
  error_code error;
  asio::read(socket, asio::dynamic_buffer(answer), error);
  return answer;
}

TEST_CASE("frames that are no good end at most their own connection") {
  RunningServer server;
  Caller good(server);
  REQUIRE(good.greet()->has_welcome());
  v1::ClientMessage create;
  create.mutable_create_room();
  REQUIRE(good.ask(create)->has_room_joined());

  {
    Caller text(server);
    text.stream().text(true);
    text.stream().write(asio::buffer(std::string("hello")));
    CHECK_FALSE(text.read());
    CHECK(text.stream().reason().code == websocket::close_code::unknown_data);
  }
  {
    Caller big(server);
    big.stream().write(asio::buffer(std::string(room::Limits{}.frame_bytes + 1, 'x')));
    CHECK_FALSE(big.read());
    CHECK(big.stream().reason().code == websocket::close_code::too_big);
  }
  {
    Caller malformed(server);
    malformed.stream().write(asio::buffer(std::string("\xff\xff")));
    CHECK(malformed.read()->error().code() == v1::ERROR_CODE_MALFORMED);
    CHECK(malformed.greet()->has_welcome());
    // In fragments, and with the longest frame that is allowed.
    v1::ClientMessage ping;
    ping.set_request_id(100);
    ping.mutable_ping();
    const std::string bytes = ping.SerializeAsString();
    malformed.stream().write_some(false, asio::buffer(bytes.substr(0, 1)));
    malformed.stream().write_some(true, asio::buffer(bytes.substr(1)));
    CHECK(malformed.read()->has_pong());
    malformed.stream().write(asio::buffer(std::string(room::Limits{}.frame_bytes, '\xff')));
    CHECK(malformed.read()->error().code() == v1::ERROR_CODE_MALFORMED);
  }
  {
    Caller gone(server);
    REQUIRE(gone.greet());
    gone.stream().next_layer().close();  // without a closing handshake
  }
  CHECK(good.alive());
}

TEST_CASE("a reader that is too slow is dropped, and the others are not") {
  RunningServer server;
  Caller good(server), slow(server);
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

TEST_CASE("a client must offer the subprotocol") {
  RunningServer server;
  CHECK(Caller(server, "chat").status() == http::status::bad_request);
  CHECK(Caller(server, "chat, landsraad.v1").status() == http::status::switching_protocols);
}

TEST_CASE("connections are limited") {
  RunningServer server;
  std::vector<std::unique_ptr<Caller>> callers;
  for (std::size_t i = 0; i < small_limits().connections; ++i)
    callers.push_back(std::make_unique<Caller>(server));
  CHECK(callers.back()->status() == http::status::switching_protocols);
  CHECK(Caller(server).status() == http::status::service_unavailable);
  callers.clear();
  // The server notices in its own time.
  bool again = false;
  for (int i = 0; i < 100 && !again; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    again = Caller(server).status() == http::status::switching_protocols;
  }
  CHECK(again);
}

TEST_CASE("plain HTTP gets plain answers") {
  RunningServer server;
  CHECK(get(server, "GET / HTTP/1.1\r\nHost: x\r\n\r\n").find("Landsraad") != std::string::npos);
  CHECK(get(server, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").ends_with("\r\n\r\nok\n"));
  CHECK(get(server, "GET /admin HTTP/1.1\r\nHost: x\r\n\r\n").starts_with("HTTP/1.1 404"));
  CHECK(get(server, "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi").starts_with("HTTP/1.1 405"));
  CHECK(get(server, "nonsense\r\n\r\n").starts_with("HTTP/1.1 400"));
  CHECK(get(server, "GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n")
            .starts_with("HTTP/1.1 400"));
}

TEST_CASE("a room is played from sessions of all threads") {
  RunningServer server;
  std::vector<std::unique_ptr<Caller>> players;
  std::string id;
  for (int i = 0; i < 3; ++i) {
    players.push_back(std::make_unique<Caller>(server));
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
  std::uint32_t version = 0;
  for (int rounds = 0; rounds < 100; ++rounds) {
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
    asked->send(act);
    ++version;
  }
}

}  // namespace
}  // namespace landsraad::net
