#include "server/room/hall.h"

#include <algorithm>
#include <utility>

#include "rules/wire/catalogue.h"
#include "server/room/names.h"
#include "server/room/options.h"
#include "server/room/version.h"

namespace landsraad::room {

namespace {

// Requests that begin something new; refused while the server shuts down.
bool begins_something(v1::ClientMessage::BodyCase body) {
  switch (body) {
    case v1::ClientMessage::kCreateRoom:
    case v1::ClientMessage::kJoinRoom:
    case v1::ClientMessage::kTakeSeat:
    case v1::ClientMessage::kStartGame:
    case v1::ClientMessage::kAct:
    case v1::ClientMessage::kRematch:
    case v1::ClientMessage::kUndo:
    case v1::ClientMessage::kPropose:
    case v1::ClientMessage::kVote:
    case v1::ClientMessage::kResign:
    case v1::ClientMessage::kAutoplay:
    case v1::ClientMessage::kTransfer:
    case v1::ClientMessage::kInvite:
      return true;
    default:
      return false;
  }
}

void write_limits(const Limits& limits, v1::Limits& out) {
  out.set_frame_bytes(static_cast<std::uint32_t>(limits.frame_bytes));
  out.set_name_bytes(static_cast<std::uint32_t>(limits.name_bytes));
  out.set_list_page(static_cast<std::uint32_t>(limits.list_page));
  out.set_spectators(static_cast<std::uint32_t>(limits.spectators));
  out.set_diffs(static_cast<std::uint32_t>(limits.diffs));
  out.set_outgoing_bytes(static_cast<std::uint32_t>(limits.outgoing_bytes));
  out.set_chat_bytes(static_cast<std::uint32_t>(limits.chat_bytes));
  out.set_log_page(static_cast<std::uint32_t>(limits.log_page));
  out.set_messages_per_second(static_cast<std::uint32_t>(limits.messages_per_second));
  out.set_message_burst(static_cast<std::uint32_t>(limits.message_burst));
}

}  // namespace

std::size_t hall_of(const RoomId& room, std::size_t halls) {
  // FNV-1a: the same on every machine, whatever the standard library hashes with.
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const char c : room) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return static_cast<std::size_t>(sum % halls);
}

Hall::Hall(const Limits& limits, const Library& library, Entropy entropy, std::size_t index,
           std::size_t halls, Instant began)
    : house_{limits, &library, std::move(entropy), began, {}}, index_(index), halls_(halls) {
  house_.limits.rooms = std::max<std::size_t>(1, limits.rooms / halls);
}

// ---- Connections.

void Hall::connect(SessionId session) { visitors_.emplace(session, Visitor{}); }

void Hall::adopt(SessionId session, Visitor visitor, std::string_view frame, Instant now, Outbox& out) {
  // The frame has been read once already, up to finding that its room is here.
  if (!read_frame(frame, house_.limits.nesting, incoming_)) return;
  Visitor& here = visitors_[session] = std::move(visitor);
  join_room(here, {session, incoming_.request_id()}, incoming_.join_room(), now, out);
  settle(out);
}

std::optional<Departure> Hall::receive(SessionId session, std::string_view frame, Instant now, Outbox& out) {
  const auto it = visitors_.find(session);
  if (it == visitors_.end()) return std::nullopt;
  Visitor& visitor = it->second;
  v1::ClientMessage& message = incoming_;
  if (!read_frame(frame, house_.limits.nesting, message)) {
    refuse(out, {session, 0}, v1::ERROR_CODE_MALFORMED);
    if (visitor.conduct.babble(house_.limits) == Conduct::Verdict::part)
      out.partings.push_back({session, Farewell::malformed});
    return std::nullopt;
  }
  const Request from{session, message.request_id()};
  if (!may_ask(visitor, from, message, now, out)) return std::nullopt;
  if (from.id <= visitor.last_request) {
    refuse(out, from, v1::ERROR_CODE_REPEATED_REQUEST);
    return std::nullopt;
  }
  visitor.last_request = from.id;
  if (!visitor.greeted && message.body_case() != v1::ClientMessage::kHello) {
    refuse(out, from, v1::ERROR_CODE_HELLO_FIRST);
    return std::nullopt;
  }
  if (shutting_down_ && begins_something(message.body_case())) {
    refuse(out, from, v1::ERROR_CODE_SHUTTING_DOWN);
    return std::nullopt;
  }
  if (message.has_join_room() && visitor.room.empty()) {
    const std::size_t hall = hall_of(message.join_room().room(), halls_);
    if (hall != index_ && visitor.inquiries > 0) {
      refuse(out, from, v1::ERROR_CODE_BUSY, "An earlier request of yours is still being carried out.");
      return std::nullopt;
    }
    if (hall != index_) {
      Departure departure{hall, std::move(visitor)};
      visitors_.erase(it);
      return departure;
    }
  }
  dispatch(visitor, from, message, now, out);
  settle(out);
  return std::nullopt;
}

