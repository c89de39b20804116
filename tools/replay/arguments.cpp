#include "tools/replay/arguments.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace landsraad::replay {

const std::string_view kHelp = R"(Usage: landsraad-replay DATABASE [GAME] [OPTION...]
       landsraad-replay FILE [OPTION...]

Looks at the games in the SQLite file of a server, also beside the running server, or at one game in a file of
its own: made by --export, or given out by its server when it was over (landsraad-bot --record FILE).

  landsraad-replay DATABASE              lists the games
  landsraad-replay DATABASE GAME         tells a game turn by turn, hidden cards included
  landsraad-replay FILE                  the same
  landsraad-replay DATABASE --verify     checks the file, plays all games again and compares every stored hash

Which games to list:
  --open             those that are not closed
  --player NAME      those in which somebody has this name

What to do with one game:
  --verify           play it again, compare every stored hash, print one line
  --commitment HEX   with --verify FILE: what the room showed as its seed's commitment before the start
  --json             print it as JSON: set-up, actions in words and numbers, events, hashes, standings
  --scenario         print the position reached as the `given` part of a scenario file
  --until N          stop after N entries of the log; 0 is the position after set-up
  --seat WHO         as somebody sees it: the number of a seat (0 is the first), a player's name, spectator, or
                     all. Told turn by turn with the position it has led to; with --until N only the position
                     then. With --json the position as the message a client is sent; its numbers are those of
                     the catalogue. all sees every hand, and every deck in its order

Moving a game to another server:
  landsraad-replay DATABASE GAME --export FILE
                     writes everything that is stored of the game to the new FILE: seeds and hashes of tokens
                     too, so keep it to yourself. The game stays where it is
  landsraad-replay DATABASE --import FILE
                     plays the game in FILE again and stores it. The server must not be running. Players come
                     back to their seats with the tokens they have

Other:
  --help             print this

Exit code: 0 all well; 1 a game is damaged, differs from its hashes or cannot be played by this version, or a
file cannot be read or written; 2 wrong usage.
)";

namespace {

std::optional<std::uint64_t> number_of(std::string_view word) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

bool is_commitment(std::string_view word) {
  return word.size() == 64 && word.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Options that name the task; the last two take a file.
struct NamedTask {
  std::string_view option;
  Task task;
};
constexpr std::array kTasks{NamedTask{"--verify", Task::verify}, NamedTask{"--json", Task::json},
                            NamedTask{"--scenario", Task::scenario}, NamedTask{"--export", Task::give},
                            NamedTask{"--import", Task::take}};

// Takes the words one after the other.
class Parser {
 public:
  Parser(std::span<const char* const> words, std::string& mistake) : words_(words), mistake_(mistake) {}

  Arguments parse() {
    for (; at_ < words_.size() && mistake_.empty(); ++at_) {
      const std::string_view word = words_[at_];
      if (word == "--help" || word == "-h") return {.task = Task::help};
      if (!is_task(word) && !is_option(word)) place(word);
    }
    return std::move(out_);
  }

 private:
  // The word behind the present one, which must be there.
  std::string value() {
    const std::string option = words_[at_];
    if (at_ + 1 < words_.size() && *words_[at_ + 1] != '\0') return words_[++at_];
    mistake_ = option + " needs a value";
    return {};
  }

  bool is_task(std::string_view word) {
    const auto named = std::find_if(kTasks.begin(), kTasks.end(),
                                    [word](const NamedTask& task) { return task.option == word; });
    if (named == kTasks.end()) return false;
    if (out_.says_task && out_.task != named->task)
      mistake_ = "only one of --verify, --json, --scenario, --export and --import";
    out_.task = named->task;
    out_.says_task = true;
    if (named->task == Task::give || named->task == Task::take) out_.file = value();
    return true;
  }

  bool is_option(std::string_view word) {
    if (word == "--open") return out_.open_only = true;
    if (word == "--player") return out_.player = value(), true;
    if (word == "--seat") return out_.seat = value(), true;
    if (word == "--until") {
      out_.until = number_of(value());
      if (!out_.until) mistake_ = "--until takes a number of entries";
      return true;
    }
    if (word == "--commitment") {
      out_.commitment = value();
      if (!is_commitment(out_.commitment)) mistake_ = "--commitment takes 64 hexadecimal digits";
      return true;
    }
    return false;
  }

  void place(std::string_view word) {
    if (word.starts_with("-"))
      mistake_ = "there is no option " + std::string(word);
    else if (out_.database.empty())
      out_.database = word;
    else if (out_.game.empty())
      out_.game = word;
    else
      mistake_ = "too many words: " + std::string(word);
  }

  std::span<const char* const> words_;
  std::string& mistake_;
  std::size_t at_ = 0;
  Arguments out_;
};

// Options that would be ignored.
std::string what_does_not_fit(const Arguments& arguments) {
  const bool moment = arguments.until || !arguments.seat.empty();
  const bool tells = arguments.task == Task::tell || arguments.task == Task::json;
  if (!arguments.seat.empty() && arguments.task == Task::scenario)
    return "--scenario shows everything: no --seat";
  if (moment && !tells && arguments.task != Task::scenario)
    return "--until and --seat go with one game to show";
  if (arguments.task != Task::list && (arguments.open_only || !arguments.player.empty()))
    return "--open and --player go with the list of games";
  if (!arguments.commitment.empty() && arguments.task != Task::verify)
    return "--commitment goes with --verify";
  return "";
}

}  // namespace

Arguments parse_arguments(std::span<const char* const> words, std::string& mistake) {
  Arguments arguments = Parser(words, mistake).parse();
  if (mistake.empty() && arguments.task != Task::help && arguments.database.empty())
    mistake = "which database or file?";
  return arguments;
}

std::string settle(Arguments& arguments, bool is_record_file) {
  if (!arguments.says_task && (is_record_file || !arguments.game.empty())) arguments.task = Task::tell;
  if (is_record_file) {
    if (!arguments.game.empty()) return arguments.database + " holds one game; name no other";
    if (arguments.task == Task::give) return arguments.database + " is a file with one game already";
    if (arguments.task == Task::take) return arguments.database + " is no database, but a file with one game";
  } else {
    if (!arguments.commitment.empty()) return "--commitment goes with a file that holds one game";
    if (arguments.task == Task::take && !arguments.game.empty())
      return "--import finds the game's id in the file";
    const bool needs_game = arguments.task == Task::json || arguments.task == Task::scenario ||
                            arguments.task == Task::give || arguments.until || !arguments.seat.empty();
    if (needs_game && arguments.game.empty()) return "which game?";
  }
  return what_does_not_fit(arguments);
}

}  // namespace landsraad::replay
