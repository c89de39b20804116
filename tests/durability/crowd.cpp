#include "tests/durability/crowd.h"

#include <algorithm>
#include <utility>

#include "rules/wire/actions.h"
#include "tests/e2e/table.h"

namespace landsraad::durability {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr const char* kSubprotocol = "landsraad.v1";
constexpr milliseconds kWhenRefused{50};
constexpr seconds kLastWords{10};

}  // namespace

Room::Room(load::Loop& loop, Tally& tally, Ledgers& ledgers, std::uint64_t seed, std::uint32_t number,
           milliseconds think)
    : loop_(loop),
      tally_(tally),
      ledgers_(ledgers),
      number_(number),
      chance_(seed * 1000 + number),
      think_(think),
      seats_(number % 2 == 0 ? 4 : 3) {
  for (std::uint32_t n = 0; n < seats_.size(); ++n) {
    seats_[n].room = this;
    seats_[n].number = n;
  }
}

void Room::connect(const load::Address& address) {
  ++servers_;
  if (stage_ == Stage::leaving) begin_anew();
  room_found_ = start_asked_ = thinking_ = false;
  known_version_ = ledger_ == nullptr ? 0 : std::max(ledger_->version(), ledger_->shown());
  doubt_outlived_server_ = ledger_ != nullptr && ledger_->in_doubt();
  for (Seat& seat : seats_) {
    seat.lost_connection = seat.greeted = seat.entering = seat.joined = false;
    seat.last_request = seat.act_request = 0;
    seat.decision.Clear();
    seat.connection.emplace(loop_, seat, address, kSubprotocol);
  }
}

bool Room::connected() const {
  return std::any_of(seats_.begin(), seats_.end(), [](const Seat& seat) { return !seat.lost_connection; });
}

std::string Room::position() const {
  return "room " + id_ + " (number " + std::to_string(number_) + ") is at stage " +
         std::to_string(static_cast<int>(stage_)) +
         (ledger_ == nullptr ? "" : ", version " + std::to_string(ledger_->version()));
}

void Room::fail(const std::string& why) { tally_.fail(position() + ": " + why); }

// ---- Requests.

v1::ClientMessage Room::ask(Seat& seat) const {
  v1::ClientMessage message;
  message.set_request_id(++seat.last_request);
  return message;
}

void Room::send(Seat& seat, const v1::ClientMessage& message) {
  seat.connection->send(message.SerializeAsString());
}

void Room::later(milliseconds time, std::function<void()> what) {
  loop_.at(load::Clock::now() + time, [this, server = servers_, what = std::move(what)] {
    if (server == servers_) what();
  });
}

void Room::say_hello(Seat& seat) {
  v1::ClientMessage message = ask(seat);
  message.mutable_hello()->set_name("Player " + std::to_string(number_) + "." + std::to_string(seat.number));
  message.mutable_hello()->set_client("landsraad-durability");
  message.mutable_hello()->set_player_token(seat.player_token);
  send(seat, message);
}

// Seat 0 opens the room or finds it again; the others follow.
void Room::enter(Seat& seat) {
  if (!seat.greeted || seat.entering || (seat.number != 0 && !room_found_)) return;
  seat.entering = true;
  v1::ClientMessage message = ask(seat);
  if (id_.empty())
    message.mutable_create_room()->mutable_options()->set_players(static_cast<std::uint32_t>(seats_.size()));
  else
    message.mutable_join_room()->set_room(id_);
  send(seat, message);
}

void Room::begin_anew() {
  stage_ = goes_on_ ? Stage::gathering : Stage::done;
  id_.clear();
  room_found_ = start_asked_ = over_ = false;
  ledger_ = nullptr;
  known_version_ = 0;
  for (Seat& seat : seats_) seat.entering = seat.joined = false;
}

void Room::start() {
  v1::ClientMessage message = ask(seats_[0]);
  message.mutable_start_game();
  send(seats_[0], message);
}

void Room::end_with_this_game() {
  goes_on_ = false;
  if (stage_ == Stage::leaving) stage_ = Stage::done;
}

// ---- What the server says.

