#include "server/net/alarm.h"

#include <spdlog/spdlog.h>

#include <utility>

namespace landsraad::net {

namespace {

std::int64_t to_unix_ms(room::Instant when) { return when.time_since_epoch().count(); }

}  // namespace

asio::awaitable<void> Alarm::run() {
  asio::steady_timer timer(shards_[0].executor());
  for (;;) {
    const room::Instant now = wall_clock();
    wake_due_games(now);
    purge_old_games(now);
    timer.expires_after(kAlarmInterval);
    const auto [error] = co_await timer.async_wait(kAsTuple);
    if (error) co_return;
  }
}

void Alarm::wake_due_games(room::Instant now) {
  if (std::exchange(asked_, true)) return;
  shards_.store().due(to_unix_ms(now), kDueAtOnce, [this](auto games) {
    for (const room::RoomId& game : games.value) {
      Shard& shard = shards_[room::hall_of(game, shards_.size())];
      asio::post(shard.context(), [&shard, game] { shard.rouse(game); });
    }
    asio::post(shards_[0].context(), [this] { asked_ = false; });
  });
}

void Alarm::purge_old_games(room::Instant now) {
  if (keep_finished_.count() == 0 || now < next_purge_ || std::exchange(purging_, true)) return;
  next_purge_ = now + kPurgeInterval;
  shards_.store().purge(to_unix_ms(now - keep_finished_), kPurgedAtOnce, [this](auto deleted) {
    asio::post(shards_[0].context(), [this, deleted = std::move(deleted)] {
      purging_ = false;
      if (!deleted.ok()) return spdlog::warn("cannot delete old finished games: {}", deleted.why);
      if (deleted.value > 0) spdlog::info("{} old finished games deleted", deleted.value);
      if (deleted.value == kPurgedAtOnce) next_purge_ = {};
    });
  });
}

}  // namespace landsraad::net
