// A server without sockets, files or threads: halls, a fake storage and clients, for the tests of
// server/room.
#pragma once

#include <doctest/doctest.h>
#include <sodium.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rules/notation/load.h"
#include "rules/wire/fold.h"
#include "server/room/disclosure.h"
#include "server/room/hall.h"

namespace landsraad::room {

// Keeps games as long as the test likes and fails when told to. Requests wait until carry_out().
struct FakeStorage {
  struct Game {
    std::uint64_t epoch = 1;
    std::vector<std::string> records;
    std::vector<TokenHash> players;
    bool listed = true;
    bool closed = false;
    std::uint64_t snapshot_at = 0;  // entries that the snapshot stands for; 0: there is none
    std::string snapshot;
    std::optional<Instant> wake;  // nothing: awake
  };
  std::map<RoomId, Game> games;
  std::deque<StorageRequest> waiting;
  int failing = 0;  // so many of the next requests are `unavailable`
  std::map<StorageVerb, int> carried_out;

  StorageReply carry_out_next() {
    const StorageRequest request = waiting.front();
    waiting.pop_front();
    StorageReply reply{.verb = request.verb, .game = request.game, .ticket = request.ticket};
    ++carried_out[request.verb];
    if (failing > 0) {
      --failing;
      reply.error = StorageError::unavailable;
      reply.why = "told to fail";
      return reply;
    }
    if (request.verb == StorageVerb::list) return list(request, std::move(reply));
    if (request.verb == StorageVerb::forget) return forget(request, std::move(reply));
    const bool known = games.count(request.game) != 0;
    if (request.verb == StorageVerb::create ? known : !known) {
      reply.error = known ? StorageError::lost : StorageError::missing;
      return reply;
    }
    Game& game = games[request.game];
    switch (request.verb) {
      case StorageVerb::create:
        game.records = {request.record};
        game.players = request.players;
        game.listed = request.listed;
        reply.epoch = game.epoch;
        break;
      case StorageVerb::claim:
        reply.epoch = ++game.epoch;
        game.wake.reset();
        break;
      case StorageVerb::load:
        reply.records = game.records;
        reply.closed = game.closed;
        if (game.snapshot_at == 0) break;
        reply.snapshot = game.snapshot;
        reply.records.erase(reply.records.begin() + 1,
                            reply.records.begin() + static_cast<std::ptrdiff_t>(game.snapshot_at));
        break;
      case StorageVerb::load_all:
        reply.records = game.records;
        reply.closed = game.closed;
        break;
      case StorageVerb::append:
        if (request.epoch != game.epoch || request.expected != game.records.size()) {
          reply.error = StorageError::lost;
          break;
        }
        game.records.push_back(request.record);
        break;
      case StorageVerb::close:
        game.closed = true;
        break;
      case StorageVerb::snapshot:
        game.snapshot = request.record;
        game.snapshot_at = request.expected;
        break;
      case StorageVerb::sleep:
        if (request.epoch == game.epoch)
          game.wake = request.when;
        else
          reply.error = StorageError::lost;
        break;
      case StorageVerb::list:
      case StorageVerb::forget:
        break;
    }
    return reply;
  }

  std::vector<RoomId> due(Instant now) const {
    std::vector<RoomId> out;
    for (const auto& [id, game] : games)
      if (!game.closed && game.wake && *game.wake <= now) out.push_back(id);
    return out;
  }

 private:
  StorageReply list(const StorageRequest& request, StorageReply reply) const {
    for (auto it = games.upper_bound(request.game); it != games.end(); ++it) {
      const auto& [id, game] = *it;
      if (request.player ? !has(game.players, *request.player) : !game.listed) continue;
      if (reply.games.size() == request.limit) {
        reply.more = true;
        break;
      }
      v1::RoomSummary& line = reply.games.emplace_back();
      line.set_room(id);
      line.set_status(game.closed ? v1::ROOM_STATUS_OVER : v1::ROOM_STATUS_PLAYING);
      const auto opening = read_opening(game.records.front());
      if (opening) *line.mutable_options() = opening->options;
    }
    return reply;
  }

  StorageReply forget(const StorageRequest& request, StorageReply reply) {
    for (auto& [id, game] : games) {
      if (!has(game.players, *request.player)) continue;
      const auto without = without_player(game.records.front(), *request.player);
      ++(game.closed ? reply.forgotten : reply.kept);
      if (!game.closed) continue;
      game.records.front() = without->setup;
      game.players = without->players;
    }
    return reply;
  }

