// One game being played: its opening, its log, and everything that follows from them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "landsraad/v1/game.pb.h"
#include "rules/wire/encode.h"
#include "server/room/clocks.h"
#include "server/room/record.h"

namespace landsraad::room {

// What an entry would lead to, worked out but not yet durable.
struct Step {
  Entry entry;
  rules::State after;  // as before, if the entry does not move the game
  std::vector<rules::Event> events;
};

// An entry that led to a version, kept small: a room has hundreds.
struct Move {
  rules::Action action;  // kind none: an undo
  std::uint32_t undo_to = 0;
  std::uint32_t spent_ms = 0;
  std::int64_t unix_ms = 0;
  rules::Seat seat = rules::kNoSeat;
  std::uint8_t cause = 0;  // v1::Cause

  bool is_undo() const { return action.kind == rules::ActionKind::none; }
};

class Game {
 public:
  // Deals a new game. `opening.state_hash` is filled in.
  Game(const rules::Content& content, Opening opening);

  const rules::Content& content() const { return *content_; }
  const rules::State& state() const { return state_; }
  const Opening& opening() const { return opening_; }
  std::uint32_t version() const { return state_.version; }
  std::uint64_t records() const { return records_; }  // of the log so far, the opening included

  // ---- What the log has led to.
  v1::Ending ending() const;
  bool over() const { return ending() != v1::ENDING_NONE; }
  bool paused() const { return paused_; }
  v1::SeatControl control(rules::Seat seat) const { return control_[seat]; }
  const TokenHash& owner() const { return owner_; }
  const Door& door() const { return door_; }
  const Clocks& clocks() const { return clocks_; }
  rules::SeatMask deciders() const;  // none when it is over; paused or not
  bool waits_for(rules::Seat seat) const { return (deciders() & rules::seat_bit(seat)) != 0; }
  // The earliest version to which the seat may go back without anybody's consent.
  std::optional<std::uint32_t> undo_to(rules::Seat seat) const;
  std::size_t undos(rules::Seat seat) const { return undos_[seat]; }  // without consent, so far

  // ---- Going on.
  // Why the entry cannot follow, as a sentence; empty if it can. An undo with CAUSE_AGREED may go anywhere.
  std::string_view why_not(const Entry& entry) const;
  // Whether the game has been at the version on the way that is now remembered.
  bool leads_through(std::uint32_t version) const;
  // Works out an entry that can follow, on a copy; this game stays as it is.
  Step prepare(const Entry& entry) const;
  std::string record(const Step& step) const;
  // Makes a step of prepare() the state, once it is durable. Clocks that start now start at `now`.
  void commit(const Step& step, Instant now);
  // Nobody is charged for what passed until `when`: the game was not shown yet, or no server ran.
  void start_clocks_again(Instant when) { clocks_.start_again(when); }
  // Nothing can be stored, and so nobody can answer: all clocks stand from `when` on, until an entry is
  // committed or they are let go.
  void stop_clocks(Instant when) { clocks_.pause(when); }
  void let_clocks_go(Instant now);

  // ---- The past. Found by playing the log again: a whole game takes about a millisecond, and nothing
  // has to be kept for it.
  const std::vector<Move>& moves() const { return moves_; }  // moves()[n] led to version n + 1
  rules::State state_at(std::uint32_t version) const;
  // Calls visit(version, diff) with the diffs that lead a viewer from one version to another.
  template <class Visit>
  void for_each_diff(std::uint32_t from, std::uint32_t to, wire::Viewer viewer, v1::Diff& scratch,
                     Visit visit) const;
  void write_diff(const rules::State& before, const Step& step, wire::Viewer viewer, v1::Diff& out) const;

 private:
  Step replayed(const rules::State& before, const Move& move) const;
  std::uint32_t before(std::uint32_t version) const;
  std::string_view why_no_action(const Entry& entry) const;
  std::string_view why_no_undo(const Entry& entry, std::uint32_t to) const;
  std::string_view why_no_control(const Entry& entry, v1::SeatControl control) const;
  void apply_move(const Step& step);
  void note_undo(const Step& step);
  void take_back_time(const Entry& entry, std::uint32_t to);

  const rules::Content* content_;
  Opening opening_;
  rules::State state_;
  std::vector<Move> moves_;
  std::uint64_t records_ = 1;
  bool paused_ = false;
  v1::Ending ended_ = v1::ENDING_NONE;
  std::array<v1::SeatControl, rules::kMaxSeats> control_{};
  TokenHash owner_;
  Door door_;
  Clocks clocks_;
  rules::Seat undo_seat_ = rules::kNoSeat;  // whose moves since undo_floor_ reveal nothing
  std::uint32_t undo_floor_ = 0;
  std::array<std::uint16_t, rules::kMaxSeats> undos_{};
};

template <class Visit>
void Game::for_each_diff(std::uint32_t from, std::uint32_t to, wire::Viewer viewer, v1::Diff& scratch,
                         Visit visit) const {
  rules::State before = state_at(from);
  for (std::uint32_t version = from; version < to; ++version) {
    const Step step = replayed(before, moves_[version]);
    write_diff(before, step, viewer, scratch);
    visit(moves_[version], scratch);
    before = step.after;
  }
}

}  // namespace landsraad::room
