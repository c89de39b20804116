#include "tools/bot/seat_session.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <cstdio>
#include <random>
#include <string>

namespace landsraad::bot {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using asio::awaitable;
using asio::redirect_error;
using asio::use_awaitable;
using boost::system::error_code;
using Stream = websocket::stream<beast::tcp_stream>;

constexpr std::chrono::seconds kConnectTimeout{5};
constexpr std::chrono::milliseconds kBetweenAttempts{200};
constexpr std::chrono::milliseconds kWaitForRoom{20};
constexpr std::size_t kLongestFrame = 1 << 22;  // bytes; the catalogue is the longest message
constexpr const char* kSubprotocol = "landsraad.v1";

awaitable<void> wait(std::chrono::milliseconds time) {
  asio::steady_timer timer(co_await asio::this_coro::executor, time);
  co_await timer.async_wait(use_awaitable);
}

awaitable<error_code> connect(Stream& stream, const Options& options) {
  error_code error;
  asio::ip::tcp::resolver resolver(stream.get_executor());
  const auto found =
      co_await resolver.async_resolve(options.host, options.port, redirect_error(use_awaitable, error));
  if (error) co_return error;
  beast::get_lowest_layer(stream).expires_after(kConnectTimeout);
  co_await beast::get_lowest_layer(stream).async_connect(found, redirect_error(use_awaitable, error));
  if (error) co_return error;
  beast::get_lowest_layer(stream).socket().set_option(asio::ip::tcp::no_delay(true));
  beast::get_lowest_layer(stream).expires_never();

  auto timeouts = websocket::stream_base::timeout::suggested(beast::role_type::client);
  timeouts.handshake_timeout = kConnectTimeout;
  timeouts.idle_timeout = options.patience + std::chrono::seconds(1);
  timeouts.keep_alive_pings = true;  // a server that vanished is noticed
  stream.set_option(timeouts);
  stream.set_option(websocket::stream_base::decorator([](websocket::request_type& request) {
    request.set(beast::http::field::sec_websocket_protocol, kSubprotocol);
  }));
  stream.read_message_max(kLongestFrame);
  stream.binary(true);
  co_await stream.async_handshake(options.host + ":" + options.port, "/",
                                  redirect_error(use_awaitable, error));
  co_return error;
}

// Says at random that the connection should be cut now, to test coming back.
class Cutter {
 public:
  explicit Cutter(const Options& options) : one_in_(options.drop_one_in), chance_(std::random_device{}()) {}
  bool cuts() {
    return one_in_ != 0 && std::uniform_int_distribution<std::uint32_t>{1, one_in_}(chance_) == 1;
  }

 private:
  std::uint32_t one_in_;
  std::mt19937 chance_;
};

// Sends all the player has to say. False if the connection is lost or cut.
awaitable<bool> send_waiting(Stream& stream, Player& player, Cutter& cutter) {
  while (auto next = player.next_message()) {
    if (next->after.count() > 0) co_await wait(next->after);
    if (cutter.cuts()) co_return false;
    const std::string bytes = next->message.SerializeAsString();
    error_code error;
    co_await stream.async_write(asio::buffer(bytes), redirect_error(use_awaitable, error));
    // Cut after sending, too: the action may be carried out and its answer never be seen.
    if (error || cutter.cuts()) co_return false;
  }
  co_return true;
}

// One player speaks for all of the process, at once: others wait for the room's id.
void tell(const Player& player, const std::string& line) {
  if (player.index() != 0) return;
  std::puts(line.c_str());
  std::fflush(stdout);
}

// Plays over one connection until it is lost, cut or of no more use. Whether the server was heard at all.
awaitable<bool> play_once(Player& player, const Options& options, Cutter& cutter) {
  Stream stream(co_await asio::this_coro::executor);
  const error_code refused = co_await connect(stream, options);
  if (refused) co_return false;
  player.connected();
  bool heard = false;
  beast::flat_buffer buffer;
  while (player.status() == Status::playing) {
    const bool sent = co_await send_waiting(stream, player, cutter);
    if (!sent) break;
    error_code error;
    buffer.clear();
    co_await stream.async_read(buffer, redirect_error(use_awaitable, error));
    if (error) break;
    v1::ServerMessage message;
    if (!message.ParseFromArray(buffer.data().data(), static_cast<int>(buffer.data().size()))) break;
    const bool new_room = player.room().room().empty();
    const bool new_game = !player.in_game();
    player.receive(message);
    if (new_room && !player.room().room().empty()) tell(player, "room " + player.room().room());
    if (new_game && player.in_game()) tell(player, "the game has begun");
    heard = heard || player.status() != Status::connection_is_useless;
  }
  if (player.status() == Status::over) {
    error_code ignored;  // a polite goodbye; nothing depends on it
    co_await stream.async_close(websocket::close_code::normal, redirect_error(use_awaitable, ignored));
  }
  co_return heard;
}

}  // namespace

awaitable<void> keep_playing(Player& player, const Options& options) {
  using Clock = std::chrono::steady_clock;
  Cutter cutter(options);
  Clock::time_point give_up = Clock::now() + options.patience;
  while (player.status() != Status::over && player.status() != Status::failed && Clock::now() < give_up) {
    if (!player.may_connect()) {
      co_await wait(kWaitForRoom);
      continue;
    }
    const bool heard = co_await play_once(player, options, cutter);
    if (heard) give_up = Clock::now() + options.patience;
    if (player.status() != Status::over) co_await wait(kBetweenAttempts);
  }
}

}  // namespace landsraad::bot
