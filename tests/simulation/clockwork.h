// Simulated time: what shall happen, in the order in which it does.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "server/room/outbox.h"
#include "tests/random/playout.h"

namespace landsraad::simulation {

using room::Instant;
using Span = std::chrono::milliseconds;
using testing::Chance;
using namespace std::chrono_literals;

class Clockwork {
 public:
  using Deed = std::function<void()>;

  Instant now() const { return now_; }
  void at(Instant when, Deed deed) {
    waiting_.emplace(std::pair{std::max(when, now_), ++count_}, std::move(deed));
  }
  void in(Span time, Deed deed) { at(now_ + time, std::move(deed)); }

  // Moves on to the next deed and does it; false if none waits. Deeds of one instant keep their order.
  bool step() {
    if (waiting_.empty()) return false;
    auto next = waiting_.extract(waiting_.begin());
    now_ = next.key().first;
    next.mapped()();
    return true;
  }

 private:
  Instant now_{std::chrono::hours(500'000)};
  std::uint64_t count_ = 0;
  std::map<std::pair<Instant, std::uint64_t>, Deed> waiting_;
};

inline bool one_in(Chance& chance, std::uint32_t n) { return chance.below(n) == 0; }

// Anything from `least` to `most`, both included.
inline std::uint32_t between(Chance& chance, std::uint32_t least, std::uint32_t most) {
  return least + chance.below(most - least + 1);
}
inline Span between(Chance& chance, Span least, Span most) {
  return least + Span{chance.below(static_cast<std::uint32_t>((most - least).count()) + 1)};
}

}  // namespace landsraad::simulation
