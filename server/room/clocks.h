// How long each seat may still think.
//
// Pure: told what the log says and what time it is. A seat's clock runs while the game waits for it, from the
// moment it is shown so until its answer arrives; what was used before the present run (before a pause, an
// undo, a restart) is carried along.
#pragma once

#include <array>
#include <chrono>
#include <optional>

#include "landsraad/v1/protocol.pb.h"
#include "rules/engine/types.h"
#include "server/room/outbox.h"

namespace landsraad::room {

using std::chrono::milliseconds;

struct ClockRules {
  enum class Kind : std::uint8_t {
    none,
    decision,  // `time` for each decision
    bank,      // `time` for the whole game, and `increment` for each action
    days,      // `time` for each decision, by the calendar: it goes on while the server is down
  } kind = Kind::none;
  milliseconds time{0}, increment{0};
};

ClockRules clock_rules(const v1::ClockOptions& options);

class Clocks {
 public:
  using PerSeat = std::array<milliseconds, rules::kMaxSeats>;

  struct SeatClock {
    milliseconds bank{0};  // before the present decision; meaningful for Kind::bank
    milliseconds carried{0};
    std::optional<Instant> since;
  };
  using SeatClocks = std::array<SeatClock, rules::kMaxSeats>;

  Clocks() = default;
  explicit Clocks(ClockRules rules);
  // As they stood once.
  Clocks(ClockRules rules, const SeatClocks& seats) : rules_(rules), seats_(seats) {}

  const ClockRules& rules() const { return rules_; }
  const SeatClocks& seats() const { return seats_; }
  bool none() const { return rules_.kind == ClockRules::Kind::none; }

  // ---- What the log says.
  void answered(rules::Seat seat, milliseconds spent);    // an action; `spent` is all the decision took
  void taken_back(rules::Seat seat, milliseconds spent);  // an action that is undone: as if it had never been
  void carry(rules::Seat seat, milliseconds used);        // used so far for the present decision

  // ---- Time.
  void wait_for(rules::SeatMask seats, Instant now);  // as of `now`, for these and nobody else
  void pause(Instant now);                            // all stop, and carry what they have used
  // What passed until then was the server's own time and is nobody's; days go on by the calendar.
  void start_again(Instant when);

  // What the seat has used of its present decision, which is never more than it had, and what is left.
  milliseconds used(rules::Seat seat, Instant now) const;
  milliseconds left(rules::Seat seat, Instant now) const;
  bool running(rules::Seat seat) const { return seats_[seat].since.has_value(); }
  PerSeat thinking(Instant now) const;

  // The next moment at which a running clock is at its end, and the seats whose clocks are there now.
  std::optional<Instant> next_end() const;
  rules::SeatMask out_of_time(Instant now) const;

 private:
  milliseconds allowed(const SeatClock& seat) const;  // for the present decision

  ClockRules rules_;
  SeatClocks seats_{};
};

}  // namespace landsraad::room
