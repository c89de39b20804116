#include "tests/simulation/bot.h"

#include <algorithm>
#include <utility>

#include "rules/wire/fold.h"
#include "server/room/secrets.h"

namespace landsraad::simulation {

namespace {

constexpr Span kLookAround = 1s;
constexpr int kGreed = 15;

bool is_ready(const v1::RoomState& room) {
  for (const v1::SeatState& seat : room.seats())
    if (!seat.ready()) return false;
  return room.seats_size() > 0;
}

}  // namespace

Bot::Bot(Clockwork& clock, Chance& chance, Network& network, Oracle& oracle, const Manners& manners,
         Table& table, Person& person, Role role)
    : clock_(clock),
      chance_(chance),
      network_(network),
      oracle_(oracle),
      manners_(manners),
      table_(table),
      person_(person),
      role_(role) {
  clock_.in(between(chance_, 0ms, kLookAround), [this] { look_around(); });
}

std::string Bot::who() const {
  const char* as = role_ == Role::spectator    ? " (spectator)"
                   : role_ == Role::second_tab ? " (second tab)"
                                               : "";
  return person_.name + as + " in " + table_.room;
}

void Bot::fail(const std::string& what) { oracle_.fail(who() + ": " + what); }

// ---- The connection.

void Bot::connect() {
  if (connected_) return;
  session_ = network_.connect(*this);
  connected_ = true;
  greeted_ = in_room_ = false;
  last_request_ = 0;
  open_.clear();
  v1::ClientMessage hello;
  hello.mutable_hello()->set_name(person_.name);
  hello.mutable_hello()->set_player_token(person_.player_token);
  send(std::move(hello));
}

void Bot::cut(SessionId session) {
  if (session != session_) return;
  connected_ = false;
  const Span away =
      manners_.calm || !one_in(chance_, 6) ? between(chance_, 50ms, 2s) : between(chance_, 5s, 40s);
  clock_.in(away, [this] { connect(); });
}

// ---- What to do.

void Bot::look_around() {
  go_on();
  clock_.in(kLookAround, [this] { look_around(); });
}

void Bot::go_on() {
  if (std::exchange(thinking_, true)) return;
  clock_.in(between(chance_, 1ms, manners_.longest_thought), [this] {
    thinking_ = false;
    if (connected_ && greeted_ && clock_.now() >= quiet_until_ && open_.empty()) next_request();
  });
}

void Bot::next_request() {
  if (!in_room_) return enter();
  if (!manners_.calm && one_in(chance_, manners_.odd_request)) return do_something_odd();
  if (room_.status() == v1::ROOM_STATUS_LOBBY) return ask_for_seat();
  if (role_ == Role::second_tab && seat_ == rules::kNoSeat && !person_.token.empty()) return ask_for_seat();
  if (seat_ == rules::kNoSeat || room_.status() != v1::ROOM_STATUS_PLAYING) return;
  if (answer_the_table()) return;
  if (!manners_.calm && one_in(chance_, manners_.raises_matters)) return raise_a_matter();
  if (room_.paused() || control() != v1::SEAT_CONTROL_OWNER) return;
  if (!manners_.calm && undo_to_ && one_in(chance_, manners_.undoes)) return undo();
  if (decision_ && *version_ < table_.target) play();
}

void Bot::enter() {
  v1::ClientMessage message;
  if (table_.room.empty()) {
    if (role_ != Role::host) return;
    *message.mutable_create_room()->mutable_options() = table_.options;
    return send(std::move(message));
  }
  v1::JoinRoom& join = *message.mutable_join_room();
  join.set_room(table_.room);
  const bool owns = role_ != Role::spectator && !person_.token.empty() && person_.room == table_.room;
  if (owns) join.set_seat_token(person_.token);
  const bool same_view = held_room_ == table_.room && seat_ == (owns ? person_.seat : rules::kNoSeat);
  if (version_ && same_view && !one_in(chance_, 3)) join.set_held_version(*version_);
  send(std::move(message));
}

void Bot::ask_for_seat() {
  v1::ClientMessage message;
  if (seat_ == rules::kNoSeat) {
    const bool owns = !person_.token.empty() && person_.room == table_.room;
    if (role_ == Role::spectator || (role_ == Role::second_tab && !owns)) return;
    v1::TakeSeat& take = *message.mutable_take_seat();
    if (owns) take.set_seat_token(person_.token);
    return send(std::move(message));
  }
  if (!room_.seats(seat_).ready()) {
    message.mutable_ready()->set_ready(true);
    if (one_in(chance_, 2)) message.mutable_ready()->set_nonce(std::string(chance_.below(33), 'n'));
  } else if (is_ready(room_))
    message.mutable_start_game();
  else
    return;
  send(std::move(message));
}

void Bot::play() {
  v1::ClientMessage message;
  v1::Act& act = *message.mutable_act();
  act.set_version(*version_);
  *act.mutable_action() = decision_->actions(
      static_cast<int>(chance_.below(static_cast<std::uint32_t>(decision_->actions_size()))));
  if (manners_.calm) return send(std::move(message));
  const bool late = *version_ > 0 && one_in(chance_, manners_.wrong_version);
  const bool forged = one_in(chance_, manners_.forges);
  if (late) act.set_version(chance_.below(*version_ + 2));
  if (forged) act.mutable_action()->set_subject(chance_.below(300));
  const std::uint32_t times = one_in(chance_, manners_.sends_twice) ? between(chance_, 2, 3) : 1;
  send(message, !late && !forged, times);
  // A double click: the same answer under another number.
  if (one_in(chance_, manners_.sends_twice)) send(std::move(message), !late && !forged);
}

void Bot::undo() {
  v1::ClientMessage message;
  message.mutable_undo()->set_version(*version_);
  // Any version but the first may itself have been undone, and then it cannot be gone back to.
  const std::uint32_t further = one_in(chance_, 2) ? 0 : chance_.below(*version_ - *undo_to_);
  message.mutable_undo()->set_to(*undo_to_ + further);
  send(std::move(message), further == 0);
}

// ---- What players settle among themselves. In calm they get the game on.

v1::SeatControl Bot::control() const { return room_.seats(seat_).control(); }

bool Bot::answer_the_table() {
  v1::ClientMessage message;
  const auto& asked = room_.proposal().asked();
  const bool may_wait = !manners_.calm && !one_in(chance_, 4);
  if (std::find(asked.begin(), asked.end(), seat_) != asked.end()) {
    if (may_wait) return false;
    message.mutable_vote()->set_proposal(room_.proposal().id());
    const v1::Propose& what = room_.proposal().what();
    const bool gets_on = what.has_pause() && !what.pause();
    message.mutable_vote()->set_agree(manners_.calm ? gets_on : !one_in(chance_, 4));
  } else if (control() == v1::SEAT_CONTROL_BOT) {
    if (may_wait) return false;
    message.mutable_autoplay()->set_on(false);
  } else if (room_.paused() && !room_.has_proposal() && control() == v1::SEAT_CONTROL_OWNER) {
    if (may_wait) return false;
    message.mutable_propose()->set_pause(false);
  } else {
    return false;
  }
  send(std::move(message), false);
  return true;
}

void Bot::raise_a_matter() {
  v1::ClientMessage message;
  switch (chance_.below(11)) {
    case 0:
      message.mutable_autoplay()->set_on(!one_in(chance_, 4));
      break;
    case 1:
      message.mutable_propose()->set_pause(!one_in(chance_, 4));
      break;
    case 2:
    case 3:
      message.mutable_propose()->set_undo_to(chance_.below(*version_ + 2));
      break;
    case 4:
      if (!one_in(chance_, 3)) return;
      message.mutable_propose()->set_end(true);
      break;
    case 5:
      message.mutable_propose()->set_bot_seat(chance_.below(5));
      break;
    case 6:
      if (!one_in(chance_, 4)) return;
      message.mutable_resign();
      break;
    case 7:
      message.mutable_plan()->set_pass_combat(one_in(chance_, 2));
      message.mutable_plan()->set_printed_order(one_in(chance_, 2));
      break;
    case 8:
      message.mutable_chat()->set_text("The spice must flow.");
      break;
    case 9:
      message.mutable_preview_reveal();
      break;
    default:
      message.mutable_get_log()->set_after(chance_.below(*version_ + 2));
  }
  send(std::move(message), false);
}

void Bot::do_something_odd() {
  v1::ClientMessage message;
  switch (chance_.below(9)) {
    case 0:
      message.mutable_ping();
      break;
    case 1:
      message.mutable_list_rooms();
      break;
    case 2:  // out of turn, or from the side
      if (!version_) return;
      message.mutable_act()->set_version(*version_);
      message.mutable_act()->mutable_action()->set_kind(v1::ACTION_KIND_DONE);
      break;
    case 3:
      message.mutable_take_seat()->set_seat_token("00112233445566778899aabbccddeeff");
      break;
    case 4:
      if (!one_in(chance_, 3)) return;
      message.mutable_leave_room();
      break;
    case 5:  // no message at all; answered without a number
      return network_.send_up(session_, "\x0f\xff\x07 is no message");
    case 6:
      if (!one_in(chance_, 3)) return;
      network_.close(session_);
      return cut(session_);
    case 7:  // asks for more than it can read: may be dropped as a slow reader
      if (!version_) return;
      message.mutable_resync();
      for (int n = 0; n < kGreed; ++n) send(message, false);
      break;
    default:
      if (!version_) return;
      message.mutable_resync();
      if (!one_in(chance_, 3)) message.mutable_resync()->set_held_version(*version_);
  }
  send(std::move(message), false);
}

void Bot::send(v1::ClientMessage message, bool honest, std::uint32_t times) {
  last_request_ += manners_.calm ? 1 : between(chance_, 1, 3);
  message.set_request_id(last_request_);
  if (message.has_act()) oracle_.asked(session_, last_request_, held_room_, seat_, message.act());
  if (message.has_undo()) oracle_.asked(session_, last_request_, held_room_, seat_, message.undo());
  const std::string frame = message.SerializeAsString();
  open_[last_request_] = {std::move(message), times, 0, 0, honest};
  for (std::uint32_t n = 0; n < times; ++n) network_.send_up(session_, frame);
}

// ---- What has come.

void Bot::arrived(SessionId session, const std::string& frame) {
  if (session != session_ || !connected_) return;
  v1::ServerMessage message;
  if (!message.ParseFromString(frame)) return fail("got a frame that is no message");
  // An action may have been shown while a Resync was on its way: its answer begins with what is held by now.
  const auto asked = open_.find(message.reply_to());
  const bool overlaps = asked != open_.end() && asked->second.message.resync().has_held_version();
  if (message.reply_to() != 0)
    take_answer(message);
  else if (message.has_room_left())
    in_room_ = false;
  if (message.has_room()) take(message.room());
  if (message.has_game()) take(message.game(), overlaps);
  go_on();
}

void Bot::take_answer(const v1::ServerMessage& message) {
  const auto found = open_.find(message.reply_to());
  if (found == open_.end()) return fail("got an answer to nothing it asked: " + message.ShortDebugString());
  Sent& sent = found->second;
  const bool repeated = message.error().code() == v1::ERROR_CODE_REPEATED_REQUEST;
  ++(repeated ? sent.refused_as_repeated : sent.answers);
  if (repeated) ++oracle_.counts.repeated;
  if (sent.answers > 1 || sent.refused_as_repeated >= sent.times)
    return fail("got two answers to one request: " + sent.message.ShortDebugString());
  const Sent answered = sent;
  if (sent.answers + sent.refused_as_repeated == sent.times) open_.erase(found);
  if (repeated) return;

  if (message.has_error()) return take_error(answered, message.error().code());
  if (message.has_welcome()) greeted_ = true;
  if (message.has_welcome() && !message.welcome().player_token().empty())
    person_.player_token = message.welcome().player_token();
  if (message.has_room_left()) in_room_ = false;
  if (message.has_room_joined()) take(message.room_joined(), answered);
  if (message.has_seat_taken()) take(message.seat_taken());
}

void Bot::take_error(const Sent& sent, v1::ErrorCode code) {
  quiet_until_ = clock_.now() + between(chance_, 50ms, 1s);
  const v1::ClientMessage& asked = sent.message;
  switch (code) {
    case v1::ERROR_CODE_UNKNOWN_ROOM:
      return room_is_gone(asked.join_room().room());
    case v1::ERROR_CODE_WRONG_TOKEN:
      if (asked.has_join_room()) token_is_worthless(asked.join_room().room());
      return;
    case v1::ERROR_CODE_STALE_DECISION:
      if (sent.honest && version_ && *version_ <= std::max(asked.act().version(), asked.undo().version()))
        fail("was told that its answer was late before it was told what had happened");
      return;
    case v1::ERROR_CODE_ILLEGAL_ACTION:
    case v1::ERROR_CODE_NOTHING_TO_UNDO:
    case v1::ERROR_CODE_NOT_YOUR_DECISION:
      if (sent.honest) fail("had a listed action refused: " + asked.ShortDebugString());
      return;
    case v1::ERROR_CODE_MALFORMED:
    case v1::ERROR_CODE_HELLO_FIRST:
    case v1::ERROR_CODE_BAD_NAME:
    case v1::ERROR_CODE_BAD_OPTIONS:
    case v1::ERROR_CODE_GAME_UNREADABLE:
      return fail("got an error it never earned, " + v1::ErrorCode_Name(code) + ": " +
                  asked.ShortDebugString());
    default:
      return;  // tried again after a while, if it is still wanted
  }
}

void Bot::room_is_gone(const room::RoomId& room) {
  if (oracle_.chronicle(room) != nullptr) return fail("was told that a game that has begun is not there");
  if (table_.room == room) table_.room.clear();
}

void Bot::token_is_worthless(const room::RoomId& room) {
  const Chronicle* game = oracle_.chronicle(room);
  const auto token = room::token_from_text(person_.token);
  if (game != nullptr && person_.room == room && token &&
      game->opening.seats[person_.seat].token == room::hash(*token))
    return fail("had the token of its own seat refused");
  person_.token.clear();
}

void Bot::take(const v1::RoomJoined& joined, const Sent& sent) {
  in_room_ = true;
  const room::RoomId& id = joined.room().room();
  if (sent.message.has_create_room()) table_.room = id;
  const bool with_token = !sent.message.join_room().seat_token().empty();
  if (with_token && !joined.has_seat()) return fail("was given no seat with its token");
  if (with_token && joined.seat() != person_.seat) return fail("was given another seat than its own");
  const rules::Seat seat = joined.has_seat() ? static_cast<rules::Seat>(joined.seat()) : rules::kNoSeat;
  if (joined.has_seat() && role_ == Role::spectator) return fail("was given a seat it never took");
  if (joined.has_seat() && person_.room != id) person_.token.clear();  // SeatTaken got lost
  if (joined.has_seat()) person_.room = id, person_.seat = seat;
  person_number_ = joined.person();
  if (id != held_room_ || seat != seat_ || !joined.has_game()) version_.reset();
  held_room_ = id;
  seat_ = seat;
  decision_.reset();
  take(joined.room());
  if (joined.has_game()) take(joined.game());
}

void Bot::take(const v1::SeatTaken& taken) {
  seat_ = static_cast<rules::Seat>(taken.seat());
  person_.token = taken.seat_token();
  person_.room = held_room_;
  person_.seat = seat_;
  version_.reset();
  if (taken.has_game()) take(taken.game());
}

void Bot::take(const v1::RoomState& room) {
  if (room.room() != held_room_) return fail("was sent the state of another room");
  room_ = room;
  if (room.status() != v1::ROOM_STATUS_LOBBY) return;
  // A seat that was free for too long is lost; one may also be taken in another window.
  rules::Seat seat = rules::kNoSeat;
  for (const v1::Person& person : room.people())
    if (person.id() == person_number_ && person.has_seat()) seat = static_cast<rules::Seat>(person.seat());
  if (seat != seat_) version_.reset();
  seat_ = seat;
}

void Bot::take(const v1::GameUpdate& update, bool overlaps) {
  if (update.has_snapshot()) {
    version_ = update.snapshot().version();
    view_ = update.snapshot().view();
  }
  for (const v1::Diff& diff : update.diffs()) {
    if (overlaps && version_ && diff.version() <= *version_) continue;
    if (!version_ || diff.version() != *version_ + 1)
      return fail("got a diff to version " + std::to_string(diff.version()) + " that does not fit on");
    version_ = diff.version();
    wire::fold(view_, diff.changes());
  }
  if (!version_) return fail("got an update that starts from nothing");
  decision_.reset();
  undo_to_.reset();
  if (update.has_undo_to()) undo_to_ = update.undo_to();
  if (update.has_decision()) decision_ = update.decision();
  if (decision_ && decision_->version() != *version_) fail("got a decision of another version than its view");
}

// ---- At rest.

void Bot::check_at_rest() {
  if (!connected_ || !greeted_ || !in_room_) return fail("is not in the room at rest");
  if (!open_.empty()) return fail("has no answer to " + open_.begin()->second.message.ShortDebugString());
  if (role_ != Role::spectator && seat_ == rules::kNoSeat) return fail("has no seat at rest");
  if (!version_) return fail("holds no view at rest");
  oracle_.check_view(table_.room, seat_, *version_, view_, who());
  const Chronicle* game = oracle_.chronicle(table_.room);
  if (game == nullptr) return;
  const bool must = seat_ != rules::kNoSeat && game->waits_for(seat_) && !game->paused &&
                    game->control[seat_] == v1::SEAT_CONTROL_OWNER;
  if (must != decision_.has_value())
    fail(must ? "must decide but was not asked" : "was asked what it need not decide");
  if (game->over() && room_.status() != v1::ROOM_STATUS_OVER) fail("has not been told that the game is over");
}

}  // namespace landsraad::simulation
