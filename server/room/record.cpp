#include "server/room/record.h"

#include <google/protobuf/arena.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace landsraad::room {

namespace {

// Copies bytes of exactly the array's size.
template <std::size_t Size>
bool read_bytes(const std::string& from, std::array<std::uint8_t, Size>& to) {
  if (from.size() != Size) return false;
  std::copy(from.begin(), from.end(), to.begin());
  return true;
}

// The same, but there may be none: then `to` stays as it is.
template <std::size_t Size>
bool read_if_there(const std::string& from, std::array<std::uint8_t, Size>& to) {
  return from.empty() || read_bytes(from, to);
}

template <std::size_t Size>
std::string to_bytes(const std::array<std::uint8_t, Size>& from) {
  return {from.begin(), from.end()};
}

Instant to_instant(std::int64_t unix_ms) { return Instant{milliseconds{unix_ms}}; }

template <class Number>
bool read_number(std::uint32_t from, Number& to) {
  if (from > std::numeric_limits<Number>::max()) return false;
  to = static_cast<Number>(from);
  return true;
}

std::string leading_bytes(const rules::StateHash& hash) {
  return {hash.begin(), hash.begin() + kStoredHashBytes};
}

bool read_action(const v1::StoredAction& from, rules::Action& to) {
  if (from.kind() > static_cast<std::uint32_t>(rules::ActionKind::done)) return false;
  if (from.post_and_one() > rules::kMaxPosts) return false;
  to.kind = static_cast<rules::ActionKind>(from.kind());
  to.post = from.post_and_one() == 0 ? rules::kNoPost : static_cast<rules::PostId>(from.post_and_one() - 1);
  return read_number(from.option(), to.option) && read_number(from.subject(), to.subject) &&
         read_number(from.target(), to.target);
}

void write_action(const rules::Action& from, v1::StoredAction& to) {
  to.set_kind(static_cast<std::uint32_t>(from.kind));
  to.set_option(from.option);
  to.set_subject(from.subject);
  to.set_target(from.target);
  to.set_post_and_one(from.post == rules::kNoPost ? 0U : from.post + 1U);
}

// ---- Options.

void write_clock(const v1::ClockOptions& from, v1::StoredRoom& to) {
  const ClockRules rules = clock_rules(from);
  to.set_clock(static_cast<std::uint32_t>(rules.kind));
  to.set_clock_ms(static_cast<std::uint64_t>(rules.time.count()));
  to.set_increment_ms(static_cast<std::uint64_t>(rules.increment.count()));
}

void read_clock(const v1::StoredRoom& from, v1::ClockOptions& to) {
  const auto seconds = static_cast<std::uint32_t>(from.clock_ms() / 1000);
  switch (static_cast<ClockRules::Kind>(from.clock())) {
    case ClockRules::Kind::decision:
      to.mutable_per_decision()->set_seconds(seconds);
      break;
    case ClockRules::Kind::bank:
      to.mutable_bank()->set_seconds(seconds);
      to.mutable_bank()->set_increment_seconds(static_cast<std::uint32_t>(from.increment_ms() / 1000));
      break;
    case ClockRules::Kind::days:
      to.mutable_days()->set_days(seconds / (24 * 60 * 60));
      break;
    case ClockRules::Kind::none:
      break;
  }
}

void write_room(const Opening& opening, v1::StoredRoom& to) {
  const v1::RoomOptions& options = opening.options;
  to.set_owner_hash(to_bytes(opening.owner));
  to.set_unlisted(options.unlisted());
  write_door(opening.door, *to.mutable_door());
  for (const TokenHash& player : opening.barred) to.add_barred(to_bytes(player));
  write_clock(options.clock(), to);
  to.set_timeout(static_cast<std::uint32_t>(options.timeout()));
  to.set_undo(static_cast<std::uint32_t>(options.undo()));
  to.set_resigning(static_cast<std::uint32_t>(options.resigning()));
  if (options.has_spectators()) to.set_spectators(options.spectators());
  to.set_spectator_delay(options.spectator_delay());
}

bool read_room(const v1::StoredRoom& from, Opening& opening) {
  v1::RoomOptions& options = opening.options;
  options.set_unlisted(from.unlisted());
  options.set_password(!from.door().password_salt().empty());
  for (const std::string& player : from.barred())
    if (!read_bytes(player, opening.barred.emplace_back())) return false;
  read_clock(from, *options.mutable_clock());
  if (options.clock().kind_case() == v1::ClockOptions::KIND_NOT_SET) options.clear_clock();
  options.set_timeout(static_cast<v1::TimeoutPolicy>(from.timeout()));
  options.set_undo(static_cast<v1::UndoPolicy>(from.undo()));
  options.set_resigning(static_cast<v1::ResignPolicy>(from.resigning()));
  if (from.has_spectators()) options.set_spectators(from.spectators());
  options.set_spectator_delay(from.spectator_delay());
  return v1::TimeoutPolicy_IsValid(options.timeout()) && v1::UndoPolicy_IsValid(options.undo()) &&
         v1::ResignPolicy_IsValid(options.resigning()) && read_if_there(from.owner_hash(), opening.owner) &&
         read_door(from.door(), opening.door);
}

// ---- Deeds.

class DeedWriter {
 public:
  explicit DeedWriter(v1::LogRecord& to) : to_(to) {}
  void operator()(const rules::Action& action) { write_action(action, *to_.mutable_action()); }
  void operator()(const Undo& undo) { to_.set_undo_to(undo.to); }
  void operator()(v1::SeatControl control) { to_.set_control(static_cast<std::uint32_t>(control)); }
  void operator()(const Pause& pause) { to_.set_paused(pause.paused); }
  void operator()(v1::Ending ending) { to_.set_ending(static_cast<std::uint32_t>(ending)); }
  void operator()(const Door& door) { write_door(door, *to_.mutable_door()); }
  void operator()(const NewOwner& owner) { to_.set_owner_hash(to_bytes(owner.player)); }
  void operator()(const ServerStops&) { to_.set_server_stops(true); }

