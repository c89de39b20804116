// The byte stream under a WebSocket: TCP, or TLS on it. One type for both, so that Beast's templates are
// compiled once; and one queue for all that is written, so that many frames go out in one call.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/net/beast.h"
#include "server/net/counters.h"
#include "server/net/tls.h"

namespace landsraad::net {

// What a Transport shares with its operations that are under way. Used on its socket's thread alone.
class Line : public std::enable_shared_from_this<Line> {
 public:
  Line(Socket socket, Gauge& queue_bytes);
  ~Line();

  Socket& socket() { return socket_; }
  TlsStream* tls() { return tls_.get(); }
  void encrypt(std::unique_ptr<TlsStream> tls) { tls_ = std::move(tls); }

  // Until when the handshake has to be done; the shard closes lines that are late.
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::time_point kNoDeadline = Clock::time_point::max();
  Clock::time_point deadline = kNoDeadline;

  // Adds a binary WebSocket message of the server's. It goes out with the next flush().
  void queue(const std::string& message);
  // Adds bytes as they are, and flushes. `done` is called later.
  void write(std::string_view bytes, IoDone done);
  void flush();
  std::size_t queued_bytes() const { return in_flight_.size() - offset_ + queued_.size(); }

  // Moves the socket to another thread. Only while nothing is being read or written, and not with TLS, which
  // stays where it began. False: the line is broken.
  bool may_move() const { return tls_ == nullptr && !writing_ && queued_.empty(); }
  bool move_to(const Socket::executor_type& there, Gauge& queue_bytes);

  // Closes the sending side once all is written, and waits for the peer to do the same.
  void linger(std::function<void(error_code)> done);
  void close();

 private:
  struct Waiting {
    std::uint64_t end = 0;  // done when so many bytes are written in all,
    std::size_t size = 0;   // of which these are its own
    IoDone done;
  };

  void never_block();
  void write_on();
  void write_when_it_can_be();
  bool written(error_code error, std::size_t size);  // false: the line is broken
  void report(Waiting& who, error_code error);
  void fail(error_code error);
  void wait_for_end(std::function<void(error_code)> done);

  Socket socket_;
  std::unique_ptr<TlsStream> tls_;
  Gauge* queue_bytes_;
  std::string queued_;     // behind those in flight
  std::string in_flight_;  // from offset_ on
  std::size_t offset_ = 0;
  std::uint64_t written_ = 0;     // bytes, in all
  std::vector<Waiting> waiting_;  // in their order
  bool writing_ = false;
  std::array<char, 64> sink_{};
};

// An AsyncStream as Asio and Beast want it.
class Transport {
 public:
  using executor_type = Socket::executor_type;

  explicit Transport(std::shared_ptr<Line> line) : line_(std::move(line)) {}

  executor_type get_executor() const { return line_->socket().get_executor(); }
  Line& line() const { return *line_; }

  template <class MutableBuffers, class Token>
  auto async_read_some(const MutableBuffers& buffers, Token&& token) {
    return asio::async_initiate<Token, void(error_code, std::size_t)>(
        [](auto handler, Line* line, const MutableBuffers& into) {
          if (line->tls() == nullptr) return line->socket().async_read_some(into, std::move(handler));
          line->tls()->read_some(first_of(into), held(std::move(handler)));
        },
        token, line_.get(), buffers);
  }

  // Takes all bytes at once, behind what is queued already.
  template <class ConstBuffers, class Token>
  auto async_write_some(const ConstBuffers& buffers, Token&& token) {
    return asio::async_initiate<Token, void(error_code, std::size_t)>(
        [](auto handler, Line* line, const ConstBuffers& from) {
          line->write(beast::buffers_to_string(from), held(std::move(handler)));
        },
        token, line_.get(), buffers);
  }

  // The server's side of the TLS handshake.
  template <class Token>
  auto async_handshake(Token&& token) {
    return asio::async_initiate<Token, void(error_code, std::size_t)>(
        [](auto handler, Line* line) { line->tls()->handshake(held(std::move(handler))); }, token,
        line_.get());
  }

  // See Line::linger().
  template <class Token>
  auto async_linger(Token&& token) {
    return asio::async_initiate<Token, void(error_code, std::size_t)>(
        [](auto handler, Line* line) {
          line->linger([done = held(std::move(handler))](error_code error) { done(error, 0); });
        },
        token, line_.get());
  }

  friend void beast_close_socket(Transport& transport) { transport.line().close(); }
  friend void teardown(beast::role_type, Transport& transport, error_code&) { transport.line().close(); }
  template <class Handler>
  friend void async_teardown(beast::role_type, Transport& transport, Handler&& handler) {
    transport.line().linger([held = std::make_shared<std::decay_t<Handler>>(std::forward<Handler>(handler))](
                                error_code error) { (*held)(error); });
  }

 private:
  // A handler that moves only, as one that can be copied. It runs on the thread it belongs to anyway.
  template <class Handler>
  static IoDone held(Handler handler) {
    return [shared = std::make_shared<Handler>(std::move(handler))](error_code error, std::size_t size) {
      std::move (*shared)(error, size);
    };
  }

  template <class MutableBuffers>
  static asio::mutable_buffer first_of(const MutableBuffers& buffers) {
    for (auto it = asio::buffer_sequence_begin(buffers); it != asio::buffer_sequence_end(buffers); ++it)
      if (const asio::mutable_buffer buffer(*it); buffer.size() != 0) return buffer;
    return {};
  }

  std::shared_ptr<Line> line_;
};

using Stream = websocket::stream<Transport, /*deflate_supported=*/false>;

}  // namespace landsraad::net
