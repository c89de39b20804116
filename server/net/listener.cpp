#include "server/net/listener.h"

#include <spdlog/spdlog.h>

#include <utility>

#include "server/room/version.h"

namespace landsraad::net {

namespace {

using HttpRequest = http::request<http::empty_body>;
using HttpResponse = http::response<http::string_body>;

// A pause after a failed accept, so that running out of file descriptors does not spin.
constexpr std::chrono::milliseconds kAcceptPause{100};

HttpResponse respond(const HttpRequest& request, http::status status, std::string text) {
  HttpResponse response(status, request.version());
  response.set(http::field::server, room::kServerName);
  response.set(http::field::content_type, "text/plain; charset=utf-8");
  response.keep_alive(false);
  response.body() = std::move(text) + "\n";
  response.prepare_payload();
  if (request.method() == http::verb::head) response.body().clear();
  return response;
}

HttpResponse plain_answer(const HttpRequest& request) {
  if (request.method() != http::verb::get && request.method() != http::verb::head)
    return respond(request, http::status::method_not_allowed, "Only GET is served here.");
  if (request.target() == "/healthz") return respond(request, http::status::ok, "ok");
  if (request.target() == "/")
    return respond(request, http::status::ok,
                   "Landsraad game server. Connect a WebSocket with the subprotocol landsraad.v1.");
  return respond(request, http::status::not_found, "There is nothing here.");
}

bool speaks_our_protocol(const HttpRequest& request) {
  for (const auto& offered : http::token_list(request[http::field::sec_websocket_protocol]))
    if (offered == kSubprotocol) return true;
  return false;
}

// As opposed to a connection that broke or took too long.
bool is_clients_fault(const error_code& error) {
  return error.category() == make_error_code(http::error::bad_method).category() &&
         error != http::error::end_of_stream && error != http::error::partial_message;
}

asio::awaitable<void> send_and_close(beast::tcp_stream& stream, HttpResponse response) {
  co_await http::async_write(stream, response, kAsTuple);
  error_code ignored;
  stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
}

}  // namespace

Listener::Listener(Shards& shards) : shards_(shards), acceptor_(shards[0].executor()) {}

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
    auto [error, socket] = co_await acceptor_.async_accept(shard.executor(), kAsTuple);
    if (error == asio::error::operation_aborted) co_return;
    if (error) {
      spdlog::warn("cannot accept a connection: {}", error.message());
      pause.expires_after(kAcceptPause);
      co_await pause.async_wait(kAsTuple);
      continue;
    }
    asio::co_spawn(shard.executor(), serve(tcp::socket(std::move(socket)), shard), asio::detached);
  }
}

void Listener::close() {
  error_code ignored;
  acceptor_.close(ignored);
}

asio::awaitable<void> Listener::serve(tcp::socket socket, Shard& shard) {
  struct Counted {
    std::atomic<std::size_t>& count;
    const std::size_t before = count.fetch_add(1);
    ~Counted() { count.fetch_sub(1); }
  } counted{connections_};

  error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  beast::tcp_stream stream(std::move(socket));
  stream.expires_after(shards_.limits().handshake);
  beast::flat_buffer buffer;
  http::request_parser<http::empty_body> parser;
  parser.header_limit(kMaxHttpHeaderBytes);
  const auto [error, size] = co_await http::async_read_header(stream, buffer, parser, kAsTuple);
  const HttpRequest& request = parser.get();
  if (error) {
    if (is_clients_fault(error))
      co_await send_and_close(stream, respond(request, http::status::bad_request, error.message()));
    co_return;
  }
  if (counted.before >= shards_.limits().connections)
    co_return co_await send_and_close(
        stream, respond(request, http::status::service_unavailable, "Too many connections."));
  if (!websocket::is_upgrade(request)) co_return co_await send_and_close(stream, plain_answer(request));
  if (!speaks_our_protocol(request))
    co_return co_await send_and_close(
        stream, respond(request, http::status::bad_request, "Offer the WebSocket subprotocol landsraad.v1."));

  stream.expires_never();  // from here on the WebSocket stream keeps its own time
  Stream websocket_stream(std::move(stream));
  websocket_stream.set_option(
      websocket::stream_base::timeout{shards_.limits().handshake, shards_.limits().idle, true});
  websocket_stream.set_option(websocket::stream_base::decorator([](websocket::response_type& response) {
    response.set(http::field::server, room::kServerName);
    response.set(http::field::sec_websocket_protocol, kSubprotocol);
  }));
  const auto [refused] = co_await websocket_stream.async_accept(request, kAsTuple);
  if (refused) co_return;
  const auto session =
      std::make_shared<Session>(shards_.next_session(), std::move(websocket_stream), shards_, shard);
  co_await session->run();
}

}  // namespace landsraad::net
