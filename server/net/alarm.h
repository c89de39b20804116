// What the server does with its stored games when nobody asks: wakes those that are due, deletes old ones.
#pragma once

#include <chrono>

#include "server/net/shard.h"

namespace landsraad::net {

inline constexpr std::chrono::seconds kAlarmInterval{1};
inline constexpr std::size_t kDueAtOnce = 200;             // woken in one interval; the rest in the next
inline constexpr std::size_t kPurgedAtOnce = 100;          // deleted in one transaction
inline constexpr std::chrono::seconds kPurgeInterval{60};  // but sooner while there is more to delete

class Alarm {
 public:
  // Finished games are deleted `keep_finished` after their end; 0 = never. The shards outlive the alarm.
  Alarm(Shards& shards, std::chrono::days keep_finished) : shards_(shards), keep_finished_(keep_finished) {}

  // Runs on the first shard until its context stops. The alarm must live as long.
  asio::awaitable<void> run();

 private:
  void wake_due_games(room::Instant now);
  void purge_old_games(room::Instant now);

  Shards& shards_;
  const std::chrono::days keep_finished_;
  bool asked_ = false;  // the store, and it has not answered yet
  bool purging_ = false;
  room::Instant next_purge_{};
};

}  // namespace landsraad::net
