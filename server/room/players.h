// A set of players that somebody's requests make grow, and therefore with an end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "server/room/secrets.h"

namespace landsraad::room {

class Players {
 public:
  static constexpr std::size_t kMost = 200;  // one more, and the one added first is forgotten

  bool has(const TokenHash& player) const {
    return std::find(players_.begin(), players_.end(), player) != players_.end();
  }
  const std::vector<TokenHash>& all() const { return players_; }
  void add(const TokenHash& player) {
    if (has(player)) return;
    if (players_.size() == kMost) players_.erase(players_.begin());
    players_.push_back(player);
  }
  void drop(const TokenHash& player) { std::erase(players_, player); }

 private:
  std::vector<TokenHash> players_;
};

}  // namespace landsraad::room
