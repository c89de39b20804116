// The past of a game: its log in pages, and the record that lets anybody check its shuffles.
#include "server/room/disclosure.h"
#include "server/room/replay.h"
#include "tests/unit/room_world.h"
#include "tools/replay/record_file.h"

namespace landsraad::room::room_log_test {
namespace {

v1::ClientMessage get_log(std::uint32_t after, std::uint32_t limit = 0,
                          std::optional<std::uint32_t> seat = {}) {
  v1::ClientMessage message;
  message.mutable_get_log()->set_after(after);
  message.mutable_get_log()->set_limit(limit);
  if (seat) message.mutable_get_log()->set_seat(*seat);
  return message;
}

v1::ClientMessage get_record() {
  v1::ClientMessage message;
  message.mutable_get_record();
  return message;
}

v1::ClientMessage ready(const std::string& nonce) {
  v1::ClientMessage message;
  message.mutable_ready()->set_ready(true);
  message.mutable_ready()->set_nonce(nonce);
  return message;
}

std::string hex(const std::string& bytes) {
  std::string text(2 * bytes.size() + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                 bytes.size());
  text.pop_back();
  return text;
}

// All of the log as the client may see it, page by page; the view it leads to.
struct Log {
  std::vector<v1::LogEntry> entries;
  v1::GameView view;
};
Log read_log(Client& client, std::uint32_t page, std::optional<std::uint32_t> seat = {}) {
  Log log;
  for (bool more = true; more;) {
    const auto after = static_cast<std::uint32_t>(log.entries.size());
    const v1::LogPage got = client.ask(get_log(after, page, seat)).log_page();
    REQUIRE(got.snapshot().version() == after);
    if (after == 0) log.view = got.snapshot().view();
    // The snapshot of a page is what the pages before it lead to.
    CHECK(got.snapshot().view().SerializeAsString() == log.view.SerializeAsString());
    for (const v1::LogEntry& entry : got.entries()) {
      REQUIRE(entry.diff().version() == log.entries.size() + 1);
      wire::fold(log.view, entry.diff().changes());
      log.entries.push_back(entry);
    }
    more = got.more();
    REQUIRE((!more || got.entries_size() > 0));
  }
  return log;
}

// ---- The log.

TEST_CASE("the log tells the game from its beginning, each seat its own") {
  World world(Limits{.log_page = 30, .message_burst = 1'000'000});
  Party party(world, 3);
  Client spectator(world, "Spectator");
  CHECK(party[0].error_of(get_log(0)) == v1::ERROR_CODE_NOT_STARTED);
  party.start();
  spectator.join(party.id);
  party.play(100);
  for (Client* client : {&party[0], &party[1], &spectator}) {
    for (const std::uint32_t page : {7U, 0U, 1000U}) {
      const Log log = read_log(*client, page);
      CHECK(log.entries.size() == 100);
      CHECK(log.view.SerializeAsString() == client->view.SerializeAsString());
    }
  }
  CHECK(party[0].ask(get_log(0)).log_page().entries_size() == 30);
  const Log log = read_log(party[0], 0);
  const Move& last = party.game().moves().back();
  CHECK(log.entries.back().seat() == last.seat);
  CHECK(log.entries.back().unix_ms() == last.unix_ms);
  CHECK(log.entries.back().cause() == v1::CAUSE_PLAYER);
}

TEST_CASE("what is told later is what was sent then") {
  World world;
  Party party(world, 3);
  party.start();
  std::vector<std::string> sent;
  for (int i = 0; i < 30; ++i) {
    Client& client = *party.decider();
    client.post(Client::act_message(*client.version, client.some_action()));
    for (const v1::ServerMessage& message : party[2].inbox)
      for (const v1::Diff& diff : message.game().diffs()) sent.push_back(diff.SerializeAsString());
  }
  party.read();
  const Log log = read_log(party[2], 0);
  REQUIRE(log.entries.size() == sent.size());
  for (std::size_t i = 0; i < sent.size(); ++i) CHECK(log.entries[i].diff().SerializeAsString() == sent[i]);
}

TEST_CASE("nobody reads another seat's log before the end") {
  World world;
  Party party(world, 3);
  party.start();
  party.play(10);
  CHECK(party[0].error_of(get_log(0, 0, 1)) == v1::ERROR_CODE_NOT_OVER);
  CHECK(party[0].ask(get_log(0, 0, 0)).log_page().entries_size() == 10);
  CHECK(party[0].ask(get_log(10)).log_page().entries_size() == 0);
  CHECK_FALSE(party[0].ask(get_log(4'000'000'000)).log_page().has_snapshot());
  party.play(100'000);
  CHECK(party[0].error_of(get_log(0, 0, 3)) == v1::ERROR_CODE_SEAT_NOT_FREE);
  const Log own = read_log(party[1], 0);
  const Log same = read_log(party[0], 0, 1);
  REQUIRE(own.entries.size() == same.entries.size());
  for (std::size_t i = 0; i < own.entries.size(); ++i)
    CHECK(own.entries[i].SerializeAsString() == same.entries[i].SerializeAsString());
}

TEST_CASE("the log goes across what was taken back") {
  World world(Limits{.message_burst = 1'000'000});
  Party party(world, 3);
  party.start();
  int undone = 0;
  for (int i = 0; i < 60; ++i) {
    Client& client = *party.decider();
    const std::uint32_t version = *client.version;
    const v1::ServerMessage answer = client.act(version, client.some_action());
    if (!answer.game().has_undo_to()) continue;
    v1::ClientMessage undo;
    undo.mutable_undo()->set_version(version + 1);
    undo.mutable_undo()->set_to(answer.game().undo_to());
    if (undone >= 5 || !client.ask(undo).has_game()) continue;
    ++undone;
  }
  REQUIRE(undone > 0);
  party.read();
  for (auto& client : party.clients) {
    const Log log = read_log(*client, 9);
    CHECK(log.view.SerializeAsString() == client->view.SerializeAsString());
  }
}

// ---- Fair shuffles.

TEST_CASE("the room commits to its seed from the lobby on, and shows it in the end") {
  World world;
  Party party(world, 3);
  const std::string commitment = party[0].room.seed_commitment();
  CHECK(commitment.size() == 32);
  REQUIRE(party[1].ask(ready(std::string(32, 'n'))).has_room());
  CHECK(party[1].error_of(ready(std::string(33, 'n'))) == v1::ERROR_CODE_MALFORMED);
  party.read();
  CHECK(party[0].room.seats(1).nonce().empty());
  party.start();
  CHECK(party[0].room.seats(1).nonce() == std::string(32, 'n'));
  CHECK(party[0].room.seed().empty());
  party.play(100'000);
  CHECK(party[0].room.seed_commitment() == commitment);
  REQUIRE(party[0].room.seed().size() == 32);
  rules::Seed seed{};
  std::copy(party[0].room.seed().begin(), party[0].room.seed().end(), seed.begin());
  CHECK(landsraad::room::commitment(seed) == commitment);
}

TEST_CASE("a nonce changes the game, and an empty one does not") {
  const auto dealt = [](const std::string& nonce) {
    World world;
    Party party(world, 3);
    REQUIRE(party[1].ask(ready(nonce)).has_room());
    party.start();
    return party.snapshot(0).SerializeAsString();
  };
  CHECK(dealt("a") != dealt("b"));
  CHECK(dealt("") == dealt(""));
}

TEST_CASE("the record of a finished game convinces anybody, and gives nothing away") {
  World world;
  v1::ClientMessage opening;
  opening.mutable_create_room()->set_password("melange");
  Party party(world, 3, opening);
  const std::string commitment = hex(party[2].room.seed_commitment());
  REQUIRE(party[2].ask(ready("a share")).has_room());
  CHECK(party[0].error_of(get_record()) == v1::ERROR_CODE_NOT_STARTED);
  party.start();
  CHECK(party[0].error_of(get_record()) == v1::ERROR_CODE_NOT_OVER);
  v1::ClientMessage transfer, invite;
  transfer.mutable_transfer()->set_person(party[0].room.people(1).id());
  invite.mutable_invite();
  REQUIRE(party[0].ask(invite).has_invitation());
  REQUIRE(party[0].ask(transfer).has_room());
  party.play(100'000);

  const v1::GameRecord record = party[0].ask(get_record()).record();
  CHECK(record.setup().seats(2).nonce() == "a share");
  const replay::Verdict verdict = replay::verify_record(record, commitment);
  CHECK_MESSAGE(verdict.good, verdict.sentence);
  const std::string bytes = record.SerializeAsString();
  for (auto& client : party.clients) {
    for (const std::string& text : {client->token, client->player_token}) {
      const TokenHash hashed = hash(*token_from_text(text));
      CHECK(bytes.find(std::string(hashed.begin(), hashed.end())) == std::string::npos);
    }
  }
  CHECK(record.setup().room().door().ByteSizeLong() == 0);

  // What does not agree with itself convinces nobody.
  CHECK_FALSE(replay::verify_record(record, std::string(64, '0')).good);
  v1::GameRecord forged = record;
  forged.mutable_setup()->mutable_seats(2)->set_nonce("another");
  CHECK_FALSE(replay::verify_record(forged, commitment).good);
  forged = record;
  forged.mutable_entries()->DeleteSubrange(forged.entries_size() / 2, 1);
  CHECK_FALSE(replay::verify_record(forged, commitment).good);
  forged = record;
  forged.mutable_entries()->RemoveLast();
  CHECK_FALSE(replay::verify_record(forged, commitment).good);
}

TEST_CASE("the record comes from storage, and everyone who asks gets it") {
  World world(Limits{.message_burst = 1'000'000});
  Party party(world, 3);
  Client spectator(world, "Spectator");
  party.start();
  spectator.join(party.id);
  party.play(100'000);
  world.storage_answers = false;
  const std::uint64_t first = party[0].post(get_record());
  const std::uint64_t second = spectator.post(get_record());
  CHECK(party[0].leave().error().code() == v1::ERROR_CODE_BUSY);
  world.storage.failing = 1;
  world.store();
  CHECK(party[0].read(first).error().code() == v1::ERROR_CODE_STORAGE_UNAVAILABLE);
  CHECK(spectator.read(second).error().code() == v1::ERROR_CODE_STORAGE_UNAVAILABLE);
  world.storage_answers = true;
  CHECK(spectator.ask(get_record()).has_record());
  // Also after the room has slept.
  world.restart();
  spectator.connect();
  spectator.join(party.id);
  CHECK(spectator.ask(get_record()).has_record());
}

TEST_CASE("the record is asked for while the game is being closed") {
  World world;
  Party party(world, 3);
  party.start();
  while (!party.game().over()) {
    Client& client = *party.decider();
    world.storage_answers = false;
    client.post(Client::act_message(*client.version, client.some_action()));
    world.store_one();
    world.storage_answers = party.game().over() ? false : true;
  }
  REQUIRE(world.storage.waiting.size() == 1);  // the close
  const std::uint64_t asked = party[0].post(get_record());
  CHECK(world.storage.waiting.size() == 1);
  world.store_one();
  CHECK(world.storage.waiting.size() == 1);  // the load
  world.store_one();
  CHECK(party[0].read(asked).has_record());
}

TEST_CASE("a record that does not read is not given out") {
  CHECK_FALSE(disclose({}));
  CHECK_FALSE(disclose({"\xff"}));
  CHECK_FALSE(disclose({write_opening(Opening{}), "\xff"}));
}

}  // namespace
}  // namespace landsraad::room::room_log_test
