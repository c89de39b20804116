#include "rules/engine/revealing.h"

#include <algorithm>
#include <cstring>

namespace landsraad::rules {

namespace {

template <class T>
bool same_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

bool same_zone(const Player& a, const Player& b, Zone zone) {
  return a.cards.size(zone) == b.cards.size(zone) &&
         std::memcmp(a.cards.begin(zone), b.cards.begin(zone), a.cards.size(zone) * sizeof(CardSlot)) == 0;
}

bool same_piles(const Board& a, const Board& b) {
  return same_bytes(a.imperium_deck, b.imperium_deck) && same_bytes(a.intrigue_deck, b.intrigue_deck) &&
         same_bytes(a.conflict_deck, b.conflict_deck);
}

}  // namespace

bool reveals(const State& before, const State& after, Seat seat) {
  if (after.phase == Phase::over) return true;  // all is shown (INFO-12)
  if (!same_bytes(before.random, after.random) || !same_piles(before.board, after.board)) return true;
  if (after.turn.looked != 0 && before.turn.looked != after.turn.looked) return true;
  for (Seat other = 0; other < before.options.seats; ++other) {
    const Player& was = before.player(other);
    const Player& is = after.player(other);
    if (!same_zone(was, is, Zone::deck)) return true;
    if (other != seat && (!same_zone(was, is, Zone::hand) || !same_bytes(was.intrigues, is.intrigues)))
      return true;
  }
  return false;
}

}  // namespace landsraad::rules
