// Who may come into a room, whose it is, and whose seats are whose.
#include "tests/unit/room_world.h"

namespace landsraad::room::room_people_test {
namespace {

// ---- Requests.

v1::ClientMessage kick(std::uint32_t person) {
  v1::ClientMessage message;
  message.mutable_kick()->set_person(person);
  return message;
}

v1::ClientMessage transfer(std::uint32_t person) {
  v1::ClientMessage message;
  message.mutable_transfer()->set_person(person);
  return message;
}

v1::ClientMessage invite() {
  v1::ClientMessage message;
  message.mutable_invite();
  return message;
}

v1::ClientMessage create(const std::string& password, bool unlisted = false) {
  v1::ClientMessage message;
  message.mutable_create_room()->set_password(password);
  message.mutable_create_room()->mutable_options()->set_unlisted(unlisted);
  return message;
}

v1::ClientMessage join(const RoomId& room, const std::string& password, const std::string& invitation = {}) {
  v1::ClientMessage message;
  message.mutable_join_room()->set_room(room);
  message.mutable_join_room()->set_password(password);
  message.mutable_join_room()->set_invite(invitation);
  return message;
}

v1::ClientMessage list(bool mine, bool open_only = false) {
  v1::ClientMessage message;
  message.mutable_list_rooms()->set_mine(mine);
  message.mutable_list_rooms()->set_open_only(open_only);
  return message;
}

// ---- What a client sees of the people.

std::uint32_t person_called(const Client& client, const std::string& name) {
  for (const v1::Person& person : client.room.people())
    if (person.name() == name) return person.id();
  return 0;
}

std::string owner_of(const v1::RoomState& room) {
  std::string owners;
  for (const v1::Person& person : room.people())
    if (person.owner()) owners += person.name();
  return owners;
}

std::vector<std::string> rooms_in(const v1::ServerMessage& answer) {
  std::vector<std::string> rooms;
  for (const v1::RoomSummary& room : answer.room_list().rooms()) rooms.push_back(room.room());
  return rooms;
}

// A second client of the same player.
Client second_tab(Client& of) {
  Client tab(*of.world, of.name);
  tab.disconnect();
  tab.player_token = of.player_token;
  return tab;
}

// ---- Passwords and invitations.

TEST_CASE("a room with a password opens to who knows it, has an invitation or a seat") {
  World world;
  Client host(world, "Host"), guest(world, "Guest"), other(world, "Other");
  REQUIRE(host.ask(create("melange")).has_room_joined());
  const RoomId id = host.room.room();
  CHECK(host.room.options().password());

  CHECK(guest.error_of(join(id, "")) == v1::ERROR_CODE_WRONG_PASSWORD);
  CHECK(guest.error_of(join(id, "spice")) == v1::ERROR_CODE_WRONG_PASSWORD);
  CHECK(guest.error_of(join(id, "", std::string(32, '0'))) == v1::ERROR_CODE_WRONG_PASSWORD);
  CHECK(guest.ask(join(id, "melange")).has_room_joined());

  const std::string first = host.ask(invite()).invitation().invite();
  const std::string second = host.ask(invite()).invitation().invite();
  CHECK(first != second);
  CHECK(other.error_of(join(id, "", first)) == v1::ERROR_CODE_WRONG_PASSWORD);
  CHECK(other.ask(join(id, "", second)).has_room_joined());

  // Whoever has a seat, and the owner, come back without.
  guest.take_seat();
  for (Client* client : {&guest, &host}) {
    client->disconnect();
    client->connect();
    CHECK(client->join(id).has_room_joined());
  }
}

TEST_CASE("what a client says about the password in its options does not count") {
  World world;
  Client host(world, "Host"), guest(world, "Guest");
  v1::ClientMessage message = create("");
  message.mutable_create_room()->mutable_options()->set_password(true);
  REQUIRE(host.ask(message).has_room_joined());
  CHECK_FALSE(host.room.options().password());
  CHECK(guest.join(host.room.room()).has_room_joined());
  CHECK(guest.error_of(create(std::string(129, 'x'))) == v1::ERROR_CODE_IN_A_ROOM);
  guest.leave();
  CHECK(guest.error_of(create(std::string(129, 'x'))) == v1::ERROR_CODE_BAD_OPTIONS);
}

TEST_CASE("an invitation drawn during the game survives a restart, the password too") {
  World world;
  Client guest(world, "Guest");
  Party party(world, 3, create("melange"));
  party.start();
  CHECK(party[1].error_of(invite()) == v1::ERROR_CODE_NOT_OWNER);
  const std::string invitation = party[0].ask(invite()).invitation().invite();
  REQUIRE(invitation.size() == 32);
  world.restart();
  guest.connect();
  CHECK(guest.error_of(join(party.id, "")) == v1::ERROR_CODE_WRONG_PASSWORD);
  CHECK(guest.ask(join(party.id, "", invitation)).has_room_joined());
  guest.leave();
  CHECK(guest.ask(join(party.id, "melange")).has_room_joined());
  party[0].connect();
  CHECK(party[0].join(party.id).room_joined().seat() == 0);
  CHECK(owner_of(party[0].room) == "Player 0");
}

// ---- Lists.

TEST_CASE("unlisted rooms are in no list but one's own") {
  World world(Limits{}, 2);
  Client host(world, "Host"), guest(world, "Guest");
  REQUIRE(host.ask(create("", true)).has_room_joined());
  CHECK(rooms_in(guest.ask(list(false))).empty());
  CHECK(rooms_in(guest.ask(list(false, true))).empty());
  CHECK(rooms_in(host.ask(list(true))).empty());
  host.take_seat();
  CHECK(rooms_in(host.ask(list(true))) == std::vector{host.room.room()});
  CHECK(rooms_in(guest.ask(list(true))).empty());
  CHECK(guest.join(host.room.room()).has_room_joined());
}

TEST_CASE("one's own rooms are listed over all halls and after a restart") {
  World world(Limits{}, 3);
  Client guest(world, "Guest");
  Party party(world, 3);
  party.start();
  for (int restarts = 0; restarts < 2; ++restarts) {
    for (auto& client : party.clients) CHECK(rooms_in(client->ask(list(true))) == std::vector{party.id});
    CHECK(rooms_in(guest.ask(list(true))).empty());
    CHECK(rooms_in(guest.ask(list(false))) == std::vector{party.id});
    world.restart();
    for (auto& client : party.clients) client->connect();
    guest.connect();
  }
}

TEST_CASE("one player has only so many rooms waiting") {
  World world(Limits{.player_lobbies = 2});
  Client host(world, "Host"), guest(world, "Guest");
  for (int i = 0; i < 2; ++i) {
    REQUIRE(host.create().has_room_joined());
    REQUIRE(host.leave().has_room_left());
  }
  CHECK(host.create().error().code() == v1::ERROR_CODE_TOO_MANY_OF_YOURS);
  CHECK(guest.create().has_room_joined());
  world.pass(Limits{}.lobby_idle);
  CHECK(host.create().has_room_joined());
}

// ---- The owner.

TEST_CASE("the owner puts somebody out, who cannot come back") {
  World world;
  Client host(world, "Host"), guest(world, "Guest"), third(world, "Third");
  host.create();
  const RoomId id = host.room.room();
  guest.join(id);
  third.join(id);
  guest.take_seat();
  Client tab = second_tab(guest);
  tab.connect();
  REQUIRE(tab.join(id).has_room_joined());
  host.read();
  const std::uint32_t person = person_called(host, "Guest");

  CHECK(third.error_of(kick(person)) == v1::ERROR_CODE_NOT_OWNER);
  CHECK(host.error_of(kick(99)) == v1::ERROR_CODE_UNKNOWN_PERSON);
  CHECK(host.error_of(kick(person_called(host, "Host"))) == v1::ERROR_CODE_NOT_ALLOWED);
  const v1::RoomState room = host.ask(kick(person)).room();
  CHECK(room.people_size() == 2);
  CHECK_FALSE(room.seats(0).taken());
  for (Client* client : {&guest, &tab}) {
    REQUIRE(!client->inbox.empty());
    CHECK(client->inbox.back().room_left().reason() == v1::RoomLeft::REASON_KICKED);
    CHECK(client->take_seat().error().code() == v1::ERROR_CODE_NOT_IN_A_ROOM);
    CHECK(client->join(id).error().code() == v1::ERROR_CODE_BARRED);
    CHECK(client->join(id, true).error().code() == v1::ERROR_CODE_BARRED);
  }
  CHECK(guest.create().has_room_joined());
}

TEST_CASE("who was put out is not forgotten with the server's memory") {
  World world;
  Party party(world, 3);
  Client stranger(world, "Stranger");
  stranger.join(party.id);
  party.read();
  REQUIRE(party[0].ask(kick(person_called(party[0], "Stranger"))).has_room());
  party.start();
  world.restart();
  stranger.connect();
  CHECK(stranger.join(party.id).error().code() == v1::ERROR_CODE_BARRED);
  party[1].connect();
  CHECK(party[1].join(party.id).room_joined().seat() == 1);
}

TEST_CASE("nobody is put out of a game") {
  World world;
  Party party(world, 3);
  party.start();
  CHECK(party[0].error_of(kick(person_called(party[0], "Player 1"))) == v1::ERROR_CODE_ALREADY_STARTED);
}

TEST_CASE("the owner hands the room over, before the start and after it") {
  World world;
  Party party(world, 3);
  CHECK(party[1].error_of(transfer(person_called(party[1], "Player 1"))) == v1::ERROR_CODE_NOT_OWNER);
  CHECK(party[0].error_of(transfer(99)) == v1::ERROR_CODE_UNKNOWN_PERSON);
  party.read();
  CHECK(owner_of(party[0].ask(transfer(person_called(party[0], "Player 1"))).room()) == "Player 1");
  CHECK(party[0].error_of(invite()) == v1::ERROR_CODE_NOT_OWNER);
  party.start();
  CHECK(owner_of(party[1].ask(transfer(person_called(party[1], "Player 2"))).room()) == "Player 2");
  party.play(3);
  world.restart();
  party[2].connect();
  REQUIRE(party[2].join(party.id).has_room_joined());
  CHECK(owner_of(party[2].room) == "Player 2");
}

TEST_CASE("handing over that cannot be stored changes nothing") {
  World world;
  Party party(world, 3);
  party.start();
  world.storage.failing = 1;
  CHECK(party[0].error_of(transfer(person_called(party[0], "Player 1"))) ==
        v1::ERROR_CODE_STORAGE_UNAVAILABLE);
  CHECK(party[0].ask(invite()).has_invitation());
}

TEST_CASE("who leaves the lobby for good leaves the room to the next") {
  World world;
  Client host(world, "Host"), guest(world, "Guest"), player(world, "Player");
  host.create();
  guest.join(host.room.room());
  player.join(host.room.room());
  player.take_seat();
  host.leave();
  guest.read();
  CHECK(owner_of(guest.room) == "Player");

  // A lost connection is not for good, until it lasts.
  player.disconnect();
  world.pass(Limits{}.seat_grace - std::chrono::seconds(1));
  guest.read();
  CHECK(owner_of(guest.room) == "Player");
  world.pass(std::chrono::seconds(1));
  guest.read();
  CHECK(owner_of(guest.room) == "Guest");
}

TEST_CASE("a seat keeps the room for an owner who is away") {
  World world;
  Client host(world, "Host"), guest(world, "Guest");
  host.create();
  host.take_seat();
  guest.join(host.room.room());
  host.leave();
  guest.read();
  CHECK(owner_of(guest.room) == "Host");
}

// ---- Seats and players.

TEST_CASE("a player token opens exactly its own seats") {
  World world;
  Party party(world, 3);
  party.start();
  for (std::uint32_t seat = 0; seat < 3; ++seat) {
    party[seat].disconnect();
    party[seat].connect();
    CHECK(party[seat].join(party.id).room_joined().seat() == seat);
  }
  Client stranger(world, "Stranger");
  CHECK_FALSE(stranger.join(party.id).room_joined().has_seat());
  // A seat token is no player token, nor the other way round.
  Client thief(world, "Thief");
  thief.token = party[0].player_token;
  CHECK(thief.join(party.id, true).error().code() == v1::ERROR_CODE_WRONG_TOKEN);
  thief.disconnect();
  thief.player_token = party[0].token;
  thief.connect();
  CHECK_FALSE(thief.join(party.id).room_joined().has_seat());
}

TEST_CASE("a seat token opens its seat in its room only") {
  World world;
  Party party(world, 3), others(world, 3);
  Client friend_of_0(world, "Friend");
  friend_of_0.token = party[0].token;
  CHECK(friend_of_0.join(others.id, true).error().code() == v1::ERROR_CODE_WRONG_TOKEN);
  CHECK(friend_of_0.join(party.id, true).room_joined().seat() == 0);
}

TEST_CASE("two windows of one player see the same") {
  World world;
  Party party(world, 3);
  Client tab = second_tab(party[1]);
  tab.connect();
  REQUIRE(tab.join(party.id).room_joined().seat() == 1);
  party.start();
  tab.read();
  for (int i = 0; i < 30; ++i) {
    party.play(1);
    tab.read();
    CHECK(tab.version == party[1].version);
    CHECK(tab.view.SerializeAsString() == party[1].view.SerializeAsString());
    CHECK(tab.decision.has_value() == party[1].decision.has_value());
  }
  CHECK(tab.room.people_size() == 3);
}

TEST_CASE("a window opened before the seat was taken moves to it as well") {
  World world;
  Client host(world, "Host");
  host.create();
  Client tab = second_tab(host);
  tab.connect();
  tab.join(host.room.room());
  host.take_seat(2);
  tab.read();
  CHECK(tab.set_ready().room().seats(2).ready());
}

TEST_CASE("when the answer to TakeSeat is lost, the player token opens the seat") {
  World world;
  Client host(world, "Host");
  host.create();
  v1::ClientMessage message;
  message.mutable_take_seat();
  host.post(message);
  host.disconnect();  // unread
  host.connect();
  CHECK(host.join(host.room.room()).room_joined().seat() == 0);
}

TEST_CASE("a second Hello changes the name, outside of rooms only") {
  World world;
  Client client(world, "Chani");
  v1::ClientMessage hello;
  hello.mutable_hello()->set_name("Sihaya");
  hello.mutable_hello()->set_player_token(client.player_token);
  CHECK(client.ask(hello).welcome().player_token().empty());
  client.create();
  CHECK(person_called(client, "Sihaya") == 1);
  CHECK(client.error_of(hello) == v1::ERROR_CODE_IN_A_ROOM);
  hello.mutable_hello()->set_player_token("melange");
  client.leave();
  CHECK(client.error_of(hello) == v1::ERROR_CODE_WRONG_TOKEN);
}

TEST_CASE("a player has seats in several rooms") {
  World world(Limits{}, 2);
  Client player(world, "Player");
  std::vector<std::string> rooms;
  for (std::uint32_t seat = 0; seat < 3; ++seat) {
    player.create();
    player.take_seat(seat);
    rooms.push_back(player.room.room());
    player.leave();
  }
  for (std::uint32_t seat = 0; seat < 3; ++seat) {
    CHECK(player.join(rooms[seat]).room_joined().seat() == seat);
    player.leave();
  }
  std::sort(rooms.begin(), rooms.end());
  CHECK(rooms_in(player.ask(list(true))) == rooms);
}

}  // namespace
}  // namespace landsraad::room::room_people_test
