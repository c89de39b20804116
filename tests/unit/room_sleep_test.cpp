// Games out of memory: what is stored so that they wake quickly, when they wake by themselves, how they are
// listed, and whose name they no longer tell.
#include <set>

#include "server/room/replay.h"
#include "server/room/snapshot.h"
#include "tests/random/playout.h"
#include "tests/unit/random_opening.h"
#include "tests/unit/room_world.h"

namespace landsraad::room::room_sleep_test {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

// ---- Snapshots.

struct Recorded {
  Game game;
  std::vector<std::string> records;
  std::vector<std::string> snapshots;  // snapshots[n] stands for n + 1 records
};

// A random game with undos, pauses and changes of the seats' players, without a room around it.
Recorded record(std::uint64_t number) {
  const Opening opening = random_opening(number);
  Recorded out{Game(rules::uprising_content(), opening), {}, {}};
  Game& game = out.game;
  out.records.push_back(write_opening(game.opening()));
  out.snapshots.push_back(write_snapshot(game));
  testing::Chance chance{number};
  Instant now = opening.created;
  const auto happen = [&](const Entry& entry) {
    if (!game.why_not(entry).empty()) return;
    const Step step = game.prepare(entry);
    out.records.push_back(game.record(step));
    game.commit(step, now);
    out.snapshots.push_back(write_snapshot(game));
  };
  while (!game.over() && game.records() < 1500) {
    const rules::Seat seat = rules::first_seat(game.deciders());
    now += milliseconds{chance.below(900)};
    Entry entry{.seat = seat, .when = now, .spent = game.clocks().used(seat, now)};
    const std::optional<std::uint32_t> floor = game.undo_to(seat);
    if (floor && chance.below(3) == 0) {
      entry.deed = Undo{*floor + chance.below(game.version() - *floor)};
      happen(entry);
      continue;
    }
    if (chance.below(40) == 0) {
      happen({.deed = Pause{true}, .when = now, .thinking = game.clocks().thinking(now)});
      now += seconds(5);
      happen({.deed = Pause{false}, .when = now, .thinking = game.clocks().thinking(now)});
      continue;
    }
    if (chance.below(60) == 0) {
      happen({.deed = v1::SEAT_CONTROL_BOT, .seat = seat, .when = now});
      happen({.deed = v1::SEAT_CONTROL_OWNER, .seat = seat, .when = now});
      continue;
    }
    const rules::ActionList actions = rules::legal_actions(game.content(), game.state(), seat);
    entry.deed = testing::pick(actions, testing::Style::eager, chance);
    happen(entry);
  }
  return out;
}

TEST_CASE("a snapshot and the entries after it lead to the same game as the whole log") {
  for (std::uint64_t number = 0; number < testing::games_to_play(4); ++number) {
    INFO("game " << number);
    const Recorded played = record(number);
    const rules::Content& content = rules::uprising_content();
    const Replay whole = replay(content, played.records);
    REQUIRE_MESSAGE(whole.fault.empty(), whole.fault);
    REQUIRE(write_snapshot(*whole.game) == played.snapshots.back());
    for (std::size_t at = 0; at < played.records.size(); at += 37) {
      INFO("snapshot of " << at + 1 << " records");
      std::vector<std::string> rest{played.records.front()};
      rest.insert(rest.end(), played.records.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                  played.records.end());
      const Replay resumed = resume(content, rest, played.snapshots[at]);
      REQUIRE_MESSAGE(resumed.fault.empty(), resumed.fault);
      CHECK(write_snapshot(*resumed.game) == played.snapshots.back());
    }
  }
}

TEST_CASE("what is no snapshot of this game is refused") {
  const Recorded played = record(1);
  const std::vector<std::string> opening{played.records.front()};
  const rules::Content& content = rules::uprising_content();
  const std::string good = played.snapshots[100];
  REQUIRE(resume(content, opening, good).fault.empty());
  const auto refused = [&](auto spoil) {
    v1::GameSnapshot snapshot;
    REQUIRE(snapshot.ParseFromString(good));
    spoil(snapshot);
    const Replay resumed = resume(content, opening, snapshot.SerializeAsString());
    CHECK(resumed.fault.find("snapshot does not read") != std::string::npos);
    CHECK_FALSE(resumed.game);
  };
  refused([](auto& snapshot) { snapshot.set_engine_version("1"); });
  refused([](auto& snapshot) { snapshot.mutable_state()->at(200) ^= 1; });
  refused([](auto& snapshot) { snapshot.mutable_state()->pop_back(); });
  refused([](auto& snapshot) { snapshot.mutable_moves()->RemoveLast(); });
  refused([](auto& snapshot) { snapshot.mutable_clocks()->RemoveLast(); });
  refused([](auto& snapshot) { snapshot.set_control(0, 77); });
  refused([](auto& snapshot) { snapshot.set_records(3); });
  refused([](auto& snapshot) { snapshot.set_owner_hash("short"); });
  CHECK_FALSE(resume(content, opening, "\xff").game);
}

TEST_CASE("a room wakes from its latest snapshot") {
  World world(Limits{.snapshot_entries = 8});
  Party party(world, 3);
  party.start();
  party.play(30);
  FakeStorage::Game& stored = world.storage.games[party.id];
  CHECK(stored.snapshot_at == 25);
  const std::string before = write_snapshot(party.game());
  world.restart();
  party.reconnect();
  CHECK(world.storage.carried_out[StorageVerb::load_all] == 0);
  CHECK(write_snapshot(party.game()) == before);
  party.play(5000);
  CHECK(party.game().over());
}

TEST_CASE("a room whose snapshot does not read plays its whole log again") {
  World world(Limits{.snapshot_entries = 8});
  Party party(world, 3);
  party.start();
  party.play(30);
  const rules::StateHash before = rules::hash(party.game().state());
  world.storage.games[party.id].snapshot = "nonsense";
  world.restart();
  party.reconnect();
  CHECK(rules::hash(party.game().state()) == before);
  CHECK(world.storage.carried_out[StorageVerb::load_all] == 1);
  CHECK(world.has_note(Note::Level::warning));
}

// ---- Sleep, and deadlines.

v1::RoomOptions with_days(std::uint32_t days, v1::TimeoutPolicy policy = v1::TIMEOUT_POLICY_DEFAULT) {
  v1::RoomOptions options = Party::with_players(3);
  options.mutable_clock()->mutable_days()->set_days(days);
  options.set_timeout(policy);
  return options;
}

void leave(Party& party) {
  for (auto& client : party.clients) REQUIRE(client->leave().has_room_left());
}

TEST_CASE("a room whose clocks run sleeps, and wakes when somebody's time is up") {
  World world;
  Party party(world, with_days(2));
  party.start();
  const Instant began = world.now;
  leave(party);
  world.pass(Limits{}.sleep_after);
  REQUIRE(world.hall().rooms_in_memory() == 0);
  CHECK(world.storage.games[party.id].wake == began + hours(48));
  world.pass(hours(47));
  CHECK(world.storage.games[party.id].records.size() == 1);
  CHECK(world.storage.carried_out[StorageVerb::claim] == 0);
  world.pass(hours(1));
  // The default action was taken for who was late, and the room is gone again.
  CHECK(world.storage.games[party.id].records.size() == 2);
  CHECK(world.hall().rooms_in_memory() == 0);
  CHECK(world.storage.games[party.id].wake == world.now + hours(48));
}

TEST_CASE("a room that goes to sleep leaves a snapshot behind, unless the stored one is as new") {
  World world;
  Party party(world, 3);
  party.start();
  const auto leave_and_come_back = [&] {
    leave(party);
    world.pass(Limits{}.sleep_after);
    REQUIRE(world.hall().rooms_in_memory() == 0);
    party.reconnect();
  };
  const auto snapshots = [&] { return world.storage.carried_out[StorageVerb::snapshot]; };
  leave_and_come_back();
  CHECK(snapshots() == 0);  // there is nothing but the opening
  party.play(30);
  leave_and_come_back();
  CHECK(snapshots() == 1);
  CHECK(world.storage.games[party.id].snapshot_at == 31);
  leave_and_come_back();
  CHECK(snapshots() == 1);
  party.play(1);
  leave_and_come_back();
  CHECK(snapshots() == 2);
  party.play(5000);
  REQUIRE(party.game().over());
  leave_and_come_back();
  CHECK(snapshots() == 2);
  CHECK(world.storage.carried_out[StorageVerb::load_all] == 0);
}

TEST_CASE("a snapshot that storage refused is made up for at sleep") {
  World world(Limits{.snapshot_entries = 8});
  Party party(world, 3);
  party.start();
  party.play(7);
  world.storage_answers = false;
  Client& decider = *party.decider();
  decider.post(Client::act_message(*decider.version, decider.some_action()));
  world.store_one();  // the append
  world.storage.failing = 1;
  world.store_one();  // the snapshot
  world.storage_answers = true;
  party.read();
  leave(party);
  world.pass(Limits{}.sleep_after);
  REQUIRE(world.hall().rooms_in_memory() == 0);
  CHECK(world.storage.games[party.id].snapshot_at == 9);
}

TEST_CASE("a room that must go while its clocks stand does not sleep for ever") {
  World world(Limits{.rooms = 1});
  Party party(world, with_days(1));
  party.start();
  party.play(5);
  Client& decider = *party.decider();
  world.storage.failing = 1;
  CHECK(decider.act(*decider.version, decider.some_action()).error().code() ==
        v1::ERROR_CODE_STORAGE_UNAVAILABLE);
  leave(party);
  Client guest(world, "Guest");
  REQUIRE(guest.create().has_room_joined());  // in the place of the game
  REQUIRE(guest.leave().has_room_left());
  CHECK(world.storage.games[party.id].wake != kNever);
  SUBCASE("nobody comes") {}
  SUBCASE("somebody comes and goes") {
    REQUIRE(party[0].join(party.id).has_room_joined());
    CHECK(party.game().clocks().next_end());
    REQUIRE(party[0].leave().has_room_left());
  }
  world.pass(hours(25));
  CHECK(world.storage.games[party.id].records.size() > 6);
}

TEST_CASE("a deadline that passes while no server runs is met right after the start") {
  World world;
  Party party(world, with_days(1));
  party.start();
  leave(party);
  world.pass(Limits{}.sleep_after);
  world.now += hours(30);
  world.restart();
  CHECK(world.storage.games[party.id].records.size() == 1);
  world.pass(seconds(1));
  CHECK(world.storage.games[party.id].records.size() == 2);
}

TEST_CASE("games that were awake when the server died wake with it, and go back to sleep") {
  World world;
  Party timed(world, with_days(1)), untimed(world, 3);
  timed.start();
  untimed.start();
  untimed.play(10);
  world.restart();
  world.pass(seconds(1));
  CHECK(world.hall().rooms_in_memory() == 0);
  CHECK(world.storage.games[timed.id].wake.has_value());
  CHECK(world.storage.games[untimed.id].wake == kNever);
  world.pass(hours(24));
  CHECK(world.storage.games[timed.id].records.size() == 2);
}

TEST_CASE("a bot goes on after a crash though nobody comes") {
  World world;
  Party party(world, 3);
  party.start();
  v1::ClientMessage autoplay;
  autoplay.mutable_autoplay()->set_on(true);
  world.storage_answers = false;
  Client& decider = *party.decider();
  decider.post(autoplay);
  world.store_one();
  REQUIRE(world.storage.games[party.id].records.size() == 2);  // its answer is not stored
  world.storage_answers = true;
  world.restart();
  world.pass(seconds(1));
  CHECK(world.storage.games[party.id].records.size() > 2);
}

TEST_CASE("that a game sleeps is stored sooner or later") {
  World world;
  Party party(world, with_days(1));
  party.start();
  leave(party);
  world.storage.failing = 2;
  world.pass(Limits{}.sleep_after);
  CHECK(world.hall().rooms_in_memory() == 0);
  CHECK_FALSE(world.storage.games[party.id].wake);
  CHECK(world.has_note(Note::Level::warning));
  world.pass(seconds(1));
  CHECK_FALSE(world.storage.games[party.id].wake);
  world.pass(seconds(1));
  CHECK(world.storage.games[party.id].wake);
  world.pass(seconds(1));
  CHECK(world.storage.carried_out[StorageVerb::sleep] == 3);
}

TEST_CASE("who comes while the room falls asleep finds it awake") {
  World world;
  Party party(world, with_days(1));
  party.start();
  leave(party);
  world.storage_answers = false;
  world.pass(Limits{}.sleep_after);
  v1::ClientMessage join;
  join.mutable_join_room()->set_room(party.id);
  const std::uint64_t asked = party[0].post(join);
  world.storage_answers = true;
  world.store();
  CHECK(party[0].read(asked).has_room_joined());
  CHECK_FALSE(world.storage.games[party.id].wake);
}

TEST_CASE("a game that cannot be played on does not wake again and again") {
  World world;
  Party party(world, with_days(1));
  party.start();
  leave(party);
  world.pass(Limits{}.sleep_after);
  world.storage.games[party.id].records.front() = "nonsense";
  for (int i = 0; i < 5; ++i) world.pass(hours(24));
  CHECK(world.storage.carried_out[StorageVerb::load] == 1);
  CHECK(world.has_note(Note::Level::error));
}

TEST_CASE("a full server still wakes what is due") {
  World world(Limits{.rooms = 1});
  Party party(world, with_days(1));
  party.start();
  leave(party);
  world.pass(Limits{}.sleep_after);
  Client guest(world, "Guest");
  REQUIRE(guest.create().has_room_joined());
  world.pass(hours(24));
  CHECK(world.storage.games[party.id].records.size() == 2);
  CHECK(world.hall().rooms_in_memory() == 1);
}

TEST_CASE("nobody can wake rooms that do not exist into the place of those that do") {
  World world(Limits{.rooms = 1});
  Client host(world, "Host"), guest(world, "Guest");
  REQUIRE(host.create().has_room_joined());
  const std::string lobby = host.room.room();
  REQUIRE(host.leave().has_room_left());
  CHECK(guest.join("aaaaa-aaaaa").error().code() == v1::ERROR_CODE_UNKNOWN_ROOM);
  CHECK(guest.join("no room at all").error().code() == v1::ERROR_CODE_UNKNOWN_ROOM);
  CHECK(world.hall().room(lobby) != nullptr);
}

// ---- Lists.

std::vector<std::string> ids(const v1::RoomList& list) {
  std::vector<std::string> out;
  for (const v1::RoomSummary& room : list.rooms()) out.push_back(room.room());
  return out;
}

TEST_CASE("lists hold sleeping games and rooms in memory, page by page, each once") {
  World world({}, 2);
  std::vector<std::unique_ptr<Party>> parties;
  std::set<std::string> all, hidden;
  for (int i = 0; i < 9; ++i) {
    v1::RoomOptions options = Party::with_players(3);
    options.set_unlisted(i % 3 == 2);
    parties.push_back(std::make_unique<Party>(world, options));
    if (i % 2 == 0) parties.back()->start();
    if (i % 4 == 0) leave(*parties.back());
    (options.unlisted() ? hidden : all).insert(parties.back()->id);
  }
  world.pass(Limits{}.sleep_after);
  Client visitor(world, "Visitor");
  const auto list = [&](Client& client, bool mine, bool open_only = false) {
    std::vector<std::string> found;
    v1::ClientMessage message;
    message.mutable_list_rooms()->set_limit(2);
    message.mutable_list_rooms()->set_mine(mine);
    message.mutable_list_rooms()->set_open_only(open_only);
    for (bool more = true; more;) {
      const v1::ServerMessage answer = client.ask(message);
      REQUIRE(answer.has_room_list());
      for (const std::string& id : ids(answer.room_list())) found.push_back(id);
      more = answer.room_list().more();
      if (more) message.mutable_list_rooms()->set_after(found.back());
    }
    return found;
  };
  CHECK(list(visitor, false) == std::vector<std::string>(all.begin(), all.end()));
  CHECK(list(visitor, true).empty());
  for (auto& party : parties) CHECK(list((*party)[1], true) == std::vector<std::string>{party->id});
  CHECK(list(visitor, false, true).empty());

  // And so after a restart, when only what has started is left.
  world.restart();
  visitor.connect();
  std::vector<std::string> started;
  for (std::size_t i = 0; i < parties.size(); i += 2)
    if (all.count(parties[i]->id) != 0) started.push_back(parties[i]->id);
  std::sort(started.begin(), started.end());
  CHECK(list(visitor, false) == started);
}

TEST_CASE("a list that storage cannot give is refused, and who has left is owed nothing") {
  World world;
  Client client(world, "Client"), leaver(world, "Leaver");
  v1::ClientMessage list;
  list.mutable_list_rooms();
  world.storage.failing = 1;
  CHECK(client.error_of(list) == v1::ERROR_CODE_STORAGE_UNAVAILABLE);
  CHECK(client.ask(list).has_room_list());
  world.storage_answers = false;
  leaver.post(list);
  leaver.disconnect();
  world.store();
  CHECK(client.ask(list).reply_to() == 0);  // not answered yet
}

TEST_CASE("a server that stops waits for the lists it owes") {
  World world;
  Client client(world, "Client");
  v1::ClientMessage list;
  list.mutable_list_rooms();
  world.storage_answers = false;
  const std::uint64_t asked = client.post(list);
  world.drain();
  CHECK_FALSE(world.hall().idle());
  world.store();
  CHECK(world.hall().idle());
  CHECK(client.read(asked).has_room_list());
}

// ---- Forgotten players.

TEST_CASE("a player is forgotten in finished games, and only there") {
  World world;
  Party party(world, 3);
  party.start();
  party.play(5);
  v1::ClientMessage forget;
  forget.mutable_forget_me();
  Client& gone = party[1];
  v1::ServerMessage answer = gone.ask(forget);
  CHECK(answer.forgotten().games() == 0);
  CHECK(answer.forgotten().going_on() == 1);
  party.play(5000);
  REQUIRE(party.game().over());
  answer = gone.ask(forget);
  CHECK(answer.forgotten().games() == 1);
  CHECK(answer.forgotten().going_on() == 0);

  leave(party);
  world.pass(Limits{}.sleep_after);
  const std::string& stored = world.storage.games[party.id].records.front();
  CHECK(stored.find(gone.name) == std::string::npos);
  CHECK(stored.find(party[0].name) != std::string::npos);
  REQUIRE(party[0].join(party.id).has_room_joined());
  CHECK(party[0].room.seats(1).name() == kForgottenName);
  CHECK(party[0].room.status() == v1::ROOM_STATUS_OVER);
  // Nobody has that seat any more.
  CHECK_FALSE(gone.join(party.id).room_joined().has_seat());
}

// ---- The cards a game began with.

// The built-in cards, one of them changed.
const rules::Content& other_cards() {
  static const rules::Content content = [] {
    static std::vector<std::string> texts;
    std::vector<rules::ContentFile> files;
    for (const rules::ContentFile& file : rules::embedded_files()) texts.emplace_back(file.text);
    std::size_t n = 0;
    for (const rules::ContentFile& file : rules::embedded_files()) {
      std::string& text = texts[n++];
      if (const std::size_t at = text.find("\"Dagger\""); at != std::string::npos)
        text.replace(at, 8, "\"Kindjal\"");
      files.push_back({file.path, text});
    }
    rules::LoadResult loaded = rules::load_content("uprising", files);
    REQUIRE(loaded.errors.empty());
    REQUIRE(loaded.content.version != rules::uprising_content().version);
    return std::move(loaded.content);
  }();
  return content;
}

TEST_CASE("a game goes on with the cards it began with, beside games with newer ones") {
  World world;
  Party old(world, 3);
  old.start();
  old.play(40);
  const rules::StateHash before = rules::hash(old.game().state());
  const std::string edition = write_edition("uprising", rules::embedded_files());

  world.library = Library(other_cards());
  REQUIRE(world.library.add(edition).empty());
  world.restart();
  old.reconnect();
  CHECK(rules::hash(old.game().state()) == before);
  CHECK(old[0].room.content_version() == rules::uprising_content().version);
  Party young(world, 3);
  young.start();
  young.play(40);
  CHECK(young[0].room.content_version() == other_cards().version);
  v1::ClientMessage ask;
  ask.mutable_get_catalogue();
  CHECK(old[0].ask(ask).catalogue().content_version() == rules::uprising_content().version);
  CHECK(young[0].ask(ask).catalogue().content_version() == other_cards().version);
  old.play(5000);
  young.play(5000);
  CHECK(old.game().over());
  CHECK(young.game().over());
}

TEST_CASE("a game whose cards are not there any more is refused with the reason") {
  World world;
  Party party(world, 3);
  party.start();
  world.library = Library(other_cards());
  world.restart();
  party[0].connect();
  const v1::ServerMessage answer = party[0].join(party.id);
  CHECK(answer.error().code() == v1::ERROR_CODE_GAME_UNREADABLE);
  CHECK(answer.error().message().find("begun with cards of version") != std::string::npos);
}

TEST_CASE("an edition that this version cannot read is named") {
  Library library(rules::uprising_content());
  CHECK(library.add("\xff").find("does not read") != std::string::npos);
  const rules::ContentFile file{"cards.txt", "card nonsense \"Nonsense\"\n  agent teleport(3)\n"};
  const std::string fault = library.add(write_edition("uprising", {&file, 1}));
  CHECK_MESSAGE(fault.find("cards.txt:1:") != std::string::npos, fault);
}

}  // namespace
}  // namespace landsraad::room::room_sleep_test
