// What the room core costs for an action, without sockets and storage: a frame in, its record out, the record
// reported as stored, a frame for each of four seats out. Rooms take turns, so that none stays in the cache.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "landsraad/v1/protocol.pb.h"
#include "rules/notation/load.h"
#include "server/room/hall.h"
#include "tools/load/update.h"

namespace {

using namespace landsraad;
using load::Update;

constexpr std::size_t kSeats = 4;

[[noreturn]] void stop(const std::string& why) {
  std::fprintf(stderr, "room_bench: %s\n", why.c_str());
  std::exit(1);
}

// A hall whose storage stores everything at once.
class Place {
 public:
  explicit Place(std::size_t rooms) : hall_(limits(), library_, entropy()) {
    for (std::size_t i = 0; i < rooms; ++i) open_room();
  }

  // One action in the next room; a new game where one is over.
  void act() {
    Table& table = tables_[next_];
    next_ = (next_ + 1) % tables_.size();
    for (Seat& seat : table.seats) {
      if (!seat.asked || seat.version != table.version) continue;
      seat.asked = false;
      load::write_act(++seat.last_request, table.version, load::pick_action(seat.decision, chance_), frame_);
      hall_.receive(seat.session, frame_, now_, out_);
      return carry_out();
    }
    for (const Seat& seat : table.seats) hall_.disconnect(seat.session, now_, out_);
    tables_.erase(tables_.begin() + static_cast<std::ptrdiff_t>(&table - tables_.data()));
    open_room();
    next_ = 0;
  }

 private:
  struct Seat {
    room::SessionId session = 0;
    std::uint64_t last_request = 0;
    bool asked = false;
    std::uint32_t version = 0;
    std::string decision;
  };
  struct Table {
    std::array<Seat, kSeats> seats;
    std::uint32_t version = 0;
  };

  static room::Limits limits() {
    room::Limits limits;
    limits.rooms = 1'000'000;
    limits.messages_per_second = 1'000'000;
    limits.message_burst = 1'000'000;
    return limits;
  }

  static room::Entropy entropy() {
    return [chance = std::mt19937(1)](std::span<std::uint8_t> bytes) mutable {
      for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(chance());
    };
  }

  void open_room() {
    Table& table = tables_.emplace_back();
    const auto ask = [&](Seat& seat, v1::ClientMessage message) {
      message.set_request_id(++seat.last_request);
      hall_.receive(seat.session, message.SerializeAsString(), now_, out_);
      carry_out();
    };
    for (Seat& seat : table.seats) {
      seat.session = ++sessions_;
      hall_.connect(seat.session);
      v1::ClientMessage hello;
      hello.mutable_hello()->set_name("Bench");
      ask(seat, hello);
      v1::ClientMessage enter;
      if (&seat == table.seats.data())
        enter.mutable_create_room()->mutable_options()->set_players(kSeats);
      else
        enter.mutable_join_room()->set_room(room_);
      ask(seat, enter);
      v1::ClientMessage sit;
      sit.mutable_take_seat();
      ask(seat, sit);
      v1::ClientMessage ready;
      ready.mutable_ready()->set_ready(true);
      ask(seat, ready);
    }
    v1::ClientMessage start;
    start.mutable_start_game();
    ask(table.seats[0], start);
    if (!table.seats[0].asked && !table.seats[1].asked && !table.seats[2].asked && !table.seats[3].asked)
      stop("a game did not start");
  }

  void carry_out() {
    while (!out_.storage.empty() || !out_.deliveries.empty()) {
      for (const room::Delivery& delivery : out_.deliveries) deliver(delivery);
      storage_.clear();
      std::swap(storage_, out_.storage);
      clear();
      for (const room::StorageRequest& request : storage_) {
        room::StorageReply reply;
        reply.verb = request.verb;
        reply.game = request.game;
        reply.epoch = 1;
        hall_.stored(reply, now_, out_);
      }
    }
  }

  void clear() {
    out_.deliveries.clear();
    out_.changes.clear();
    out_.notes.clear();
  }

  void deliver(const room::Delivery& delivery) {
    const auto update = load::read_update(*delivery.frame);
    if (!update) return learn_room(*delivery.frame);
    // Sessions count up by tables, of which the oldest go first.
    for (std::size_t i = tables_.size(); i-- > 0;) {
      Table& table = tables_[i];
      if (table.seats[0].session > delivery.session) continue;
      Seat& seat = table.seats[delivery.session - table.seats[0].session];
      seat.asked = update->asks;
      seat.version = update->version;
      seat.decision = update->decision;
      table.version = std::max(table.version, update->version);
      return;
    }
  }

  void learn_room(const std::string& bytes) {
    v1::ServerMessage message;
    if (message.ParseFromString(bytes) && message.has_room_joined())
      room_ = message.room_joined().room().room();
    if (message.has_error()) stop(message.error().message());
  }

  room::Library library_{rules::uprising_content()};
  room::Hall hall_;
  room::Outbox out_;
  std::vector<room::StorageRequest> storage_;
  std::vector<Table> tables_;
  std::size_t next_ = 0;
  room::SessionId sessions_ = 0;
  std::string room_, frame_;
  room::Instant now_{};
  std::mt19937 chance_{1};
};

void room_action(benchmark::State& state) {
  Place place(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) place.act();
}
BENCHMARK(room_action)->Arg(1)->Arg(50)->MinTime(1);

}  // namespace
