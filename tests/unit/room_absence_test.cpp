// Players who are away: time that is up, bots that play for them, seats that are given up.
#include "server/room/autoplayer.h"
#include "tests/random/forging.h"
#include "tests/random/playout.h"
#include "tests/unit/room_world.h"

namespace landsraad::room::room_absence_test {
namespace {

using std::chrono::seconds;

v1::RoomOptions timed(v1::TimeoutPolicy policy, v1::ResignPolicy resigning = v1::RESIGN_POLICY_BOT) {
  v1::RoomOptions options = Party::with_players(3);
  options.mutable_clock()->mutable_per_decision()->set_seconds(30);
  options.set_timeout(policy);
  options.set_resigning(resigning);
  return options;
}

v1::SeatControl control(Client& client, std::uint32_t seat) {
  client.read();
  return client.room.seats(static_cast<int>(seat)).control();
}

// Everything that was stored, in order, without the opening.
std::vector<Entry> log_of(Party& party) {
  std::vector<Entry> log;
  const auto& records = party.world.storage.games[party.id].records;
  for (std::size_t n = 1; n < records.size(); ++n) log.push_back(read_entry(records[n])->entry);
  return log;
}

// ---- What is chosen.

TEST_CASE("the default action is the least that can be done") {
  const rules::Content& content = rules::uprising_content();
  std::array<bool, 2> seen{};
  for (std::uint64_t number = 0; number < 4; ++number) {
    testing::Playout game = testing::begin_playout(content, number);
    for (int i = 0; i < 400; ++i) {
      const rules::Seat seat = rules::first_seat(rules::deciders(game.state));
      if (seat == rules::kNoSeat) break;
      const rules::ActionList actions = rules::legal_actions(content, game.state, seat);
      const rules::Action chosen = choose_default(content, game.state, seat);
      REQUIRE(actions.contains(chosen));
      const bool may_be_done = actions.contains({.kind = rules::ActionKind::done});
      REQUIRE(may_be_done == (chosen.kind == rules::ActionKind::done));
      if (rules::pending(content, game.state, seat).kind == rules::DecisionKind::take_turn)
        REQUIRE(chosen.kind == rules::ActionKind::reveal);
      seen[may_be_done ? 1 : 0] = true;
      testing::play(game, *testing::next_move(game));
    }
  }
  CHECK(seen[0]);
  CHECK(seen[1]);
}

TEST_CASE("neither the default action nor a bot's depends on what the seat may not know") {
  const rules::Content& content = rules::uprising_content();
  std::size_t compared = 0;
  for (std::uint64_t number = 0; number < testing::games_to_play(8); ++number) {
    INFO("game " << number);
    testing::Chance chance{number};
    testing::Playout game = testing::begin_playout(content, number);
    while (const auto move = testing::next_move(game)) {
      const rules::State forged = testing::forged_position(content, game.state, move->seat, chance);
      REQUIRE(choose_default(content, forged, move->seat) == choose_default(content, game.state, move->seat));
      REQUIRE(choose_for_bot(content, forged, move->seat) == choose_for_bot(content, game.state, move->seat));
      testing::play(game, *move);
      ++compared;
    }
  }
  CHECK(compared > 1000);
}

// Plays to the end; `choose` answers for every seat.
template <class Choose>
rules::State played(std::uint64_t number, Choose choose) {
  const rules::Content& content = rules::uprising_content();
  testing::Playout game = testing::begin_playout(
      content, number, rules::Options{.seats = static_cast<std::uint8_t>(3 + number % 2)},
      testing::Style::uniform);
  for (int actions = 0; !rules::is_over(game.state); ++actions) {
    REQUIRE(actions < 4000);
    const rules::Seat seat = rules::first_seat(rules::deciders(game.state));
    testing::play(game, {seat, choose(game, seat)});
  }
  return game.state;
}

TEST_CASE("games of nothing but bots end, and so do games of nothing but default actions") {
  const std::uint64_t games = testing::games_to_play(20);
  for (std::uint64_t number = 0; number < games; ++number) {
    INFO("game " << number);
    played(number, [](const testing::Playout& game, rules::Seat seat) {
      return choose_for_bot(*game.content, game.state, seat);
    });
    played(number, [](const testing::Playout& game, rules::Seat seat) {
      return choose_default(*game.content, game.state, seat);
    });
  }
}

TEST_CASE("a bot wins against players who do anything") {
  int won = 0;
  for (std::uint64_t number = 0; number < 20; ++number) {
    const auto bot = static_cast<rules::Seat>(number % 3);
    const rules::State end = played(number, [bot](testing::Playout& game, rules::Seat seat) {
      if (seat == bot) return choose_for_bot(*game.content, game.state, seat);
      return testing::next_move(game)->action;
    });
    won += end.player(bot).place == 1 ? 1 : 0;
  }
  CHECK(won >= 14);
}

// ---- Time is up.

TEST_CASE("a bot takes the seat of somebody whose time is up, until its owner acts for himself again") {
  World world;
  Party party(world, timed(v1::TIMEOUT_POLICY_BOT));
  party.start();
  Client& late = *party.decider();
  const std::uint32_t seat = *late.seat;
  world.pass(seconds(29));
  CHECK(control(late, seat) == v1::SEAT_CONTROL_OWNER);
  world.pass(seconds(1));
  for (auto& client : party.clients) CHECK(control(*client, seat) == v1::SEAT_CONTROL_BOT);
  CHECK(party.game().version() > 0);
  CHECK(party.decider() != &late);
  const std::vector<Entry> log = log_of(party);
  CHECK(log[0].cause == v1::CAUSE_TIMEOUT);
  CHECK(log[1].cause == v1::CAUSE_BOT);
  CHECK(log[1].spent == seconds(30));
  CHECK(late.act(*late.version, {}).error().code() == v1::ERROR_CODE_BOT_PLAYS);
  CHECK(late.undo(0).error().code() == v1::ERROR_CODE_BOT_PLAYS);

  // The bot answers at once whenever the seat is asked.
  for (int i = 0; i < 40; ++i) {
    party.play(1);
    CHECK_FALSE(late.decision);
    CHECK_FALSE(late.latest.has_undo_to());
  }
  CHECK(late.autoplay(false).room().seats(static_cast<int>(seat)).control() == v1::SEAT_CONTROL_OWNER);
  for (int i = 0; i < 400 && party.decider() != &late; ++i) party.play(1);
  CHECK(late.decision);
  CHECK(late.act(*late.version, late.some_action()).has_game());
}

TEST_CASE("joining takes the seat back from a bot") {
  World world;
  Party party(world, timed(v1::TIMEOUT_POLICY_BOT));
  party.start();
  Client& late = *party.decider();
  const std::uint32_t seat = *late.seat;
  late.disconnect();
  world.pass(seconds(31));
  Client& other = party[(seat + 1) % 3];
  CHECK(control(other, seat) == v1::SEAT_CONTROL_BOT);
  late.connect();
  REQUIRE(late.join(party.id, false, late.version).has_room_joined());
  late.read();
  CHECK(control(late, seat) == v1::SEAT_CONTROL_OWNER);
  CHECK(control(other, seat) == v1::SEAT_CONTROL_OWNER);
  CHECK(late.decision.has_value() == party.game().waits_for(static_cast<rules::Seat>(seat)));

  // Somebody else who comes as a spectator and sits down with the seat's token does the same.
  late.autoplay(true);
  CHECK(control(other, seat) == v1::SEAT_CONTROL_BOT);
  Client elsewhere(world, "Elsewhere");
  elsewhere.join(party.id);
  v1::ClientMessage sit;
  sit.mutable_take_seat()->set_seat_token(late.token);
  REQUIRE(elsewhere.ask(sit).has_seat_taken());
  CHECK(control(elsewhere, seat) == v1::SEAT_CONTROL_OWNER);
}

TEST_CASE("who comes back while the bot is only about to take over has the seat") {
  World world;
  Party party(world, timed(v1::TIMEOUT_POLICY_BOT));
  party.start();
  Client& late = *party.decider();
  const std::uint32_t seat = *late.seat;
  late.disconnect();
  world.storage_answers = false;
  world.pass(seconds(30));
  late.connect();
  late.join(party.id, false, late.version);
  world.storage_answers = true;
  world.store();
  CHECK(control(late, seat) == v1::SEAT_CONTROL_OWNER);
}

TEST_CASE("the default action is taken for somebody whose time is up") {
  World world;
  Party party(world, timed(v1::TIMEOUT_POLICY_DEFAULT));
  party.start();
  Client& late = *party.decider();
  const std::uint32_t seat = *late.seat;
  const rules::Action expected =
      choose_default(party.game().content(), party.game().state(), static_cast<rules::Seat>(seat));
  world.pass(seconds(30));
  party.read();
  const std::vector<Entry> log = log_of(party);
  REQUIRE(log.size() == 1);
  CHECK(*log[0].action() == expected);
  CHECK(log[0].cause == v1::CAUSE_TIMEOUT);
  CHECK(log[0].spent == seconds(30));
  CHECK(control(late, seat) == v1::SEAT_CONTROL_OWNER);
  CHECK_FALSE(late.latest.has_undo_to());
  // And so on to the end with nobody there, and then the room is let go.
  for (auto& client : party.clients) client->disconnect();
  for (int i = 0; i < 1000 && world.hall().rooms_in_memory() > 0; ++i) world.pass(seconds(30));
  CHECK(world.storage.games[party.id].closed);
}

TEST_CASE("the seat of somebody whose time is up is lost") {
  World world;
  Party party(world, timed(v1::TIMEOUT_POLICY_RESIGN));
  party.start();
  Client& late = *party.decider();
  const std::uint32_t seat = *late.seat;
  world.pass(seconds(30));
  CHECK(control(late, seat) == v1::SEAT_CONTROL_RESIGNED);
  CHECK(log_of(party)[0].cause == v1::CAUSE_TIMEOUT);
  CHECK(late.autoplay(false).error().code() == v1::ERROR_CODE_NOT_ALLOWED);
  CHECK(late.act(*late.version, {}).error().code() == v1::ERROR_CODE_BOT_PLAYS);
  late.disconnect();
  late.connect();
  late.join(party.id, false, late.version);
  CHECK(control(late, seat) == v1::SEAT_CONTROL_RESIGNED);
  party.play(3000);
  CHECK(party.game().ending() == v1::ENDING_PLAYED);
}

TEST_CASE("an answer on its way is in time") {
  World world;
  Party party(world, timed(v1::TIMEOUT_POLICY_RESIGN));
  party.start();
  Client& decider = *party.decider();
  world.now += seconds(29);
  world.storage_answers = false;
  decider.post(Client::act_message(*decider.version, decider.some_action()));
  world.pass(seconds(10));
  world.storage_answers = true;
  world.store();
  CHECK(control(decider, *decider.seat) == v1::SEAT_CONTROL_OWNER);
  CHECK(party.game().version() == 1);
}

TEST_CASE("storage that is away holds bots and time-outs up, not more") {
  World world;
  Party party(world, timed(v1::TIMEOUT_POLICY_BOT));
  party.start();
  Client& late = *party.decider();
  world.storage.failing = 3;
  world.pass(seconds(30));
  CHECK(world.storage.failing == 2);
  CHECK(control(late, *late.seat) == v1::SEAT_CONTROL_OWNER);
  for (int i = 0; i < 60 && party.game().version() == 0; ++i) world.pass(seconds(1));
  CHECK(control(late, *late.seat) == v1::SEAT_CONTROL_BOT);
  CHECK(party.game().version() > 0);
}

// ---- Giving up.

TEST_CASE("a bot plays on for who resigns") {
  World world;
  Party party(world, 4);
  CHECK(party[0].resign().error().code() == v1::ERROR_CODE_NOT_STARTED);
  party.start();
  Client spectator(world, "Spectator");
  spectator.join(party.id);
  CHECK(spectator.resign().error().code() == v1::ERROR_CODE_NOT_SEATED);
  CHECK(party[1].resign().room().seats(1).control() == v1::SEAT_CONTROL_RESIGNED);
  CHECK(party[1].resign().has_room());
  CHECK(party[1].autoplay(false).error().code() == v1::ERROR_CODE_NOT_ALLOWED);
  party.play(30);
  CHECK_FALSE(party[1].decision);
  for (std::size_t i : {0U, 2U}) party[i].resign();
  CHECK_FALSE(party.game().over());
  // With the last player gone the bots play it to its end.
  party[3].resign();
  party.read();
  CHECK(party.game().ending() == v1::ENDING_PLAYED);
  CHECK(party[0].room.status() == v1::ROOM_STATUS_OVER);
  CHECK(party[0].view.SerializeAsString() == party.snapshot(0).SerializeAsString());
  CHECK(party[2].resign().error().code() == v1::ERROR_CODE_GAME_OVER);
  CHECK(party[2].autoplay(true).error().code() == v1::ERROR_CODE_GAME_OVER);
}

TEST_CASE("resigning ends the game where the room says so") {
  World world;
  Party party(world, timed(v1::TIMEOUT_POLICY_BOT, v1::RESIGN_POLICY_END));
  party.start();
  party.play(7);
  const v1::ServerMessage answer = party[2].resign();
  CHECK(answer.room().status() == v1::ROOM_STATUS_OVER);
  CHECK(answer.room().ending() == v1::ENDING_RESIGNED);
  CHECK(answer.room().seed().size() == 32);
  party.read();
  for (auto& client : party.clients) {
    CHECK(client->room.status() == v1::ROOM_STATUS_OVER);
    CHECK_FALSE(client->decision);
  }
  CHECK(world.storage.games[party.id].closed);
  CHECK(party[0].act(*party[0].version, {}).error().code() == v1::ERROR_CODE_GAME_OVER);
  world.pass(seconds(300));
  CHECK(party.game().version() == 7);

  world.restart();
  party.reconnect();
  CHECK(party[1].room.ending() == v1::ENDING_RESIGNED);
  CHECK(party[1].room.status() == v1::ROOM_STATUS_OVER);
}

// ---- Letting a bot play.

TEST_CASE("a bot plays for whoever asks, until told otherwise") {
  World world;
  Party party(world, 3);
  CHECK(party[0].autoplay(true).error().code() == v1::ERROR_CODE_NOT_STARTED);
  party.start();
  CHECK(party[0].autoplay(false).room().seats(0).control() == v1::SEAT_CONTROL_OWNER);
  CHECK(log_of(party).empty());
  CHECK(party[0].autoplay(true).room().seats(0).control() == v1::SEAT_CONTROL_BOT);
  CHECK(party[0].autoplay(true).has_room());
  party.play(60);
  for (const Entry& entry : log_of(party))
    if (entry.action() != nullptr) CHECK((entry.seat == 0) == (entry.cause == v1::CAUSE_BOT));

  // It does so after a restart as well, but only for those who stay away.
  world.restart();
  party[1].connect();
  party[1].join(party.id);
  party[2].connect();
  party[2].join(party.id);
  CHECK(control(party[1], 0) == v1::SEAT_CONTROL_BOT);
  party[0].connect();
  party[0].join(party.id);
  CHECK(control(party[1], 0) == v1::SEAT_CONTROL_OWNER);
}

TEST_CASE("bots alone finish a game that everybody has left to them") {
  World world;
  Party party(world, 4);
  party.start();
  for (auto& client : party.clients) client->autoplay(true);
  CHECK(party.game().ending() == v1::ENDING_PLAYED);
  party.read();
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(party[i].view.SerializeAsString() ==
          party.snapshot(static_cast<rules::Seat>(i)).SerializeAsString());
}

TEST_CASE("a bot begins again when the room wakes") {
  World world;
  Party party(world, 3);
  party.start();
  world.storage_answers = false;
  v1::ClientMessage autoplay;
  autoplay.mutable_autoplay()->set_on(true);
  Client& decider = *party.decider();
  decider.post(autoplay);
  world.store_one();  // the bot's first answer is not stored any more
  CHECK(party.game().version() == 0);
  world.storage_answers = true;
  world.restart();
  Client& other = party[(*decider.seat + 1) % 3];
  other.connect();
  other.join(party.id);
  CHECK(party.game().version() > 0);
}

}  // namespace
}  // namespace landsraad::room::room_absence_test
