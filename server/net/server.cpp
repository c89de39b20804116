#include "server/net/server.h"

#include <google/protobuf/stubs/logging.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <cstdio>
#include <filesystem>
#include <future>
#include <iostream>
#include <memory>

#include "persistence/sqlite/sqlite_store.h"
#include "rules/notation/load.h"
#include "server/net/listener.h"
#include "server/net/shard.h"
#include "server/net/storage_port.h"

namespace landsraad::net {

namespace {

constexpr std::chrono::milliseconds kDrainCheck{20};
constexpr std::chrono::seconds kGoodbye{2};  // for closing handshakes

int fail(const std::string& line) {
  std::cerr << "landsraad-server: " << line << "\n";
  return 1;
}

void set_up_log(const std::string& level) {
  // stdout is for the one line that scripts wait for.
  spdlog::set_default_logger(spdlog::stderr_color_mt("landsraad"));
  spdlog::set_pattern("%Y-%m-%d %H:%M:%S.%e %^%l%$ %v");
  spdlog::set_level(spdlog::level::from_str(level));
  // What clients send is their affair: it must not fill the log.
  google::protobuf::SetLogHandler([](google::protobuf::LogLevel, const char*, int, const std::string& text) {
    spdlog::debug("protobuf: {}", text);
  });
}

// The usual 1024 files would end far below the limit of connections.
void allow_many_files() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

persistence::Result<std::unique_ptr<persistence::SqliteStore>> open_store(const std::string& path) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  persistence::SqliteSettings settings;
  settings.path = path;
  return persistence::SqliteStore::open(settings);
}

void list_stored_games(const std::vector<persistence::ListedGame>& games, Shards& shards) {
  std::size_t unreadable = 0;
  for (const persistence::ListedGame& game : games) {
    const room::RoomChange change = listed(game);
    for (std::size_t i = 0; i < shards.size(); ++i) shards[i].learn(change);
    if (game.readable) continue;
    ++unreadable;
    spdlog::error("room {}: what is stored of this game does not read back", game.id);
  }
  spdlog::info("{} games in storage, {} of them unreadable", games.size(), unreadable);
}

// Asks every shard something on its own thread.
asio::awaitable<bool> all_of(Shards& shards, bool (Shard::*holds)() const) {
  bool all = true;
  for (std::size_t i = 0; i < shards.size(); ++i)
    co_await shards.on(shards[i], shards[0], [&] { all = (shards[i].*holds)() && all; });
  co_return all;
}

asio::awaitable<void> wait_for_all(Shards& shards, bool (Shard::*holds)() const,
                                   std::chrono::milliseconds most) {
  asio::steady_timer timer(shards[0].executor());
  const auto deadline = std::chrono::steady_clock::now() + most;
  while (!co_await all_of(shards, holds) && std::chrono::steady_clock::now() < deadline) {
    timer.expires_after(kDrainCheck);
    co_await timer.async_wait(kAsTuple);
  }
}

// Waits for a signal, then lets what has begun become durable and be answered.
asio::awaitable<void> run_until_told(Shards& shards, Listener& listener, asio::signal_set& signals) {
  co_await signals.async_wait(kAsTuple);
  spdlog::info("stopping");
  listener.close();
  for (std::size_t i = 0; i < shards.size(); ++i)
    co_await shards.on(shards[i], shards[0], [&] { shards[i].drain(); });
  co_await wait_for_all(shards, &Shard::idle, shards.limits().drain);
  for (std::size_t i = 0; i < shards.size(); ++i)
    co_await shards.on(shards[i], shards[0], [&] { shards[i].close_sessions(); });
  co_await wait_for_all(shards, &Shard::empty, kGoodbye);
}

}  // namespace

int serve(const Config& config) {
  set_up_log(config.log_level);
  allow_many_files();
  auto opened = open_store(config.database);
  if (!opened.ok()) return fail(opened.why);
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  Shards shards(config.limits, config.threads == 0 ? cores : config.threads, rules::uprising_content());
  // Behind the shards, so that it is destroyed first: its last callbacks still find them.
  const std::unique_ptr<persistence::Store> store = std::move(opened.value);
  shards.set_store(*store);

  auto games = list_all(*store);
  if (!games.ok()) return fail("cannot list the stored games: " + games.why);
  list_stored_games(games.value, shards);

  Listener listener(shards);
  if (const std::string fault = listener.open(config.address, config.port); !fault.empty())
    return fail(fault);
  asio::signal_set signals(shards[0].executor(), SIGINT, SIGTERM);
  std::promise<void> done;
  asio::co_spawn(shards[0].executor(), listener.run(), asio::detached);
  asio::co_spawn(shards[0].executor(), run_until_told(shards, listener, signals),
                 [&done](std::exception_ptr) { done.set_value(); });
  shards.start();

  const bool v6 = config.address.find(':') != std::string::npos;
  std::cout << "listening on ws://" << (v6 ? "[" + config.address + "]" : config.address) << ":"
            << listener.port() << std::endl;
  done.get_future().wait();
  shards.stop();
  spdlog::info("stopped");
  return 0;
}

}  // namespace landsraad::net
