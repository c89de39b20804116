#include "server/net/session.h"

#include <spdlog/spdlog.h>

#include <utility>

#include "server/net/shard.h"

namespace landsraad::net {

Session::Session(room::SessionId id, Stream stream, Shards& shards, Shard& home, Gate::Pass pass)
    : id_(id),
      stream_(std::move(stream)),
      shards_(shards),
      home_(&home),
      hall_(&home),
      pass_(std::move(pass)) {}

void Session::start() {
  stream_.read_message_max(shards_.limits().frame_bytes);
  stream_.control_callback([this](websocket::frame_type, beast::string_view) { heard_ = Clock::now(); });
  home_->open(shared_from_this());
  read_next();
}

// ---- Frames that come. The next one is read when this one has been dealt with, also if that happens on
// another thread: so requests of a session keep their order, and a flood waits in the sender's socket.

void Session::read_next() {
  incoming_.consume(incoming_.size());
  stream_.async_read(incoming_, [self = shared_from_this()](error_code error, std::size_t size) {
    self->arrived(error, size);
  });
}

void Session::arrived(error_code error, std::size_t) {
  if (error) {
    if (error != websocket::error::closed) spdlog::debug("session {}: {}", id_, error.message());
    drop();  // else what the peer does not read would keep the socket
    return end();
  }
  if (stream_.got_text()) {
    close(websocket::close_code::unknown_data);
    return end();
  }
  arrived_at_ = heard_ = Clock::now();
  home_->counters().frames.add();
  give_to_hall();
}

std::string_view Session::frame() const {
  const auto bytes = incoming_.cdata();
  return {static_cast<const char*>(bytes.data()), bytes.size()};
}

void Session::give_to_hall() {
  if (hall_ == home_) return given(hall_->receive(id_, frame(), arrived_at_));
  asio::post(hall_->executor(), [self = shared_from_this()] {
    auto departure = self->hall_->receive(self->id_, self->frame(), self->arrived_at_);
    asio::post(self->home_->executor(),
               [self, departure = std::move(departure)]() mutable { self->given(std::move(departure)); });
  });
}

void Session::given(std::optional<room::Departure> departure) {
  if (departure) return follow(std::move(*departure));
  read_next();
}

void Session::follow(room::Departure departure) {
  auto self = shared_from_this();
  hall_ = &shards_[departure.hall];
  const bool moves = !closing_ && !pinging_ && !flush_is_due_ && stream_.next_layer().line().may_move();
  if (moves) move_home(*hall_);
  asio::post(hall_->executor(), [self, moves, visitor = std::move(departure.visitor)]() mutable {
    if (moves) self->home_->take_in(self);
    self->hall_->adopt(self, std::move(visitor), self->frame());
    if (moves) return self->read_next();
    asio::post(self->home_->executor(), [self] { self->read_next(); });
  });
}

// If the socket does not come along, reading fails there, and that ends the session.
void Session::move_home(Shard& there) {
  stream_.next_layer().line().move_to(there.executor(), there.counters().queue_bytes);
  home_->closed(id_);
  home_ = &there;
}

// Nothing is read any more, so the visitor stays in this hall until it leaves it.
void Session::end() {
  if (hall_ == home_)
    hall_->leave(id_);
  else
    asio::post(hall_->executor(), [hall = hall_, id = id_] { hall->leave(id); });
  home_->closed(id_);
}

// ---- Frames that go.

void Session::send(const room::Frame& frame) {
  if (closing_) return;
  Line& line = stream_.next_layer().line();
  line.queue(*frame);
  if (line.queued_bytes() > shards_.limits().outgoing_bytes) {
    spdlog::info("session {}: dropped, reads too slowly", id_);
    home_->counters().slow_readers.add();
    return drop();
  }
  if (flush_is_due_) return;
  flush_is_due_ = true;
  home_->flush_soon(shared_from_this());
}

void Session::flush() {
  flush_is_due_ = false;
  stream_.next_layer().line().flush();
}

void Session::check_life(Clock::time_point now) {
  const auto half = shards_.limits().idle / 2;
  if (closing_) {
    if (now - closed_at_ >= shards_.limits().handshake) drop();  // waits in vain for the client's goodbye
  } else if (pinged_ > heard_) {
    if (now - pinged_ >= half) drop();
  } else if (now - heard_ >= half && !pinging_) {
    pinged_ = now;
    pinging_ = true;
    stream_.async_ping({}, [self = shared_from_this()](error_code) { self->pinging_ = false; });
  }
}

void Session::close(websocket::close_code code) {
  if (closing_) return;
  closing_ = true;
  closed_at_ = Clock::now();
  stream_.async_close(code, [self = shared_from_this()](error_code) {});
}

void Session::drop() {
  closing_ = true;
  stream_.next_layer().line().close();
}

}  // namespace landsraad::net
