#include "server/net/transport.h"

#include <unistd.h>

namespace landsraad::net {

namespace {

constexpr std::size_t kKeptBytes = 512;         // room that an idle line keeps for the next frames
constexpr unsigned char kBinaryMessage = 0x82;  // final frame, opcode 2 (RFC 6455, 5.2)

// The header of a server's frame, which is never masked.
void append_header(std::size_t size, std::string& to) {
  to.push_back(static_cast<char>(kBinaryMessage));
  if (size < 126) return to.push_back(static_cast<char>(size));
  const int bytes = size <= 0xffff ? 2 : 8;
  to.push_back(static_cast<char>(bytes == 2 ? 126 : 127));
  for (int i = bytes - 1; i >= 0; --i) to.push_back(static_cast<char>(size >> (8 * i) & 0xff));
}

// What has no more use for so much room gives it back.
void empty(std::string& bytes) {
  bytes.clear();
  if (bytes.capacity() > kKeptBytes) bytes.shrink_to_fit();
}

}  // namespace

Line::Line(Socket socket, Gauge& queue_bytes) : socket_(std::move(socket)), queue_bytes_(&queue_bytes) {
  never_block();
}

Line::~Line() { queue_bytes_->add(-static_cast<std::ptrdiff_t>(queued_bytes())); }

void Line::queue(const std::string& message) {
  const std::size_t before = queued_.size();
  append_header(message.size(), queued_);
  queued_ += message;
  queue_bytes_->add(static_cast<std::ptrdiff_t>(queued_.size() - before));
}

void Line::write(std::string_view bytes, IoDone done) {
  queued_ += bytes;
  queue_bytes_->add(static_cast<std::ptrdiff_t>(bytes.size()));
  waiting_.push_back({written_ + queued_bytes(), bytes.size(), std::move(done)});
  flush();
}

void Line::flush() {
  if (writing_ || queued_.empty()) return;
  writing_ = true;
  in_flight_.swap(queued_);
  offset_ = 0;
  write_on();
}

// A socket mostly takes all at once, and then nothing has to wait and be woken.
void Line::write_on() {
  while (offset_ < in_flight_.size()) {
    const asio::const_buffer rest = asio::buffer(in_flight_) + offset_;
    if (tls_)
      return tls_->write_some(rest, [line = shared_from_this()](error_code error, std::size_t size) {
        if (line->written(error, size)) line->write_on();
      });
    error_code error;
    const std::size_t size = socket_.write_some(rest, error);
    if (error == asio::error::would_block) return write_when_it_can_be();
    if (!written(error, size)) return;
  }
  empty(in_flight_);
  offset_ = 0;
  writing_ = false;
  flush();
}

void Line::write_when_it_can_be() {
  socket_.async_wait(Socket::wait_write, [line = shared_from_this()](error_code error) {
    if (error) return line->fail(error);
    line->write_on();
  });
}

bool Line::written(error_code error, std::size_t size) {
  if (error) {
    fail(error);
    return false;
  }
  queue_bytes_->add(-static_cast<std::ptrdiff_t>(size));
  offset_ += size;
  written_ += size;
  while (!waiting_.empty() && waiting_.front().end <= written_) {
    report(waiting_.front(), {});
    waiting_.erase(waiting_.begin());
  }
  return true;
}

// Later, for it may have been written within the call that asked for it.
void Line::report(Waiting& who, error_code error) {
  asio::post(socket_.get_executor(),
             [done = std::move(who.done), error, size = error ? 0 : who.size] { done(error, size); });
}

// Reading fails as well then, which ends the session.
void Line::fail(error_code error) {
  close();
  queue_bytes_->add(-static_cast<std::ptrdiff_t>(queued_bytes()));
  queued_.clear();
  in_flight_.clear();
  offset_ = 0;
  writing_ = false;
  for (Waiting& each : std::exchange(waiting_, {})) report(each, error);
}

// A failure shows when it is written to.
void Line::never_block() {
  error_code ignored;
  socket_.non_blocking(true, ignored);
}

bool Line::move_to(const Socket::executor_type& there, Gauge& queue_bytes) {
  error_code error;
  const tcp::endpoint here = socket_.local_endpoint(error);
  if (error) return false;
  const auto handle = socket_.release(error);
  if (error) return false;
  Socket moved(there);
  moved.assign(here.protocol(), handle, error);
  if (error) ::close(handle);
  socket_ = std::move(moved);
  never_block();
  queue_bytes_ = &queue_bytes;
  return !error;
}

void Line::linger(std::function<void(error_code)> done) {
  const auto goodbye = [line = shared_from_this(), done = std::move(done)](error_code, std::size_t) {
    error_code ignored;
    line->socket_.shutdown(tcp::socket::shutdown_send, ignored);
    line->wait_for_end(done);
  };
  if (tls_) return tls_->shut_down(goodbye);
  asio::post(socket_.get_executor(), [goodbye] { goodbye({}, 0); });
}

// Closing with bytes unread would reset the connection, and the peer might miss our last words.
void Line::wait_for_end(std::function<void(error_code)> done) {
  socket_.async_read_some(asio::buffer(sink_), [line = shared_from_this(), done = std::move(done)](
                                                   error_code error, std::size_t) mutable {
    if (!error) return line->wait_for_end(std::move(done));
    line->close();
    done(error == asio::error::eof ? error_code{} : error);
  });
}

void Line::close() {
  error_code ignored;
  socket_.close(ignored);
}

}  // namespace landsraad::net
