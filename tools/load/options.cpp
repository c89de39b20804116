#include "tools/load/options.h"

#include <charconv>
#include <string_view>
#include <thread>

namespace landsraad::load {

const char* const kHelp =
    "landsraad-load (--server PROGRAM | --url WS-URL) [OPTION VALUE ...]\n"
    "\n"
    "Plays random games over real connections and says what they cost.\n"
    "\n"
    "  --server PROGRAM     landsraad-server, to be started with a database of its own\n"
    "  --url URL            or a server that runs already (its processor time and memory stay unknown)\n"
    "  --floor PROGRAM      landsraad-floor, to be driven in the same way and compared with\n"
    "  --mode MODE          saturated: each action follows the one before at once (default)\n"
    "                       paced: one action a second in each room\n"
    "                       idle: connections that do nothing, 4 for each room\n"
    "                       flatness: the first round of games against the last\n"
    "  --rooms N            of four bots each (default 50)\n"
    "  --seconds N          of measuring, after a second of warming up (default 10)\n"
    "  --games N            stop earlier, after so many games\n"
    "  --threads N          of the server and of the floor (default: one for each core)\n"
    "  --folder FOLDER      for the database; must be on a real disk (default /tmp)\n"
    "  --csv FILE           one line for each measurement\n"
    "  --standard           50 and 500 rooms saturated, 500 paced, 2000 idle connections, flatness;\n"
    "                       ends with lines `bench: NAME VALUE UNIT`\n";

const char* name(Mode mode) {
  switch (mode) {
    case Mode::saturated:
      return "saturated";
    case Mode::paced:
      return "paced";
    case Mode::idle:
      return "idle";
    case Mode::flatness:
      return "flatness";
  }
  return "";
}

namespace {

constexpr std::uint64_t kMostRooms = 10'000;
constexpr std::uint64_t kMostSeconds = 3600;
constexpr std::uint64_t kMostGames = 1'000'000'000;
constexpr std::uint64_t kMostThreads = 64;

template <class Number>
bool read_number(std::string_view text, std::uint64_t least, std::uint64_t most, Number& out) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most) return false;
  out = static_cast<Number>(value);
  return true;
}

bool read_mode(std::string_view text, Mode& out) {
  for (const Mode mode : {Mode::saturated, Mode::paced, Mode::idle, Mode::flatness}) {
    if (text != name(mode)) continue;
    out = mode;
    return true;
  }
  return false;
}

// What is wrong, or nothing.
std::string set(Options& options, std::string_view option, const std::string& value) {
  const auto number = [&](auto& field, std::uint64_t least, std::uint64_t most) -> std::string {
    if (read_number(value, least, most, field)) return {};
    return std::string(option) + " must be from " + std::to_string(least) + " to " + std::to_string(most);
  };
  if (option == "--server") return options.server = value, "";
  if (option == "--url") return options.url = value, "";
  if (option == "--floor") return options.floor = value, "";
  if (option == "--folder") return options.folder = value, "";
  if (option == "--csv") return options.csv = value, "";
  if (option == "--rooms") return number(options.rooms, 1, kMostRooms);
  if (option == "--games") return number(options.games, 0, kMostGames);
  if (option == "--threads") return number(options.threads, 1, kMostThreads);
  if (option == "--seconds") return number(options.seconds, 1, kMostSeconds);
  if (option == "--mode")
    return read_mode(value, options.mode) ? "" : "--mode must be saturated, paced, idle or flatness";
  return "unknown option " + std::string(option) + "; see --help";
}

}  // namespace

std::variant<Options, HelpWanted, BadUsage> parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--help" || option == "-h") return HelpWanted{};
    if (option == "--standard") {
      options.standard = true;
      continue;
    }
    if (i + 1 == argc) return BadUsage{"no value for " + std::string(option) + "; see --help"};
    if (std::string fault = set(options, option, argv[++i]); !fault.empty()) return BadUsage{fault};
  }
  if (options.server.empty() == options.url.empty()) return BadUsage{"give either --server or --url"};
  if (options.threads == 0) options.threads = std::max(1U, std::thread::hardware_concurrency());
  return options;
}

}  // namespace landsraad::load
