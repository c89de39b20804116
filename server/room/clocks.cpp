#include "server/room/clocks.h"

#include <algorithm>

namespace landsraad::room {

using Kind = ClockRules::Kind;
using std::chrono::seconds;

ClockRules clock_rules(const v1::ClockOptions& options) {
  switch (options.kind_case()) {
    case v1::ClockOptions::kPerDecision:
      return {Kind::decision, seconds(options.per_decision().seconds()), {}};
    case v1::ClockOptions::kBank:
      return {Kind::bank, seconds(options.bank().seconds()), seconds(options.bank().increment_seconds())};
    case v1::ClockOptions::kDays:
      return {Kind::days, std::chrono::days(options.days().days()), {}};
    case v1::ClockOptions::KIND_NOT_SET:
      break;
  }
  return {};
}

Clocks::Clocks(ClockRules rules) : rules_(rules) {
  for (SeatClock& seat : seats_) seat.bank = rules.time;
}

void Clocks::answered(rules::Seat seat, milliseconds spent) {
  SeatClock& clock = seats_[seat];
  clock.bank = std::max(milliseconds{0}, clock.bank - spent) + rules_.increment;
  clock.carried = milliseconds{0};
  clock.since.reset();
}

void Clocks::taken_back(rules::Seat seat, milliseconds spent) {
  seats_[seat].bank += spent - rules_.increment;
  seats_[seat].carried = milliseconds{0};
  seats_[seat].since.reset();
}

void Clocks::carry(rules::Seat seat, milliseconds used) {
  seats_[seat].carried = used;
  seats_[seat].since.reset();
}

void Clocks::wait_for(rules::SeatMask seats, Instant now) {
  if (none()) return;
  for (rules::Seat seat = 0; seat < rules::kMaxSeats; ++seat) {
    if ((seats & rules::seat_bit(seat)) == 0)
      carry(seat, milliseconds{0});
    else if (!running(seat))
      seats_[seat].since = now;
  }
}

void Clocks::pause(Instant now) {
  for (rules::Seat seat = 0; seat < rules::kMaxSeats; ++seat) carry(seat, used(seat, now));
}

void Clocks::start_again(Instant when) {
  if (rules_.kind == Kind::days) return;
  for (SeatClock& clock : seats_)
    if (clock.since) clock.since = std::max(*clock.since, when);
}

milliseconds Clocks::used(rules::Seat seat, Instant now) const {
  const SeatClock& clock = seats_[seat];
  const milliseconds run = clock.since ? std::max(milliseconds{0}, now - *clock.since) : milliseconds{0};
  return std::min(clock.carried + run, allowed(clock));
}

milliseconds Clocks::allowed(const SeatClock& seat) const {
  return rules_.kind == Kind::bank ? seat.bank : rules_.time;
}

milliseconds Clocks::left(rules::Seat seat, Instant now) const {
  return allowed(seats_[seat]) - used(seat, now);
}

Clocks::PerSeat Clocks::thinking(Instant now) const {
  PerSeat all{};
  for (rules::Seat seat = 0; seat < rules::kMaxSeats; ++seat) all[seat] = used(seat, now);
  return all;
}

std::optional<Instant> Clocks::next_end() const {
  std::optional<Instant> next;
  for (const SeatClock& clock : seats_) {
    if (!clock.since) continue;
    const Instant end = *clock.since + std::max(milliseconds{0}, allowed(clock) - clock.carried);
    if (!next || end < *next) next = end;
  }
  return next;
}

rules::SeatMask Clocks::out_of_time(Instant now) const {
  rules::SeatMask seats = 0;
  for (rules::Seat seat = 0; seat < rules::kMaxSeats; ++seat)
    if (running(seat) && left(seat, now) == milliseconds{0}) seats |= rules::seat_bit(seat);
  return seats;
}

}  // namespace landsraad::room
