// Any bytes as frames of clients: greeted or not, watching a game or playing in it.
//
// The input is a row of steps: a byte that says who, a byte with the length, and the frame. Every frame
// must get exactly one answer, at the latest when storage has replied.
#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "rules/notation/load.h"
#include "server/room/hall.h"

namespace {

using namespace landsraad;

constexpr room::SessionId kStranger = 1, kSpectator = 2, kFirstPlayer = 3, kSessions = 5;
constexpr std::uint8_t kStorageFails = 0x40;  // bit of the first byte: storage is away during this step
constexpr std::uint8_t kTimePasses = 0x80;

class Server {
 public:
  Server() : hall_({}, library_, [this](std::span<std::uint8_t> bytes) { fill(bytes); }) {
    for (room::SessionId session = kStranger; session <= kSessions; ++session) hall_.connect(session);
    for (room::SessionId session = kSpectator; session <= kSessions; ++session)
      ask(session, [](v1::ClientMessage& m) { m.mutable_hello()->set_name("x"); });
    ask(kFirstPlayer,
        [](v1::ClientMessage& m) { m.mutable_create_room()->mutable_options()->set_players(3); });
    for (const room::SessionId session : {kSpectator, kFirstPlayer + 1, kFirstPlayer + 2})
      ask(session, [this](v1::ClientMessage& m) { m.mutable_join_room()->set_room(room_); });
    for (room::SessionId session = kFirstPlayer; session <= kSessions; ++session) {
      ask(session, [](v1::ClientMessage& m) { m.mutable_take_seat(); });
      ask(session, [](v1::ClientMessage& m) { m.mutable_ready()->set_ready(true); });
    }
    ask(kFirstPlayer, [](v1::ClientMessage& m) { m.mutable_start_game(); });
  }

  void step(std::uint8_t who, const std::string& frame) {
    storage_fails_ = (who & kStorageFails) != 0;
    if ((who & kTimePasses) != 0) {
      now_ += std::chrono::seconds(30);
      hall_.tick(now_, outbox_);
      carry_out();
    }
    const room::SessionId session = 1 + who % kSessions;
    v1::ClientMessage message;
    const std::uint64_t request = message.ParseFromString(frame) ? message.request_id() : 0;
    answers_ = 0;
    answered_ = {session, request};
    hall_.receive(session, frame, now_, outbox_);
    carry_out();
    // Unasked messages have no reply_to either, so an answer to request 0 cannot be told from them.
    if (request != 0 ? answers_ != 1 : answers_ == 0) std::abort();
  }

 private:
  template <class Fill>
  void ask(room::SessionId session, Fill fill) {
    v1::ClientMessage message;
    message.set_request_id(++requests_);
    fill(message);
    hall_.receive(session, message.SerializeAsString(), now_, outbox_);
    carry_out();
  }

  void carry_out() {
    for (;;) {
      room::Outbox out = std::move(outbox_);
      outbox_ = {};
      for (const room::Delivery& delivery : out.deliveries) deliver(delivery);
      if (out.storage.empty()) return;
      for (const room::StorageRequest& request : out.storage) hall_.stored(reply_to(request), now_, outbox_);
    }
  }

  void deliver(const room::Delivery& delivery) {
    v1::ServerMessage message;
    if (!message.ParseFromString(*delivery.frame)) std::abort();
    if (message.has_room_joined()) room_ = message.room_joined().room().room();
    if (delivery.session == answered_.session && message.reply_to() == answered_.id) ++answers_;
  }

  room::StorageReply reply_to(const room::StorageRequest& request) {
    room::StorageReply reply{.verb = request.verb, .game = request.game, .ticket = request.ticket};
    if (storage_fails_) {
      reply.error = room::StorageError::unavailable;
      return reply;
    }
    const bool begins = request.verb == room::StorageVerb::create;
    const bool asks = request.verb == room::StorageVerb::list || request.verb == room::StorageVerb::forget;
    if (!begins && !asks && games_.count(request.game) == 0) {
      reply.error = room::StorageError::missing;
      return reply;
    }
    std::vector<std::string>& records = games_[request.game];
    reply.epoch = 1;
    const bool loads = request.verb == room::StorageVerb::load || request.verb == room::StorageVerb::load_all;
    if (loads) reply.records = records;
    if (begins || request.verb == room::StorageVerb::append) records.push_back(request.record);
    return reply;
  }

  void fill(std::span<std::uint8_t> bytes) {
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(++filled_ * 37);
  }

  unsigned filled_ = 0;
  room::Library library_{rules::uprising_content()};
  room::Hall hall_;
  room::Outbox outbox_;
  room::Instant now_{};
  room::RoomId room_;
  std::map<room::RoomId, std::vector<std::string>> games_;
  bool storage_fails_ = false;
  std::uint64_t requests_ = 0;
  room::Request answered_;
  int answers_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto silent = google::protobuf::SetLogHandler(nullptr);
  static_cast<void>(silent);
  Server server;
  while (size >= 2) {
    const std::size_t length = std::min<std::size_t>(data[1], size - 2);
    server.step(data[0], {reinterpret_cast<const char*>(data) + 2, length});
    data += 2 + length;
    size -= 2 + length;
  }
  return 0;
}
