// The next game of the same players.
#include <algorithm>

#include "tests/unit/room_world.h"

namespace landsraad::room::room_rematch_test {
namespace {

v1::ClientMessage rematch(v1::SeatOrder order = v1::SEAT_ORDER_SAME) {
  v1::ClientMessage message;
  message.mutable_rematch()->set_order(order);
  return message;
}

struct Finished {
  World world;
  Party party{world, 3};
  Finished() {
    party.start();
    party.play(100'000);
    REQUIRE(party.game().over());
  }
};

// Each old player's seat in the new room.
std::vector<std::uint32_t> new_seats(Party& party, const RoomId& room) {
  std::vector<std::uint32_t> seats;
  for (auto& client : party.clients) {
    REQUIRE(client->leave().has_room_left());
    const v1::ServerMessage joined = client->join(room);
    REQUIRE(joined.room_joined().has_seat());
    seats.push_back(joined.room_joined().seat());
  }
  return seats;
}

}  // namespace

TEST_CASE("before its end a game has no rematch") {
  World world;
  Party party(world, 3);
  CHECK(party[0].error_of(rematch()) == v1::ERROR_CODE_NOT_OVER);
  party.start();
  CHECK(party[0].error_of(rematch()) == v1::ERROR_CODE_NOT_OVER);
}

TEST_CASE("a rematch is a room where everyone has a seat, in the order that was asked for") {
  for (const v1::SeatOrder order : {v1::SEAT_ORDER_SAME, v1::SEAT_ORDER_ROTATED, v1::SEAT_ORDER_RANDOM}) {
    Finished finished;
    Party& party = finished.party;
    const std::string commitment = party[0].room.seed_commitment();
    const v1::ServerMessage answer = party[1].ask(rematch(order));
    const RoomId room = answer.room().rematch();
    REQUIRE(!room.empty());
    party.read();
    CHECK(party[0].room.rematch() == room);
    // Whoever asks again is shown the same room.
    CHECK(party[2].ask(rematch(v1::SEAT_ORDER_ROTATED)).room().rematch() == room);

    std::vector<std::uint32_t> seats = new_seats(party, room);
    if (order == v1::SEAT_ORDER_SAME) CHECK(seats == std::vector<std::uint32_t>{0, 1, 2});
    if (order == v1::SEAT_ORDER_ROTATED) CHECK(seats == std::vector<std::uint32_t>{1, 2, 0});
    std::sort(seats.begin(), seats.end());
    CHECK(seats == std::vector<std::uint32_t>{0, 1, 2});

    for (auto& client : party.clients) REQUIRE(client->set_ready().has_room());
    CHECK(party[0].start().room().status() == v1::ROOM_STATUS_PLAYING);
    CHECK(party[0].room.seed_commitment() != commitment);
  }
}

TEST_CASE("only players of the game ask for a rematch, and an invalid order is refused") {
  Finished finished;
  Client onlooker(finished.world, "Irulan");
  REQUIRE(onlooker.join(finished.party.id).has_room_joined());
  CHECK(onlooker.error_of(rematch()) == v1::ERROR_CODE_NOT_SEATED);
  CHECK(finished.party[0].error_of(rematch(static_cast<v1::SeatOrder>(9))) == v1::ERROR_CODE_BAD_OPTIONS);
}

TEST_CASE("who does not come to the rematch loses the seat after a while") {
  Finished finished;
  const RoomId room = finished.party[0].ask(rematch()).room().rematch();
  REQUIRE(finished.party[0].leave().has_room_left());
  REQUIRE(finished.party[0].join(room).has_room_joined());
  finished.world.pass(Limits{}.seat_grace + std::chrono::seconds(1));
  finished.party[0].read();
  CHECK(finished.party[0].room.seats(0).taken());
  CHECK_FALSE(finished.party[0].room.seats(1).taken());
}

}  // namespace landsraad::room::room_rematch_test
