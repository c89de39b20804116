// Who only watches: how many, what they see, and how much later.
#include "tests/unit/room_world.h"

namespace landsraad::room::room_spectators_test {
namespace {

v1::ClientMessage opening(std::optional<std::uint32_t> spectators, std::uint32_t delay = 0) {
  v1::ClientMessage message;
  v1::RoomOptions& options = *message.mutable_create_room()->mutable_options();
  if (spectators) options.set_spectators(*spectators);
  options.set_spectator_delay(delay);
  return message;
}

std::string seen_at(Party& party, std::uint32_t version) {
  v1::Snapshot snapshot;
  wire::encode_snapshot(party.game().content(), party.game().state_at(version), wire::kSpectator, snapshot);
  return snapshot.view().SerializeAsString();
}

void check_is_behind(Party& party, Client& spectator, std::uint32_t delay) {
  spectator.read();
  const std::uint32_t version = party.game().version();
  const std::uint32_t expected = party.game().over() ? version : version - std::min(version, delay);
  REQUIRE(spectator.version == expected);
  CHECK(spectator.view.SerializeAsString() == seen_at(party, expected));
}

TEST_CASE("a room without spectators lets in who can still become a player") {
  World world(Limits{.spectators = 0});
  Client host(world, "Host"), guest(world, "Guest");
  REQUIRE(host.ask(opening(0)).has_room_joined());
  CHECK(guest.join(host.room.room()).has_room_joined());
}

TEST_CASE("a room takes no more spectators than its options and its server say") {
  World world(Limits{.spectators = 2});
  for (const std::uint32_t wanted : {0U, 1U, 5U}) {
    Party party(world, 3, opening(wanted));
    CHECK(party[0].room.options().spectators() == std::min(wanted, 2U));
    party.start();
    std::vector<std::unique_ptr<Client>> crowd;
    for (std::uint32_t i = 0; i < 3; ++i) {
      crowd.push_back(std::make_unique<Client>(world, "Watcher"));
      const v1::ServerMessage answer = crowd.back()->join(party.id);
      if (i < std::min(wanted, 2U)) {
        CHECK(answer.has_room_joined());
      } else {
        CHECK(answer.error().code() == v1::ERROR_CODE_ROOM_FULL);
        CHECK((answer.error().message() == "This room takes no spectators.") == (wanted == 0));
      }
    }
  }
}

TEST_CASE("at the start, who found no seat stays only as far as spectators are taken") {
  World world;
  Party party(world, 3, opening(1));
  Client first(world, "First"), second(world, "Second");
  REQUIRE(first.join(party.id).has_room_joined());
  REQUIRE(second.join(party.id).has_room_joined());
  party.start();
  first.read();
  CHECK(first.version == 0U);
  bool put_out = false;
  for (const v1::ServerMessage& message : second.inbox) {
    put_out = put_out || message.room_left().reason() == v1::RoomLeft::REASON_NO_SPECTATORS;
    CHECK_FALSE(message.has_game());
  }
  CHECK(put_out);
  CHECK(second.resync({}).error().code() == v1::ERROR_CODE_NOT_IN_A_ROOM);
  CHECK(party[0].room.spectators() == 1);
}

TEST_CASE("options about spectators are checked") {
  World world;
  Client host(world, "Host");
  CHECK(host.error_of(opening({}, 101)) == v1::ERROR_CODE_BAD_OPTIONS);
  CHECK(host.ask(opening({}, 100)).room_joined().room().options().spectators() == Limits{}.spectators);
}

TEST_CASE("spectators are so many actions behind, and see everything in the end") {
  World world;
  constexpr std::uint32_t delay = 7;
  Party party(world, 3, opening({}, delay));
  Client first(world, "First");
  first.join(party.id);
  party.start();
  check_is_behind(party, first, delay);
  std::vector<std::unique_ptr<Client>> others;
  for (int i = 0; !party.game().over(); ++i) {
    party.play(1);
    check_is_behind(party, first, delay);
    if (i % 40 != 5) continue;
    others.push_back(std::make_unique<Client>(world, "Other"));
    others.back()->join(party.id);
    for (auto& other : others) check_is_behind(party, *other, delay);
  }
  first.read();
  CHECK(first.version == party.game().version());
  CHECK(first.view.phase() == v1::PHASE_OVER);
  CHECK(first.snapshots_received == 1);
  for (auto& other : others) check_is_behind(party, *other, delay);
}

TEST_CASE("neither Resync nor the log shows a spectator more than the delay allows") {
  World world;
  constexpr std::uint32_t delay = 10;
  Party party(world, 3, opening({}, delay));
  Client spectator(world, "Spectator");
  party.start();
  party.play(4);
  spectator.join(party.id);
  check_is_behind(party, spectator, delay);
  party.play(40);
  check_is_behind(party, spectator, delay);
  for (const std::optional<std::uint32_t> held :
       {std::optional<std::uint32_t>(), std::optional(party.game().version()), std::optional(20U)}) {
    v1::ClientMessage resync;
    resync.mutable_resync();
    if (held) resync.mutable_resync()->set_held_version(*held);
    spectator.post(resync);
    REQUIRE(spectator.inbox.size() == 1);
    const v1::GameUpdate update = spectator.inbox.front().game();
    spectator.inbox.clear();  // not read(): the spectator has these diffs already
    const std::uint32_t shown = party.game().version() - delay;
    if (held == 20U)
      CHECK(update.diffs(update.diffs_size() - 1).version() == shown);
    else
      CHECK(update.snapshot().version() == shown);
  }
  v1::ClientMessage log;
  log.mutable_get_log()->set_after(30);
  const v1::LogPage page = spectator.ask(log).log_page();
  CHECK(page.entries_size() == static_cast<int>(party.game().version() - delay - 30));
  CHECK_FALSE(page.more());
  log.mutable_get_log()->set_after(party.game().version());
  CHECK(spectator.ask(log).log_page().entries_size() == 0);
  log.mutable_get_log()->set_seat(0);
  CHECK(spectator.error_of(log) == v1::ERROR_CODE_NOT_OVER);
}

TEST_CASE("the delay survives a restart") {
  World world;
  constexpr std::uint32_t delay = 6;
  Party party(world, 3, opening({}, delay));
  Client spectator(world, "Spectator");
  party.start();
  party.play(20);
  world.restart();
  for (auto& client : party.clients) {
    client->connect();
    REQUIRE(client->join(party.id).has_room_joined());
  }
  spectator.connect();
  spectator.join(party.id);
  check_is_behind(party, spectator, delay);
  for (int i = 0; i < 20; ++i) {
    party.play(1);
    check_is_behind(party, spectator, delay);
  }
  CHECK(spectator.snapshots_received == 1);
}

TEST_CASE("a spectator who takes a seat back sees the game as it is") {
  World world;
  Party party(world, 3, opening({}, 10));
  party.start();
  party.play(15);
  Client stranger(world, "Stranger");
  stranger.join(party.id);
  CHECK(stranger.version == 5U);
  v1::ClientMessage message;
  message.mutable_take_seat()->set_seat_token(party[1].token);
  REQUIRE(stranger.ask(message).has_seat_taken());
  CHECK(stranger.version == party.game().version());
}

}  // namespace
}  // namespace landsraad::room::room_spectators_test
