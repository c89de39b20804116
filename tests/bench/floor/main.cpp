// The bare reference server of landsraad-load: what any server of ours would have to pay that is built on
// Beast. Each message of one of a table's four clients is answered by 120 bytes to each of the four; no
// protobuf, no rules, no storage.
//
//   landsraad-floor [THREADS]
//
// Each thread listens on a port of its own and prints "listening on ws://127.0.0.1:PORT"; a table's clients
// use the same one, so that no message changes threads. The first four bytes of every message are the
// number of the sender's table; the first message of a connection sits down there and is not answered.
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kAnswerBytes = 120;
constexpr unsigned kMostThreads = 64;

using Frame = std::shared_ptr<const std::string>;

class Session;
using Tables = std::unordered_map<std::uint32_t, std::vector<Session*>>;

class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, Tables& tables) : stream_(std::move(socket)), tables_(tables) {}

  ~Session() {
    if (table_ != nullptr) std::erase(*table_, this);
  }

  void run() {
    beast::get_lowest_layer(stream_).socket().set_option(tcp::no_delay(true));
    stream_.binary(true);
    stream_.auto_fragment(false);
    stream_.async_accept([self = shared_from_this()](error_code error) {
      if (!error) self->read_next();
    });
  }

 private:
  void read_next() {
    stream_.async_read(buffer_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return;
      self->receive();
      self->read_next();
    });
  }

  void receive() {
    std::uint32_t table = 0;
    const bool whole = buffer_.size() >= sizeof(table);
    if (whole) std::memcpy(&table, buffer_.cdata().data(), sizeof(table));
    buffer_.consume(buffer_.size());
    if (!whole) return;
    if (table_ == nullptr) {
      table_ = &tables_[table];
      table_->push_back(this);
      return;
    }
    const auto answer = std::make_shared<const std::string>(kAnswerBytes, 'x');
    for (Session* seat : *table_) seat->send(answer);
  }

  void send(Frame frame) {
    outgoing_.push_back(std::move(frame));
    if (outgoing_.size() == 1) write_next();
  }

  void write_next() {
    stream_.async_write(asio::buffer(*outgoing_.front()),
                        [self = shared_from_this()](error_code error, std::size_t) {
                          if (error) return;
                          self->outgoing_.pop_front();
                          if (!self->outgoing_.empty()) self->write_next();
                        });
  }

  websocket::stream<beast::tcp_stream> stream_;
  Tables& tables_;
  std::vector<Session*>* table_ = nullptr;
  beast::flat_buffer buffer_;
  std::deque<Frame> outgoing_;  // front: being written
};

class Thread {
 public:
  Thread() : acceptor_(context_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) { accept_next(); }

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  void run() { context_.run(); }

 private:
  void accept_next() {
    acceptor_.async_accept([this](error_code error, tcp::socket socket) {
      if (!error) std::make_shared<Session>(std::move(socket), tables_)->run();
      accept_next();
    });
  }

  Tables tables_;  // outlives the sessions, which the context keeps
  asio::io_context context_{1};
  tcp::acceptor acceptor_;
};

}  // namespace

int main(int argc, char** argv) {
  unsigned count = std::max(1U, std::thread::hardware_concurrency());
  if (argc > 1) {
    const std::string_view text = argv[1];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc{} || end != text.data() + text.size() || count < 1 || count > kMostThreads) {
      std::fprintf(stderr, "landsraad-floor: the number of threads must be from 1 to %u\n", kMostThreads);
      return 2;
    }
  }
  std::vector<std::unique_ptr<Thread>> threads;
  for (unsigned i = 0; i < count; ++i) threads.push_back(std::make_unique<Thread>());
  for (const auto& thread : threads) std::printf("listening on ws://127.0.0.1:%u\n", thread->port());
  std::fflush(stdout);
  std::vector<std::jthread> running;
  for (const auto& thread : threads) running.emplace_back([&thread] { thread->run(); });
}
