#include "tools/load/room.h"

#include <algorithm>

namespace landsraad::load {

namespace {

constexpr const char* kSubprotocol = "landsraad.v1";

}  // namespace

Room::Room(Loop& loop, Tally& tally, std::uint32_t number, const Address& address)
    : loop_(loop), tally_(tally), number_(number), chance_(number) {
  // Who opens the room is not always the first to connect: servers deal connections out to threads in turn.
  for (std::size_t i = 0; i < kSeats; ++i) {
    const std::size_t seat = (i + number) % kSeats;
    bots_[seat].room = this;
    bots_[seat].seat = seat;
    connections_[seat].emplace(loop, bots_[seat], address, kSubprotocol);
  }
}

// ---- Requests.

v1::ClientMessage Room::ask(Bot& bot) {
  v1::ClientMessage message;
  message.set_request_id(++bot.last_request);
  return message;
}

void Room::send(Bot& bot, const v1::ClientMessage& message) {
  connections_[bot.seat]->send(message.SerializeAsString());
}

void Room::say_hello(Bot& bot) {
  v1::ClientMessage message = ask(bot);
  message.mutable_hello()->set_name("Load " + std::to_string(number_) + "." + std::to_string(bot.seat));
  message.mutable_hello()->set_client("landsraad-load");
  send(bot, message);
}

void Room::begin(Clock::duration gap, Clock::duration delay) {
  gap_ = gap;
  delay_ = delay;
  if (stage_ == Stage::over) return leave();
  open_room();
}

void Room::open_room() {
  stage_ = Stage::gathering;
  ready_ = left_ = 0;
  version_ = 0;
  round_ = 0;
  acting_ = false;
  for (Bot& bot : bots_) bot.asked = false;
  v1::ClientMessage message = ask(bots_[0]);
  message.mutable_create_room()->mutable_options()->set_players(kSeats);
  send(bots_[0], message);
}

void Room::leave() {
  stage_ = Stage::leaving;
  for (Bot& bot : bots_) {
    v1::ClientMessage message = ask(bot);
    message.mutable_leave_room();
    send(bot, message);
  }
}

void Room::play_up_to(std::int32_t round) {
  one_game_ = true;
  stop_round_ = round;
  proceed();
}

// ---- What the server says.

void Room::on_message(Bot& bot, std::string_view bytes) {
  if (const auto update = read_update(bytes)) return on_update(bot, *update);
  v1::ServerMessage message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return tally_.fail("server: a message that does not parse");
  on_setup(bot, message);
}

void Room::on_setup(Bot& bot, const v1::ServerMessage& message) {
  switch (message.body_case()) {
    case v1::ServerMessage::kWelcome:
      ++greeted_;
      return;
    case v1::ServerMessage::kRoomJoined:
      return on_joined(bot, message.room_joined().room());
    case v1::ServerMessage::kSeatTaken: {
      v1::ClientMessage ready = ask(bot);
      ready.mutable_ready()->set_ready(true);
      bot.ready_request = ready.request_id();
      return send(bot, ready);
    }
    case v1::ServerMessage::kRoom:
      return on_room(bot, message);
    case v1::ServerMessage::kRoomLeft:
      return on_left();
    case v1::ServerMessage::kError:
      return on_error(bot, message);
    default:
      return;
  }
}

void Room::on_joined(Bot& bot, const v1::RoomState& room) {
  v1::ClientMessage seat = ask(bot);
  seat.mutable_take_seat()->set_seat(static_cast<std::uint32_t>(bot.seat));
  send(bot, seat);
  if (bot.seat != 0) return;
  id_ = room.room();
  for (std::size_t other = 1; other < kSeats; ++other) {
    v1::ClientMessage join = ask(bots_[other]);
    join.mutable_join_room()->set_room(id_);
    send(bots_[other], join);
  }
}

void Room::on_room(Bot& bot, const v1::ServerMessage& message) {
  if (message.room().status() == v1::ROOM_STATUS_OVER && stage_ == Stage::playing) {
    ++tally_.games_over;
    if (!one_game_) return leave();
    stage_ = Stage::over;
    return;
  }
  if (message.reply_to() == 0 || message.reply_to() != bot.ready_request || ++ready_ < kSeats) return;
  v1::ClientMessage start = ask(bots_[0]);
  start.mutable_start_game();
  send(bots_[0], start);
}

void Room::on_left() {
  if (stage_ != Stage::leaving) return tally_.fail("server: it closed room " + id_);
  if (++left_ == kSeats) open_room();
}

void Room::on_error(Bot& bot, const v1::ServerMessage& message) {
  const bool late = message.error().code() == v1::ERROR_CODE_STALE_DECISION ||
                    message.error().code() == v1::ERROR_CODE_NOT_YOUR_DECISION;
  if (!late || !acting_ || bot.seat != actor_ || message.reply_to() != act_request_)
    return tally_.fail("server: " + v1::ErrorCode_Name(message.error().code()) + ": " +
                       message.error().message());
  if (tally_.measuring) ++tally_.refused;
  acting_ = false;
  proceed();
}

void Room::on_update(Bot& bot, const Update& update) {
  if (stage_ == Stage::gathering) {
    stage_ = Stage::playing;
    slot_ = Clock::now() + delay_;
  }
  if (stage_ != Stage::playing) return;
  version_ = std::max(version_, update.version);
  if (update.round) round_ = *update.round;
  bot.asked = update.asks;
  bot.asked_version = update.version;
  bot.decision = update.decision;
  if (acting_ && bot.seat == actor_ && update.reply_to == act_request_) {
    acting_ = false;
    tally_.answered(Clock::now() - sent_);
  }
  proceed();
}

// ---- Acting: one seat at a time, as soon as the pace allows.

void Room::proceed() {
  if (stage_ != Stage::playing || acting_ || waiting_ || round_ >= stop_round_) return;
  const auto asked = std::find_if(bots_.begin(), bots_.end(), [this](const Bot& bot) {
    return bot.asked && bot.asked_version == version_;
  });
  if (asked == bots_.end()) return;
  if (gap_ == Clock::duration::zero()) return act(*asked);
  waiting_ = true;
  loop_.at(slot_, [this, bot = &*asked] {
    waiting_ = false;
    if (stage_ == Stage::playing && bot->asked && bot->asked_version == version_) return act(*bot);
    proceed();
  });
}

void Room::act(Bot& bot) {
  const std::string_view action = pick_action(bot.decision, chance_);
  bot.asked = false;
  acting_ = true;
  actor_ = bot.seat;
  act_request_ = ++bot.last_request;
  write_act(act_request_, version_, action, outgoing_);
  sent_ = Clock::now();
  slot_ = std::max(sent_, slot_ + gap_);
  connections_[bot.seat]->send(outgoing_);
}

}  // namespace landsraad::load