  static bool has(const std::vector<TokenHash>& players, const TokenHash& player) {
    return std::find(players.begin(), players.end(), player) != players.end();
  }
};

// Reproducible secrets.
inline Entropy seeded_entropy(std::uint8_t seed) {
  auto calls = std::make_shared<std::uint64_t>(0);
  return [seed, calls](std::span<std::uint8_t> bytes) {
    std::array<std::uint8_t, randombytes_SEEDBYTES> key{seed};
    const std::uint64_t call = ++*calls;
    for (std::size_t i = 0; i < 8; ++i) key[8 + i] = static_cast<std::uint8_t>(call >> (8 * i));
    randombytes_buf_deterministic(bytes.data(), bytes.size(), key.data());
  };
}

class Client;

class World {
 public:
  explicit World(Limits limits = {}, std::size_t count = 1, std::uint8_t seed = 1)
      : limits_(limits), seed_(seed) {
    open(count);
  }

  Instant now{std::chrono::hours(500'000)};
  FakeStorage storage;
  bool storage_answers = true;  // false: requests wait until store()
  std::vector<Note> notes;
  std::vector<Parting> partings;
  Library library{rules::uprising_content()};
  std::vector<std::unique_ptr<Hall>> halls;

  // The process dies and another one takes its place; only the storage remains. Every connection is cut.
  void restart() {
    seed_ = static_cast<std::uint8_t>(seed_ + 100);
    const std::size_t count = halls.size();
    halls.clear();
    places_.clear();
    storage.waiting.clear();
    open(count);
    for (auto& [id, game] : storage.games)
      if (!game.wake) game.wake = Instant{std::chrono::milliseconds(1)};  // its owner has died
  }

  SessionId connect(std::deque<v1::ServerMessage>& inbox) {
    const SessionId session = ++last_session_;
    places_[session] = {session % halls.size(), &inbox};
    halls[session % halls.size()]->connect(session);
    return session;
  }

  void disconnect(SessionId session) {
    halls[places_.at(session).hall]->disconnect(session, now, outbox_);
    places_.erase(session);
    carry_out();
  }

  void receive(SessionId session, const std::string& frame) {
    Place& place = places_.at(session);
    auto departure = halls[place.hall]->receive(session, frame, now, outbox_);
    if (departure) {
      place.hall = departure->hall;
      halls[place.hall]->adopt(session, std::move(departure->visitor), frame, now, outbox_);
    }
    carry_out();
  }

  // Lets storage carry out one request that waits.
  void store_one() {
    const StorageReply reply = storage.carry_out_next();
    halls[hall_of(reply, halls.size())]->stored(reply, now, outbox_);
    carry_out();
  }
  void store() {
    while (!storage.waiting.empty()) store_one();
  }

  void pass(std::chrono::seconds time) {
    now += time;
    for (const auto& hall : halls) hall->tick(now, outbox_);
    for (const RoomId& game : storage.due(now)) halls[hall_of(game, halls.size())]->rouse(game, now, outbox_);
    carry_out();
  }

  void drain() {
    for (const auto& hall : halls) hall->drain(now, outbox_);
    carry_out();
  }

  Hall& hall() { return *halls.front(); }

  bool has_note(Note::Level level) const {
    for (const Note& note : notes)
      if (note.level == level) return true;
    return false;
  }

 private:
  struct Place {
    std::size_t hall = 0;
    std::deque<v1::ServerMessage>* inbox = nullptr;
  };

  void open(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      halls.push_back(std::make_unique<Hall>(
          limits_, library, seeded_entropy(static_cast<std::uint8_t>(seed_ + i)), i, count, now));
  }

  void carry_out() {
    Outbox out = std::move(outbox_);
    outbox_ = {};
    for (StorageRequest& request : out.storage) storage.waiting.push_back(std::move(request));
    for (const Delivery& delivery : out.deliveries)
      if (const auto it = places_.find(delivery.session); it != places_.end())
        REQUIRE(it->second.inbox->emplace_back().ParseFromString(*delivery.frame));
    for (const RoomChange& change : out.changes)
      for (const auto& hall : halls) hall->learn(change);
    for (const Parting& parting : out.partings) partings.push_back(parting);
    for (Note& note : out.notes) notes.push_back(std::move(note));
    if (storage_answers) store();
  }

  Limits limits_;
  std::uint8_t seed_;
  SessionId last_session_ = 0;
  std::map<SessionId, Place> places_;
  Outbox outbox_;
};

// A client of the protocol: keeps its view by folding, its decision, its seat and token.
class Client {
 public:
  Client(World& server, std::string player) : world(&server), name(std::move(player)) { connect(); }

  World* world;
  std::string name;
  SessionId session = 0;
  std::deque<v1::ServerMessage> inbox;  // not yet read
  std::uint64_t last_request = 0;

  v1::RoomState room;
  std::optional<std::uint32_t> seat;
  std::string token;         // of the seat
  std::string player_token;  // said again after a lost connection
  std::optional<std::uint32_t> version;
  v1::GameView view;
  std::optional<v1::LegalActions> decision;
  v1::GameUpdate latest;
  std::size_t diffs_received = 0, snapshots_received = 0;

  void connect() {
    inbox.clear();
    last_request = 0;
    session = world->connect(inbox);
    v1::ClientMessage hello;
    hello.mutable_hello()->set_name(name);
    hello.mutable_hello()->set_player_token(player_token);
    const v1::ServerMessage answer = ask(hello);
    REQUIRE(answer.has_welcome());
    if (!answer.welcome().player_token().empty()) player_token = answer.welcome().player_token();
  }

  void disconnect() { world->disconnect(session); }

  // Sends a request without reading anything.
  std::uint64_t post(v1::ClientMessage message) {
    message.set_request_id(++last_request);
    world->receive(session, message.SerializeAsString());
    return last_request;
  }

  // Sends a request and reads everything that has come; gives back the answer, empty if there is none yet.
  v1::ServerMessage ask(const v1::ClientMessage& message) { return read(post(message)); }

  v1::ServerMessage read(std::uint64_t request = 0) {
    v1::ServerMessage answer;
    int answers = 0;
    while (!inbox.empty()) {
      const v1::ServerMessage message = std::move(inbox.front());
      inbox.pop_front();
      take(message);
      if (message.reply_to() == 0 || message.reply_to() != request) continue;
      answer = message;
      ++answers;
    }
    CHECK(answers <= 1);
    return answer;
  }

  v1::ErrorCode error_of(const v1::ClientMessage& message) { return ask(message).error().code(); }

  // ---- Requests.
  v1::ServerMessage create(std::uint32_t players = 4) {
    v1::RoomOptions options;
    options.set_players(players);
    return create(options);
  }
  v1::ServerMessage create(const v1::RoomOptions& options) {
    v1::ClientMessage message;
    *message.mutable_create_room()->mutable_options() = options;
    return ask(message);
  }
  v1::ServerMessage join(const std::string& id, bool with_token = false,
                         std::optional<std::uint32_t> held = {}) {
    v1::ClientMessage message;
    message.mutable_join_room()->set_room(id);
    if (with_token) message.mutable_join_room()->set_seat_token(token);
    if (held) message.mutable_join_room()->set_held_version(*held);
    return ask(message);
  }
  v1::ServerMessage leave() {
    v1::ClientMessage message;
    message.mutable_leave_room();
    return ask(message);
  }
  v1::ServerMessage take_seat(std::optional<std::uint32_t> wanted = {}) {
    v1::ClientMessage message;
    message.mutable_take_seat();
    if (wanted) message.mutable_take_seat()->set_seat(*wanted);
    return ask(message);
  }
  v1::ServerMessage set_ready(bool ready = true) {
    v1::ClientMessage message;
    message.mutable_ready()->set_ready(ready);
    return ask(message);
  }
  v1::ServerMessage start() {
    v1::ClientMessage message;
    message.mutable_start_game();
    return ask(message);
  }
  static v1::ClientMessage act_message(std::uint32_t at, const v1::Action& action) {
    v1::ClientMessage message;
    message.mutable_act()->set_version(at);
    *message.mutable_act()->mutable_action() = action;
    return message;
  }
  v1::ServerMessage act(std::uint32_t at, const v1::Action& action) { return ask(act_message(at, action)); }
  v1::ServerMessage resync(std::optional<std::uint32_t> held) {
    v1::ClientMessage message;
    message.mutable_resync();
    if (held) message.mutable_resync()->set_held_version(*held);
    return ask(message);
  }

  v1::ServerMessage undo(std::uint32_t to) {
    v1::ClientMessage message;
    message.mutable_undo()->set_version(*version);
    message.mutable_undo()->set_to(to);
    return ask(message);
  }
  v1::ServerMessage propose(const v1::Propose& what) {
    v1::ClientMessage message;
    *message.mutable_propose() = what;
    return ask(message);
  }
  v1::ServerMessage vote(bool agree = true) {
    v1::ClientMessage message;
    message.mutable_vote()->set_proposal(room.proposal().id());
    message.mutable_vote()->set_agree(agree);
    return ask(message);
  }
  v1::ServerMessage resign() {
    v1::ClientMessage message;
    message.mutable_resign();
    return ask(message);
  }
  v1::ServerMessage autoplay(bool on) {
    v1::ClientMessage message;
    message.mutable_autoplay()->set_on(on);
    return ask(message);
  }

  // Any of the actions it may take; which one depends on the version only.
  const v1::Action& some_action() const {
    REQUIRE(decision);
    const auto pick =
        (decision->version() * 2654435761U >> 7) % static_cast<std::uint32_t>(decision->actions_size());
    return decision->actions(static_cast<int>(pick));
  }

 private:
  void take(const v1::ServerMessage& message) {
    if (message.has_room()) room = message.room();
    if (message.has_room_joined()) {
      room = message.room_joined().room();
      seat = message.room_joined().has_seat() ? std::optional{message.room_joined().seat()} : std::nullopt;
      if (message.room_joined().has_game()) take(message.room_joined().game());
    }
    if (message.has_seat_taken()) {
      seat = message.seat_taken().seat();
      token = message.seat_taken().seat_token();
      if (message.seat_taken().has_game()) take(message.seat_taken().game());
    }
    if (message.has_game()) take(message.game());
  }

  void take(const v1::GameUpdate& update) {
    if (update.has_snapshot()) {
      ++snapshots_received;
      version = update.snapshot().version();
      view = update.snapshot().view();
    }
    for (const v1::Diff& diff : update.diffs()) {
      ++diffs_received;
      REQUIRE(version);
      REQUIRE(diff.version() == *version + 1);
      version = diff.version();
      wire::fold(view, diff.changes());
    }
    latest = update;
    decision = update.has_decision() ? std::optional{update.decision()} : std::nullopt;
    if (decision) CHECK(decision->version() == *version);
  }
};

// Players in one room, seated clockwise.
class Party {
 public:
  // `opening` is the CreateRoom to open the room with; its number of players is set here.
  Party(World& server, const v1::RoomOptions& options) : Party(server, options.players(), to_open(options)) {}
  explicit Party(World& server, std::uint32_t players = 4, v1::ClientMessage opening = {}) : world(server) {
    for (std::uint32_t i = 0; i < players; ++i)
      clients.push_back(std::make_unique<Client>(world, "Player " + std::to_string(i)));
    opening.mutable_create_room()->mutable_options()->set_players(players);
    REQUIRE(clients[0]->ask(opening).has_room_joined());
    id = clients[0]->room.room();
    for (auto& client : clients) {
      if (client != clients[0]) {
        v1::ClientMessage join;
        join.mutable_join_room()->set_room(id);
        join.mutable_join_room()->set_password(opening.create_room().password());
        REQUIRE(client->ask(join).has_room_joined());
      }
      REQUIRE(client->take_seat().has_seat_taken());
      REQUIRE(client->set_ready().has_room());
    }
  }

  static v1::RoomOptions with_players(std::uint32_t players) {
    v1::RoomOptions options;
    options.set_players(players);
    return options;
  }

  static v1::ClientMessage to_open(const v1::RoomOptions& options) {
    v1::ClientMessage opening;
    *opening.mutable_create_room()->mutable_options() = options;
    return opening;
  }

  World& world;
  RoomId id;
  std::vector<std::unique_ptr<Client>> clients;

  void start() {
    REQUIRE(clients[0]->start().room().status() == v1::ROOM_STATUS_PLAYING);
    read();
  }
  void read() {
    for (auto& client : clients) client->read();
  }
  Client& operator[](std::size_t i) { return *clients[i]; }

  // The one the game waits for; null when it is over.
  Client* decider() {
    read();
    for (auto& client : clients)
      if (client->decision) return client.get();
    return nullptr;
  }

  // Plays at most so many actions.
  void play(int actions) {
    for (; actions > 0; --actions) {
      Client* client = decider();
      if (client == nullptr) return;
      REQUIRE(client->act(*client->version, client->some_action()).has_game());
    }
    read();
  }

  // All come back after the server has been away.
  void reconnect() {
    for (auto& client : clients) {
      client->connect();
      REQUIRE(client->join(id, false, client->version).has_room_joined());
    }
    read();
  }

  const Game& game() { return *world.halls[hall_of(id, world.halls.size())]->room(id)->game(); }

  // What the server would show somebody now.
  v1::GameView snapshot(rules::Seat viewer) {
    v1::Snapshot snapshot;
    wire::encode_snapshot(game().content(), game().state(), wire::Viewer{viewer}, snapshot);
    return snapshot.view();
  }
};

}  // namespace landsraad::room
