// Games that come back: after a lost connection, a sleep, a restart of the server; and those that cannot.
#include "tests/unit/room_world.h"

namespace landsraad::room::room_wake_test {
namespace {

TEST_CASE("who comes back gets the missing diffs") {
  World world;
  Party party(world, 3);
  party.start();
  party.play(10);
  Client& away = party.decider() == &party[0] ? party[1] : party[0];
  away.disconnect();
  const std::uint32_t held = *away.version;
  for (int i = 0; i < 12 && party.decider() != &away && party.decider() != nullptr; ++i) {
    Client& client = *party.decider();
    if (&client == &away) break;
    client.act(*client.version, client.some_action());
  }
  const std::uint32_t now = party.game().version();
  REQUIRE(now > held);

  away.connect();
  const std::size_t snapshots = away.snapshots_received;
  const v1::ServerMessage answer = away.join(party.id, true, held);
  CHECK(answer.room_joined().game().diffs_size() == static_cast<int>(now - held));
  CHECK(away.snapshots_received == snapshots);
  CHECK(away.version == now);
  const auto seat = static_cast<rules::Seat>(*away.seat);
  CHECK(away.view.SerializeAsString() == party.snapshot(seat).SerializeAsString());
  CHECK(away.decision.has_value() == party.game().waits_for(seat));
}

TEST_CASE("the diffs of a resync are those that were sent when it happened") {
  World world;
  Party party(world, 3);
  party.start();
  std::vector<std::string> sent;
  for (int i = 0; i < 40; ++i) {
    Client& client = *party.decider();
    client.post(Client::act_message(*client.version, client.some_action()));
    for (const v1::ServerMessage& message : party[2].inbox)
      for (const v1::Diff& diff : message.game().diffs()) sent.push_back(diff.SerializeAsString());
  }
  party.read();
  v1::ClientMessage resync;
  resync.mutable_resync()->set_held_version(party.game().version() - 40);
  party[2].post(resync);
  REQUIRE(party[2].inbox.size() == 1);
  const v1::ServerMessage answer = party[2].inbox.front();  // not read(): the client has these diffs already
  party[2].inbox.clear();
  REQUIRE(answer.game().diffs_size() == 40);
  for (int i = 0; i < 40; ++i)
    CHECK(answer.game().diffs(i).SerializeAsString() == sent[static_cast<std::size_t>(i)]);
}

TEST_CASE("too old a view, one from the future and none at all get a snapshot") {
  World world(Limits{.diffs = 10});
  Party party(world, 3);
  party.start();
  party.play(30);
  const std::uint32_t now = party.game().version();
  for (const std::optional<std::uint32_t> held :
       {std::optional<std::uint32_t>(), std::optional(now - 11), std::optional(now + 1), std::optional(0U)}) {
    const v1::ServerMessage answer = party[0].resync(held);
    CHECK(answer.game().has_snapshot());
    CHECK(answer.game().diffs_size() == 0);
    CHECK(party[0].version == now);
  }
  const v1::ServerMessage current = party[0].resync(now);
  CHECK_FALSE(current.game().has_snapshot());
  CHECK(current.game().diffs_size() == 0);
  CHECK(current.game().has_decision() == party.game().waits_for(0));
}

TEST_CASE("a restarted server plays on from the log") {
  World world;
  Party party(world, 4);
  party.start();
  party.play(80);
  const rules::StateHash before = rules::hash(party.game().state());
  const std::string promised = party[0].room.seed_commitment();
  world.restart();
  for (auto& client : party.clients) {
    client->connect();
    REQUIRE(client->join(party.id, true, client->version).has_room_joined());
    CHECK(client->snapshots_received == 1);
    CHECK(client->room.seed_commitment() == promised);
    CHECK(client->room.seats(static_cast<int>(*client->seat)).name() == client->name);
  }
  CHECK(rules::hash(party.game().state()) == before);
  party.play(5000);
  CHECK(party.game().over());
  CHECK(party.clients[0]->view.SerializeAsString() == party.snapshot(0).SerializeAsString());

  // And a game that is over can still be looked at.
  world.restart();
  Client spectator(world, "Spectator");
  CHECK(spectator.join(party.id).room_joined().room().status() == v1::ROOM_STATUS_OVER);
  CHECK(spectator.room.seed().size() == 32);
}

TEST_CASE("a room that nobody is in goes to sleep and wakes when somebody joins") {
  World world;
  Party party(world, 3);
  party.start();
  party.play(15);
  const std::uint32_t version = party.game().version();
  for (auto& client : party.clients) client->leave();
  world.pass(Limits{}.sleep_after - std::chrono::seconds(1));
  CHECK(world.hall().rooms_in_memory() == 1);
  world.pass(std::chrono::seconds(1));
  CHECK(world.hall().rooms_in_memory() == 0);

  world.storage_answers = false;
  Client& first = party[0];
  const std::uint64_t asked = first.post([&] {
    v1::ClientMessage message;
    message.mutable_join_room()->set_room(party.id);
    message.mutable_join_room()->set_seat_token(first.token);
    return message;
  }());
  // Until the room is awake everything else has to wait, and is told so.
  CHECK(first.take_seat().error().code() == v1::ERROR_CODE_BUSY);
  CHECK(first.leave().error().code() == v1::ERROR_CODE_BUSY);
  CHECK(first.create().error().code() == v1::ERROR_CODE_IN_A_ROOM);
  party[1].token = std::string(32, '0');
  const std::uint64_t wrong = party[1].post([&] {
    v1::ClientMessage message;
    message.mutable_join_room()->set_room(party.id);
    message.mutable_join_room()->set_seat_token(party[1].token);
    return message;
  }());
  world.store();
  CHECK(first.read(asked).room_joined().game().snapshot().version() == version);
  CHECK(party[1].read(wrong).error().code() == v1::ERROR_CODE_WRONG_TOKEN);
  // Who was refused is in no room.
  CHECK(party[1].leave().error().code() == v1::ERROR_CODE_NOT_IN_A_ROOM);
}

TEST_CASE("who may wait for a waking room is limited") {
  World world(Limits{.waiting_joins = 1});
  Party party(world, 3);
  party.start();
  world.restart();
  world.storage_answers = false;
  v1::ClientMessage join;
  join.mutable_join_room()->set_room(party.id);
  party[0].connect();
  party[1].connect();
  party[0].post(join);
  CHECK(party[1].error_of(join) == v1::ERROR_CODE_BUSY);
  // Who goes while waiting is not missed.
  party[0].disconnect();
  world.store();
  const v1::ServerMessage joined = party[1].ask(join);
  CHECK(joined.room_joined().seat() == 1);
  CHECK(joined.room_joined().room().seats(0).connected() == false);
}

TEST_CASE("storage that is away while a room wakes is told, and the next try works") {
  World world;
  Party party(world, 3);
  party.start();
  world.restart();
  party[0].connect();
  for (int failing = 1; failing <= 2; ++failing) {
    world.storage.failing = 1;
    CHECK(party[0].join(party.id, true).error().code() == v1::ERROR_CODE_STORAGE_UNAVAILABLE);
    CHECK(world.hall().rooms_in_memory() == 0);
  }
  CHECK(party[0].join(party.id, true).has_room_joined());
}

TEST_CASE("a game that does not read back as it was written is refused, and hurts no other") {
  World world;
  Party party(world, 3), other(world, 3);
  party.start();
  other.start();
  party.play(10);
  other.play(10);
  std::vector<std::string>& records = world.storage.games[party.id].records;
  const std::vector<std::string> whole = records;

  const auto refused = [&](std::string_view expected) {
    world.restart();
    world.notes.clear();
    Client client(world, "Chani");
    const v1::ServerMessage answer = client.join(party.id);
    CHECK(answer.error().code() == v1::ERROR_CODE_GAME_UNREADABLE);
    CHECK_MESSAGE(answer.error().message().find(expected) != std::string::npos, answer.error().message());
    CHECK(world.has_note(Note::Level::error));
    CHECK(world.hall().rooms_in_memory() == 0);
    CHECK(client.join(other.id).has_room_joined());
    records = whole;
  };

  records.clear();
  refused("no opening");
  records[0] = "nonsense";
  refused("opening does not read");
  records[5] = "\xff";
  refused("Entry 5 does not read");
  std::swap(records[5], records[6]);
  refused("Entry 5 stands in the wrong place");
  records.erase(records.begin() + 7);
  refused("Entry 7 stands in the wrong place");

  std::optional<StoredEntry> stored = read_entry(records[4]);
  REQUIRE(stored);
  stored->entry.seat = static_cast<rules::Seat>(stored->entry.seat + 1);
  records[4] = write_entry(4, stored->entry, rules::StateHash{});
  refused("Entry 4 is of a seat that is not asked");
  stored = read_entry(records[4]);
  records[4] = write_entry(4, stored->entry, rules::StateHash{});
  refused("Entry 4 leads to another state");

  std::optional<Opening> opening = read_opening(records[0]);
  REQUIRE(opening);
  opening->seed[0] ^= 1;
  records[0] = write_opening(*opening);
  refused("set-up comes out differently");
  opening->content_version = "0123456789abcdef";
  records[0] = write_opening(*opening);
  refused("cards of version 0123456789ab");
}

TEST_CASE("rooms are where their ids say, however many halls there are") {
  World world({}, 3);
  std::vector<std::unique_ptr<Party>> parties;
  for (int i = 0; i < 4; ++i) parties.push_back(std::make_unique<Party>(world, 3));
  for (auto& party : parties) {
    party->start();
    party->play(20);
    for (std::size_t seat = 0; seat < 3; ++seat)
      CHECK((*party)[seat].view.SerializeAsString() ==
            party->snapshot(static_cast<rules::Seat>(seat)).SerializeAsString());
  }
  // Everybody sees all rooms, and can go from one hall to another and back.
  Client visitor(world, "Visitor");
  v1::ClientMessage list;
  list.mutable_list_rooms();
  CHECK(visitor.ask(list).room_list().rooms_size() == 4);
  for (auto& party : parties) {
    CHECK(visitor.join(party->id).has_room_joined());
    CHECK(visitor.leave().has_room_left());
  }
  CHECK(visitor.join("aaaaa-aaaaa").error().code() == v1::ERROR_CODE_UNKNOWN_ROOM);
  CHECK(visitor.join("bbbbb-bbbbb").error().code() == v1::ERROR_CODE_UNKNOWN_ROOM);
  world.restart();
  for (auto& party : parties) {
    (*party)[0].connect();
    CHECK((*party)[0].join(party->id, true, (*party)[0].version).has_room_joined());
  }
}

TEST_CASE("secrets are what they should be") {
  const Entropy entropy = system_entropy();
  const Token token = draw_token(entropy);
  CHECK(token_from_text(to_text(token)) == token);
  CHECK_FALSE(token_from_text(to_text(token).substr(1)));
  CHECK_FALSE(token_from_text(std::string(32, 'G')));
  CHECK(draw_token(entropy) != token);
  const std::vector<TokenHash> hashes{hash(draw_token(entropy)), hash(token)};
  CHECK(find_token(hashes, token) == std::optional<std::size_t>(1));
  CHECK_FALSE(find_token(hashes, draw_token(entropy)));
  CHECK(draw_room_id(entropy) != draw_room_id(entropy));
  // SHA-256 of 32 zero bytes.
  const std::string zero = commitment(rules::Seed{});
  CHECK(static_cast<unsigned char>(zero[0]) == 0x66);
  CHECK(static_cast<unsigned char>(zero[1]) == 0x68);
  CHECK(static_cast<unsigned char>(zero[31]) == 0x25);
}

}  // namespace
}  // namespace landsraad::room::room_wake_test
