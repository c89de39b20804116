#include "tools/bot/options.h"

#include <charconv>
#include <optional>
#include <string_view>

namespace landsraad::bot {

const char* const kHelp =
    R"(landsraad-bot: plays seats of a game through the protocol

  --url ws://HOST:PORT   server (default ws://127.0.0.1:8080)
  --create               open a room (the default when neither --room nor a token file names one)
  --room ID              play in this room
  --players 3|4          players of a room that is opened (default 4)
  --pick-leaders         leaders of a room that is opened are picked, not dealt
  --seats N              seats to play from this process (default 1)
  --policy random|greedy how to choose (default random)
  --seed N               repeat the same choices; 0 = new ones every time (default 0)
  --name NAME            shown to the others (default bot)
  --token-file FILE      keep the room, seat and player tokens there, and come back to those seats
  --record FILE          save the record of the finished game there, for landsraad-replay --verify FILE
  --patience SECONDS     how long to try to come back before giving up (default 30)
  --think MS             wait before every answer (default 0)
  --drop-one-in N        close the connection after about one in N updates and come back (default 0 = never)
  --help

Exit code: 0 the game is over, 1 gave up, 2 bad usage.
)";

namespace {

constexpr std::uint32_t kMostSeats = 6;
constexpr std::uint32_t kLongestWait = 24 * 60 * 60;  // seconds of patience
constexpr std::uint32_t kLongestThink = 60'000;       // ms

std::optional<std::uint64_t> number_in(std::string_view text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (number < least || number > most) return std::nullopt;
  return number;
}

bool read_url(std::string_view url, Options& options) {
  constexpr std::string_view kScheme = "ws://";
  if (url.substr(0, kScheme.size()) != kScheme) return false;
  url.remove_prefix(kScheme.size());
  if (!url.empty() && url.back() == '/') url.remove_suffix(1);
  const std::size_t colon = url.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || !number_in(url.substr(colon + 1), 1, 65535))
    return false;
  options.host = url.substr(0, colon);
  options.port = url.substr(colon + 1);
  return true;
}

template <class T>
bool read_number(std::string_view text, std::uint64_t least, std::uint64_t most, T& out) {
  const auto number = number_in(text, least, most);
  if (number) out = T(*number);
  return number.has_value();
}

// Whether `name` is an option that takes a value, and `value` is a good one; unknown options are bad.
bool read_option(std::string_view name, std::string_view value, Options& options) {
  if (name == "--url") return read_url(value, options);
  if (name == "--players") return read_number(value, 3, 4, options.players);
  if (name == "--seats") return read_number(value, 1, kMostSeats, options.seats);
  if (name == "--seed") return read_number(value, 0, UINT64_MAX, options.seed);
  if (name == "--patience") return read_number(value, 0, kLongestWait, options.patience);
  if (name == "--think") return read_number(value, 0, kLongestThink, options.think);
  if (name == "--drop-one-in") return read_number(value, 0, UINT32_MAX, options.drop_one_in);
  if (name == "--room") return !(options.room = value).empty();
  if (name == "--name") return !(options.name = value).empty();
  if (name == "--record") return !(options.record_file = value).empty();
  if (name == "--token-file") return !(options.token_file = value).empty();
  if (name == "--policy" && value == "random")
    options.policy = Policy::random;
  else if (name == "--policy" && value == "greedy")
    options.policy = Policy::greedy;
  else
    return false;
  return true;
}

}  // namespace

std::variant<Options, BadUsage, HelpWanted> parse_options(int argc, const char* const* argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--help" || name == "-h") return HelpWanted{};
    if (name == "--create") {
      options.room.clear();
      continue;
    }
    if (name == "--pick-leaders") {
      options.pick_leaders = true;
      continue;
    }
    if (i + 1 == argc)
      return BadUsage{std::string(name) + ": not an option, or its value is missing; see --help"};
    const std::string_view value = argv[++i];
    if (!read_option(name, value, options)) {
      return BadUsage{std::string(name) + " " + std::string(value) +
                      ": not an option or not a good value; see --help"};
    }
  }
  return options;
}

}  // namespace landsraad::bot
