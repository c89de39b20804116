// How fast a connection may ask, what dear requests cost, and when patience ends.
#include "server/room/rate.h"
#include "tests/unit/room_world.h"

namespace landsraad::room::room_rate_test {
namespace {

using std::chrono::milliseconds;

constexpr auto kPing = v1::ClientMessage::kPing;

Limits slow() {
  Limits limits;
  limits.messages_per_second = 10;
  limits.message_burst = 40;
  limits.refused_bursts = 2;
  limits.malformed_frames = 3;
  return limits;
}

v1::ClientMessage ping() {
  v1::ClientMessage message;
  message.mutable_ping();
  return message;
}

TEST_CASE("a bucket gives its burst at once, then so many a second") {
  const Limits limits = slow();
  TokenBucket bucket;
  Instant now{std::chrono::hours(500'000)};
  for (int i = 0; i < 40; ++i) CHECK(bucket.take(1, now, limits));
  CHECK_FALSE(bucket.take(1, now, limits));
  now += milliseconds(99);
  CHECK_FALSE(bucket.take(1, now, limits));
  now += milliseconds(1);
  CHECK(bucket.take(1, now, limits));
  CHECK_FALSE(bucket.take(1, now, limits));
  now += std::chrono::hours(24 * 365 * 100);
  CHECK(bucket.take(40, now, limits));
  CHECK_FALSE(bucket.take(1, now, limits));
}

TEST_CASE("a bucket takes all or nothing, and never asks for more than it can hold") {
  const Limits limits = slow();
  TokenBucket bucket;
  const Instant now{std::chrono::hours(500'000)};
  CHECK(bucket.take(30, now, limits));
  CHECK_FALSE(bucket.take(11, now, limits));
  CHECK(bucket.take(10, now, limits));
  TokenBucket full;
  CHECK(full.take(1000, now, limits));
  CHECK_FALSE(full.take(1, now, limits));
}

TEST_CASE("a clock that goes back gives no tokens and takes none") {
  const Limits limits = slow();
  TokenBucket bucket;
  const Instant now{std::chrono::hours(500'000)};
  CHECK(bucket.take(30, now, limits));
  CHECK(bucket.take(10, now - std::chrono::hours(1), limits));
  CHECK_FALSE(bucket.take(1, now - std::chrono::hours(1), limits));
  CHECK(bucket.take(1, now - std::chrono::hours(1) + milliseconds(100), limits));
}

TEST_CASE("what makes the server work hard costs more") {
  for (const auto dear :
       {v1::ClientMessage::kResync, v1::ClientMessage::kJoinRoom, v1::ClientMessage::kGetLog,
        v1::ClientMessage::kGetRecord, v1::ClientMessage::kGetCatalogue, v1::ClientMessage::kListRooms})
    CHECK(cost_of(dear) > cost_of(v1::ClientMessage::kAct));
  CHECK(cost_of(v1::ClientMessage::BODY_NOT_SET) == 1);
}

TEST_CASE("patience ends with so many refusals, not with those that had pauses between them") {
  const Limits limits = slow();
  Conduct conduct;
  Instant now{std::chrono::hours(500'000)};
  for (int round = 0; round < 3; ++round) {
    while (conduct.ask(kPing, now, limits) == Conduct::Verdict::accept) {
    }
    for (int i = 0; i < 70; ++i) CHECK(conduct.ask(kPing, now, limits) == Conduct::Verdict::refuse);
    now += std::chrono::seconds(3);
  }
  while (conduct.ask(kPing, now, limits) == Conduct::Verdict::accept) {
  }
  for (int i = 0; i < 78; ++i) CHECK(conduct.ask(kPing, now, limits) == Conduct::Verdict::refuse);
  CHECK(conduct.ask(kPing, now, limits) == Conduct::Verdict::part);
}

TEST_CASE("a flood is one too if the filling bucket lets some of it through; a rest makes up for it") {
  const Limits limits = slow();
  Instant now{std::chrono::hours(500'000)};
  Conduct flooding, resting;
  int accepted = 0, refused = 0;
  for (Conduct::Verdict verdict{}; verdict != Conduct::Verdict::part; now += std::chrono::milliseconds(20)) {
    verdict = flooding.ask(kPing, now, limits);
    ++(verdict == Conduct::Verdict::accept ? accepted : refused);
    REQUIRE(accepted + refused < 1000);
  }
  CHECK(accepted > 40);
  CHECK(refused == 80);

  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 60; ++i) CHECK(resting.ask(kPing, now, limits) != Conduct::Verdict::part);
    now += std::chrono::seconds(3);
  }
}

TEST_CASE("a hall refuses what comes too fast, carries nothing of it out, and shows a flood the door") {
  World world(slow());
  Client client(world, "Chani");
  int answered = 0;
  while (client.ask(ping()).has_pong()) ++answered;
  CHECK(answered == 39);  // Hello was one too
  const v1::ServerMessage refused = client.create();
  CHECK(refused.error().code() == v1::ERROR_CODE_TOO_FAST);
  CHECK(refused.reply_to() == client.last_request);
  CHECK(world.hall().rooms_in_memory() == 0);
  world.pass(std::chrono::seconds(4));
  CHECK(client.create().has_room_joined());
  CHECK(world.partings.empty());
  while (client.ask(ping()).has_pong()) {
  }
  for (int i = 0; i < 79; ++i) CHECK(client.error_of(ping()) == v1::ERROR_CODE_TOO_FAST);
  REQUIRE(world.partings.size() == 1);
  CHECK(world.partings[0].session == client.session);
  CHECK(world.partings[0].why == Farewell::flood);
}

TEST_CASE("the bucket goes with its visitor from hall to hall") {
  World world(slow(), 2);
  Client host(world, "Chani"), guest(world, "Leto");
  host.create();
  int refusals = 0;
  for (int i = 0; i < 12; ++i) {
    if (guest.join(host.room.room()).error().code() == v1::ERROR_CODE_TOO_FAST) ++refusals;
    guest.leave();
  }
  CHECK(refusals > 0);
}

TEST_CASE("a few malformed frames are forgiven by good ones, many are not") {
  World world(slow());
  Client client(world, "Chani");
  const auto babble = [&] {
    world.receive(client.session, "\xff");
    REQUIRE(client.inbox.size() == 1);
    CHECK(client.inbox.front().error().code() == v1::ERROR_CODE_MALFORMED);
    client.inbox.clear();
  };
  for (int i = 0; i < 5; ++i) {
    babble();
    babble();
    for (std::size_t good = 0; good < 2 * Conduct::kForgiving; ++good) {
      world.pass(std::chrono::seconds(1));  // so that it does not ask too fast
      CHECK(client.ask(ping()).has_pong());
    }
  }
  // One good request between two is not enough.
  babble();
  babble();
  client.ask(ping());
  CHECK(world.partings.empty());
  babble();
  client.ask(ping());
  babble();
  REQUIRE(world.partings.size() == 1);
  CHECK(world.partings[0].why == Farewell::malformed);
}

TEST_CASE("messages may be nested only so deep") {
  const auto groups = [](std::size_t depth) {  // an unknown field with groups in groups
    v1::ClientMessage message = ping();
    message.set_request_id(7);
    std::string bytes = message.SerializeAsString();
    for (std::size_t i = 0; i < depth; ++i) bytes += "\xa3\x06";  // field 100: a group begins
    for (std::size_t i = 0; i < depth; ++i) bytes += "\xa4\x06";
    return bytes;
  };
  const std::size_t nesting = Limits{}.nesting;
  v1::ClientMessage message;
  CHECK(read_frame(groups(nesting), nesting, message));
  CHECK(message.has_ping());
  CHECK_FALSE(read_frame(groups(nesting + 1), nesting, message));
  // The deepest request there is.
  v1::ClientMessage create;
  create.mutable_create_room()->mutable_options()->mutable_clock()->mutable_bank()->set_seconds(60);
  CHECK(read_frame(create.SerializeAsString(), nesting, message));
  CHECK_FALSE(read_frame(create.SerializeAsString() + "\xa4\x06", nesting, message));  // ends a group only
  CHECK_FALSE(read_frame(create.SerializeAsString().substr(0, 5), nesting, message));
}

}  // namespace
}  // namespace landsraad::room::room_rate_test
