// Chat, answers given in advance, and the preview of a Reveal turn.
#include "server/room/plan.h"
#include "tests/unit/room_world.h"

namespace landsraad::room::room_talk_test {
namespace {

v1::ClientMessage chat(const std::string& text) {
  v1::ClientMessage message;
  message.mutable_chat()->set_text(text);
  return message;
}

v1::ClientMessage mute(std::uint32_t person, bool muted) {
  v1::ClientMessage message;
  message.mutable_mute()->set_person(person);
  message.mutable_mute()->set_muted(muted);
  return message;
}

v1::ClientMessage plan(bool pass_combat, bool printed_order) {
  v1::ClientMessage message;
  message.mutable_plan()->set_pass_combat(pass_combat);
  message.mutable_plan()->set_printed_order(printed_order);
  return message;
}

v1::ClientMessage preview() {
  v1::ClientMessage message;
  message.mutable_preview_reveal();
  return message;
}

// What others have said and the client has not yet read.
std::vector<std::string> heard_by(Client& client) {
  std::vector<std::string> lines;
  for (const v1::ServerMessage& message : client.inbox)
    if (message.has_chat()) lines.push_back(message.chat().name() + ": " + message.chat().text());
  client.read();
  return lines;
}

// ---- Chat.

TEST_CASE("everyone in the room hears what is said, and who comes later what was said last") {
  World world(Limits{.chat_history = 2});
  Client host(world, "Host"), guest(world, "Guest"), late(world, "Late");
  host.create();
  host.take_seat(1);
  guest.join(host.room.room());
  const v1::ChatLine said = host.ask(chat("The spice must flow.\nIt must.")).chat();
  CHECK(said.text() == "The spice must flow.\nIt must.");
  CHECK(said.name() == "Host");
  CHECK(said.seat() == 1);
  CHECK(said.unix_ms() == world.now.time_since_epoch().count());
  CHECK(heard_by(guest) == std::vector<std::string>{"Host: The spice must flow.\nIt must."});
  CHECK_FALSE(guest.ask(chat("Bi-la kaifa.")).chat().has_seat());
  CHECK(host.ask(chat("Le\u0301to")).chat().id() == said.id() + 2);

  const v1::RoomJoined joined = late.join(host.room.room()).room_joined();
  REQUIRE(joined.chat_size() == 2);
  CHECK(joined.chat(0).text() == "Bi-la kaifa.");
  CHECK(joined.chat(1).text() == "L\u00e9to");
}

TEST_CASE("what cannot be shown, or is too long, is not said") {
  World world(Limits{.chat_bytes = 20});
  Client host(world, "Host"), guest(world, "Guest");
  host.create();
  guest.join(host.room.room());
  heard_by(guest);
  for (const char* text : {"", "  \n ", "a\tb", "a\u202eb", "123456789012345678901"})
    CHECK_MESSAGE(host.error_of(chat(text)) == v1::ERROR_CODE_BAD_TEXT, text);
  CHECK(heard_by(guest).empty());
}

TEST_CASE("one person says only so much in a minute, however often they come") {
  World world(Limits{.chat_lines = 2});
  Client host(world, "Host"), guest(world, "Guest");
  host.create();
  guest.join(host.room.room());
  CHECK(guest.ask(chat("1")).has_chat());
  world.pass(std::chrono::seconds(30));
  CHECK(guest.ask(chat("2")).has_chat());
  guest.leave();
  guest.join(host.room.room());
  CHECK(guest.error_of(chat("3")) == v1::ERROR_CODE_TOO_FAST);
  CHECK(host.ask(chat("Peace.")).has_chat());
  world.pass(std::chrono::seconds(30));
  CHECK(guest.ask(chat("3")).has_chat());
  CHECK(guest.error_of(chat("4")) == v1::ERROR_CODE_TOO_FAST);
}

TEST_CASE("the owner mutes and lets speak again") {
  World world;
  Client host(world, "Host"), guest(world, "Guest");
  host.create();
  guest.join(host.room.room());
  const std::uint32_t person = guest.room.people(1).id();
  CHECK(guest.error_of(mute(1, true)) == v1::ERROR_CODE_NOT_OWNER);
  CHECK(host.error_of(mute(77, true)) == v1::ERROR_CODE_UNKNOWN_PERSON);
  CHECK(host.ask(mute(person, true)).room().people(1).muted());
  CHECK(guest.error_of(chat("But")) == v1::ERROR_CODE_MUTED);
  // Leaving does not help.
  guest.leave();
  guest.join(host.room.room());
  CHECK(guest.error_of(chat("But")) == v1::ERROR_CODE_MUTED);
  host.read();
  CHECK_FALSE(host.ask(mute(host.room.people(1).id(), false)).room().people(1).muted());
  CHECK(guest.ask(chat("Thank you.")).has_chat());
}

// ---- Plans.

// Plays until the game waits for this kind of decision; whom it waits for, or null if it never does.
Client* play_until(Party& party, v1::DecisionKind kind) {
  for (int i = 0; i < 3000; ++i) {
    Client* client = party.decider();
    if (client == nullptr || client->decision->decision().kind() == kind) return client;
    client->act(*client->version, client->some_action());
  }
  return nullptr;
}

TEST_CASE("who passes the rest of the Conflict in advance is not asked again") {
  World world;
  Party party(world, 3);
  party.start();
  Client* client = play_until(party, v1::DECISION_KIND_COMBAT_INTRIGUE);
  REQUIRE(client != nullptr);
  const std::uint32_t version = *client->version;
  const std::uint64_t asked = client->post(plan(true, false));
  // The plan is answered, and then it answers.
  REQUIRE(!client->inbox.empty());
  CHECK(client->inbox.front().plan().pass_combat());
  CHECK(client->inbox.front().reply_to() == asked);
  client->read();
  CHECK(*client->version > version);
  for (int i = 0; i < 20 && party.game().state().phase == rules::Phase::combat; ++i) {
    Client* other = party.decider();
    if (other == nullptr || other->decision->decision().kind() != v1::DECISION_KIND_COMBAT_INTRIGUE) break;
    CHECK(other != client);
    other->act(*other->version, other->some_action());
  }
  const Move& move = party.game().moves()[version];
  CHECK(move.cause == v1::CAUSE_PLAN);
  CHECK(move.action.kind == rules::ActionKind::done);
}

TEST_CASE("passing ends with the Conflict, and its seat alone is told") {
  World world;
  Party party(world, 3);
  party.start();
  REQUIRE(play_until(party, v1::DECISION_KIND_TAKE_TURN) != nullptr);
  party.read();
  CHECK(party[1].ask(plan(true, false)).plan().pass_combat());
  CHECK(party[0].inbox.empty());
  CHECK(party[2].inbox.empty());
  // It is seen again by its seat, and by nobody else.
  party[1].disconnect();
  party[1].connect();
  CHECK(party[1].join(party.id).room_joined().plan().pass_combat());
  party[2].disconnect();
  party[2].connect();
  CHECK_FALSE(party[2].join(party.id).room_joined().plan().pass_combat());

  const int round = party.game().state().round;
  bool told = false;
  for (int i = 0; i < 3000 && party.game().state().round == round && !party.game().over(); ++i) {
    Client* client = nullptr;
    for (auto& each : party.clients) {
      for (const v1::ServerMessage& message : each->inbox) {
        if (!message.has_plan()) continue;
        CHECK(each.get() == &party[1]);
        CHECK_FALSE(message.plan().pass_combat());
        told = true;
      }
      each->read();
      if (each->decision) client = each.get();
    }
    REQUIRE(client != nullptr);
    if (client == &party[1]) {
      const bool asked_in_combat = client->decision->decision().kind() == v1::DECISION_KIND_COMBAT_INTRIGUE;
      CHECK_FALSE(asked_in_combat);
    }
    client->act(*client->version, client->some_action());
  }
  for (const v1::ServerMessage& message : party[1].inbox) told = told || message.has_plan();
  CHECK(told);
}

// Whoever is asked, what a plan answers is the same whatever they hold.
TEST_CASE("a plan's answer depends on nothing that others do not know") {
  const rules::Content& content = rules::uprising_content();
  World world;
  Party party(world, 3);
  party.start();
  REQUIRE(play_until(party, v1::DECISION_KIND_COMBAT_INTRIGUE) != nullptr);
  rules::State state = party.game().state();
  const rules::Seat seat = rules::first_seat(rules::deciders(state));
  v1::Plan wish;
  wish.set_pass_combat(true);
  const SeatPlan pass(wish, state);
  const rules::Action with_cards = pass.answer(content, state, seat);
  state.players[seat].intrigues.clear();
  CHECK(pass.answer(content, state, seat) == with_cards);
  CHECK(with_cards.kind == rules::ActionKind::done);
}

TEST_CASE("in printed order: only where order is all that is asked") {
  const rules::Content& content = rules::uprising_content();
  v1::Plan wish;
  wish.set_printed_order(true);
  int answered = 0;
  for (std::uint8_t seed = 1; seed <= 3; ++seed) {
    World world(Limits{}, 1, seed);
    Party party(world, 3);
    party.start();
    for (Client* client = party.decider(); client != nullptr; client = party.decider()) {
      rules::State state = party.game().state();
      const auto seat = static_cast<rules::Seat>(*client->seat);
      const SeatPlan order(wish, state);
      const rules::Action action = order.answer(content, state, seat);
      if (action.kind != rules::ActionKind::none) {
        ++answered;
        CHECK(action.kind == rules::ActionKind::resolve);
        const rules::ActionList legal = rules::legal_actions(content, state, seat);
        CHECK(legal.contains(action));
        CHECK_FALSE(legal.contains(rules::Action{.kind = rules::ActionKind::done}));
        // Intrigue cards, which others do not see, change nothing.
        state.players[seat].intrigues.clear();
        CHECK(order.answer(content, state, seat) == action);
      }
      client->act(*client->version, client->some_action());
    }
  }
  CHECK(answered > 0);
}

TEST_CASE("a game goes on with everyone's effects in printed order") {
  World world;
  Party party(world, 3);
  party.start();
  for (auto& client : party.clients) CHECK(client->ask(plan(false, true)).plan().printed_order());
  party.play(400);
  int planned = 0;
  for (const Move& move : party.game().moves()) planned += move.cause == v1::CAUSE_PLAN ? 1 : 0;
  CHECK(planned > 0);
  for (auto& client : party.clients)
    CHECK(client->view.SerializeAsString() ==
          party.snapshot(static_cast<rules::Seat>(*client->seat)).SerializeAsString());
}

TEST_CASE("a planned answer that cannot be stored is tried again") {
  World world;
  Party party(world, 3);
  party.start();
  Client* client = play_until(party, v1::DECISION_KIND_COMBAT_INTRIGUE);
  REQUIRE(client != nullptr);
  const std::uint32_t version = party.game().version();
  world.storage.failing = 1;
  client->ask(plan(true, false));
  CHECK(party.game().version() == version);
  world.pass(std::chrono::seconds(1));
  CHECK(party.game().version() > version);
}

TEST_CASE("plans are for seats in a running game") {
  World world;
  Party party(world, 3);
  Client spectator(world, "Spectator");
  CHECK(party[0].error_of(plan(true, true)) == v1::ERROR_CODE_NOT_STARTED);
  party.start();
  spectator.join(party.id);
  CHECK(spectator.error_of(plan(true, true)) == v1::ERROR_CODE_NOT_SEATED);
}

// ---- The preview.

TEST_CASE("the preview is what a Reveal turn gives, and can be asked for at any moment") {
  World world(Limits{.message_burst = 1'000'000});
  v1::ClientMessage opening;
  opening.mutable_create_room()->mutable_options()->set_leader_selection(v1::LEADER_SELECTION_PICK);
  Party party(world, 3, opening);
  Client spectator(world, "Spectator");
  CHECK(party[0].error_of(preview()) == v1::ERROR_CODE_NOT_STARTED);
  party.start();
  spectator.join(party.id);
  CHECK(spectator.error_of(preview()) == v1::ERROR_CODE_NOT_SEATED);
  int revealed = 0;
  for (Client* client = party.decider(); client != nullptr; client = party.decider()) {
    const rules::Seat seat = static_cast<rules::Seat>(*client->seat);
    const v1::RevealPreview seen = client->ask(preview()).reveal_preview();
    CHECK(seen.version() == *client->version);
    const auto expected = rules::preview_reveal(party.game().content(), party.game().state(), seat);
    CHECK(seen.persuasion() == expected.persuasion);
    CHECK(seen.strength() == expected.strength);
    const v1::Action action = client->some_action();
    revealed += action.kind() == v1::ACTION_KIND_REVEAL ? 1 : 0;
    client->act(*client->version, action);
  }
  CHECK(revealed > 0);
  CHECK(party[0].error_of(preview()) == v1::ERROR_CODE_GAME_OVER);
}

}  // namespace
}  // namespace landsraad::room::room_talk_test
