#include "server/config.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "server/room/version.h"

namespace landsraad {

namespace {

constexpr std::array<std::string_view, 6> kLogLevels{"trace", "debug", "info", "warn", "error", "off"};
constexpr std::size_t kHelpColumn = 32;
constexpr std::size_t kLongestValue = 64 * 1024;  // bytes, of a file that LANDSRAAD_..._FILE names

// One option. `set` gives back what is wrong with the text, or nothing.
struct Setting {
  std::string_view name, value, meaning;
  std::function<std::string(Config&, std::string_view)> set;
  std::function<std::string(const Config&)> show;
  bool list = false;  // given several times on the command line, it means all of them
};

// ---- Kinds of settings.

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

Setting number(std::string_view name, std::string_view value, std::string_view meaning, std::uint64_t least,
               std::uint64_t most, std::function<std::uint64_t(const Config&)> get,
               std::function<void(Config&, std::uint64_t)> put) {
  auto set = [least, most, put](Config& config, std::string_view text) -> std::string {
    std::uint64_t parsed = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
    if (error != std::errc{} || end != text.data() + text.size() || parsed < least || parsed > most)
      return "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    put(config, parsed);
    return {};
  };
  return {name, value, meaning, set, [get](const Config& config) { return std::to_string(get(config)); }};
}

Setting count(std::string_view name, std::string_view meaning, std::uint64_t least, std::uint64_t most,
              std::size_t room::Limits::*field) {
  return number(
      name, "N", meaning, least, most, [field](const Config& config) { return config.limits.*field; },
      [field](Config& config, std::uint64_t value) { config.limits.*field = value; });
}

Setting duration(std::string_view name, std::string_view meaning, std::chrono::seconds room::Limits::*field) {
  constexpr std::uint64_t week = 7 * 24 * 3600;
  return number(
      name, "SECONDS", meaning, 1, week,
      [field](const Config& config) { return static_cast<std::uint64_t>((config.limits.*field).count()); },
      [field](Config& config, std::uint64_t value) { config.limits.*field = std::chrono::seconds(value); });
}

bool is_address(const std::string& text) {
  std::array<unsigned char, sizeof(in6_addr)> parsed{};
  return inet_pton(AF_INET, text.c_str(), parsed.data()) == 1 ||
         inet_pton(AF_INET6, text.c_str(), parsed.data()) == 1;
}

Setting address(std::string_view name, std::string_view meaning, std::string Config::*field) {
  auto set = [field](Config& config, std::string_view text) -> std::string {
    if (!is_address(std::string(text))) return "must be an IPv4 or IPv6 address";
    config.*field = text;
    return {};
  };
  return {name, "IP", meaning, set, [field](const Config& config) { return config.*field; }};
}

// May be left empty.
template <class Get>  // std::string& of Config&
Setting file(std::string_view name, std::string_view meaning, Get get) {
  auto set = [get](Config& config, std::string_view text) {
    get(config) = text;
    return std::string();
  };
  return {name, "FILE", meaning, set, [get](Config config) { return get(config); }};
}

// Texts with commas between them.
Setting texts(std::string_view name, std::string_view value, std::string_view meaning,
              std::vector<std::string> Config::*field, bool (*is_good)(const std::string&),
              std::string_view fault) {
  auto set = [field, is_good, fault](Config& config, std::string_view text) -> std::string {
    std::vector<std::string> parts;
    while (!text.empty()) {
      const std::size_t comma = std::min(text.find(','), text.size());
      const std::string part(trimmed(text.substr(0, comma)));
      text.remove_prefix(std::min(comma + 1, text.size()));
      if (part.empty()) continue;
      if (!is_good(part)) return std::string(fault) + ", not " + part;
      parts.push_back(part);
    }
    config.*field = std::move(parts);
    return {};
  };
  auto show = [field](const Config& config) {
    std::string text;
    for (const std::string& part : config.*field) text += (text.empty() ? "" : ",") + part;
    return text;
  };
  return {name, value, meaning, set, show, true};
}

// "https://example.org:8443" as browsers say it: no path, no slash at the end; "null" for a local file; "*".
bool is_origin(const std::string& text) {
  const std::size_t scheme = text.find("://");
  return text == "*" || text == "null" ||
         (scheme != std::string::npos && scheme > 0 && scheme + 3 < text.size() &&
          text.find('/', scheme + 3) == std::string::npos);
}

std::string set_log_json(Config& config, std::string_view text) {
  if (text != "yes" && text != "no") return "must be yes or no";
  config.log.json = text == "yes";
  return {};
}

std::string set_metrics_port(Config& config, std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (text == "off") {
    config.metrics_port.reset();
  } else if (error == std::errc{} && end == text.data() + text.size()) {
    config.metrics_port = port;
  } else {
    return "must be a whole number from 0 to 65535, or off";
  }
  return {};
}

std::string set_database(Config& config, std::string_view text) {
  if (text.empty()) return "must be the path of a file";
  config.database = text;
  return {};
}

std::string set_log_level(Config& config, std::string_view text) {
  if (std::find(kLogLevels.begin(), kLogLevels.end(), text) == kLogLevels.end())
    return "must be trace, debug, info, warn, error or off";
  config.log.level = text;
  return {};
}

const std::vector<Setting>& settings() {
  using L = room::Limits;
  static const std::vector<Setting> all{
      address("address", "address to listen on", &Config::address),
      number(
          "port", "PORT", "port to listen on; 0 = any free one", 0, 65535,
          [](const Config& c) { return c.port; },
          [](Config& c, std::uint64_t value) { c.port = static_cast<std::uint16_t>(value); }),
      number(
          "threads", "N", "threads that serve rooms and connections; 0 = one for each core", 0, 256,
          [](const Config& c) { return c.threads; },
          [](Config& c, std::uint64_t value) { c.threads = value; }),
      {"database", "FILE", "SQLite file with all games; made if missing", set_database,
       [](const Config& c) { return c.database; }},
      {"log-level", "LEVEL", "trace, debug, info, warn, error or off", set_log_level,
       [](const Config& c) { return c.log.level; }},
      {"log-json", "yes|no", "one JSON object a line", set_log_json,
       [](const Config& c) { return std::string(c.log.json ? "yes" : "no"); }},
      file("log-file", "log there instead of standard error; SIGHUP opens it anew",
           [](Config& c) -> std::string& { return c.log.file; }),
      number(
          "log-max-bytes", "N", "size at which the log file becomes FILE.1 and a new one begins", 1024,
          1ULL << 40, [](const Config& c) { return c.log.max_bytes; },
          [](Config& c, std::uint64_t value) { c.log.max_bytes = value; }),
      number(
          "log-files", "N", "old log files that are kept", 1, 1000,
          [](const Config& c) { return c.log.files; },
          [](Config& c, std::uint64_t value) { c.log.files = value; }),
      file("tls-certificate", "PEM: serve TLS with this certificate and its chain; SIGHUP loads it anew",
           [](Config& c) -> std::string& { return c.tls_certificate; }),
      file("tls-key", "PEM: the certificate's key, without a passphrase",
           [](Config& c) -> std::string& { return c.tls_key; }),
      texts("allow-origin", "ORIGIN,...",
            "web pages that may connect, beside those of the same host; * = all", &Config::allowed_origins,
            is_origin, "must be origins such as https://example.org"),
      texts("trusted-proxy", "IP,...", "proxies whose X-Forwarded-For says the client's address",
            &Config::trusted_proxies, is_address, "must be IPv4 or IPv6 addresses"),
      address("metrics-address", "address of the operations port", &Config::metrics_address),
      {"metrics-port", "PORT", "port for /metrics, /healthz, /readyz; 0 = any free one, off = none",
       set_metrics_port,
       [](const Config& c) { return c.metrics_port ? std::to_string(*c.metrics_port) : "off"; }},

      number(
          "keep-finished-days", "DAYS", "delete finished games so long after their end; 0 = keep them", 0,
          36'500, [](const Config& c) { return static_cast<std::uint64_t>(c.keep_finished.count()); },
          [](Config& c, std::uint64_t value) { c.keep_finished = std::chrono::days(value); }),

      count("max-connections", "WebSocket connections at a time; more get HTTP 503", 1, 1'000'000,
            &L::connections),
      count("max-rooms", "rooms in memory at a time", 1, 1'000'000, &L::rooms),
      count("max-spectators", "spectators of one room", 0, 10'000, &L::spectators),
      count("max-seat-connections", "connections to one seat", 1, 100, &L::seat_connections),
      count("max-frame-bytes", "size of a client's frame; a longer one closes the connection", 256, 1 << 20,
            &L::frame_bytes),
      count("max-name-bytes", "length of names and titles, in UTF-8", 8, 1024, &L::name_bytes),
      count("max-name-characters", "length of names and titles, as a reader counts", 1, 1024,
            &L::name_characters),
      count("max-chat-bytes", "length of one line of chat, in UTF-8", 1, 4096, &L::chat_bytes),
      count("max-chat-lines", "lines of chat of one person in a minute; more get TOO_FAST", 0, 10'000,
            &L::chat_lines),
      count("max-player-lobbies", "rooms of one player that have not started", 1, 1'000'000,
            &L::player_lobbies),
      count("max-undos", "undos of one seat in one game without consent", 0, 10'000, &L::undos),
      count("max-log-entries", "entries of one game's log; beyond it only actions are taken", 1000, 50'000,
            &L::log_entries),
      count("snapshot-entries", "entries of one game's log from one stored snapshot to the next", 8, 50'000,
            &L::snapshot_entries),
      count("max-log-page", "actions in one page of a game's log", 1, 1000, &L::log_page),
      count("max-list-page", "rooms in one page of the list", 1, 1000, &L::list_page),
      count("max-diffs", "missing diffs sent to who returns; beyond it a snapshot", 0, 1000, &L::diffs),
      count("max-held-acts", "actions of one room that may wait for storage", 1, 1000, &L::held_requests),
      count("max-waiting-joins", "who may wait for one room to wake", 1, 10'000, &L::waiting_joins),
      count("max-outgoing-bytes", "waiting for a slow reader before it is dropped", 64 * 1024, 1 << 30,
            &L::outgoing_bytes),
      count("max-address-connections", "of those from one address, loopback aside; more get HTTP 429", 1,
            1'000'000, &L::address_connections),
      count("max-handshakes", "connections that are no WebSocket yet; more are closed at once", 1, 1'000'000,
            &L::handshakes),
      count("max-address-handshakes", "of those from one address, loopback aside", 1, 1'000'000,
            &L::address_handshakes),
      count("max-http-header-bytes", "of a handshake; more get HTTP 431", 1024, 1 << 20,
            &L::http_header_bytes),
      count("messages-per-second", "requests of one connection in the long run; more get TOO_FAST", 1,
            1'000'000, &L::messages_per_second),
      count("message-burst", "requests of one connection at once", 1, 1'000'000'000, &L::message_burst),
      count("max-refused-bursts", "bursts refused in a row before a connection is closed", 1, 1000,
            &L::refused_bursts),
      count("max-malformed-frames", "of which ten good requests forgive one, before a connection is closed",
            1, 1'000'000, &L::malformed_frames),
      count("max-nesting", "of messages within a frame", 8, 100, &L::nesting),
      duration("handshake-timeout", "for the handshakes of TLS and WebSocket", &L::handshake),
      duration("idle-timeout", "without a sign of life before a connection is dropped", &L::idle),
      duration("seat-grace", "before the start: how long an absent player keeps a seat", &L::seat_grace),
      duration("lobby-idle", "how long an empty room that has not started is kept", &L::lobby_idle),
      duration("storage-patience", "clocks stand while nothing can be stored, and go on so long after",
               &L::storage_patience),
      duration("sleep-after", "how long an empty room that has started stays in memory", &L::sleep_after),
      duration("goodbye-timeout", "at shutdown: how long to wait for closing handshakes", &L::goodbye),
      duration("drain-seconds", "at shutdown: how long to wait for storage and goodbyes", &L::drain),
  };
  return all;
}

// ---- Sources of settings.

const Setting* find_setting(std::string_view name) {
  for (const Setting& setting : settings())
    if (setting.name == name) return &setting;
  return nullptr;
}

std::string variable_of(std::string_view name) {
  std::string variable = "LANDSRAAD_";
  for (const char c : name)
    variable += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return variable;
}

std::string help_text() {
  std::string text =
      "Usage: landsraad-server [OPTION]...\n"
      "Serves games to clients that speak WebSocket subprotocol landsraad.v1 (proto/README.md).\n\n"
      "  --help                        show this and exit\n"
      "  --version                     show the version and exit\n"
      "  --backup FILE                 copy the database to the new file FILE, also while a server uses it, "
      "and exit\n"
      "  --healthcheck                 ask whether the server with these options is ready, and exit\n"
      "  --config FILE                 read options from a file: one NAME = VALUE a line, # begins a "
      "comment\n";
  for (const Setting& setting : settings()) {
    std::string line = "  --" + std::string(setting.name) + " " + std::string(setting.value);
    line.resize(std::max(kHelpColumn, line.size() + 1), ' ');
    text += line + std::string(setting.meaning) + " [" + setting.show(Config{}) + "]\n";
  }
  return text +
         "\nDefaults stand in brackets. Each option but --backup and --healthcheck can also be a variable\n"
         "of the environment, LANDSRAAD_PORT for --port; LANDSRAAD_PORT_FILE names a file with the value.\n"
         "The command line wins over the environment, that over the file of --config.\n"
         "\nExit code: 0 stopped in order, the backup is made, or ready; 1 cannot serve, no backup made,\n"
         "or not ready; 2 wrong usage.\n";
}

EarlyExit wrong(const std::string& line) { return {"landsraad-server: " + line + "\n", 2}; }

std::optional<EarlyExit> read_file(const std::string& path, Config& config) {
  std::ifstream file(path);
  if (!file) return wrong("cannot read the config file " + path);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string_view content = trimmed(std::string_view(line).substr(0, line.find('#')));
    if (content.empty()) continue;
    const std::string at = path + ":" + std::to_string(number) + ": ";
    const std::size_t equals = content.find('=');
    if (equals == std::string_view::npos) return wrong(at + "expected NAME = VALUE");
    const std::string name(trimmed(content.substr(0, equals)));
    const Setting* setting = find_setting(name);
    if (setting == nullptr) return wrong(at + "there is no option " + name);
    const std::string fault = setting->set(config, trimmed(content.substr(equals + 1)));
    if (!fault.empty()) return wrong(at + name + " " + fault);
  }
  if (file.bad()) return wrong("cannot read the config file " + path);  // a folder, for example
  return std::nullopt;
}

// The one line of a file, or what is wrong with it.
std::variant<std::string, EarlyExit> read_value(const std::string& variable, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kLongestValue + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || !file.is_open()) return wrong(variable + ": cannot read the file " + path);
  text.resize(static_cast<std::size_t>(file.gcount()));
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  if (text.size() > kLongestValue || text.find('\n') != std::string::npos)
    return wrong(variable + ": " + path + " must hold one line");
  return text;
}

// Containers get secrets as files: LANDSRAAD_PORT_FILE names one that says what LANDSRAAD_PORT would.
std::optional<EarlyExit> read_environment(const Environment& environment, Config& config) {
  for (const Setting& setting : settings()) {
    std::string variable = variable_of(setting.name);
    std::optional<std::string> value = environment(variable);
    if (const std::optional<std::string> path = environment(variable + "_FILE")) {
      if (value) return wrong(variable + " and " + variable + "_FILE are both set; keep one of them");
      variable += "_FILE";
      auto read = read_value(variable, *path);
      if (const auto* exit = std::get_if<EarlyExit>(&read)) return *exit;
      value = std::get<std::string>(std::move(read));
    }
    if (!value) continue;
    const std::string fault = setting.set(config, *value);
    if (!fault.empty()) return wrong(variable + " " + fault);
  }
  return std::nullopt;
}

// What must not come from the environment or a file.
bool is_only_an_argument(std::string_view name) {
  return name == "config" || name == "backup" || name == "healthcheck";
}

// The command line as pairs; --name=value and --name value mean the same.
struct Argument {
  std::string name, value;
};

std::variant<std::vector<Argument>, EarlyExit> split(std::span<const std::string_view> arguments) {
  std::vector<Argument> out;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--help" || argument == "-h") return EarlyExit{help_text(), 0};
    if (argument == "--version") return EarlyExit{std::string(room::kServerName) + "\n", 0};
    if (argument == "--healthcheck") {
      out.push_back({"healthcheck", ""});
      continue;
    }
    const std::size_t equals = argument.find('=');
    const std::string_view option = argument.substr(0, equals);
    if (!option.starts_with("--"))
      return wrong("unexpected argument " + std::string(argument) + "; see --help");
    const std::string name(option.substr(2));
    if (!is_only_an_argument(name) && find_setting(name) == nullptr)
      return wrong("there is no option --" + name + "; see --help");
    if (equals != std::string_view::npos) {
      out.push_back({name, std::string(argument.substr(equals + 1))});
    } else if (i + 1 < arguments.size()) {
      out.push_back({name, std::string(arguments[++i])});
    } else {
      return wrong("--" + name + " needs a value");
    }
  }
  return out;
}

// All values of a list that is given in pieces.
std::string joined(const std::vector<Argument>& arguments, std::string_view name) {
  std::string all;
  for (const Argument& argument : arguments)
    if (argument.name == name) all += argument.value + ",";
  return all;
}

}  // namespace

Environment process_environment() {
  return [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    if (value == nullptr) return std::nullopt;
    return value;
  };
}

std::variant<Config, EarlyExit> configure(std::span<const std::string_view> arguments,
                                          const Environment& environment) {
  auto split_up = split(arguments);
  if (auto* exit = std::get_if<EarlyExit>(&split_up)) return *exit;
  const auto& pairs = std::get<std::vector<Argument>>(split_up);

  Config config;
  std::optional<std::string> file = environment("LANDSRAAD_CONFIG");
  for (const Argument& argument : pairs)
    if (argument.name == "config") file = argument.value;
  if (file)
    if (const auto exit = read_file(*file, config)) return *exit;
  if (const auto exit = read_environment(environment, config)) return *exit;
  for (const Argument& argument : pairs) {
    if (argument.name == "backup" && argument.value.empty())
      return wrong("--backup must be the path of a file");
    if (argument.name == "healthcheck" && !argument.value.empty())
      return wrong("--healthcheck takes no value");
    if (argument.name == "backup") config.backup = argument.value;
    if (argument.name == "healthcheck") config.healthcheck = true;
    if (is_only_an_argument(argument.name)) continue;
    const Setting& setting = *find_setting(argument.name);
    const std::string fault =
        setting.set(config, setting.list ? joined(pairs, argument.name) : argument.value);
    if (!fault.empty()) return wrong("--" + argument.name + " " + fault);
  }
  return config;
}

}  // namespace landsraad
