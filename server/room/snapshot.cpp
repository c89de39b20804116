#include "server/room/snapshot.h"

#include <cstring>
#include <utility>

namespace landsraad::room {

namespace {

// ---- Clocks.

void write_clocks(const Clocks& clocks, v1::GameSnapshot& out) {
  for (const Clocks::SeatClock& seat : clocks.seats()) {
    v1::StoredClock& stored = *out.add_clocks();
    stored.set_bank_ms(seat.bank.count());
    stored.set_carried_ms(seat.carried.count());
    if (seat.since) stored.set_since_unix_ms(seat.since->time_since_epoch().count());
  }
}

Clocks read_clocks(const v1::GameSnapshot& from, const ClockRules& rules) {
  Clocks::SeatClocks seats{};
  for (std::size_t seat = 0; seat < seats.size(); ++seat) {
    const v1::StoredClock& stored = from.clocks(static_cast<int>(seat));
    seats[seat].bank = milliseconds{stored.bank_ms()};
    seats[seat].carried = milliseconds{stored.carried_ms()};
    if (stored.since_unix_ms() != 0) seats[seat].since = Instant{milliseconds{stored.since_unix_ms()}};
  }
  return {rules, seats};
}

// ---- The state and what led to it.

bool read_state(const v1::GameSnapshot& from, rules::State& state) {
  if (from.state().size() != sizeof state) return false;
  std::memcpy(&state, from.state().data(), sizeof state);
  return agrees(from.state_hash(), rules::hash(state));
}

bool read_moves(const v1::GameSnapshot& from, std::vector<Move>& moves) {
  moves.reserve(static_cast<std::size_t>(from.moves_size()));
  for (const v1::LogRecord& record : from.moves()) {
    const std::optional<StoredEntry> stored = read_entry(record);
    if (!stored || !stored->entry.moves_the_game()) return false;
    moves.push_back(to_move(stored->entry));
    if (moves.back().is_undo() && moves.back().undo_to >= moves.size()) return false;
  }
  return true;
}

void write_move(const Move& move, v1::LogRecord& out) {
  Entry entry{.seat = move.seat,
              .cause = static_cast<v1::Cause>(move.cause),
              .when = Instant{milliseconds{move.unix_ms}},
              .spent = milliseconds{move.spent_ms}};
  if (move.is_undo())
    entry.deed = Undo{move.undo_to};
  else
    entry.deed = move.action;
  write_entry(entry, out);
}

// Whether there is one of everything for each seat.
bool is_complete(const v1::GameSnapshot& from) {
  const auto seats = static_cast<int>(rules::kMaxSeats);
  return from.control_size() == seats && from.undos_size() == seats && from.clocks_size() == seats &&
         from.undo_seat_and_one() <= rules::kMaxSeats && v1::Ending_IsValid(static_cast<int>(from.ending()));
}

v1::GameSnapshot to_message(const Standing& standing) {
  v1::GameSnapshot out;
  out.set_engine_version(kEngineVersion.data(), kEngineVersion.size());
  out.set_records(standing.records);
  out.set_state(&standing.state, sizeof standing.state);
  out.set_state_hash(stored_hash(standing.state));
  for (const Move& move : standing.moves) write_move(move, *out.add_moves());
  out.set_ending(static_cast<std::uint32_t>(standing.ended));
  out.set_paused(standing.paused);
  for (const v1::SeatControl control : standing.control) out.add_control(static_cast<std::uint32_t>(control));
  out.set_owner_hash(standing.owner.data(), standing.owner.size());
  write_door(standing.door, *out.mutable_door());
  write_clocks(standing.clocks, out);
  if (standing.undo_seat != rules::kNoSeat) out.set_undo_seat_and_one(standing.undo_seat + 1U);
  out.set_undo_floor(standing.undo_floor);
  for (const std::uint16_t undos : standing.undos) out.add_undos(undos);
  return out;
}

}  // namespace

std::string write_snapshot(const Game& game) { return to_message(game.standing()).SerializeAsString(); }

bool same_standing(const Game& a, const Game& b) {
  v1::GameSnapshot first = to_message(a.standing()), second = to_message(b.standing());
  for (v1::GameSnapshot* each : {&first, &second})
    for (v1::StoredClock& clock : *each->mutable_clocks()) {
      clock.clear_carried_ms();
      clock.clear_since_unix_ms();
    }
  return first.SerializeAsString() == second.SerializeAsString();
}

std::optional<Game> read_snapshot(const rules::Content& content, const Opening& opening,
                                  std::string_view bytes) {
  v1::GameSnapshot from;
  if (!from.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
  if (from.engine_version() != kEngineVersion || !is_complete(from)) return std::nullopt;
  Standing standing{.records = from.records(),
                    .paused = from.paused(),
                    .ended = static_cast<v1::Ending>(from.ending()),
                    .clocks = read_clocks(from, clock_rules(opening.options.clock())),
                    .undo_floor = from.undo_floor()};
  if (!read_state(from, standing.state) || !read_moves(from, standing.moves)) return std::nullopt;
  if (standing.state.version != standing.moves.size() || standing.records <= standing.moves.size() ||
      standing.state.options.seats != opening.options.players())
    return std::nullopt;
  if (from.owner_hash().size() != standing.owner.size() || !read_door(from.door(), standing.door))
    return std::nullopt;
  std::copy(from.owner_hash().begin(), from.owner_hash().end(), standing.owner.begin());
  if (from.undo_seat_and_one() != 0)
    standing.undo_seat = static_cast<rules::Seat>(from.undo_seat_and_one() - 1);
  for (std::size_t seat = 0; seat < rules::kMaxSeats; ++seat) {
    const int at = static_cast<int>(seat);
    if (!v1::SeatControl_IsValid(static_cast<int>(from.control(at)))) return std::nullopt;
    standing.control[seat] = static_cast<v1::SeatControl>(from.control(at));
    standing.undos[seat] = static_cast<std::uint16_t>(from.undos(at));
  }
  return Game(content, opening, std::move(standing));
}

}  // namespace landsraad::room
