// Taking back one's own actions: what comes back with them, what does not, and that it outlives the server.
#include <cstring>

#include "tests/random/playout.h"
#include "tests/unit/random_opening.h"
#include "tests/unit/room_world.h"

namespace landsraad::room::room_undo_test {
namespace {

using std::chrono::seconds;

// Plays until the next decision's seat could take something back; whose it is.
Client& play_until_undo(Party& party) {
  for (int i = 0; i < 500; ++i) {
    Client* decider = party.decider();
    REQUIRE(decider != nullptr);
    if (decider->latest.has_undo_to()) return *decider;
    party.play(1);
  }
  FAIL("nothing could be taken back");
  return party[0];
}

void check_views(Party& party, Client& spectator) {
  party.read();
  spectator.read();
  for (std::size_t i = 0; i < party.clients.size(); ++i)
    CHECK(party[i].view.SerializeAsString() ==
          party.snapshot(static_cast<rules::Seat>(i)).SerializeAsString());
  CHECK(spectator.view.SerializeAsString() == party.snapshot(rules::kNoSeat).SerializeAsString());
}

std::string bytes_of(rules::State state) {
  state.version = 0;
  return {reinterpret_cast<const char*>(&state), sizeof state};
}

TEST_CASE("what is taken back is taken back in every view") {
  World world;
  Client spectator(world, "Spectator");
  Party party(world, 3);
  spectator.join(party.id);
  party.start();
  int undone = 0;
  while (undone < 25) {
    Client& decider = play_until_undo(party);
    const std::uint32_t to = decider.latest.undo_to();
    const std::string before = bytes_of(party.game().state_at(to));
    const std::uint32_t version = *decider.version;
    const v1::ServerMessage answer = decider.undo(to);
    REQUIRE(answer.game().diffs_size() == 1);
    CHECK(answer.game().diffs(0).version() == version + 1);
    CHECK(answer.game().diffs(0).undone().to() == to);
    CHECK(answer.game().diffs(0).undone().seat() == *decider.seat);
    CHECK(answer.game().has_decision());
    CHECK(bytes_of(party.game().state()) == before);
    check_views(party, spectator);
    ++undone;
    party.play(1 + undone % 7);
    check_views(party, spectator);
  }
}

TEST_CASE("only one's own latest actions can be taken back, and only by oneself") {
  World world;
  Client spectator(world, "Spectator");
  Party party(world, 3);
  CHECK(party[0].error_of([] {
    v1::ClientMessage message;
    message.mutable_undo();
    return message;
  }()) == v1::ERROR_CODE_NOT_STARTED);
  spectator.join(party.id);
  party.start();
  Client& decider = play_until_undo(party);
  const std::uint32_t to = decider.latest.undo_to();
  Client& other = party[(*decider.seat + 1) % 3];
  spectator.read();
  CHECK_FALSE(other.latest.has_undo_to());
  CHECK_FALSE(spectator.latest.has_undo_to());
  CHECK(other.undo(to).error().code() == v1::ERROR_CODE_NOTHING_TO_UNDO);
  CHECK(spectator.undo(to).error().code() == v1::ERROR_CODE_NOT_SEATED);
  if (to > 0) CHECK(decider.undo(to - 1).error().code() == v1::ERROR_CODE_NOTHING_TO_UNDO);
  CHECK(decider.undo(*decider.version).error().code() == v1::ERROR_CODE_NOTHING_TO_UNDO);
  CHECK(decider.undo(*decider.version + 5).error().code() == v1::ERROR_CODE_NOTHING_TO_UNDO);
  const std::uint32_t version = *decider.version;
  decider.version = version - 1;
  CHECK(decider.undo(to).error().code() == v1::ERROR_CODE_STALE_DECISION);
  decider.version = version;
  CHECK(party.game().version() == version);
  // Half of it, if there is so much, and then the rest.
  CHECK(decider.undo(version - 1).has_game());
  if (version - 1 > to) CHECK(decider.undo(to).has_game());
  CHECK_FALSE(decider.latest.has_undo_to());
}

TEST_CASE("a room can do without") {
  World world;
  v1::RoomOptions options = Party::with_players(3);
  options.set_undo(v1::UNDO_POLICY_OFF);
  Party party(world, options);
  party.start();
  for (int i = 0; i < 60; ++i) {
    party.play(1);
    for (auto& client : party.clients) CHECK_FALSE(client->latest.has_undo_to());
    Client& decider = *party.decider();
    CHECK(decider.undo(*decider.version - 1).error().code() == v1::ERROR_CODE_NOTHING_TO_UNDO);
  }
}

TEST_CASE("undo outlives a restart, and who was away gets it as a diff") {
  World world;
  Party party(world, 3);
  party.start();
  play_until_undo(party);
  Client& away = party[(*party.decider()->seat + 1) % 3];
  away.disconnect();
  const std::uint32_t held = *away.version;
  Client& decider = *party.decider();
  decider.undo(decider.latest.undo_to());
  party.play(1);
  Client& again = *party.decider();
  if (again.latest.has_undo_to()) again.undo(again.latest.undo_to());
  const std::uint32_t now = party.game().version();
  const std::string state = bytes_of(party.game().state());
  const std::string past = bytes_of(party.game().state_at(now - 1));
  std::optional<std::uint32_t> floor = party.game().undo_to(static_cast<rules::Seat>(*again.seat));

  world.restart();
  away.connect();
  const v1::ServerMessage answer = away.join(party.id, false, held);
  CHECK(answer.room_joined().game().diffs_size() == static_cast<int>(now - held));
  CHECK(away.snapshots_received == 1);
  CHECK(away.view.SerializeAsString() ==
        party.snapshot(static_cast<rules::Seat>(*away.seat)).SerializeAsString());
  CHECK(bytes_of(party.game().state()) == state);
  CHECK(bytes_of(party.game().state_at(now - 1)) == past);
  CHECK(party.game().undo_to(static_cast<rules::Seat>(*again.seat)) == floor);
}

TEST_CASE("who takes back has still used the time") {
  World world;
  v1::RoomOptions options = Party::with_players(3);
  options.mutable_clock()->mutable_bank()->set_seconds(600);
  options.mutable_clock()->mutable_bank()->set_increment_seconds(5);
  Party party(world, options);
  party.start();
  Client& decider = play_until_undo(party);
  const auto seat = static_cast<rules::Seat>(*decider.seat);
  const Game& game = party.game();
  const std::uint32_t actions = *decider.version - decider.latest.undo_to();
  world.now += seconds(7);
  std::array<milliseconds, 3> before{};
  for (rules::Seat each = 0; each < 3; ++each) before[each] = game.clocks().left(each, world.now);
  decider.undo(decider.latest.undo_to());
  before[seat] -= seconds(5 * actions);  // what the actions had added
  for (rules::Seat each = 0; each < 3; ++each) CHECK(game.clocks().left(each, world.now) == before[each]);
}

// ---- Whole games, without a room around them.

Game game_of(std::uint64_t number) { return {rules::uprising_content(), random_opening(number)}; }

struct Played {
  std::string state;
  std::array<milliseconds, 4> left{};  // when the decision began
};

TEST_CASE("how often a seat may take back is limited, and how much may happen in a game") {
  World world(Limits{.undos = 2});
  Party party(world, 3);
  party.start();
  int undone = 0;
  for (int step = 0; step < 2000 && undone < 2; ++step) {
    Client* decider = party.decider();
    REQUIRE(decider != nullptr);
    const std::uint32_t before = *decider->version;
    REQUIRE(decider->act(before, decider->some_action()).has_game());
    if (decider->seat != 0 || party.game().undo_to(0) != before) continue;
    v1::ClientMessage undo;
    undo.mutable_undo()->set_version(before + 1);
    undo.mutable_undo()->set_to(before);
    REQUIRE(decider->ask(undo).has_game());
    ++undone;
    // Something else this time, so that the game gets on.
    REQUIRE(decider->act(*decider->version, decider->decision->actions(0)).has_game());
  }
  REQUIRE(undone == 2);
  for (int step = 0; step < 2000; ++step) {
    Client* decider = party.decider();
    if (decider == nullptr) break;
    const std::uint32_t before = *decider->version;
    REQUIRE(decider->act(before, decider->some_action()).has_game());
    if (decider->seat != 0 || party.game().undo_to(0) != before) continue;
    v1::ClientMessage undo;
    undo.mutable_undo()->set_version(before + 1);
    undo.mutable_undo()->set_to(before);
    CHECK(decider->error_of(undo) == v1::ERROR_CODE_NOTHING_TO_UNDO);
    break;
  }
}

TEST_CASE("beyond its limit a log takes actions only") {
  World world(Limits{.log_entries = 5});
  Party party(world, 3);
  party.start();
  v1::ClientMessage hand_over;
  hand_over.mutable_autoplay()->set_on(true);
  party.play(5);
  CHECK(party[0].error_of(hand_over) == v1::ERROR_CODE_NOT_ALLOWED);
  party.play(5);
  CHECK(party.game().version() == 10);
}

TEST_CASE("in random games all that comes back is as it was: state, chance, and the others' time") {
  std::size_t undone = 0;
  for (std::uint64_t number = 0; number < testing::games_to_play(6); ++number) {
    INFO("game " << number);
    Game game = game_of(number);
    testing::Chance chance{number};
    Instant now = game.opening().created;
    std::vector<Played> played;  // by version
    const auto note = [&] {
      Played& here = played.emplace_back();
      here.state = bytes_of(game.state());
      for (rules::Seat seat = 0; seat < 4; ++seat) here.left[seat] = game.clocks().left(seat, now);
    };
    note();
    for (int steps = 0; !game.over() && steps < 1500; ++steps) {
      const rules::Seat seat = rules::first_seat(game.deciders());
      now += milliseconds{chance.below(900)};
      const std::optional<std::uint32_t> floor = game.undo_to(seat);
      if (floor && chance.below(3) == 0) {
        const std::uint32_t to = *floor + chance.below(game.version() - *floor);
        Entry undo{.deed = Undo{to}, .seat = seat, .when = now, .spent = game.clocks().used(seat, now)};
        if (!game.why_not(undo).empty()) continue;  // that version has itself been taken back
        game.commit(game.prepare(undo), now);
        REQUIRE(bytes_of(game.state()) == played[to].state);
        for (rules::Seat other = 0; other < 4; ++other)
          if (other != seat) REQUIRE(game.clocks().left(other, now) == played[to].left[other]);
        REQUIRE(game.clocks().left(seat, now) <= played[to].left[seat]);
        ++undone;
      } else {
        const rules::ActionList actions = rules::legal_actions(game.content(), game.state(), seat);
        const Entry act{.deed = testing::pick(actions, testing::Style::eager, chance),
                        .seat = seat,
                        .when = now,
                        .spent = game.clocks().used(seat, now)};
        game.commit(game.prepare(act), now);
      }
      note();
    }
    REQUIRE(played.size() == game.version() + 1);
    // And every moment of the past can be found again.
    for (std::uint32_t version = 0; version < game.version(); version += 17)
      REQUIRE(bytes_of(game.state_at(version)) == played[version].state);
  }
  CHECK(undone > 100);
}

}  // namespace
}  // namespace landsraad::room::room_undo_test
