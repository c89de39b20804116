// One game being played: its opening, its log, and everything that follows from them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
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

Move to_move(const Entry& entry);  // of an action or an undo

// What the log has led to.
struct Standing {
  rules::State state;
  std::vector<Move> moves{};  // moves[n] led to version n + 1
  std::uint64_t records = 1;  // of the log, the opening included
  bool paused = false;
  v1::Ending ended = v1::ENDING_NONE;  // by an entry; else see Game::ending()
  std::array<v1::SeatControl, rules::kMaxSeats> control{};
  TokenHash owner{};
  Door door{};
  Clocks clocks{};
  rules::Seat undo_seat = rules::kNoSeat;  // whose moves since undo_floor reveal nothing
  std::uint32_t undo_floor = 0;
  std::array<std::uint16_t, rules::kMaxSeats> undos{};  // without consent
};

// States that a run through a log comes back to, kept on the way: else each undo would play the log anew.
class Landmarks {
 public:
  void expect(std::uint32_t version) { states_.try_emplace(version); }
  void pass(const rules::State& state);                   // keeps it if it is expected
  const rules::State* find(std::uint32_t version) const;  // null: not kept
  void forget() { states_.clear(); }

 private:
  std::unordered_map<std::uint32_t, std::unique_ptr<const rules::State>>
      states_;  // by version; null: expected
};

class Game {
 public:
  // Deals a new game. `opening.state_hash` is filled in.
  Game(const rules::Content& content, Opening opening);
  // Goes on from where the game once stood.
  Game(const rules::Content& content, Opening opening, Standing standing);

  const rules::Content& content() const { return *content_; }
  const rules::State& state() const { return standing_.state; }
  const Opening& opening() const { return opening_; }
  const Standing& standing() const { return standing_; }
  std::uint32_t version() const { return standing_.state.version; }
  std::uint64_t records() const { return standing_.records; }  // of the log so far, the opening included

  // ---- What the log has led to.
  v1::Ending ending() const;
  bool over() const { return ending() != v1::ENDING_NONE; }
  bool paused() const { return standing_.paused; }
  v1::SeatControl control(rules::Seat seat) const { return standing_.control[seat]; }
  const TokenHash& owner() const { return standing_.owner; }
  const Door& door() const { return standing_.door; }
  const Clocks& clocks() const { return standing_.clocks; }
  rules::SeatMask deciders() const;  // none when it is over; paused or not
  bool waits_for(rules::Seat seat) const { return (deciders() & rules::seat_bit(seat)) != 0; }
  // The earliest version to which the seat may go back without anybody's consent.
  std::optional<std::uint32_t> undo_to(rules::Seat seat) const;
  std::size_t undos(rules::Seat seat) const { return standing_.undos[seat]; }  // without consent, so far

  // What the seat may do now. Listed once for each decision, since who shows it then checks by it.
  std::span<const rules::Action> legal_actions(rules::Seat seat) const;

  // ---- Going on.
  // Why the entry cannot follow, as a sentence; empty if it can. An undo with CAUSE_AGREED may go anywhere.
  std::string_view why_not(const Entry& entry) const;
  // Whether the game has been at the version on the way that is now remembered.
  bool leads_through(std::uint32_t version) const;
  // Works out an entry that can follow, on a copy; this game stays as it is.
  Step prepare(const Entry& entry) const;
  void prepare(const Entry& entry, Step& out) const;  // for who uses the memory of an earlier one again
  std::string record(const Step& step) const;
  // Makes a step of prepare() the state, once it is durable. Clocks that start now start at `now`.
  void commit(const Step& step, Instant now);
  // Nobody is charged for what passed until `when`: the game was not shown yet, or no server ran.
  void start_clocks_again(Instant when) { standing_.clocks.start_again(when); }
  // Nothing can be stored, and so nobody can answer: all clocks stand from `when` on, until an entry is
  // committed or they are let go.
  void stop_clocks(Instant when) { standing_.clocks.pause(when); }
  void let_clocks_go(Instant now);

  // ---- The past. Found by playing the log again: a whole game takes about a millisecond, and nothing
  // has to be kept for it.
  const std::vector<Move>& moves() const { return standing_.moves; }  // moves()[n] led to version n + 1
  rules::State state_at(std::uint32_t version) const;
  // A replay will undo to these versions: their states are kept, those behind us found at once, until forget.
  void expect_undos(std::span<const std::uint32_t> versions);
  void forget_undos() { landmarks_.forget(); }
  // Calls visit(version, diff) with the diffs that lead a viewer from one version to another.
  template <class Visit>
  void for_each_diff(std::uint32_t from, std::uint32_t to, wire::Viewer viewer, v1::Diff& scratch,
                     Visit visit) const;
  void write_diff(const rules::State& before, const Step& step, wire::Viewer viewer, v1::Diff& out) const;

 private:
  rules::State dealt() const;
  Landmarks undo_targets(std::uint32_t to) const;  // of all moves up to a version
  // Plays the log from the start; unlike state_at() what was undone too, and so past all landmarks.
  rules::State play_to(std::uint32_t version, Landmarks& landmarks) const;
  Step replayed(const rules::State& before, const Move& move, const Landmarks& landmarks) const;
  std::uint32_t before(std::uint32_t version) const;
  std::string_view why_no_action(const Entry& entry) const;
  std::string_view why_no_undo(const Entry& entry, std::uint32_t to) const;
  std::string_view why_no_control(const Entry& entry, v1::SeatControl control) const;
  void apply_move(const Step& step);
  void note_undo(const Step& step);
  void take_back_time(const Entry& entry, std::uint32_t to);

  const rules::Content* content_;
  Opening opening_;
  Standing standing_;
  Landmarks landmarks_;
  struct {
    std::uint32_t version = 0;
    rules::Seat seat = rules::kNoSeat;
    std::vector<rules::Action> actions;
  } mutable listed_;  // last
};

template <class Visit>
void Game::for_each_diff(std::uint32_t from, std::uint32_t to, wire::Viewer viewer, v1::Diff& scratch,
                         Visit visit) const {
  Landmarks landmarks = undo_targets(to);
  rules::State before = play_to(from, landmarks);
  for (std::uint32_t version = from; version < to; ++version) {
    const Move& move = moves()[version];
    const Step step = replayed(before, move, landmarks);
    write_diff(before, step, viewer, scratch);
    visit(move, scratch);
    before = step.after;
    landmarks.pass(before);
  }
}

}  // namespace landsraad::room