void Room::on_message(Seat& seat, std::string_view bytes) {
  v1::ServerMessage message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return fail("a message that does not parse");
  const bool answers_act = message.reply_to() != 0 && message.reply_to() == seat.act_request;
  switch (message.body_case()) {
    case v1::ServerMessage::kWelcome:
      return on_welcome(seat, message.welcome());
    case v1::ServerMessage::kRoomJoined:
      return on_joined(seat, message.room_joined());
    case v1::ServerMessage::kSeatTaken: {
      v1::ClientMessage ready = ask(seat);
      ready.mutable_ready()->set_ready(true);
      return send(seat, ready);
    }
    case v1::ServerMessage::kRoom:
      return on_state(message.room());
    case v1::ServerMessage::kGame:
      on_update(seat, message.game());
      if (!answers_act) return;
      ++tally_.acknowledged;
      return settle();
    case v1::ServerMessage::kRoomLeft:
      return on_left(seat);
    case v1::ServerMessage::kError:
      return answers_act ? on_act_refused(seat, message.error()) : on_error(seat, message.error());
    default:
      return;
  }
}

void Room::on_welcome(Seat& seat, const v1::Welcome& welcome) {
  if (!welcome.player_token().empty()) seat.player_token = welcome.player_token();
  seat.greeted = true;
  if (stage_ != Stage::done || !id_.empty()) enter(seat);
}

void Room::on_joined(Seat& seat, const v1::RoomJoined& joined) {
  seat.joined = true;
  if (seat.number == 0) {
    id_ = joined.room().room();
    room_found_ = true;
    for (Seat& other : seats_) enter(other);
  }
  take_part(seat, joined);
  if (joined.has_game()) on_update(seat, joined.game());
  on_state(joined.room());
  if (ledger_ != nullptr && ledger_->in_doubt() && ledger_->in_doubt()->seat == seat.number)
    send_act_in_doubt();
}

void Room::take_part(Seat& seat, const v1::RoomJoined& joined) {
  if (joined.has_seat()) {
    if (joined.seat() != seat.number) fail("somebody has come back to another seat");
    return;
  }
  if (joined.room().status() != v1::ROOM_STATUS_LOBBY) return fail("somebody has lost a seat");
  v1::ClientMessage take = ask(seat);
  take.mutable_take_seat()->set_seat(seat.number);
  send(seat, take);
}

void Room::on_state(const v1::RoomState& state) {
  over_ = over_ || state.status() == v1::ROOM_STATUS_OVER;
  end_if_over();
  const bool all_ready = std::all_of(state.seats().begin(), state.seats().end(),
                                     [](const v1::SeatState& seat) { return seat.taken() && seat.ready(); });
  if (state.status() != v1::ROOM_STATUS_LOBBY || !all_ready || start_asked_) return;
  start_asked_ = true;
  start();
}

void Room::on_update(Seat& seat, const v1::GameUpdate& update) {
  if (ledger_ == nullptr) ledger_ = &ledgers_[id_];
  if (stage_ == Stage::gathering) stage_ = Stage::playing;
  seat.decision = update.decision();
  if (update.has_snapshot() || update.diffs_size() > 0) {
    const std::uint32_t version =
        update.diffs_size() > 0 ? update.diffs().rbegin()->version() : update.snapshot().version();
    if (version < known_version_) fail("the game has gone back to version " + std::to_string(version));
    if (version > ledger_->version() + (ledger_->in_doubt() ? 1 : 0)) fail("somebody else acts");
    ledger_->show(version);
  }
  proceed();
}

void Room::on_left(Seat& seat) {
  seat.entering = seat.joined = false;
  if (stage_ != Stage::leaving) return later(kWhenRefused, [this, &seat] { enter(seat); });
  if (std::any_of(seats_.begin(), seats_.end(), [](const Seat& other) { return other.joined; })) return;
  begin_anew();
  enter(seats_[0]);
}

void Room::on_error(Seat& seat, const v1::Error& error) {
  switch (error.code()) {
    case v1::ERROR_CODE_STORAGE_UNAVAILABLE:
      ++tally_.refused;
      if (seat.joined) return later(kWhenRefused, [this] { start(); });
      seat.entering = false;
      return later(kWhenRefused, [this, &seat] { enter(seat); });
    case v1::ERROR_CODE_UNKNOWN_ROOM:
      // A lobby dies with its server.
      if (ledger_ != nullptr || seat.number != 0) break;
      id_.clear();
      seat.entering = false;
      return enter(seat);
    case v1::ERROR_CODE_SHUTTING_DOWN:
      return;
    default:
      break;
  }
  fail(v1::ErrorCode_Name(error.code()) + ": " + error.message());
}

