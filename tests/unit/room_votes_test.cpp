// What the table agrees on: undo, pause, the end, a bot for somebody who is away.
#include "server/room/proposal.h"
#include "tests/unit/room_world.h"

namespace landsraad::room::room_votes_test {
namespace {

using std::chrono::seconds;

v1::Propose undo_to(std::uint32_t version) {
  v1::Propose what;
  what.set_undo_to(version);
  return what;
}
v1::Propose pause(bool on) {
  v1::Propose what;
  what.set_pause(on);
  return what;
}
v1::Propose end() {
  v1::Propose what;
  what.set_end(true);
  return what;
}
v1::Propose bot_for(std::uint32_t seat) {
  v1::Propose what;
  what.set_bot_seat(seat);
  return what;
}

v1::RoomOptions with_consent() {
  v1::RoomOptions options = Party::with_players(3);
  options.set_undo(v1::UNDO_POLICY_CONSENT);
  options.mutable_clock()->mutable_per_decision()->set_seconds(60);
  return options;
}

TEST_CASE("who votes on what") {
  const Table table{.playing = 0b0111, .connected = 0b1101};  // 1 is away, a bot plays 3
  Proposal ending(1, 0, end());
  CHECK(ending.voters(table) == 0b0111);
  CHECK(ending.still_asked(table) == 0b0110);
  ending.agree(2);
  CHECK_FALSE(ending.carried(table));
  ending.agree(1);
  CHECK(ending.carried(table));

  Proposal pausing(2, 0, pause(true));
  CHECK(pausing.voters(table) == 0b0101);
  CHECK(Proposal(2, 0, pause(false)).voters(table) == 0b0101);
  CHECK(Proposal(2, 0, bot_for(1)).voters(table) == 0b0101);
  CHECK(Proposal(2, 0, undo_to(1)).voters(table) == 0b0111);
  pausing.agree(2);
  CHECK(pausing.carried(table));
  // Who comes is asked; without anybody there is nothing to carry out.
  CHECK_FALSE(pausing.carried({.playing = 0b0111, .connected = 0b0111}));
  CHECK_FALSE(pausing.carried({.playing = 0b0111, .connected = 0b1000}));

  v1::Proposal shown;
  pausing.write({.playing = 0b0111, .connected = 0b0111}, shown);
  CHECK(shown.id() == 2);
  CHECK(shown.seat() == 0);
  CHECK(shown.what().pause());
  CHECK(std::vector<std::uint32_t>(shown.agreed().begin(), shown.agreed().end()) ==
        std::vector<std::uint32_t>{0, 2});
  CHECK(std::vector<std::uint32_t>(shown.asked().begin(), shown.asked().end()) ==
        std::vector<std::uint32_t>{1});
}

TEST_CASE("all agree to take something back") {
  World world;
  Party party(world, with_consent());
  party.start();
  party.play(25);
  const std::uint32_t to = 10;
  const rules::State past = party.game().state_at(to);
  const v1::ServerMessage asked = party[1].propose(undo_to(to));
  REQUIRE(asked.has_room());
  CHECK(asked.room().proposal().asked_size() == 2);
  party.read();
  CHECK(party[0].vote().room().proposal().asked_size() == 1);
  CHECK(party.game().version() == 25);
  CHECK(party[2].vote().has_room());
  party.read();
  CHECK(party.game().version() == 26);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK_FALSE(party[i].room.has_proposal());
    CHECK_FALSE(party[i].latest.has_undo_to());
    CHECK(party[i].view.SerializeAsString() ==
          party.snapshot(static_cast<rules::Seat>(i)).SerializeAsString());
  }
  rules::State now = party.game().state();
  now.version = to;
  CHECK(rules::hash(now) == rules::hash(past));