void Hall::disconnect(SessionId session, Instant now, Outbox& out) {
  const auto it = visitors_.find(session);
  if (it == visitors_.end()) return;
  const auto room = rooms_.find(it->second.room);
  visitors_.erase(it);
  if (room != rooms_.end()) room->second.disconnect(session, now, out);
  settle(out);
}

// ---- Requests.

void Hall::dispatch(Visitor& visitor, Request from, const v1::ClientMessage& message, Instant now,
                    Outbox& out) {
  switch (message.body_case()) {
    case v1::ClientMessage::kHello:
      return hello(visitor, from, message.hello(), out);
    case v1::ClientMessage::kListRooms:
      return list_rooms(visitor, from, message.list_rooms(), out);
    case v1::ClientMessage::kCreateRoom:
      return create_room(visitor, from, message.create_room(), now, out);
    case v1::ClientMessage::kJoinRoom:
      return join_room(visitor, from, message.join_room(), now, out);
    case v1::ClientMessage::kLeaveRoom:
      return leave_room(visitor, from, now, out);
    case v1::ClientMessage::kGetCatalogue:
      return send_catalogue(visitor, from, message.get_catalogue(), out);
    case v1::ClientMessage::kForgetMe:
      return forget_player(visitor, from, out);
    case v1::ClientMessage::kPing: {
      v1::ServerMessage pong;
      pong.mutable_pong();
      return answer(out, from, pong);
    }
    case v1::ClientMessage::BODY_NOT_SET:
      return refuse(out, from, v1::ERROR_CODE_MALFORMED);
    default:
      return in_room(visitor, from, message, now, out);
  }
}

void Hall::in_room(Visitor& visitor, Request from, const v1::ClientMessage& message, Instant now,
                   Outbox& out) {
  const auto it = rooms_.find(visitor.room);
  if (it == rooms_.end()) return refuse(out, from, v1::ERROR_CODE_NOT_IN_A_ROOM);
  if (message.has_rematch()) return open_rematch(it->second, from, message.rematch().order(), now, out);
  it->second.handle(from, message, now, out);
}

void Hall::open_rematch(Room& room, Request from, v1::SeatOrder order, Instant now, Outbox& out) {
  std::optional<Founding> founding = room.found_rematch(from, order, out);
  if (!founding || !has_place_for_a_room(from, out)) return;
  const RoomId id = draw_free_id();
  const Room& next = rooms_.try_emplace(id, house_, id, std::move(*founding), now).first->second;
  out.changes.push_back(next.line());
  room.rematch_opened(id, from, out);
}

void Hall::hello(Visitor& visitor, Request from, const v1::Hello& request, Outbox& out) {
  std::optional<std::string> name = clean_name(request.name(), house_.limits);
  if (!name) return refuse(out, from, v1::ERROR_CODE_BAD_NAME);
  if (!visitor.room.empty()) return refuse(out, from, v1::ERROR_CODE_IN_A_ROOM);
  const bool is_new = request.player_token().empty();
  const std::optional<Token> token =
      is_new ? draw_token(house_.entropy) : token_from_text(request.player_token());
  if (!token)
    return refuse(out, from, v1::ERROR_CODE_WRONG_TOKEN, "A player token has 32 hexadecimal digits.");
  visitor.greeted = true;
  visitor.caller = {std::move(*name), hash(*token)};
  v1::ServerMessage message;
  v1::Welcome& welcome = *message.mutable_welcome();
  if (is_new) welcome.set_player_token(to_text(*token));
  welcome.set_server(kServerName.data(), kServerName.size());
  v1::Product& product = *welcome.add_products();
  product.set_id(house_.library->current().product);
  product.set_content_version(house_.library->current().version);
  write_limits(house_.limits, *welcome.mutable_limits());
  answer(out, from, message);
}

