#include "server/net/server.h"

#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <cstdio>
#include <filesystem>
#include <future>
#include <iostream>
#include <memory>

#include "persistence/sqlite/sqlite_store.h"
#include "persistence/wait.h"
#include "rules/notation/load.h"
#include "server/net/alarm.h"
#include "server/net/listener.h"
#include "server/net/log.h"
#include "server/net/shard.h"
#include "server/storage/port.h"

namespace landsraad::net {

namespace {

constexpr std::chrono::milliseconds kDrainCheck{20};

int fail(const std::string& line) {
  std::cerr << "landsraad-server: " << line << "\n";
  return 1;
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
  settings.describe = storage::described;
  return persistence::SqliteStore::open(settings);
}

// The cards that stored games were begun with, and those of this version for the games to come.
std::string fill_library(persistence::Store& store, room::Library& library) {
  const auto texts =
      persistence::wait_for<persistence::Texts>([&](auto done) { store.texts(std::move(done)); });
  if (!texts.ok()) return "cannot read the stored editions of the cards: " + texts.why;
  for (const auto& [version, edition] : texts.value)
    if (const std::string fault = library.add(edition); !fault.empty()) spdlog::error("{}", fault);
  const rules::Content& current = library.current();
  const auto kept = persistence::wait_for<bool>([&](auto done) {
    store.keep_text(current.version, room::write_edition(current.product, rules::embedded_files()),
                    std::move(done));
  });
  return kept.ok() ? std::string() : "cannot store the cards of this version: " + kept.why;
}

// Asks every shard something on its own thread.
asio::awaitable<bool> all_of(Shards& shards, bool (Shard::*holds)() const) {
  bool all = true;
  for (std::size_t i = 0; i < shards.size(); ++i)
    co_await shards.on(shards[i], shards[0], [&] { all = (shards[i].*holds)() && all; });
  co_return all;
}

using Deadline = std::chrono::steady_clock::time_point;

asio::awaitable<void> wait_for_all(Shards& shards, bool (Shard::*holds)() const, Deadline deadline) {
  asio::steady_timer timer(shards[0].executor());
  while (!co_await all_of(shards, holds) && std::chrono::steady_clock::now() < deadline) {
    timer.expires_after(kDrainCheck);
    co_await timer.async_wait(kAsTuple);
  }
}

asio::awaitable<void> each(Shards& shards, void (Shard::*act)()) {
  for (std::size_t i = 0; i < shards.size(); ++i)
    co_await shards.on(shards[i], shards[0], [&] { (shards[i].*act)(); });
}

// Waits for a signal, then tells everybody and lets what has begun become durable and be answered.
asio::awaitable<void> run_until_told(Shards& shards, Listener& listener, asio::signal_set& signals) {
  co_await signals.async_wait(kAsTuple);
  signals.clear();  // a second signal ends the process, as if nobody had ever waited for it
  spdlog::info("stopping");
  const Deadline deadline = std::chrono::steady_clock::now() + shards.limits().drain;
  shards.tell_draining();
  listener.close();
  co_await each(shards, &Shard::drain);
  co_await wait_for_all(shards, &Shard::idle, deadline);
  co_await each(shards, &Shard::close_sessions);
  co_await wait_for_all(shards, &Shard::empty,
                        std::min(deadline, std::chrono::steady_clock::now() + shards.limits().goodbye));
}

void report(const std::string& fault) {
  if (!fault.empty()) spdlog::error("{}", fault);
}

// SIGHUP: new certificate, new log file.
asio::awaitable<void> reload_when_told(Shards& shards, const Config& config, asio::signal_set& signals) {
  for (;;) {
    const auto [error, signal] = co_await signals.async_wait(kAsTuple);
    if (error) co_return;
    report(reopen_log());
    if (config.tls_certificate.empty()) continue;
    const std::string fault = shards.certificate().load(config.tls_certificate, config.tls_key);
    report(fault);
    if (fault.empty()) spdlog::info("TLS certificate loaded anew");
  }
}

std::vector<asio::ip::address> addresses(const std::vector<std::string>& texts) {
  std::vector<asio::ip::address> out;
  for (const std::string& text : texts) out.push_back(asio::ip::make_address(text));
  return out;
}

// A server without metrics is better than none: several of them may run on one machine with the same options.
void open_operations(Listener& operations, const Config& config, Shards& shards) {
  const std::string fault = operations.open(config.metrics_address, *config.metrics_port);
  if (!fault.empty()) return spdlog::error("no metrics are served: {}", fault);
  spdlog::info("metrics on http://{}:{}/metrics", config.metrics_address, operations.port());
  asio::co_spawn(shards[0].executor(), operations.run(), asio::detached);
}

std::string url(const Config& config, std::uint16_t port) {
  const bool v6 = config.address.find(':') != std::string::npos;
  return std::string(config.tls_certificate.empty() ? "ws" : "wss") + "://" +
         (v6 ? "[" + config.address + "]" : config.address) + ":" + std::to_string(port);
}

}  // namespace

int serve(const Config& config) {
  if (const std::string fault = set_up_log(config.log); !fault.empty()) return fail(fault);
  if (config.tls_certificate.empty() != config.tls_key.empty())
    return fail("--tls-certificate and --tls-key go together; one of them is missing");
  allow_many_files();
  auto opened = open_store(config.database);
  if (!opened.ok()) return fail(opened.why);
  room::Library library(rules::uprising_content());
  if (const std::string fault = fill_library(*opened.value, library); !fault.empty()) return fail(fault);
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  Shards shards(config.limits, config.threads == 0 ? cores : config.threads, library,
                {addresses(config.trusted_proxies), config.allowed_origins});
  Alarm alarm(shards, config.keep_finished);
  // Behind both, so that it is destroyed first: its last callbacks still find them.
  const std::unique_ptr<persistence::Store> store = std::move(opened.value);
  shards.set_store(*store);
  if (!config.tls_certificate.empty())
    if (const auto fault = shards.certificate().load(config.tls_certificate, config.tls_key); !fault.empty())
      return fail(fault);

  Listener listener(shards), operations(shards, Port::operations);
  if (const std::string fault = listener.open(config.address, config.port); !fault.empty())
    return fail(fault);
  if (config.metrics_port) open_operations(operations, config, shards);
  asio::signal_set endings(shards[0].executor(), SIGINT, SIGTERM), reloads(shards[0].executor(), SIGHUP);
  std::promise<void> done;
  asio::co_spawn(shards[0].executor(), alarm.run(), asio::detached);
  asio::co_spawn(shards[0].executor(), listener.run(), asio::detached);
  asio::co_spawn(shards[0].executor(), reload_when_told(shards, config, reloads), asio::detached);
  asio::co_spawn(shards[0].executor(), run_until_told(shards, listener, endings),
                 [&done](std::exception_ptr) { done.set_value(); });
  shards.start();

  std::cout << "listening on " << url(config, listener.port()) << std::endl;
  done.get_future().wait();
  shards.stop();
  spdlog::info("stopped");
  return 0;
}

}  // namespace landsraad::net