 private:
  v1::LogRecord& to_;
};

bool read_deed(const v1::LogRecord& from, Deed& to) {
  switch (from.what_case()) {
    case v1::LogRecord::kAction:
      return read_action(from.action(), to.emplace<rules::Action>());
    case v1::LogRecord::kUndoTo:
      to = Undo{from.undo_to()};
      return true;
    case v1::LogRecord::kControl:
      to = static_cast<v1::SeatControl>(from.control());
      return v1::SeatControl_IsValid(static_cast<int>(from.control()));
    case v1::LogRecord::kPaused:
      to = Pause{from.paused()};
      return true;
    case v1::LogRecord::kEnding:
      to = static_cast<v1::Ending>(from.ending());
      return v1::Ending_IsValid(static_cast<int>(from.ending())) && from.ending() != v1::ENDING_NONE;
    case v1::LogRecord::kDoor:
      return read_door(from.door(), to.emplace<Door>());
    case v1::LogRecord::kOwnerHash:
      return read_if_there(from.owner_hash(), to.emplace<NewOwner>().player);
    case v1::LogRecord::kServerStops:
      to = ServerStops{};
      return true;
    case v1::LogRecord::WHAT_NOT_SET:
      break;
  }
  return false;
}

}  // namespace

rules::Options game_options(const v1::RoomOptions& options) {
  rules::Options out;
  out.seats = static_cast<std::uint8_t>(options.players());
  out.leaders = options.leader_selection() == v1::LEADER_SELECTION_PICK ? rules::LeaderSelection::pick
                                                                        : rules::LeaderSelection::random;
  return out;
}

rules::Seed game_seed(const Opening& opening) {
  const auto gave_nothing = [](const OpeningSeat& seat) { return seat.nonce.empty(); };
  if (std::all_of(opening.seats.begin(), opening.seats.end(), gave_nothing)) return opening.seed;
  crypto_hash_sha256_state sum;
  crypto_hash_sha256_init(&sum);
  crypto_hash_sha256_update(&sum, opening.seed.data(), opening.seed.size());
  for (const OpeningSeat& seat : opening.seats)
    crypto_hash_sha256_update(&sum, reinterpret_cast<const unsigned char*>(seat.nonce.data()),
                              seat.nonce.size());
  rules::Seed mixed{};
  static_assert(sizeof(mixed) == crypto_hash_sha256_BYTES);
  crypto_hash_sha256_final(&sum, mixed.data());
  return mixed;
}

std::string stored_hash(const rules::State& state) { return leading_bytes(rules::hash(state)); }

bool agrees(std::string_view stored, const rules::StateHash& hash) {
  return stored.size() >= kStoredHashBytes && stored.size() <= hash.size() &&
         std::equal(stored.begin(), stored.end(), hash.begin(),
                    [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; });
}

// ---- The door.

void write_door(const Door& from, v1::StoredDoor& to) {
  if (from.password) {
    to.set_password_salt(to_bytes(from.password->salt));
    to.set_password_hash(to_bytes(from.password->hash));
  }
  if (from.invite) to.set_invite_hash(to_bytes(*from.invite));
}

bool read_door(const v1::StoredDoor& from, Door& to) {
  if (!from.password_salt().empty()) {
    Password& password = to.password.emplace();
    if (!read_bytes(from.password_salt(), password.salt)) return false;
    if (!read_bytes(from.password_hash(), password.hash)) return false;
  }
  return from.invite_hash().empty() || read_bytes(from.invite_hash(), to.invite.emplace());
}

// ---- The opening.