  // It holds after a restart, and the game goes on from there.
  world.restart();
  party.reconnect();
  CHECK(party.game().version() == 26);
  party.play(3000);
  CHECK(party.game().ending() == v1::ENDING_PLAYED);
}

TEST_CASE("what cannot be proposed or voted on") {
  World world;
  Client spectator(world, "Spectator");
  Party party(world, 3);
  CHECK(party[0].propose(end()).error().code() == v1::ERROR_CODE_NOT_STARTED);
  spectator.join(party.id);
  party.start();
  party.play(10);
  CHECK(spectator.propose(end()).error().code() == v1::ERROR_CODE_NOT_SEATED);
  CHECK(party[0].propose(undo_to(3)).error().code() == v1::ERROR_CODE_NOT_ALLOWED);
  CHECK(party[0].propose({}).error().code() == v1::ERROR_CODE_BAD_PROPOSAL);
  CHECK(party[0].propose(pause(false)).error().code() == v1::ERROR_CODE_BAD_PROPOSAL);
  CHECK(party[0].propose(bot_for(1)).error().code() == v1::ERROR_CODE_BAD_PROPOSAL);
  CHECK(party[0].propose(bot_for(7)).error().code() == v1::ERROR_CODE_BAD_PROPOSAL);
  CHECK(party[0].vote().error().code() == v1::ERROR_CODE_BAD_PROPOSAL);

  REQUIRE(party[0].propose(end()).has_room());
  CHECK(party[1].propose(pause(true)).error().code() == v1::ERROR_CODE_BAD_PROPOSAL);
  party.read();
  spectator.read();
  CHECK(spectator.vote().error().code() == v1::ERROR_CODE_NOT_SEATED);
  v1::ClientMessage stale;
  stale.mutable_vote()->set_proposal(party[1].room.proposal().id() + 1);
  stale.mutable_vote()->set_agree(true);
  CHECK(party[1].error_of(stale) == v1::ERROR_CODE_BAD_PROPOSAL);
  party[1].autoplay(true);
  party.read();
  if (party[1].room.has_proposal()) CHECK(party[1].vote().error().code() == v1::ERROR_CODE_BOT_PLAYS);
  CHECK(party[1].propose(end()).error().code() == v1::ERROR_CODE_BOT_PLAYS);
}

TEST_CASE("who disagrees or takes it back ends a proposal, and so does a move") {
  World world;
  Party party(world, with_consent());
  party.start();
  party.play(3);
  for (const std::size_t voter : {0U, 1U}) {
    party[0].propose(end());
    party.read();
    CHECK_FALSE(party[voter].vote(false).room().has_proposal());
  }
  party[0].propose(undo_to(1));
  const std::uint32_t id = party[0].room.proposal().id();
  party.play(1);
  CHECK_FALSE(party[2].room.has_proposal());
  v1::ClientMessage late;
  late.mutable_vote()->set_proposal(id);
  late.mutable_vote()->set_agree(true);
  CHECK(party[1].error_of(late) == v1::ERROR_CODE_BAD_PROPOSAL);
  party[0].propose(undo_to(1));
  CHECK(party[0].room.proposal().id() == id + 1);
  CHECK(party.game().version() == 4);
}

TEST_CASE("a game ends when all agree") {
  World world;
  Party party(world, 3);
  party.start();
  party.play(9);
  party[2].disconnect();
  party[0].propose(end());
  party.read();
  party[1].vote();
  CHECK_FALSE(party.game().over());  // it is also for him to say who is away
  party[2].connect();
  party[2].join(party.id);
  const v1::ServerMessage answer = party[2].vote();
  REQUIRE(answer.has_room());
  party.read();
  CHECK(party[1].room.status() == v1::ROOM_STATUS_OVER);
  CHECK(party[1].room.ending() == v1::ENDING_AGREED);
  CHECK(party[1].room.seed().size() == 32);
  CHECK(world.storage.games[party.id].closed);
  CHECK(party[1].propose(end()).error().code() == v1::ERROR_CODE_GAME_OVER);
  CHECK(party[1].vote().error().code() == v1::ERROR_CODE_GAME_OVER);
}

TEST_CASE("a pause stops the game and its clocks until all who are there want to go on") {
  World world;
  Party party(world, with_consent());
  party.start();
  party.play(5);
  world.now += seconds(20);
  party[0].propose(pause(true));
  party.read();
  party[1].vote();
  party[2].vote();
  party.read();
  CHECK(party[1].room.paused());
  CHECK_FALSE(party[1].room.has_proposal());
  for (auto& client : party.clients) {
    CHECK_FALSE(client->decision);
    for (const v1::Clock& clock : client->latest.clocks()) CHECK_FALSE(clock.running());
  }
  const rules::Seat seat = rules::first_seat(party.game().deciders());
  Client& decider = party[seat];
  CHECK(decider.act(*decider.version, {}).error().code() == v1::ERROR_CODE_PAUSED);
  CHECK(decider.undo(0).error().code() == v1::ERROR_CODE_PAUSED);
  CHECK(decider.propose(pause(true)).error().code() == v1::ERROR_CODE_BAD_PROPOSAL);
  world.pass(seconds(3000));
  CHECK(party.game().version() == 5);

  // It lasts through a restart; those who have not come back are not waited for.
  world.restart();
  for (std::size_t i : {0U, 1U}) {
    party[i].connect();
    party[i].join(party.id);
  }
  CHECK(party[0].room.paused());
  party[1].propose(pause(false));
  party.read();
  party[0].vote();
  party.read();
  CHECK_FALSE(party[0].room.paused());
  CHECK(party.game().clocks().left(seat, world.now) == seconds(40));
  CHECK(party.game().clocks().running(seat));
}

TEST_CASE("bots rest while the game is paused, and giving up is allowed") {
  World world;
  Party party(world, 3);
  party.start();
  const std::uint32_t seat = *party.decider()->seat;
  party[0].propose(pause(true));
  party.read();
  party[1].vote();
  party[2].vote();
  party.read();
  REQUIRE(party[0].room.paused());
  party[seat].autoplay(true);
  CHECK(party.game().version() == 0);
  party[(seat + 1) % 3].resign();
  party[(seat + 2) % 3].resign();
  CHECK(party.game().version() == 0);
  // With nobody left who could want to go on, it goes on.
  party[seat].resign();
  CHECK(party.game().ending() == v1::ENDING_PLAYED);
}

TEST_CASE("a bot for somebody who is away, if those who are there agree") {
  World world;
  Party party(world, 3);
  party.start();
  party.play(3);
  const std::uint32_t away = *party.decider()->seat;
  party[away].disconnect();
  Client& first = party[(away + 1) % 3];
  Client& second = party[(away + 2) % 3];
  first.read();
  REQUIRE(first.propose(bot_for(away)).has_room());
  // Coming back is an answer.
  party[away].connect();
  party[away].join(party.id);
  first.read();
  CHECK_FALSE(first.room.has_proposal());
  CHECK(first.propose(bot_for(away)).error().code() == v1::ERROR_CODE_BAD_PROPOSAL);

  party[away].disconnect();
  first.propose(bot_for(away));
  second.read();
  second.vote();
  second.read();
  CHECK(second.room.seats(static_cast<int>(away)).control() == v1::SEAT_CONTROL_BOT);
  CHECK(party.game().version() > 3);
  party[away].connect();
  party[away].join(party.id);
  party[away].read();
  CHECK(party[away].room.seats(static_cast<int>(away)).control() == v1::SEAT_CONTROL_OWNER);
}

TEST_CASE("the voters are those who are there: who goes is not waited for, who comes is") {
  World world;
  Party party(world, 3);
  party.start();
  party[0].propose(pause(true));
  party[1].read();
  party[1].vote();
  CHECK_FALSE(party.game().paused());
  party[2].disconnect();
  CHECK(party.game().paused());

  party[0].read();
  party[0].propose(pause(false));
  party[2].connect();
  party[2].join(party.id);
  party[1].read();
  party[1].vote();
  CHECK(party.game().paused());
  party[2].vote();
  CHECK_FALSE(party.game().paused());
}

TEST_CASE("what is agreed while storage is away is done once it is back") {
  World world;
  Party party(world, 3);
  party.start();
  party[0].propose(pause(true));
  party.read();
  party[1].vote();
  party[2].read();
  world.storage.failing = 1;
  CHECK(party[2].vote().has_room());
  CHECK_FALSE(party.game().paused());
  world.pass(seconds(1));
  CHECK(party.game().paused());
}

}  // namespace
}  // namespace landsraad::room::room_votes_test
