// Updates on their way to spectators, who see the game so many actions behind.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "server/room/outbox.h"

namespace landsraad::room {

class Delay {
 public:
  explicit Delay(std::size_t actions = 0) : actions_(actions) {}

  // The update of the latest action goes in; the one whose time has come comes out, or null.
  Frame push(Frame update) {
    waiting_.push_back(std::move(update));
    if (waiting_.size() <= actions_) return nullptr;
    Frame due = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    return due;
  }

  // All that are left, in their order.
  std::vector<Frame> flush() { return std::exchange(waiting_, {}); }

 private:
  std::size_t actions_;
  std::vector<Frame> waiting_;
};

}  // namespace landsraad::room
