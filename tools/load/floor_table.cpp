#include "tools/load/floor_table.h"

#include <algorithm>
#include <cstring>

namespace landsraad::load {

namespace {

constexpr std::size_t kActionBytes = 40;

}  // namespace

FloorTable::FloorTable(Loop& loop, Tally& tally, std::uint32_t number, const Address& address)
    : loop_(loop), tally_(tally), message_(kActionBytes, 'x') {
  std::memcpy(message_.data(), &number, sizeof(number));
  for (std::size_t seat = 0; seat < kSeats; ++seat) {
    clients_[seat].table = this;
    clients_[seat].seat = seat;
    connections_[seat].emplace(loop, clients_[seat], address, "");
  }
}

void FloorTable::on_opened(std::size_t seat) {
  connections_[seat]->send(message_);  // sits down
  ++opened_;
}

void FloorTable::begin(Clock::duration gap, Clock::duration delay) {
  begun_ = true;
  gap_ = gap;
  slot_ = Clock::now() + delay;
  loop_.at(slot_, [this] { act(); });
}

void FloorTable::act() {
  ++acts_;
  acting_ = true;
  sent_ = Clock::now();
  slot_ = std::max(sent_, slot_ + gap_);
  connections_[turn_]->send(message_);
}

void FloorTable::on_answer(std::size_t seat) {
  // Everybody gets an answer to every action; the next one may act before the last of them has come.
  if (++answers_[seat] != acts_ || seat != turn_ || !acting_) return;
  acting_ = false;
  tally_.answered(Clock::now() - sent_);
  turn_ = (turn_ + 1) % kSeats;
  if (gap_ == Clock::duration::zero()) return act();
  loop_.at(slot_, [this] { act(); });
}

}  // namespace landsraad::load
