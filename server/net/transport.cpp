#include "server/net/transport.h"

#include <unistd.h>

namespace landsraad::net {

namespace {

constexpr std::size_t kBuffersPerWrite = 64;    // more would not fit into one call of the kernel's
constexpr std::size_t kKeptPieces = 64;         // room that an idle line keeps for the next burst
constexpr unsigned char kBinaryMessage = 0x82;  // final frame, opcode 2 (RFC 6455, 5.2)

// Header of a server's frame, which is never masked. Gives back its length.
std::uint8_t write_header(std::size_t size, std::array<unsigned char, 10>& header) {
  header[0] = kBinaryMessage;
  if (size < 126) {
    header[1] = static_cast<unsigned char>(size);
    return 2;
  }
  const std::size_t bytes = size <= 0xffff ? 2 : 8;
  header[1] = bytes == 2 ? 126 : 127;
  for (std::size_t i = 0; i < bytes; ++i)
    header[2 + i] = static_cast<unsigned char>(size >> (8 * (bytes - 1 - i)));
  return static_cast<std::uint8_t>(2 + bytes);
}

}  // namespace

Line::~Line() { count(-static_cast<std::ptrdiff_t>(queued_bytes_)); }

void Line::queue(room::Frame message) {
  Piece piece;
  piece.header_size = write_header(message->size(), piece.header);
  piece.bytes = std::move(message);
  push(std::move(piece));
}

void Line::write(std::string bytes, IoDone done) {
  Piece piece;
  piece.bytes = std::make_shared<const std::string>(std::move(bytes));
  piece.done = std::move(done);
  push(std::move(piece));
  flush();
}

void Line::push(Piece piece) {
  count(static_cast<std::ptrdiff_t>(piece.size()));
  queued_.push_back(std::move(piece));
}

void Line::flush() {
  if (writing_ || queued_.empty()) return;
  writing_ = true;
  in_flight_.swap(queued_);
  first_ = offset_ = 0;
  write_some();
}

void Line::write_some() {
  some_.clear();
  std::size_t skip = offset_;
  for (std::size_t i = first_; i < in_flight_.size() && some_.size() + 2 <= kBuffersPerWrite; ++i) {
    const Piece& piece = in_flight_[i];
    if (skip < piece.header_size) {
      some_.emplace_back(piece.header.data() + skip, piece.header_size - skip);
      skip = 0;
    } else {
      skip -= piece.header_size;
    }
    some_.emplace_back(piece.bytes->data() + skip, piece.bytes->size() - skip);
    skip = 0;
  }
  auto done = [line = shared_from_this()](error_code error, std::size_t size) { line->written(error, size); };
  const std::span<const asio::const_buffer> buffers(some_);
  if (tls_)
    tls_->write_some(buffers, std::move(done));
  else
    socket_.async_write_some(buffers, std::move(done));
}

void Line::written(error_code error, std::size_t size) {
  if (error) return fail(error);
  count(-static_cast<std::ptrdiff_t>(size));
  offset_ += size;
  while (first_ < in_flight_.size() && offset_ >= in_flight_[first_].size()) {
    Piece piece = std::move(in_flight_[first_++]);
    offset_ -= piece.size();
    if (piece.done) piece.done({}, piece.size());
  }
  if (first_ < in_flight_.size()) return write_some();
  in_flight_.clear();
  if (in_flight_.capacity() > kKeptPieces) in_flight_.shrink_to_fit();
  writing_ = false;
  flush();
}

// Reading fails as well then, which ends the session.
void Line::fail(error_code error) {
  close();
  count(-static_cast<std::ptrdiff_t>(queued_bytes_));
  std::vector<Piece> lost = std::move(in_flight_);
  for (Piece& piece : queued_) lost.push_back(std::move(piece));
  in_flight_.clear();
  queued_.clear();
  writing_ = false;
  for (Piece& piece : lost)
    if (piece.done) piece.done(error, 0);
}

void Line::count(std::ptrdiff_t more) {
  queued_bytes_ += static_cast<std::size_t>(more);
  queue_bytes_->add(more);
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