void Hall::create_room(Visitor& visitor, Request from, const v1::CreateRoom& request, Instant now,
                       Outbox& out) {
  if (!visitor.room.empty()) return refuse(out, from, v1::ERROR_CODE_IN_A_ROOM);
  v1::RoomOptions options = request.options();
  if (const auto why = complete(options, house_.library->current().product, house_.limits))
    return refuse(out, from, why->code, why->sentence);
  if (request.password().size() > kMaxPasswordBytes)
    return refuse(out, from, v1::ERROR_CODE_BAD_OPTIONS, "A password has at most 128 bytes.");
  if (directory_.lobbies_of(visitor.caller.player) >= house_.limits.player_lobbies)
    return refuse(out, from, v1::ERROR_CODE_TOO_MANY_OF_YOURS);
  if (!has_place_for_a_room(from, out)) return;

  options.set_password(!request.password().empty());
  Founding founding{std::move(options), {}, visitor.caller.player};
  if (!request.password().empty()) founding.door.password = lock_with(request.password(), house_.entropy);
  const RoomId id = draw_free_id();
  Room& room = rooms_.try_emplace(id, house_, id, std::move(founding), now).first->second;
  visitor.room = id;
  room.join(from, visitor.caller, {}, now, out);
}

void Hall::join_room(Visitor& visitor, Request from, const v1::JoinRoom& request, Instant now, Outbox& out) {
  if (!visitor.room.empty()) return refuse(out, from, v1::ERROR_CODE_IN_A_ROOM);
  auto it = rooms_.find(request.room());
  if (it == rooms_.end()) {
    if (!is_room_id(request.room())) return refuse(out, from, v1::ERROR_CODE_UNKNOWN_ROOM);
    // Only when it is known that there is such a game does another room make place for it, see stored().
    if (rooms_.size() >= house_.limits.rooms && !dispensable_room())
      return refuse(out, from, v1::ERROR_CODE_TOO_MANY_ROOMS);
    falling_asleep_.erase(request.room());
    it = rooms_.emplace(request.room(), Room::wake(house_, request.room(), now, out)).first;
  }
  if (it->second.join(from, visitor.caller, request, now, out)) visitor.room = request.room();
}

void Hall::leave_room(Visitor& visitor, Request from, Instant now, Outbox& out) {
  const auto it = rooms_.find(visitor.room);
  if (it == rooms_.end()) return refuse(out, from, v1::ERROR_CODE_NOT_IN_A_ROOM);
  if (it->second.leave(from, now, out)) visitor.room.clear();
}

void Hall::send_catalogue(const Visitor& visitor, Request from, const v1::GetCatalogue& request,
                          Outbox& out) {
  const auto room = rooms_.find(visitor.room);
  const bool in_game = room != rooms_.end() && room->second.game() != nullptr;
  const rules::Content& content = in_game ? room->second.game()->content() : house_.library->current();
  if (!request.product().empty() && request.product() != content.product)
    return refuse(out, from, v1::ERROR_CODE_BAD_OPTIONS);
  Frame& catalogue = catalogues_[content.version];
  if (!catalogue) {
    v1::ServerMessage message;
    wire::write_catalogue(content, *message.mutable_catalogue());
    catalogue = to_frame(message);
  }
  out.send(from.session, as_answer(catalogue, from.id));
}

bool Hall::may_ask(Visitor& visitor, Request from, const v1::ClientMessage& message, Instant now,
                   Outbox& out) {
  const Conduct::Verdict verdict = visitor.conduct.ask(message.body_case(), now, house_.limits);
  if (verdict == Conduct::Verdict::accept) return true;
  visitor.last_request = std::max(visitor.last_request, from.id);
  refuse(out, from, v1::ERROR_CODE_TOO_FAST);
  if (verdict == Conduct::Verdict::part) out.partings.push_back({from.session, Farewell::flood});
  return false;
}