void Room::on_act_refused(Seat& seat, const v1::Error& error) {
  seat.act_request = 0;
  switch (error.code()) {
    case v1::ERROR_CODE_STORAGE_UNAVAILABLE:
      ++tally_.refused;
      ++refused_;
      return later(kWhenRefused, [this] { send_act_in_doubt(); });
    case v1::ERROR_CODE_STALE_DECISION:
      // Nobody else acts: the server before this one has stored it and died before it could say so.
      if (!doubt_outlived_server_) break;
      ++tally_.found_done;
      return settle();
    case v1::ERROR_CODE_SHUTTING_DOWN:
      return;
    default:
      break;
  }
  fail("an act was refused: " + v1::ErrorCode_Name(error.code()) + ": " + error.message());
}

void Room::on_lost(Seat& seat, const std::string& why) {
  seat.lost_connection = true;
  if (tally_.server_lives) fail("somebody was disconnected: " + why);
}

// ---- Acting: one seat at a time.

void Room::proceed() {
  if (stage_ != Stage::playing || over_ || thinking_ || ledger_->in_doubt()) return;
  const auto asked = std::find_if(seats_.begin(), seats_.end(), [this](const Seat& seat) {
    return seat.joined && seat.decision.actions_size() > 0 && seat.decision.version() == ledger_->version();
  });
  if (asked == seats_.end()) return;
  if (think_ == milliseconds::zero()) return act(*asked);
  thinking_ = true;
  later(think_, [this, &seat = *asked] {
    thinking_ = false;
    act(seat);
  });
}

void Room::act(Seat& seat) {
  const auto count = static_cast<std::uint64_t>(seat.decision.actions_size());
  const v1::Action& picked = seat.decision.actions(static_cast<int>(chance_() % count));
  ledger_->sent({static_cast<rules::Seat>(seat.number), *wire::from_wire(picked)});
  doubt_outlived_server_ = false;
  send_act_in_doubt();
}

void Room::send_act_in_doubt() {
  Seat& seat = seats_[ledger_->in_doubt()->seat];
  v1::ClientMessage message = ask(seat);
  message.mutable_act()->set_version(ledger_->version());
  wire::to_wire(ledger_->in_doubt()->action, *message.mutable_act()->mutable_action());
  seat.act_request = message.request_id();
  send(seat, message);
}

void Room::settle() {
  ledger_->acknowledged();
  end_if_over();
  proceed();
}

void Room::end_if_over() {
  const bool all_here =
      std::all_of(seats_.begin(), seats_.end(), [](const Seat& seat) { return seat.joined; });
  if (!over_ || stage_ != Stage::playing || !all_here || ledger_->in_doubt()) return;
  ++tally_.games_over;
  stage_ = goes_on_ ? Stage::leaving : Stage::done;
  if (!goes_on_) return;
  for (Seat& seat : seats_) {
    v1::ClientMessage message = ask(seat);
    message.mutable_leave_room();
    send(seat, message);
  }
}

// ---- All rooms.

Crowd::Crowd(std::uint64_t seed, std::uint32_t rooms, milliseconds think) {
  for (std::uint32_t n = 0; n < rooms; ++n)
    rooms_.push_back(std::make_unique<Room>(loop_, tally_, ledgers_, seed, n, think));
}

void Crowd::connect(const load::Address& address) {
  tally_.server_lives = true;
  for (const auto& room : rooms_) room->connect(address);
}

bool Crowd::play(milliseconds time, const std::function<bool()>& done) {
  const bool was_done =
      loop_.run(load::Clock::now() + time, [&] { return !tally_.failure.empty() || done(); });
  if (!tally_.failure.empty()) throw e2e::Failure{tally_.failure};
  return was_done;
}

void Crowd::hear_the_last() {
  tally_.server_lives = false;
  const auto all_gone = [this] {
    return std::none_of(rooms_.begin(), rooms_.end(), [](const auto& room) { return room->connected(); });
  };
  if (!play(kLastWords, all_gone)) throw e2e::Failure{"connections to a dead server live on"};
}

void Crowd::end_with_these_games() {
  for (const auto& room : rooms_) room->end_with_this_game();
}

bool Crowd::all_done() const {
  return std::all_of(rooms_.begin(), rooms_.end(), [](const auto& room) { return room->done(); });
}

}  // namespace landsraad::durability
