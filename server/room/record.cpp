#include "server/room/record.h"

#include <algorithm>
#include <limits>

#include "landsraad/v1/record.pb.h"

namespace landsraad::room {

namespace {

// Copies bytes of exactly the array's size.
template <std::size_t Size>
bool read_bytes(const std::string& from, std::array<std::uint8_t, Size>& to) {
  if (from.size() != Size) return false;
  std::copy(from.begin(), from.end(), to.begin());
  return true;
}

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

}  // namespace

std::string stored_hash(const rules::State& state) { return leading_bytes(rules::hash(state)); }

bool agrees(std::string_view stored, const rules::StateHash& hash) {
  return stored.size() >= kStoredHashBytes && stored.size() <= hash.size() &&
         std::equal(stored.begin(), stored.end(), hash.begin(),
                    [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; });
}

std::string write_opening(const Opening& opening) {
  v1::GameSetup setup;
  setup.set_engine_version(opening.engine_version);
  setup.set_product(opening.product);
  setup.set_content_version(opening.content_version);
  setup.mutable_options()->set_seats(opening.options.seats);
  setup.mutable_options()->set_leader_selection(static_cast<std::uint32_t>(opening.options.leaders));
  setup.set_seed(opening.seed.data(), opening.seed.size());
  for (const OpeningSeat& seat : opening.seats) {
    v1::StoredSeat& stored = *setup.add_seats();
    stored.set_name(seat.name);
    stored.set_token_hash(seat.token.data(), seat.token.size());
  }
  setup.set_created_unix_ms(opening.created.time_since_epoch().count());
  setup.set_state_hash(opening.state_hash);
  setup.set_title(opening.title);
  return setup.SerializeAsString();
}

void write_options(const Opening& opening, v1::RoomOptions& out) {
  out.set_product(opening.product);
  out.set_players(opening.options.seats);
  out.set_leader_selection(opening.options.leaders == rules::LeaderSelection::pick
                               ? v1::LEADER_SELECTION_PICK
                               : v1::LEADER_SELECTION_RANDOM);
  out.set_title(opening.title);
}

std::optional<Opening> read_opening(std::string_view bytes) {
  v1::GameSetup setup;
  if (!setup.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
  Opening opening;
  opening.engine_version = setup.engine_version();
  opening.product = setup.product();
  opening.content_version = setup.content_version();
  if (!read_number(setup.options().seats(), opening.options.seats)) return std::nullopt;
  if (setup.options().leader_selection() > static_cast<std::uint32_t>(rules::LeaderSelection::pick))
    return std::nullopt;
  opening.options.leaders = static_cast<rules::LeaderSelection>(setup.options().leader_selection());
  if (opening.options.seats < 3 || opening.options.seats > 4) return std::nullopt;
  if (!read_bytes(setup.seed(), opening.seed)) return std::nullopt;
  if (setup.seats_size() != opening.options.seats) return std::nullopt;
  for (const v1::StoredSeat& stored : setup.seats()) {
    OpeningSeat& seat = opening.seats.emplace_back();
    seat.name = stored.name();
    if (!read_bytes(stored.token_hash(), seat.token)) return std::nullopt;
  }
  opening.created = Instant{std::chrono::milliseconds{setup.created_unix_ms()}};
  opening.state_hash = setup.state_hash();
  opening.title = setup.title();
  return opening;
}

std::string write_play(std::uint64_t version, const Play& play, const rules::StateHash& after, Instant when) {
  v1::LogRecord record;
  record.set_version(version);
  record.set_seat(play.seat);
  write_action(play.action, *record.mutable_action());
  record.set_state_hash(leading_bytes(after));
  record.set_unix_ms(when.time_since_epoch().count());
  return record.SerializeAsString();
}

std::optional<StoredPlay> read_play(std::string_view bytes) {
  v1::LogRecord record;
  if (!record.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
  StoredPlay stored;
  stored.version = record.version();
  if (record.seat() >= rules::kMaxSeats) return std::nullopt;
  stored.play.seat = static_cast<rules::Seat>(record.seat());
  if (!read_action(record.action(), stored.play.action)) return std::nullopt;
  stored.state_hash = record.state_hash();
  return stored;
}

}  // namespace landsraad::room
