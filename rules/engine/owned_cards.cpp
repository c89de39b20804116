#include <algorithm>
#include <cassert>

#include "rules/engine/state.h"

namespace landsraad::rules {

std::size_t OwnedCards::total() const { return offset(Zone::discard) + size(Zone::discard); }

std::size_t OwnedCards::offset(Zone zone) const {
  std::size_t sum = 0;
  for (std::size_t z = 0; z < static_cast<std::size_t>(zone); ++z) sum += counts_[z];
  return sum;
}

void OwnedCards::put(Zone zone, CardCopy copy, bool known) { insert(zone, size(zone), copy, known); }

void OwnedCards::insert(Zone zone, std::size_t i, CardCopy copy, bool known) {
  const std::size_t all = total();
  require(all < kMaxOwnedCards && i <= size(zone), "a player owns too many cards");
  CardSlot* at = begin(zone) + i;
  std::move_backward(at, slots_.data() + all, slots_.data() + all + 1);
  *at = CardSlot{};
  at->copy = copy & 0xfffU;
  at->known = known ? 1 : 0;
  ++counts_[static_cast<std::size_t>(zone)];
}

CardCopy OwnedCards::take(Zone zone, std::size_t i) {
  assert(i < size(zone));
  CardSlot* at = begin(zone) + i;
  const CardCopy copy = at->copy;
  CardSlot* last = slots_.data() + total();
  std::move(at + 1, last, at);
  *(last - 1) = CardSlot{};
  --counts_[static_cast<std::size_t>(zone)];
  return copy;
}

void OwnedCards::reveal_hand() {
  for (CardSlot* slot = begin(Zone::hand); slot != end(Zone::hand); ++slot) {
    slot->known = 0;
    slot->revealed = 1;
  }
  std::uint8_t& hand = counts_[static_cast<std::size_t>(Zone::hand)];
  std::uint8_t& play = counts_[static_cast<std::size_t>(Zone::play)];
  play = static_cast<std::uint8_t>(play + hand);
  hand = 0;
}

void OwnedCards::clean_up() {
  for (CardSlot* slot = begin(Zone::play); slot != end(Zone::play); ++slot) {
    const CardCopy copy = slot->copy;
    *slot = CardSlot{};
    slot->copy = copy & 0xfffU;
  }
  std::uint8_t& play = counts_[static_cast<std::size_t>(Zone::play)];
  std::uint8_t& discard = counts_[static_cast<std::size_t>(Zone::discard)];
  discard = static_cast<std::uint8_t>(discard + play);
  play = 0;
}

void OwnedCards::shuffle_discard_into_deck(RandomStream& random) {
  assert(size(Zone::deck) == 0);
  random.shuffle(begin(Zone::discard), end(Zone::discard));
  std::rotate(slots_.data(), begin(Zone::discard), end(Zone::discard));
  counts_[static_cast<std::size_t>(Zone::deck)] = counts_[static_cast<std::size_t>(Zone::discard)];
  counts_[static_cast<std::size_t>(Zone::discard)] = 0;
}

void OwnedCards::shuffle_deck(RandomStream& random) { random.shuffle(begin(Zone::deck), end(Zone::deck)); }

}  // namespace landsraad::rules
