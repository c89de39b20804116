#include "server/net/reception.h"

#include <spdlog/spdlog.h>

#include <utility>

#include "server/net/metrics.h"
#include "server/net/shard.h"
#include "server/net/transport.h"
#include "server/room/version.h"

namespace landsraad::net {

namespace {

using HttpRequest = http::request<http::empty_body>;
using HttpResponse = http::response<http::string_body>;

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

asio::awaitable<HttpResponse> plain_answer(Port port, const HttpRequest& request, Shards& shards,
                                           Shard& shard) {
  if (request.method() != http::verb::get && request.method() != http::verb::head)
    co_return respond(request, http::status::method_not_allowed, "Only GET is served here.");
  if (request.target() == "/healthz") co_return respond(request, http::status::ok, "ok");
  if (request.target() == "/readyz") {
    const std::string why = co_await why_not_ready(shards, shard);
    co_return why.empty() ? respond(request, http::status::ok, "ok")
                          : respond(request, http::status::service_unavailable, "not ready: " + why);
  }
  if (port == Port::operations && request.target() == "/metrics") {
    HttpResponse response = respond(request, http::status::ok, exposition(shards));
    response.set(http::field::content_type, "text/plain; version=0.0.4; charset=utf-8");
    co_return response;
  }
  if (request.target() == "/")
    co_return respond(request, http::status::ok,
                      port == Port::game
                          ? "Landsraad game server. Connect a WebSocket with the subprotocol landsraad.v1."
                          : "Landsraad: /healthz, /readyz, /metrics.");
  co_return respond(request, http::status::not_found, "There is nothing here.");
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

struct Answer {
  http::status status;
  const char* text;
};

Answer answer_to(Refusal refusal) {
  switch (refusal) {
    case Refusal::connections:
      return {http::status::service_unavailable, "Too many connections."};
    case Refusal::address_connections:
      return {http::status::too_many_requests, "Too many connections from your address."};
    case Refusal::origin:
      return {http::status::forbidden,
              "Pages of this origin may not connect here; the server's --allow-origin lists those that may."};
    default:
      return {http::status::bad_request, "Offer the WebSocket subprotocol landsraad.v1."};
  }
}

asio::awaitable<void> send_and_close(Transport& transport, HttpResponse response) {
  const auto [error, size] = co_await http::async_write(transport, response, kAsTuple);
  if (!error) co_await transport.async_linger(kAsTuple);
}

// Whether this request may become a WebSocket; `pass` then counts as one.
Refusal judge(const HttpRequest& request, const asio::ip::address& peer, Shards& shards, Gate::Pass& pass) {
  if (!speaks_our_protocol(request)) return Refusal::protocol;
  if (request.count(http::field::origin) > 1) return Refusal::origin;  // which one is true?
  if (!may_call(request[http::field::origin], request[http::field::host], shards.door().allowed_origins))
    return Refusal::origin;
  return shards.gate().admit(
      client_address(peer, request["X-Forwarded-For"], shards.gate().trusted_proxies()), pass);
}

asio::awaitable<void> upgrade(const HttpRequest& request, Transport transport, Shards& shards, Shard& shard,
                              Gate::Pass pass) {
  Line& line = transport.line();
  Stream stream(std::move(transport));
  // Whether it is late or dead is for the shard to see: Beast's own timer would tie it to this thread.
  stream.set_option(
      websocket::stream_base::timeout{websocket::stream_base::none(), websocket::stream_base::none(), false});
  stream.set_option(websocket::stream_base::decorator([](websocket::response_type& response) {
    response.set(http::field::server, room::kServerName);
    response.set(http::field::sec_websocket_protocol, kSubprotocol);
  }));
  const auto [refused] = co_await stream.async_accept(request, kAsTuple);
  if (refused) {
    shard.counters().refused[static_cast<std::size_t>(Refusal::protocol)].add();
    co_return;
  }
  line.deadline = Line::kNoDeadline;  // from here on Session::check_life() looks after it
  std::make_shared<Session>(shards.next_session(), std::move(stream), shards, shard, std::move(pass))
      ->start();
}

asio::awaitable<error_code> encrypt(Transport& transport, Shards& shards) {
  Line& line = transport.line();
  line.encrypt(shards.certificate().stream(line.socket()));
  if (line.tls() == nullptr) co_return error_code{};
  const auto [error, size] = co_await transport.async_handshake(kAsTuple);
  co_return error;
}

}  // namespace

asio::awaitable<void> receive(Port port, Shards& shards, Shard& shard, Socket socket) {
  error_code failed;
  socket.set_option(tcp::no_delay(true), failed);
  const asio::ip::address peer = socket.remote_endpoint(failed).address();
  if (failed) co_return;
  Counters& counters = shard.counters();
  Gate::Pass pass;
  Gate& gate = port == Port::operations ? shards.operations_gate() : shards.gate();
  if (const Refusal refusal = gate.enter(peer, pass); refusal != Refusal::none) {
    counters.refused[static_cast<std::size_t>(refusal)].add();
    co_return;
  }
  Transport transport = shard.begin_handshake(std::move(socket));
  if (port == Port::game)
    if (const error_code error = co_await encrypt(transport, shards)) {
      spdlog::debug("TLS with {}: {}", peer.to_string(), error.message());
      co_return;
    }

  beast::flat_buffer buffer;
  http::request_parser<http::empty_body> parser;
  parser.header_limit(static_cast<std::uint32_t>(shards.limits().http_header_bytes));
  const auto [error, size] = co_await http::async_read_header(transport, buffer, parser, kAsTuple);
  const HttpRequest& request = parser.get();
  if (error) {
    if (!is_clients_fault(error)) co_return;
    counters.refused[static_cast<std::size_t>(Refusal::protocol)].add();
    const http::status status = error == http::error::header_limit
                                    ? http::status::request_header_fields_too_large
                                    : http::status::bad_request;
    co_return co_await send_and_close(transport, respond(request, status, error.message()));
  }
  if (port == Port::operations || !websocket::is_upgrade(request))
    co_return co_await send_and_close(transport, co_await plain_answer(port, request, shards, shard));

  if (const Refusal refusal = judge(request, peer, shards, pass); refusal != Refusal::none) {
    counters.refused[static_cast<std::size_t>(refusal)].add();
    const Answer answer = answer_to(refusal);
    co_return co_await send_and_close(transport, respond(request, answer.status, answer.text));
  }
  co_await upgrade(request, std::move(transport), shards, shard, std::move(pass));
}

}  // namespace landsraad::net
