// One game being played: its committed state and the log that led there.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "landsraad/v1/game.pb.h"
#include "rules/wire/encode.h"
#include "server/room/record.h"

namespace landsraad::room {

// What an action would lead to, worked out but not yet durable.
struct Step {
  Play play;
  rules::State after;
  std::vector<rules::Event> events;
  std::string record;  // to be stored before anybody sees the rest
};

class Game {
 public:
  // Deals a new game. `opening.state_hash` is filled in.
  Game(const rules::Content& content, Opening opening);

  // Plays a stored game again and compares every hash on the way; a sentence that says what is wrong
  // if it cannot be played on. records[0] is the opening.
  static std::variant<Game, std::string> replay(const rules::Content& content,
                                                const std::vector<std::string>& records);

  const rules::Content& content() const { return *content_; }
  const rules::State& state() const { return state_; }
  const Opening& opening() const { return opening_; }
  std::uint32_t version() const { return state_.version; }
  bool over() const { return rules::is_over(state_); }
  bool waits_for(rules::Seat seat) const { return (rules::deciders(state_) & rules::seat_bit(seat)) != 0; }

  // Works out a legal action on a copy; this game stays as it is.
  Step prepare(const Play& play, Instant now) const;

  // Makes a step of prepare() the state, once its record is durable.
  void commit(const Step& step);

  // Appends the diffs that lead a viewer from an earlier version to this one. Found by playing the log
  // again: a whole game takes about a millisecond, and nothing has to be kept for it.
  void write_diffs_since(std::uint32_t held_version, wire::Viewer viewer, v1::GameUpdate& out) const;

 private:
  const rules::Content* content_;
  Opening opening_;
  rules::State state_;
  std::vector<Play> log_;  // log_[n] led to version n + 1
};

}  // namespace landsraad::room
