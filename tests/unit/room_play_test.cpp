// A game in a room: whole games, answers that come late or wrong, and storage that fails.
#include "tests/unit/room_world.h"

namespace landsraad::room::room_play_test {
namespace {

void check_views(Party& party) {
  party.read();
  for (std::size_t i = 0; i < party.clients.size(); ++i) {
    CHECK(party[i].version == party.game().version());
    CHECK(party[i].view.SerializeAsString() ==
          party.snapshot(static_cast<rules::Seat>(i)).SerializeAsString());
  }
}

TEST_CASE("a whole game: all views follow, and the seed fits its commitment in the end") {
  World world;
  Client spectator(world, "Spectator");
  Party party(world, 4);
  spectator.join(party.id);
  party.start();
  spectator.read();
  const std::string promised = party[0].room.seed_commitment();

  int actions = 0;
  while (Client* client = party.decider()) {
    int asked = 0;
    for (auto& each : party.clients) asked += each->decision ? 1 : 0;
    CHECK(asked == 1);
    REQUIRE(client->act(*client->version, client->some_action()).has_game());
    if (++actions % 50 == 0) check_views(party);
    REQUIRE(actions < 5000);
  }
  spectator.read();
  check_views(party);
  CHECK(spectator.view.SerializeAsString() == party.snapshot(rules::kNoSeat).SerializeAsString());
  CHECK_FALSE(spectator.decision);
  CHECK(spectator.snapshots_received == 1);

  CHECK(party[0].room.status() == v1::ROOM_STATUS_OVER);
  rules::Seed seed{};
  REQUIRE(party[0].room.seed().size() == seed.size());
  std::copy(party[0].room.seed().begin(), party[0].room.seed().end(), seed.begin());
  CHECK(commitment(seed) == promised);
  CHECK(world.storage.games[party.id].closed);
  CHECK(world.storage.games[party.id].records.size() == party.game().version() + 1U);
  // The last action once more is as stale as any that is repeated.
  CHECK(party[0].act(*party[0].version - 1, {}).error().code() == v1::ERROR_CODE_STALE_DECISION);
  CHECK(party[0].act(*party[0].version, {}).error().code() == v1::ERROR_CODE_GAME_OVER);
}

TEST_CASE("an answer counts once, for its own decision, from its own seat") {
  World world;
  Client spectator(world, "Spectator");
  Party party(world, 3);
  spectator.join(party.id);
  party.start();
  party.play(5);
  Client& decider = *party.decider();
  const std::uint32_t version = *decider.version;
  const v1::Action action = decider.some_action();

  CHECK(decider.act(version - 1, action).error().code() == v1::ERROR_CODE_STALE_DECISION);
  CHECK(decider.act(version + 1, action).error().code() == v1::ERROR_CODE_STALE_DECISION);
  CHECK(spectator.act(version, action).error().code() == v1::ERROR_CODE_NOT_SEATED);
  for (auto& client : party.clients)
    if (client.get() != &decider)
      CHECK(client->act(version, action).error().code() == v1::ERROR_CODE_NOT_YOUR_DECISION);

  v1::Action illegal;
  illegal.set_kind(v1::ACTION_KIND_CHOOSE_STEP);
  illegal.set_option(99);
  CHECK(decider.act(version, illegal).error().code() == v1::ERROR_CODE_ILLEGAL_ACTION);
  illegal.set_option(1U << 31);
  CHECK(decider.act(version, illegal).error().code() == v1::ERROR_CODE_ILLEGAL_ACTION);
  illegal.set_kind(static_cast<v1::ActionKind>(4000));
  CHECK(decider.act(version, illegal).error().code() == v1::ERROR_CODE_ILLEGAL_ACTION);
  CHECK(party.game().version() == version);

  const v1::ServerMessage answer = decider.act(version, action);
  REQUIRE(answer.game().diffs_size() == 1);
  CHECK(answer.game().diffs(0).version() == version + 1);
  CHECK(decider.act(version, action).error().code() == v1::ERROR_CODE_STALE_DECISION);
  CHECK(party.game().version() == version + 1);
}

TEST_CASE("legal actions go to nobody but the seat that decides") {
  World world;
  Client spectator(world, "Spectator"), tab(world, "Tab");
  Party party(world, 3);
  spectator.join(party.id);
  party.start();
  tab.token = party[0].token;
  tab.join(party.id, true);
  for (int i = 0; i < 60; ++i) {
    party.play(1);
    spectator.read();
    tab.read();
    CHECK_FALSE(spectator.decision);
    CHECK(tab.decision.has_value() == party[0].decision.has_value());
    CHECK(tab.view.SerializeAsString() == party[0].view.SerializeAsString());
  }
}

TEST_CASE("nothing of an action is shown before it is durable") {
  World world;
  Party party(world, 3);
  party.start();
  Client& decider = *party.decider();
  world.storage_answers = false;
  const std::uint32_t version = *decider.version;
  const std::uint64_t asked = decider.post(Client::act_message(version, decider.some_action()));
  for (auto& client : party.clients) CHECK(client->inbox.empty());
  CHECK(party.game().version() == version);

  // Who comes now sees what is durable.
  Client spectator(world, "Spectator");
  spectator.join(party.id);
  CHECK(spectator.version == version);

  world.store();
  CHECK(decider.read(asked).game().diffs_size() == 1);
  spectator.read();
  CHECK(spectator.version == version + 1);
  check_views(party);
}

TEST_CASE("of two answers to one decision the first counts, and both are answered") {
  World world;
  Party party(world, 3);
  party.start();
  Client& decider = *party.decider();
  Client tab(world, "Tab");
  tab.token = decider.token;
  tab.join(party.id, true);

  world.storage_answers = false;
  const v1::ClientMessage act = Client::act_message(*decider.version, decider.some_action());
  const std::uint64_t first = decider.post(act);
  const std::uint64_t second = tab.post(act);
  const std::uint64_t third = decider.post(act);
  CHECK(tab.inbox.empty());
  CHECK(tab.leave().error().code() == v1::ERROR_CODE_BUSY);
  world.store();

  int firsts = 0, thirds = 0;
  for (const v1::ServerMessage& message : decider.inbox) {
    if (message.reply_to() == first) firsts += message.has_game() ? 1 : 100;
    if (message.reply_to() == third)
      thirds += message.error().code() == v1::ERROR_CODE_STALE_DECISION ? 1 : 100;
  }
  CHECK(firsts == 1);
  CHECK(thirds == 1);
  CHECK(tab.read(second).error().code() == v1::ERROR_CODE_STALE_DECISION);
  CHECK(tab.version == party.game().version());
  CHECK(world.storage.waiting.empty());
}

TEST_CASE("answers that wait are limited, and the rest are told so") {
  World world(Limits{.held_requests = 2});
  Party party(world, 3);
  party.start();
  Client& decider = *party.decider();
  world.storage_answers = false;
  const v1::ClientMessage act = Client::act_message(*decider.version, decider.some_action());
  decider.post(act);
  decider.post(act);
  decider.post(act);
  CHECK(decider.inbox.empty());
  CHECK(decider.error_of(act) == v1::ERROR_CODE_BUSY);
}

TEST_CASE("if an action cannot be stored, nothing has happened, and it can be sent again") {
  World world;
  Party party(world, 3);
  party.start();
  party.play(20);
  Client& decider = *party.decider();
  const std::uint32_t version = *decider.version;
  const rules::StateHash before = rules::hash(party.game().state());
  const v1::Action action = decider.some_action();
  world.storage.failing = 1;
  CHECK(decider.act(version, action).error().code() == v1::ERROR_CODE_STORAGE_UNAVAILABLE);
  CHECK(rules::hash(party.game().state()) == before);
  check_views(party);
  CHECK(world.has_note(Note::Level::warning));

  REQUIRE(decider.act(version, action).has_game());
  party.play(20);
  check_views(party);
  CHECK(world.storage.games[party.id].records.size() == party.game().version() + 1U);
}

TEST_CASE("an answer that waited behind one that could not be stored takes its place") {
  World world;
  Party party(world, 3);
  party.start();
  Client& decider = *party.decider();
  Client tab(world, "Tab");
  tab.token = decider.token;
  tab.join(party.id, true);
  world.storage_answers = false;
  world.storage.failing = 1;
  const v1::ClientMessage act = Client::act_message(*decider.version, decider.some_action());
  const std::uint64_t first = decider.post(act);
  const std::uint64_t second = tab.post(act);
  world.store();
  CHECK(decider.read(first).error().code() == v1::ERROR_CODE_STORAGE_UNAVAILABLE);
  CHECK(tab.read(second).game().diffs_size() == 1);
  CHECK(decider.version == party.game().version());
}

TEST_CASE("an action whose sender is gone is carried out all the same") {
  World world;
  Party party(world, 3);
  party.start();
  Client& decider = *party.decider();
  const std::uint32_t version = *decider.version;
  world.storage_answers = false;
  decider.post(Client::act_message(version, decider.some_action()));
  decider.disconnect();
  world.store();
  CHECK(party.game().version() == version + 1);
}

TEST_CASE("a room that has lost its game sends everybody out, and they can come back") {
  World world;
  Party party(world, 3);
  party.start();
  party.play(3);
  world.storage.games[party.id].epoch += 1;  // another server has claimed it
  Client& decider = *party.decider();
  const std::uint32_t version = *decider.version;
  CHECK(decider.act(version, decider.some_action()).error().code() == v1::ERROR_CODE_STORAGE_UNAVAILABLE);
  CHECK(world.hall().room(party.id) == nullptr);
  CHECK(world.has_note(Note::Level::error));
  for (auto& client : party.clients) {
    client->read();
    CHECK(client->join(party.id, true, client->version).has_room_joined());
  }
  CHECK(party.game().version() == version);
  party.play(3);
  check_views(party);
}

}  // namespace
}  // namespace landsraad::room::room_play_test
