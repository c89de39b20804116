// What the server can be told: from the command line, the environment and a file.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "server/net/log_settings.h"
#include "server/room/limits.h"

namespace landsraad {

struct Config {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;  // 0 = any free one
  std::size_t threads = 0;    // 0 = one for each core
  std::string database = "./data/landsraad.sqlite";
  net::LogSettings log;
  std::string tls_certificate, tls_key;      // PEM files; empty = no TLS
  std::vector<std::string> allowed_origins;  // of web pages, beside those of the server's own host
  std::vector<std::string> trusted_proxies;  // addresses whose X-Forwarded-For is believed
  std::string metrics_address = "127.0.0.1";
  std::optional<std::uint16_t> metrics_port = 9090;  // 0 = any free one; nothing = none
  std::chrono::days keep_finished{0};                // then finished games are deleted; 0 = never
  room::Limits limits;
  std::string backup;        // copy the database to this file instead of serving; empty = serve
  bool healthcheck = false;  // ask a server with this configuration whether it is ready, instead of serving
};

// Instead of a Config: text to print, and the exit code.
struct EarlyExit {
  std::string text;
  int code = 0;  // 0 = help or version was asked for; 2 = something is wrong, in one line
};

// Looks up an environment variable; nothing if it is not set.
using Environment = std::function<std::optional<std::string>(std::string_view name)>;
Environment process_environment();

// Reads the arguments behind the program's name. What the command line says wins over the environment
// (LANDSRAAD_PORT for --port, or LANDSRAAD_PORT_FILE for a file that holds its value), and that over the file
// named by --config.
std::variant<Config, EarlyExit> configure(std::span<const std::string_view> arguments,
                                          const Environment& environment);

}  // namespace landsraad
