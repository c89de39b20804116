#include "tools/bot/player.h"

#include <algorithm>

#include "rules/wire/fold.h"

namespace landsraad::bot {

namespace {

constexpr std::chrono::milliseconds kWhenBusy{100};
constexpr std::size_t kNonceBytes = 32;

std::uint64_t seed_of(const Options& options, std::uint32_t index) {
  return options.seed == 0 ? std::random_device{}() : options.seed + index;
}

}  // namespace

Player::Player(const Options& options, SeatTokens& seats, std::uint32_t index)
    : options_(options), seats_(seats), index_(index), chance_(seed_of(options, index)) {}

bool Player::may_connect() const { return index_ == 0 || !seats_.room.empty(); }

v1::ClientMessage& Player::ask(std::chrono::milliseconds after) {
  outgoing_.push_back({{}, after});
  v1::ClientMessage& message = outgoing_.back().message;
  message.set_request_id(++last_request_);
  return message;
}

std::optional<Outgoing> Player::next_message() {
  if (outgoing_.empty()) return std::nullopt;
  Outgoing next = std::move(outgoing_.front());
  outgoing_.pop_front();
  return next;
}

void Player::fail(const std::string& why) {
  status_ = Status::failed;
  failure_ = why;
}

void Player::connected() {
  outgoing_.clear();
  last_request_ = 0;
  in_room_ = waits_for_seat_ = start_asked_ = record_asked_ = false;
  status_ = Status::playing;
  v1::Hello& hello = *ask().mutable_hello();
  hello.set_name(options_.name + " " + std::to_string(index_ + 1));
  hello.set_client("landsraad-bot");
  hello.set_player_token(seats_.players[index_]);
}

void Player::enter_room() {
  if (seats_.room.empty()) {
    v1::RoomOptions& options = *ask().mutable_create_room()->mutable_options();
    options.set_players(options_.players);
    if (options_.pick_leaders) options.set_leader_selection(v1::LEADER_SELECTION_PICK);
    return;
  }
  v1::JoinRoom& join = *ask().mutable_join_room();
  join.set_room(seats_.room);
  join.set_seat_token(seats_.tokens[index_]);
  if (holds_view_) join.set_held_version(version_);
}

void Player::take_part() {
  if (!seat_) {
    if (room_.status() != v1::ROOM_STATUS_LOBBY)
      return fail("the game has begun and this bot has no seat in it");
    ask().mutable_take_seat();
    return;
  }
  const bool ready =
      static_cast<int>(*seat_) < room_.seats_size() && room_.seats(static_cast<int>(*seat_)).ready();
  if (room_.status() == v1::ROOM_STATUS_LOBBY && !ready) give_ready();
}

void Player::give_ready() {
  v1::Ready& ready = *ask().mutable_ready();
  ready.set_ready(true);
  // Our share in the seed: the server has committed to its own before it sees this.
  std::random_device chance;
  std::string nonce(kNonceBytes, '\0');
  for (char& byte : nonce) byte = static_cast<char>(chance());
  ready.set_nonce(nonce);
}

// A seat may come free while the room is in the lobby: somebody leaves, or was away for too long.
void Player::take_free_seat() {
  if (!in_room_ || seat_) return;
  if (room_.status() != v1::ROOM_STATUS_LOBBY)
    return fail("the game has begun and this bot has no seat in it");
  const bool any_free = std::any_of(room_.seats().begin(), room_.seats().end(),
                                    [](const v1::SeatState& seat) { return !seat.taken(); });
  if (!waits_for_seat_ || !any_free) return;
  waits_for_seat_ = false;
  ask().mutable_take_seat();
}

void Player::start_when_all_are_ready() {
  const bool all_ready = std::all_of(room_.seats().begin(), room_.seats().end(),
                                     [](const v1::SeatState& seat) { return seat.taken() && seat.ready(); });
  // One player of the process asks. Bots of several processes may all ask; the server takes the first.
  if (index_ != 0 || !seat_ || start_asked_ || !all_ready || room_.status() != v1::ROOM_STATUS_LOBBY) return;
  start_asked_ = true;
  ask().mutable_start_game();
}

void Player::resync() {
  v1::Resync& request = *ask().mutable_resync();
  if (holds_view_) request.set_held_version(version_);
}

void Player::answer(const v1::LegalActions& decision) {
  decision_ = decision;
  v1::Act& act = *ask(options_.think).mutable_act();
  act.set_version(decision.version());
  *act.mutable_action() = choose(options_.policy, decision, view_, chance_);
}

void Player::receive(const v1::ServerMessage& message) {
  switch (message.body_case()) {
    case v1::ServerMessage::kWelcome:
      on_welcome(message.welcome());
      break;
    case v1::ServerMessage::kRoomJoined:
      on_joined(message.room_joined());
      break;
    case v1::ServerMessage::kSeatTaken:
      on_seat(message.seat_taken());
      break;
    case v1::ServerMessage::kRoom:
      on_room(message.room());
      break;
    case v1::ServerMessage::kGame:
      on_update(message.game());
      break;
    case v1::ServerMessage::kError:
      on_error(message.error());
      break;
    case v1::ServerMessage::kRecord:
      record_ = message.record();
      break;
    case v1::ServerMessage::kRoomLeft:
      status_ = Status::connection_is_useless;
      break;
    default:
      break;
  }
  check_whether_over();
}

void Player::on_welcome(const v1::Welcome& welcome) {
  if (!welcome.player_token().empty()) {
    seats_.players[index_] = welcome.player_token();
    save_seats();
  }
  enter_room();
}

void Player::on_room(const v1::RoomState& room) {
  room_ = room;
  if (commitment_.empty()) commitment_ = room.seed_commitment();
  take_free_seat();
  start_when_all_are_ready();
}

void Player::on_joined(const v1::RoomJoined& joined) {
  in_room_ = true;
  seats_.room = joined.room().room();
  seat_ = joined.has_seat() ? std::optional{joined.seat()} : std::nullopt;
  save_seats();
  room_ = joined.room();
  take_part();
  if (status_ == Status::playing) on_room(joined.room());
  if (joined.has_game()) on_update(joined.game());
}

void Player::on_seat(const v1::SeatTaken& taken) {
  seat_ = taken.seat();
  seats_.tokens[index_] = taken.seat_token();
  save_seats();
  take_part();
  if (taken.has_game()) on_update(taken.game());
}

void Player::save_seats() {
  if (options_.token_file.empty() || seats_.room.empty()) return;
  if (!save_tokens(options_.token_file, seats_)) fail("cannot write the token file " + options_.token_file);
}

void Player::on_update(const v1::GameUpdate& update) {
  if (update.has_snapshot()) {
    view_ = update.snapshot().view();
    version_ = update.snapshot().version();
    holds_view_ = true;
  }
  for (const v1::Diff& diff : update.diffs()) {
    if (!holds_view_ || diff.version() != version_ + 1) return resync();
    wire::fold(view_, diff.changes());
    version_ = diff.version();
  }
  if (update.has_decision()) answer(update.decision());
}

void Player::on_error(const v1::Error& error) {
  switch (error.code()) {
    case v1::ERROR_CODE_STALE_DECISION:
    case v1::ERROR_CODE_NOT_YOUR_DECISION:
      return resync();
    case v1::ERROR_CODE_GAME_OVER:
    case v1::ERROR_CODE_PAUSED:
      return;  // the room's state says so too; after a pause the decision comes again
    case v1::ERROR_CODE_BOT_PLAYS:
      ask().mutable_autoplay()->set_on(false);
      return;
    case v1::ERROR_CODE_BUSY:
    case v1::ERROR_CODE_TOO_FAST:
    case v1::ERROR_CODE_STORAGE_UNAVAILABLE:
      record_asked_ = false;
      // Asking for the present state brings the decision again, if it is still ours.
      ask(kWhenBusy).mutable_resync();
      return;
    case v1::ERROR_CODE_SEAT_NOT_FREE:
      waits_for_seat_ = true;
      return take_free_seat();
    case v1::ERROR_CODE_NOT_READY:
    case v1::ERROR_CODE_ALREADY_STARTED:
      return;  // somebody else was faster
    case v1::ERROR_CODE_SHUTTING_DOWN:
    case v1::ERROR_CODE_UNKNOWN_ROOM:
    case v1::ERROR_CODE_TOO_MANY_ROOMS:
    case v1::ERROR_CODE_ROOM_FULL:
      status_ = Status::connection_is_useless;
      failure_ = error.message();
      return;
    default:
      return fail(v1::ErrorCode_Name(error.code()) + ": " + error.message());
  }
}

void Player::check_whether_over() {
  if (status_ != Status::playing) return;
  if (room_.status() != v1::ROOM_STATUS_OVER) return;
  if (room_.ending() == v1::ENDING_PLAYED && view_.phase() != v1::PHASE_OVER)
    return;  // the last update is to come
  const bool wants_record = index_ == 0 && !options_.record_file.empty();
  if (!wants_record || record_) {
    status_ = Status::over;
  } else if (!record_asked_) {
    record_asked_ = true;
    ask().mutable_get_record();
  }
}

}  // namespace landsraad::bot
