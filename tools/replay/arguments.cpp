#include "tools/replay/arguments.h"

#include <charconv>

namespace landsraad::replay {

const std::string_view kHelp = R"(Usage: landsraad-replay DATABASE [GAME] [OPTION...]

Looks at the games in the SQLite file of a server. It only reads, and may run beside the server.

  landsraad-replay DATABASE              lists the games
  landsraad-replay DATABASE GAME         tells a game turn by turn, hidden cards included
  landsraad-replay DATABASE --verify     plays all games again and compares every stored hash
  landsraad-replay --verify FILE         the same for one game that its server has given out when it was over
                                         (landsraad-bot --record FILE): nothing of the server is needed

Options:
  --verify      play the game again, compare every stored hash, print one line
  --commitment HEX  with a FILE: what the room showed as its seed's commitment before the start
  --json        print the game as JSON: set-up, actions in words and numbers, events, hashes, standings
  --until N     stop after N actions; 0 is the position after set-up
  --scenario    print the position reached as the `given` part of a scenario file
  --help        print this

Exit code: 0 all well; 1 a game is damaged, differs from its hashes or cannot be played by this version,
or the file cannot be read; 2 wrong usage.
)";

namespace {

std::optional<std::uint64_t> number_of(std::string_view word) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

std::optional<Task> task_of(std::string_view word) {
  if (word == "--help" || word == "-h") return Task::help;
  if (word == "--verify") return Task::verify;
  if (word == "--json") return Task::json;
  if (word == "--scenario") return Task::scenario;
  return std::nullopt;
}

bool is_commitment(std::string_view word) {
  return word.size() == 64 && word.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string what_is_missing(const Arguments& arguments, bool has_task) {
  if (arguments.task == Task::help) return "";
  if (arguments.database.empty()) return "which database?";
  if (!arguments.commitment.empty() && arguments.task != Task::verify)
    return "--commitment goes with --verify";
  if (arguments.game.empty() && (arguments.until || (has_task && arguments.task != Task::verify)))
    return "which game?";
  return "";
}

}  // namespace

Arguments parse_arguments(std::span<const char* const> words, std::string& mistake) {
  Arguments arguments;
  bool has_task = false;
  for (std::size_t i = 0; i < words.size() && mistake.empty(); ++i) {
    const std::string_view word = words[i];
    if (const std::optional<Task> task = task_of(word)) {
      if (*task == Task::help) return {.task = Task::help};
      if (has_task && *task != arguments.task) mistake = "only one of --verify, --json and --scenario";
      arguments.task = *task;
      has_task = true;
    } else if (word == "--until") {
      arguments.until = ++i < words.size() ? number_of(words[i]) : std::nullopt;
      if (!arguments.until) mistake = "--until takes a number of actions";
    } else if (word == "--commitment") {
      arguments.commitment = ++i < words.size() ? words[i] : "";
      if (!is_commitment(arguments.commitment)) mistake = "--commitment takes 64 hexadecimal digits";
    } else if (word.starts_with("-")) {
      mistake = "there is no option " + std::string(word);
    } else if (arguments.database.empty()) {
      arguments.database = word;
    } else if (arguments.game.empty()) {
      arguments.game = word;
    } else {
      mistake = "too many words: " + std::string(word);
    }
  }
  if (!has_task && !arguments.game.empty()) arguments.task = Task::tell;
  if (mistake.empty()) mistake = what_is_missing(arguments, has_task);
  return arguments;
}

}  // namespace landsraad::replay
