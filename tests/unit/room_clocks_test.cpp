// How long each seat may think: the clocks by themselves, and in a room.
#include "server/room/clocks.h"
#include "tests/unit/room_world.h"

namespace landsraad::room::room_clocks_test {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using Kind = ClockRules::Kind;

const Instant kStart{hours(500'000)};
constexpr rules::SeatMask kSeat0 = rules::seat_bit(0), kSeat1 = rules::seat_bit(1);

TEST_CASE("without clocks nothing runs and nobody runs out of time") {
  Clocks clocks;
  clocks.wait_for(kSeat0, kStart);
  CHECK_FALSE(clocks.running(0));
  CHECK(clocks.used(0, kStart + hours(9)) == milliseconds{0});
  CHECK(clocks.out_of_time(kStart + hours(9)) == 0);
  CHECK_FALSE(clocks.next_end());
}

TEST_CASE("a time for each decision is whole again for the next") {
  Clocks clocks({Kind::decision, seconds(60), {}});
  clocks.wait_for(kSeat0, kStart);
  CHECK(clocks.running(0));
  CHECK_FALSE(clocks.running(1));
  CHECK(clocks.left(0, kStart + seconds(20)) == seconds(40));
  CHECK(clocks.left(1, kStart + seconds(20)) == seconds(60));
  CHECK(clocks.next_end() == kStart + seconds(60));
  CHECK(clocks.out_of_time(kStart + seconds(60) - milliseconds(1)) == 0);
  CHECK(clocks.out_of_time(kStart + seconds(60)) == kSeat0);
  CHECK(clocks.used(0, kStart + hours(1)) == seconds(60));

  clocks.answered(0, seconds(20));
  clocks.wait_for(kSeat0, kStart + seconds(30));
  CHECK(clocks.left(0, kStart + seconds(30)) == seconds(60));
}

TEST_CASE("a bank is for the whole game, and each action adds its increment") {
  Clocks clocks({Kind::bank, minutes(10), seconds(15)});
  clocks.wait_for(kSeat0, kStart);
  clocks.answered(0, minutes(4));
  clocks.wait_for(kSeat0, kStart);
  CHECK(clocks.left(0, kStart) == minutes(6) + seconds(15));
  CHECK(clocks.left(1, kStart) == minutes(10));
  clocks.answered(0, clocks.used(0, kStart + hours(1)));
  CHECK(clocks.left(0, kStart) == seconds(15));

  // What is taken back has never been.
  clocks.taken_back(0, minutes(6) + seconds(15));
  clocks.taken_back(0, minutes(4));
  CHECK(clocks.left(0, kStart) == minutes(10));
}

TEST_CASE("a pause stops all clocks and keeps what was used") {
  Clocks clocks({Kind::decision, seconds(60), {}});
  clocks.wait_for(kSeat0, kStart);
  clocks.pause(kStart + seconds(25));
  CHECK_FALSE(clocks.running(0));
  CHECK(clocks.left(0, kStart + hours(9)) == seconds(35));
  clocks.wait_for(kSeat0, kStart + hours(9));
  CHECK(clocks.left(0, kStart + hours(9) + seconds(5)) == seconds(30));
}

TEST_CASE("seats that decide at the same time are each charged for themselves") {
  Clocks clocks({Kind::bank, seconds(100), {}});
  clocks.wait_for(kSeat0 | kSeat1, kStart);
  clocks.answered(0, seconds(30));
  clocks.wait_for(kSeat1, kStart + seconds(31));
  CHECK(clocks.left(0, kStart + seconds(90)) == seconds(70));
  CHECK(clocks.left(1, kStart + seconds(90)) == seconds(10));
  CHECK(clocks.out_of_time(kStart + seconds(100)) == kSeat1);
}

TEST_CASE("only days go on while no server runs") {
  for (const Kind kind : {Kind::decision, Kind::bank, Kind::days}) {
    Clocks clocks({kind, days(2), {}});
    clocks.wait_for(kSeat0, kStart);
    clocks.start_again(kStart + days(1));
    CHECK(clocks.left(0, kStart + days(1)) == (kind == Kind::days ? days(1) : days(2)));
  }
}

TEST_CASE("a room has clocks within limits") {
  World world;
  Client client(world, "Chani");
  const auto code = [&](auto set) {
    v1::RoomOptions options;
    set(*options.mutable_clock());
    const v1::ServerMessage answer = client.create(options);
    if (answer.has_room_joined()) client.leave();
    return answer.error().code();
  };
  const auto decision = [&](std::uint32_t time) {
    return code([&](v1::ClockOptions& clock) { clock.mutable_per_decision()->set_seconds(time); });
  };
  const auto bank = [&](std::uint32_t time, std::uint32_t increment) {
    return code([&](v1::ClockOptions& clock) {
      clock.mutable_bank()->set_seconds(time);
      clock.mutable_bank()->set_increment_seconds(increment);
    });
  };
  const auto in_days = [&](std::uint32_t time) {
    return code([&](v1::ClockOptions& clock) { clock.mutable_days()->set_days(time); });
  };
  constexpr std::uint32_t kWeek = 7 * 24 * 60 * 60;
  constexpr auto kFine = v1::ERROR_CODE_UNSPECIFIED, kBad = v1::ERROR_CODE_BAD_OPTIONS;
  CHECK(code([](v1::ClockOptions&) {}) == kFine);
  CHECK(decision(4) == kBad);
  CHECK(decision(5) == kFine);
  CHECK(decision(kWeek) == kFine);
  CHECK(decision(kWeek + 1) == kBad);
  CHECK(decision(~0U) == kBad);
  CHECK(bank(59, 0) == kBad);
  CHECK(bank(60, 0) == kFine);
  CHECK(bank(kWeek, 3600) == kFine);
  CHECK(bank(kWeek + 1, 0) == kBad);
  CHECK(bank(60, 3601) == kBad);
  CHECK(in_days(0) == kBad);
  CHECK(in_days(1) == kFine);
  CHECK(in_days(30) == kFine);
  CHECK(in_days(31) == kBad);
  CHECK(in_days(~0U) == kBad);
}

// ---- In a room.

v1::RoomOptions with_decision(std::uint32_t time) {
  v1::RoomOptions options = Party::with_players(3);
  options.mutable_clock()->mutable_per_decision()->set_seconds(time);
  return options;
}

v1::RoomOptions with_bank(std::uint32_t time, std::uint32_t increment) {
  v1::RoomOptions options = Party::with_players(3);
  options.mutable_clock()->mutable_bank()->set_seconds(time);
  options.mutable_clock()->mutable_bank()->set_increment_seconds(increment);
  return options;
}

// What everybody was shown last of a seat's clock.
milliseconds shown(Client& client, std::uint32_t seat) {
  client.read();
  REQUIRE(client.latest.clocks_size() == 3);
  const v1::Clock& clock = client.latest.clocks(static_cast<int>(seat));
  CHECK(clock.seat() == seat);
  return milliseconds{clock.left_ms()};
}

milliseconds left(Party& party, std::uint32_t seat) {
  return party.game().clocks().left(static_cast<rules::Seat>(seat), party.world.now);
}

std::optional<StoredEntry> last_entry(Party& party) {
  return read_entry(party.world.storage.games[party.id].records.back());
}

TEST_CASE("everybody is told all clocks, and only those of deciders run") {
  World world;
  Party party(world, with_bank(600, 10));
  party.start();
  for (int i = 0; i < 30; ++i) {
    Client& decider = *party.decider();
    world.now += seconds(2);
    decider.act(*decider.version, decider.some_action());
    party.read();
    for (auto& client : party.clients)
      for (std::uint32_t seat = 0; seat < 3; ++seat) {
        CHECK(shown(*client, seat) == left(party, seat));
        CHECK(client->latest.clocks(static_cast<int>(seat)).running() ==
              party.game().waits_for(static_cast<rules::Seat>(seat)));
      }
  }
  const milliseconds all = left(party, 0) + left(party, 1) + left(party, 2);
  CHECK(all == 3 * seconds(600) + 30 * seconds(8));
}

TEST_CASE("what storage takes is charged to nobody") {
  World world;
  Party party(world, with_bank(600, 0));
  world.storage_answers = false;
  party[0].post([] {
    v1::ClientMessage message;
    message.mutable_start_game();
    return message;
  }());
  world.now += minutes(3);
  world.store();
  party.read();
  for (std::uint32_t seat = 0; seat < 3; ++seat) CHECK(left(party, seat) == minutes(10));

  Client& decider = *party.decider();
  const std::uint32_t seat = *decider.seat;
  world.now += seconds(20);
  decider.post(Client::act_message(*decider.version, decider.some_action()));
  world.now += minutes(2);
  world.store();
  CHECK(left(party, seat) == minutes(10) - seconds(20));
  CHECK(last_entry(party)->entry.spent == seconds(20));
}

TEST_CASE("an answer that has to wait is charged up to its arrival") {
  World world;
  Party party(world, with_bank(600, 0));
  party.start();
  Client& decider = *party.decider();
  const std::uint32_t seat = *decider.seat;
  Client& other = party[(seat + 1) % 3];
  world.storage_answers = false;
  v1::ClientMessage autoplay;
  autoplay.mutable_autoplay()->set_on(true);
  other.post(autoplay);
  world.now += seconds(7);
  decider.post(Client::act_message(*decider.version, decider.some_action()));
  world.now += seconds(50);
  world.store();
  CHECK(last_entry(party)->version >= 1);
  CHECK(left(party, seat) == minutes(10) - seconds(7));
}

TEST_CASE("clocks stand while nothing can be stored, but not for ever") {
  World world;
  Party party(world, with_decision(60));
  party.start();
  Client& decider = *party.decider();
  const std::uint32_t seat = *decider.seat, version = *decider.version;
  const v1::Action action = decider.some_action();
  world.now += seconds(10);
  for (int i = 0; i < 100; ++i) {
    world.storage.failing = 1;
    CHECK(decider.act(version, action).error().code() == v1::ERROR_CODE_STORAGE_UNAVAILABLE);
    world.pass(seconds(1));
  }
  CHECK(left(party, seat) == seconds(50));
  // Who stops trying thinks again.
  world.pass(Limits{}.storage_patience);
  world.pass(seconds(20));
  CHECK(left(party, seat) == seconds(30));
  CHECK(decider.act(version, action).has_game());
}

TEST_CASE("a server that stops in order brings every clock back as it was") {
  World world;
  Party party(world, with_bank(600, 5));
  party.start();
  world.now += seconds(4);
  party.play(10);
  world.now += seconds(33);
  std::array<milliseconds, 3> before{};
  for (std::uint32_t seat = 0; seat < 3; ++seat) before[seat] = left(party, seat);
  world.drain();
  CHECK(world.hall().idle());
  CHECK(std::holds_alternative<ServerStops>(last_entry(party)->entry.deed));
  world.now += hours(5);
  world.restart();
  party.reconnect();
  for (std::uint32_t seat = 0; seat < 3; ++seat) {
    CHECK(left(party, seat) == before[seat]);
    CHECK(shown(party[0], seat) == before[seat]);
  }
  world.now += seconds(1);
  party.play(5);
  CHECK(party.game().version() == 15);
}

TEST_CASE("the clocks are written down behind what is on its way when the server stops") {
  World world;
  Party party(world, with_decision(60));
  party.start();
  Client& decider = *party.decider();
  world.storage_answers = false;
  world.now += seconds(5);
  decider.post(Client::act_message(*decider.version, decider.some_action()));
  world.drain();
  CHECK_FALSE(world.hall().idle());
  world.store_one();
  CHECK_FALSE(world.hall().idle());
  world.store_one();
  CHECK(world.hall().idle());
  CHECK(party.game().version() == 1);
  CHECK(std::holds_alternative<ServerStops>(last_entry(party)->entry.deed));
  // Nothing more is begun.
  Client& next = *party.decider();
  CHECK(next.act(*next.version, next.some_action()).error().code() == v1::ERROR_CODE_SHUTTING_DOWN);
  world.pass(minutes(5));
  CHECK(world.hall().idle());
  CHECK(world.storage.games[party.id].records.size() == 3);
}

TEST_CASE("a server that is killed charges nobody for the time it was away") {
  World world;
  Party party(world, with_decision(60));
  party.start();
  party.play(6);
  world.now += seconds(20);
  world.now += hours(3);
  world.restart();
  party.reconnect();
  for (std::uint32_t seat = 0; seat < 3; ++seat) CHECK(left(party, seat) == seconds(60));
  world.now += seconds(9);
  CHECK(left(party, *party.decider()->seat) == seconds(51));
}

TEST_CASE("days go on by the calendar") {
  World world;
  v1::RoomOptions options = Party::with_players(3);
  options.mutable_clock()->mutable_days()->set_days(2);
  Party party(world, options);
  party.start();
  world.now += hours(5);
  world.drain();
  const std::size_t records = world.storage.games[party.id].records.size();
  world.now += hours(20);
  world.restart();
  party.reconnect();
  CHECK(left(party, *party.decider()->seat) == hours(48 - 25));
  CHECK(records == 1);
}

TEST_CASE("a room whose clock is nearly at its end stays awake for it") {
  World world;
  Party party(world, with_decision(100));
  Party without(world, 3);
  party.start();
  without.start();
  for (auto& client : party.clients) client->leave();
  for (auto& client : without.clients) client->leave();
  world.pass(seconds(70));
  CHECK(world.hall().room(without.id) == nullptr);
  CHECK(world.hall().room(party.id) != nullptr);
}

}  // namespace
}  // namespace landsraad::room::room_clocks_test
