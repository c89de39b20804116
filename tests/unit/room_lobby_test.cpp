// Greeting, rooms, seats and the start, without sockets.
#include "tests/unit/room_world.h"

namespace landsraad::room::room_lobby_test {
namespace {

v1::ClientMessage ping() {
  v1::ClientMessage message;
  message.mutable_ping();
  return message;
}

v1::ClientMessage hello(const std::string& name) {
  v1::ClientMessage message;
  message.mutable_hello()->set_name(name);
  return message;
}

TEST_CASE("Hello comes first, and tells products and limits") {
  World world;
  std::deque<v1::ServerMessage> inbox;
  const SessionId session = world.connect(inbox);
  v1::ClientMessage message = ping();
  message.set_request_id(1);
  world.receive(session, message.SerializeAsString());
  REQUIRE(inbox.size() == 1);
  CHECK(inbox.back().error().code() == v1::ERROR_CODE_HELLO_FIRST);
  CHECK(inbox.back().reply_to() == 1);

  message = hello("Chani");
  message.set_request_id(2);
  world.receive(session, message.SerializeAsString());
  REQUIRE(inbox.size() == 2);
  const v1::Welcome& welcome = inbox.back().welcome();
  REQUIRE(welcome.products_size() == 1);
  CHECK(welcome.products(0).id() == "uprising");
  CHECK(welcome.products(0).content_version() == rules::uprising_content().version);
  CHECK(welcome.limits().frame_bytes() == Limits{}.frame_bytes);
}

TEST_CASE("every request is answered exactly once, whatever it is") {
  World world;
  Client client(world, "Chani");
  v1::ClientMessage message = ping();

  CHECK(client.ask(ping()).has_pong());
  // A repeated or smaller id is not carried out.
  message.set_request_id(client.last_request);
  world.receive(client.session, message.SerializeAsString());
  CHECK(client.read(client.last_request).error().code() == v1::ERROR_CODE_REPEATED_REQUEST);
  // A request without a body this server knows.
  CHECK(client.error_of({}) == v1::ERROR_CODE_MALFORMED);
  // No protobuf at all: the answer cannot name a request.
  world.receive(client.session, "\xff\xff\xff");
  REQUIRE(client.inbox.size() == 1);
  CHECK(client.inbox.front().error().code() == v1::ERROR_CODE_MALFORMED);
  CHECK(client.inbox.front().reply_to() == 0);
  // Unknown fields are ignored.
  message = ping();
  message.set_request_id(++client.last_request);
  world.receive(client.session, message.SerializeAsString() + std::string("\xc2\x3e\x01x", 4));
  CHECK(client.read(client.last_request).has_pong());
}

TEST_CASE("names can be shown to others") {
  World world;
  Client client(world, "Chani");
  for (const char* name : {"", "a\nb", "\u3000"})
    CHECK_MESSAGE(client.error_of(hello(name)) == v1::ERROR_CODE_BAD_NAME, name);
  CHECK(client.error_of(hello(std::string(65, 'x'))) == v1::ERROR_CODE_BAD_NAME);
  CHECK(client.ask(hello(" Le\u0301to ")).has_welcome());
  client.create();
  CHECK(client.room.people(0).name() == "L\u00e9to");
}

TEST_CASE("outside of a room there is nothing to do in one") {
  World world;
  Client client(world, "Chani");
  CHECK(client.take_seat().error().code() == v1::ERROR_CODE_NOT_IN_A_ROOM);
  CHECK(client.leave().error().code() == v1::ERROR_CODE_NOT_IN_A_ROOM);
  CHECK(client.resync({}).error().code() == v1::ERROR_CODE_NOT_IN_A_ROOM);
  CHECK(client.act(0, {}).error().code() == v1::ERROR_CODE_NOT_IN_A_ROOM);
  CHECK(client.join("aaaaa-aaaaa").error().code() == v1::ERROR_CODE_UNKNOWN_ROOM);
}

TEST_CASE("rooms are created with sensible options only") {
  World world;
  Client client(world, "Chani");
  v1::ClientMessage message;
  v1::RoomOptions& options = *message.mutable_create_room()->mutable_options();
  options.set_players(5);
  CHECK(client.error_of(message) == v1::ERROR_CODE_BAD_OPTIONS);
  options.set_players(3);
  options.set_product("chess");
  CHECK(client.error_of(message) == v1::ERROR_CODE_BAD_OPTIONS);
  options.set_product("");
  options.set_title("two\nlines");
  CHECK(client.error_of(message) == v1::ERROR_CODE_BAD_NAME);
  options.set_title("Sietch Tabr");
  const v1::ServerMessage answer = client.ask(message);
  REQUIRE(answer.has_room_joined());
  const v1::RoomState& room = answer.room_joined().room();
  CHECK(room.options().product() == "uprising");
  CHECK(room.options().players() == 3);
  CHECK(room.seats_size() == 3);
  CHECK(room.room().size() == 11);
  CHECK(room.spectators() == 1);
  CHECK(client.error_of(message) == v1::ERROR_CODE_IN_A_ROOM);
}

TEST_CASE("a server holds as many rooms as its limit says") {
  World world(Limits{.rooms = 1});
  Client first(world, "First"), second(world, "Second");
  REQUIRE(first.create().has_room_joined());
  CHECK(second.create().error().code() == v1::ERROR_CODE_TOO_MANY_ROOMS);
  // Once the room has gone there is a place again.
  REQUIRE(first.leave().has_room_left());
  world.pass(Limits{}.lobby_idle);
  CHECK(world.hall().rooms_in_memory() == 0);
  CHECK(second.create().has_room_joined());
}

TEST_CASE("rooms that nobody is in keep nobody out") {
  World world(Limits{.rooms = 3, .player_lobbies = 100});
  Client flooder(world, "Flooder"), guest(world, "Guest");
  std::vector<std::string> flood;
  for (int i = 0; i < 10; ++i) {
    REQUIRE(flooder.create().has_room_joined());
    flood.push_back(flooder.room.room());
    REQUIRE(flooder.leave().has_room_left());
    world.pass(std::chrono::seconds(1));
    CHECK(world.hall().rooms_in_memory() <= 3);
  }
  CHECK(world.hall().rooms_in_memory() == 3);

  // The longest empty one goes first, and is gone for the lists too.
  REQUIRE(guest.create().has_room_joined());
  const std::string kept = guest.room.room();
  CHECK(world.hall().room(flood[7]) == nullptr);
  CHECK(world.hall().room(flood[8]) != nullptr);
  CHECK(flooder.join(flood[7]).error().code() == v1::ERROR_CODE_UNKNOWN_ROOM);
  v1::ClientMessage list;
  list.mutable_list_rooms();
  CHECK(flooder.ask(list).room_list().rooms_size() == 3);

  // A room with somebody in it stays, however many are wanted.
  for (int i = 0; i < 10; ++i) {
    REQUIRE(flooder.create().has_room_joined());
    REQUIRE(flooder.leave().has_room_left());
  }
  CHECK(world.hall().room(kept) != nullptr);
}

TEST_CASE("a full server sends deserted games to sleep before it closes a lobby") {
  World world(Limits{.rooms = 3});
  v1::RoomOptions timed = Party::with_players(3);
  timed.mutable_clock()->mutable_days()->set_days(3);
  Party slow(world, timed), quick(world, Party::with_players(3));
  slow.start();
  quick.start();
  Client host(world, "Host"), guest(world, "Guest"), last(world, "Last"), late(world, "Late");
  REQUIRE(host.create().has_room_joined());
  const std::string lobby = host.room.room();
  REQUIRE(host.leave().has_room_left());
  world.pass(std::chrono::seconds(1));
  for (const auto& client : slow.clients) REQUIRE(client->leave().has_room_left());
  world.pass(std::chrono::seconds(1));
  for (const auto& client : quick.clients) REQUIRE(client->leave().has_room_left());

  REQUIRE(guest.create().has_room_joined());
  CHECK(world.hall().room(slow.id) == nullptr);
  REQUIRE(last.create().has_room_joined());
  CHECK(world.hall().room(quick.id) == nullptr);
  CHECK(world.hall().room(lobby) != nullptr);
  REQUIRE(late.create().has_room_joined());
  CHECK(world.hall().room(lobby) == nullptr);
  CHECK(host.create().error().code() == v1::ERROR_CODE_TOO_MANY_ROOMS);
  // The clocks of who sleeps go on.
  CHECK(world.storage.games[slow.id].wake < kNever);

  // Both games go on as soon as there is a place for them.
  for (Client* client : {&guest, &last}) REQUIRE(client->leave().has_room_left());
  for (const Party* party : {&slow, &quick}) {
    const v1::ServerMessage joined = party->clients[1]->join(party->id);
    REQUIRE(joined.has_room_joined());
    CHECK(joined.room_joined().seat() == 1);
    CHECK(joined.room_joined().has_game());
    for (Client* client : {&guest, &last})
      if (!client->room.room().empty()) client->leave();
  }
}

TEST_CASE("rooms are listed in pages") {
  World world(Limits{.list_page = 2});
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(std::make_unique<Client>(world, "Host"));
    clients.back()->create();
  }
  v1::ClientMessage message;
  message.mutable_list_rooms()->set_limit(50);
  v1::RoomList page = clients[0]->ask(message).room_list();
  REQUIRE(page.rooms_size() == 2);
  CHECK(page.more());
  CHECK(page.rooms(0).connections() == 1);
  message.mutable_list_rooms()->set_after(page.rooms(1).room());
  page = clients[0]->ask(message).room_list();
  CHECK(page.rooms_size() == 1);
  CHECK_FALSE(page.more());
}

TEST_CASE("only open rooms are listed if wanted") {
  World world;
  Party party(world, 3);
  Client other(world, "Other");
  v1::ClientMessage message;
  message.mutable_list_rooms()->set_open_only(true);
  CHECK(other.ask(message).room_list().rooms_size() == 0);
  message.mutable_list_rooms()->set_open_only(false);
  CHECK(other.ask(message).room_list().rooms_size() == 1);
}

TEST_CASE("a seat belongs to whoever took it") {
  World world;
  Client host(world, "Host"), guest(world, "Guest");
  host.create();
  guest.join(host.room.room());
  REQUIRE(host.take_seat(2).seat_taken().seat() == 2);
  CHECK(host.token.size() == 32);
  CHECK(host.take_seat().error().code() == v1::ERROR_CODE_ALREADY_SEATED);
  CHECK(guest.take_seat(2).error().code() == v1::ERROR_CODE_SEAT_NOT_FREE);
  CHECK(guest.take_seat(4).error().code() == v1::ERROR_CODE_SEAT_NOT_FREE);
  CHECK(guest.take_seat().seat_taken().seat() == 0);
  CHECK(guest.token != host.token);
  host.read();
  CHECK(host.room.seats(0).name() == "Guest");
  CHECK(host.room.spectators() == 0);

  // It stays taken while its holder is away, and opens with the token only.
  guest.disconnect();
  host.read();
  CHECK(host.room.seats(0).taken());
  CHECK_FALSE(host.room.seats(0).connected());
  guest.connect();
  const std::string right = guest.token;
  for (const std::string& wrong :
       {host.token.substr(1) + "0", std::string("x"), std::string(32, 'g'), std::string(32, '0')}) {
    guest.token = wrong;
    CHECK(guest.join(host.room.room(), true).error().code() == v1::ERROR_CODE_WRONG_TOKEN);
  }
  guest.token = right;
  CHECK(guest.join(host.room.room(), true).room_joined().seat() == 0);
}

TEST_CASE("a spectator becomes the seat whose token it has") {
  World world;
  Client host(world, "Host"), tab(world, "Host");
  host.create();
  host.take_seat();
  tab.join(host.room.room());
  v1::ClientMessage message;
  message.mutable_take_seat()->set_seat_token(host.token);
  CHECK(tab.ask(message).seat_taken().seat() == 0);
  tab.read();
  CHECK(tab.room.spectators() == 0);
}

TEST_CASE("a seat can be given up before the start, and its token is worth nothing then") {
  World world;
  Client host(world, "Host"), guest(world, "Guest");
  host.create();
  host.take_seat();
  v1::ClientMessage message;
  message.mutable_leave_seat();
  CHECK_FALSE(host.ask(message).room().seats(0).taken());
  CHECK(host.error_of(message) == v1::ERROR_CODE_NOT_SEATED);
  v1::ClientMessage back;
  back.mutable_take_seat()->set_seat_token(host.token);
  CHECK(host.error_of(back) == v1::ERROR_CODE_WRONG_TOKEN);
}

TEST_CASE("before the start an absent player's seat is free again after a while") {
  World world;
  Client host(world, "Host"), guest(world, "Guest");
  host.create();
  guest.join(host.room.room());
  guest.take_seat();
  guest.disconnect();
  world.pass(Limits{}.seat_grace - std::chrono::seconds(1));
  host.read();
  CHECK(host.room.seats(0).taken());
  world.pass(std::chrono::seconds(1));
  host.read();
  CHECK_FALSE(host.room.seats(0).taken());
}

TEST_CASE("spectators and connections to a seat are limited") {
  World world(Limits{.spectators = 2, .seat_connections = 2});
  Party party(world, 3);
  Client& host = party[0];
  std::vector<std::unique_ptr<Client>> crowd;
  for (int i = 0; i < 3; ++i) {
    crowd.push_back(std::make_unique<Client>(world, "Spectator"));
    CHECK(crowd.back()->join(host.room.room()).has_room_joined() == (i < 2));
  }
  for (int i = 0; i < 2; ++i) {
    crowd.push_back(std::make_unique<Client>(world, "Tab"));
    crowd.back()->token = host.token;
    const v1::ServerMessage answer = crowd.back()->join(host.room.room(), true);
    CHECK((i < 1 ? answer.has_room_joined() : answer.error().code() == v1::ERROR_CODE_ROOM_FULL));
  }
}

TEST_CASE("a game starts when all seats are taken and ready, and any of them asks") {
  World world;
  Client spectator(world, "Spectator");
  Party party(world, 3);
  CHECK(party[1].set_ready(false).has_room());
  CHECK(party[0].start().error().code() == v1::ERROR_CODE_NOT_READY);
  CHECK(party[0].act(0, {}).error().code() == v1::ERROR_CODE_NOT_STARTED);
  CHECK(party[0].resync({}).error().code() == v1::ERROR_CODE_NOT_STARTED);
  party[1].set_ready();
  spectator.join(party.id);
  CHECK(spectator.start().error().code() == v1::ERROR_CODE_NOT_SEATED);
  CHECK(spectator.set_ready().error().code() == v1::ERROR_CODE_NOT_SEATED);

  const v1::RoomState started = party[2].start().room();
  CHECK(started.status() == v1::ROOM_STATUS_PLAYING);
  CHECK(started.seed_commitment().size() == 32);
  CHECK(started.seed().empty());
  party.read();
  spectator.read();
  for (auto& client : party.clients) CHECK(client->version == 0U);
  CHECK(spectator.version == 0U);
  CHECK(party[0].start().error().code() == v1::ERROR_CODE_ALREADY_STARTED);
  CHECK(party[0].set_ready(false).error().code() == v1::ERROR_CODE_ALREADY_STARTED);
  CHECK(spectator.take_seat().error().code() == v1::ERROR_CODE_ALREADY_STARTED);
}

TEST_CASE("if the start cannot be stored, everybody is back in the lobby") {
  World world;
  Party party(world, 3);
  world.storage.failing = 1;
  CHECK(party[0].start().error().code() == v1::ERROR_CODE_STORAGE_UNAVAILABLE);
  party.read();
  CHECK(party[1].room.status() == v1::ROOM_STATUS_LOBBY);
  CHECK_FALSE(party[1].version);
  party.start();
  CHECK(party[1].version == 0U);
}

TEST_CASE("the start is shown only when it is durable") {
  World world;
  Party party(world, 3);
  world.storage_answers = false;
  const std::uint64_t asked = party[0].post([] {
    v1::ClientMessage message;
    message.mutable_start_game();
    return message;
  }());
  CHECK(party[0].read(asked).body_case() == v1::ServerMessage::BODY_NOT_SET);
  party.read();
  CHECK(party[1].room.status() == v1::ROOM_STATUS_STARTING);
  CHECK_FALSE(party[1].version);
  CHECK(party[1].start().error().code() == v1::ERROR_CODE_ALREADY_STARTED);
  CHECK(party[0].leave().error().code() == v1::ERROR_CODE_BUSY);
  world.store();
  CHECK(party[0].read(asked).room().status() == v1::ROOM_STATUS_PLAYING);
}

TEST_CASE("the catalogue is there for whoever asks") {
  World world;
  Client client(world, "Chani");
  v1::ClientMessage message;
  message.mutable_get_catalogue();
  const v1::ServerMessage answer = client.ask(message);
  CHECK(answer.catalogue().content_version() == rules::uprising_content().version);
  message.mutable_get_catalogue()->set_product("chess");
  CHECK(client.error_of(message) == v1::ERROR_CODE_BAD_OPTIONS);
}

TEST_CASE("while the server stops, nothing new begins") {
  World world;
  Client client(world, "Chani");
  world.drain();
  REQUIRE(client.inbox.size() == 1);
  CHECK(client.inbox.front().notice().kind() == v1::Notice::KIND_SHUTTING_DOWN);
  CHECK(client.create().error().code() == v1::ERROR_CODE_SHUTTING_DOWN);
  CHECK(client.ask(ping()).has_pong());
}

}  // namespace
}  // namespace landsraad::room::room_lobby_test
