#include "server/room/chat.h"

#include <algorithm>

namespace landsraad::room {

bool Chat::takes_turn(const TokenHash& player, Instant now, const Limits& limits) {
  std::erase_if(turns_, [now](const Turn& turn) { return now - turn.when >= std::chrono::minutes(1); });
  const auto taken =
      std::count_if(turns_.begin(), turns_.end(), [&](const Turn& turn) { return turn.player == player; });
  if (static_cast<std::size_t>(taken) >= limits.chat_lines) return false;
  turns_.push_back({player, now});
  return true;
}

void Chat::say(v1::ChatLine& line, const Limits& limits) {
  line.set_id(++last_id_);
  latest_.push_back(line);
  if (latest_.size() > limits.chat_history) latest_.erase(latest_.begin());
}

}  // namespace landsraad::room