v1::GameSetup to_message(const Opening& opening) {
  v1::GameSetup setup;
  setup.set_engine_version(opening.engine_version);
  setup.set_product(opening.options.product());
  setup.set_content_version(opening.content_version);
  setup.mutable_options()->set_seats(opening.options.players());
  setup.mutable_options()->set_leader_selection(
      static_cast<std::uint32_t>(opening.options.leader_selection()));
  setup.set_seed(opening.seed.data(), opening.seed.size());
  for (const OpeningSeat& seat : opening.seats) {
    v1::StoredSeat& stored = *setup.add_seats();
    stored.set_name(seat.name);
    stored.set_token_hash(to_bytes(seat.token));
    stored.set_player_hash(to_bytes(seat.player));
    stored.set_nonce(seat.nonce);
  }
  setup.set_created_unix_ms(opening.created.time_since_epoch().count());
  setup.set_state_hash(opening.state_hash);
  setup.set_title(opening.options.title());
  write_room(opening, *setup.mutable_room());
  return setup;
}

std::string write_opening(const Opening& opening) { return to_message(opening).SerializeAsString(); }

std::optional<Opening> read_opening(std::string_view bytes) {
  v1::GameSetup setup;
  if (!setup.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
  return read_opening(setup);
}

std::optional<Opening> read_opening(const v1::GameSetup& setup) {
  Opening opening;
  opening.engine_version = setup.engine_version();
  opening.content_version = setup.content_version();
  opening.options.set_product(setup.product());
  opening.options.set_title(setup.title());
  opening.options.set_players(setup.options().seats());
  opening.options.set_leader_selection(static_cast<v1::LeaderSelection>(setup.options().leader_selection()));
  if (!v1::LeaderSelection_IsValid(opening.options.leader_selection())) return std::nullopt;
  if (setup.options().seats() < 3 || setup.options().seats() > 4) return std::nullopt;
  if (!read_bytes(setup.seed(), opening.seed)) return std::nullopt;
  if (static_cast<std::uint32_t>(setup.seats_size()) != setup.options().seats()) return std::nullopt;
  for (const v1::StoredSeat& stored : setup.seats()) {
    OpeningSeat& seat = opening.seats.emplace_back();
    seat.name = stored.name();
    seat.nonce = stored.nonce();
    if (!read_if_there(stored.token_hash(), seat.token) || !read_if_there(stored.player_hash(), seat.player))
      return std::nullopt;
  }
  if (!read_room(setup.room(), opening)) return std::nullopt;
  opening.created = to_instant(setup.created_unix_ms());
  opening.state_hash = setup.state_hash();
  return opening;
}

// ---- The log.

void write_entry(const Entry& entry, v1::LogRecord& record) {
  if (entry.seat != rules::kNoSeat) record.set_seat(entry.seat);
  std::visit(DeedWriter(record), entry.deed);
  record.set_unix_ms(entry.when.time_since_epoch().count());
  record.set_spent_ms(static_cast<std::uint32_t>(entry.spent.count()));
  record.set_cause(entry.cause);
  if (std::holds_alternative<Pause>(entry.deed) || std::holds_alternative<ServerStops>(entry.deed))
    for (const milliseconds used : entry.thinking)
      record.add_thinking_ms(static_cast<std::uint64_t>(used.count()));
}

void write_entry(std::uint64_t version, const Entry& entry, const rules::StateHash& after,
                 v1::LogRecord& record) {
  record.set_version(version);
  record.set_state_hash(leading_bytes(after));
  write_entry(entry, record);
}

std::string write_entry(std::uint64_t version, const Entry& entry, const rules::StateHash& after) {
  alignas(std::max_align_t) std::array<char, 1024> block;  // as much as an entry takes
  google::protobuf::Arena arena(block.data(), block.size());
  auto& record = *google::protobuf::Arena::CreateMessage<v1::LogRecord>(&arena);
  write_entry(version, entry, after, record);
  return record.SerializeAsString();
}

std::optional<StoredEntry> read_entry(std::string_view bytes) {
  v1::LogRecord record;
  if (!record.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
  return read_entry(record);
}

std::optional<StoredEntry> read_entry(const v1::LogRecord& record) {
  StoredEntry stored;
  stored.version = record.version();
  Entry& entry = stored.entry;
  if (record.seat() >= rules::kMaxSeats || !v1::Cause_IsValid(record.cause())) return std::nullopt;
  entry.seat = static_cast<rules::Seat>(record.seat());
  if (!read_deed(record, entry.deed)) return std::nullopt;
  entry.when = to_instant(record.unix_ms());
  entry.spent = milliseconds{record.spent_ms()};
  entry.cause = record.cause();
  if (record.thinking_ms_size() > static_cast<int>(rules::kMaxSeats)) return std::nullopt;
  for (int seat = 0; seat < record.thinking_ms_size(); ++seat)
    entry.thinking[static_cast<std::size_t>(seat)] =
        milliseconds{static_cast<std::uint32_t>(record.thinking_ms(seat))};
  stored.state_hash = record.state_hash();
  return stored;
}

}  // namespace landsraad::room
