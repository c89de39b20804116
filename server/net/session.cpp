#include "server/net/session.h"

#include <spdlog/spdlog.h>

#include <utility>

#include "server/net/shard.h"

namespace landsraad::net {

Session::Session(room::SessionId id, Stream stream, Shards& shards, Shard& home)
    : id_(id), stream_(std::move(stream)), shards_(shards), home_(&home), hall_(&home) {}

asio::awaitable<void> Session::run() {
  const auto self = shared_from_this();
  stream_.binary(true);
  stream_.auto_fragment(false);  // one message, one frame
  stream_.read_message_max(shards_.limits().frame_bytes);
  home_->enter(self);
  beast::flat_buffer buffer;
  for (;;) {
    const auto [error, size] = co_await stream_.async_read(buffer, kAsTuple);
    if (error) {
      if (error != websocket::error::closed) spdlog::debug("session {}: {}", id_, error.message());
      break;
    }
    if (stream_.got_text()) {
      close(websocket::close_code::unknown_data);
      break;
    }
    const auto bytes = buffer.cdata();
    // The next frame is read when this one has been dealt with, also if that happens on another thread:
    // so requests of a session keep their order, and a flood waits in the sender's socket.
    co_await deliver({static_cast<const char*>(bytes.data()), size});
    buffer.consume(buffer.size());
  }
  co_await shards_.on(*hall_, *home_, [this] { hall_->leave(id_); });
}

asio::awaitable<void> Session::deliver(std::string_view frame) {
  std::optional<room::Departure> departure;
  co_await shards_.on(*hall_, *home_, [&] { departure = hall_->receive(id_, frame); });
  if (!departure) co_return;
  hall_ = &shards_[departure->hall];
  co_await shards_.on(*hall_, *home_,
                      [&] { hall_->adopt(shared_from_this(), std::move(departure->visitor), frame); });
}

void Session::send(room::Frame frame) {
  asio::dispatch(stream_.get_executor(), [self = shared_from_this(), frame = std::move(frame)]() mutable {
    self->enqueue(std::move(frame));
  });
}

void Session::enqueue(room::Frame frame) {
  if (closing_) return;
  outgoing_bytes_ += frame->size();
  outgoing_.push_back(std::move(frame));
  if (outgoing_bytes_ > shards_.limits().outgoing_bytes) {
    spdlog::info("session {}: dropped, reads too slowly", id_);
    return drop();
  }
  if (!writing_) write_next();
}

void Session::write_next() {
  if (outgoing_.empty()) {
    if (closing_) say_goodbye();
    return;
  }
  writing_ = true;
  const std::string& bytes = *outgoing_.front();
  stream_.async_write(asio::buffer(bytes), [self = shared_from_this()](error_code error, std::size_t) {
    self->writing_ = false;
    if (error) return self->drop();
    self->outgoing_bytes_ -= self->outgoing_.front()->size();
    self->outgoing_.pop_front();
    self->write_next();
  });
}

void Session::close(websocket::close_code code) {
  asio::dispatch(stream_.get_executor(), [self = shared_from_this(), code] {
    if (self->closing_) return;
    self->closing_ = true;
    self->close_code_ = code;
    if (!self->writing_) self->write_next();
  });
}

void Session::say_goodbye() {
  stream_.async_close(close_code_, [self = shared_from_this()](error_code) {});
}

void Session::drop() {
  asio::dispatch(stream_.get_executor(), [self = shared_from_this()] {
    self->closing_ = true;
    beast::get_lowest_layer(self->stream_).close();
  });
}

}  // namespace landsraad::net