bool Hall::has_place_for_a_room(Request from, Outbox& out) {
  if (rooms_.size() < house_.limits.rooms) return true;
  const std::optional<RoomId> dispensable = dispensable_room();
  if (dispensable) forget(*dispensable, out);
  if (!dispensable) refuse(out, from, v1::ERROR_CODE_TOO_MANY_ROOMS);
  return dispensable.has_value();
}

// Rooms that nobody is in must not keep anybody out, else a single client could fill the server with them.
// First go started games, which only fall asleep, then lobbies; among equals the one empty longest.
std::optional<RoomId> Hall::dispensable_room() const {
  std::optional<RoomId> chosen;
  std::pair<bool, Instant> best{};
  for (const auto& [id, room] : rooms_) {
    const std::optional<Instant> since = room.deserted_since();
    if (!since) continue;
    const std::pair rank{room.game() == nullptr, *since};
    if (chosen && rank >= best) continue;
    chosen = id;
    best = rank;
  }
  return chosen;
}

RoomId Hall::draw_free_id() {
  for (;;) {
    RoomId id = draw_room_id(house_.entropy);
    if (hall_of(id, halls_) == index_ && !directory_.has(id) && rooms_.count(id) == 0) return id;
  }
}

// ---- Storage, time and the other halls.

void Hall::stored(const StorageReply& reply, Instant now, Outbox& out) {
  if (reply.verb == StorageVerb::list || reply.verb == StorageVerb::forget)
    return inquiry_answered(reply, out);
  if (reply.verb == StorageVerb::sleep) return fell_asleep(reply, out);
  const auto it = rooms_.find(reply.game);
  if (it == rooms_.end()) return;
  Room& room = it->second;
  room.stored(reply, now, out);
  if (room.may_go(now)) {
    forget(reply.game, out);
  } else if (reply.verb == StorageVerb::load && !room.deserted_since() &&
             rooms_.size() > house_.limits.rooms) {
    if (const std::optional<RoomId> dispensable = dispensable_room()) forget(*dispensable, out);
  }
  settle(out);
}

void Hall::tick(Instant now, Outbox& out) {
  std::vector<RoomId> leaving;
  for (auto& [id, room] : rooms_) {
    room.tick(now, out);
    if (room.may_go(now)) leaving.push_back(id);
  }
  for (const RoomId& id : leaving) forget(id, out);
  ask_again_for_sleep(out);
  settle(out);
}

// A started game lives on in storage; anything else is nowhere but here.
void Hall::forget(const RoomId& id, Outbox& out) {
  const auto it = rooms_.find(id);
  if (Room& room = it->second; room.game() != nullptr && !room.is_lost()) {
    falling_asleep_[id] = {room.go_to_sleep(out)};
    out.storage.push_back(falling_asleep_[id].request);
  }
  RoomChange& change = out.changes.emplace_back();
  change.summary.set_room(id);
  change.gone = true;
  rooms_.erase(it);
}

void Hall::learn(const RoomChange& change) { directory_.learn(change); }

// Takes note of what the rooms have put in the outbox for the hall itself.
void Hall::settle(Outbox& out) {
  for (const RoomChange& change : out.changes) learn(change);
  for (const SessionId session : out.put_out)
    if (const auto it = visitors_.find(session); it != visitors_.end()) it->second.room.clear();
  out.put_out.clear();
}

void Hall::drain(Instant now, Outbox& out) {
  shutting_down_ = true;
  v1::ServerMessage message;
  message.mutable_notice()->set_kind(v1::Notice::KIND_SHUTTING_DOWN);
  message.mutable_notice()->set_message("The server is stopping; come back in a moment.");
  const Frame notice = to_frame(message);
  for (const auto& [session, visitor] : visitors_) out.send(session, notice);
  for (auto& [id, room] : rooms_) room.server_stops(now, out);
}

bool Hall::idle() const {
  return inquiries_.empty() && std::none_of(rooms_.begin(), rooms_.end(), [](const auto& entry) {
           return entry.second.waits_for_storage();
         });
}

const Room* Hall::room(const RoomId& id) const {
  const auto it = rooms_.find(id);
  return it == rooms_.end() ? nullptr : &it->second;
}

}  // namespace landsraad::room
