// What landsraad-replay is asked to do.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace landsraad::replay {

enum class Task : std::uint8_t {
  help,
  list,      // all games of the file
  tell,      // one game in words
  verify,    // one game, or all
  json,      // one game
  scenario,  // the position of one game in the language of scenario files
  give,      // one game as a file of its own
  take,      // such a file into the database
};

struct Arguments {
  Task task = Task::list;
  bool says_task = false;              // it was named; else it follows from what there is to look at
  std::string database;                // or a file with one GameRecord
  std::string game;                    // empty: all
  std::optional<std::uint64_t> until;  // stop after this many entries
  std::string seat;                    // from where to look (viewpoint.h); empty: from above
  std::string player;                  // list: only games of this name; empty: all
  bool open_only = false;              // list: only games that are not closed
  std::string file;                    // give, take
  std::string commitment;              // hex, lower case; empty: none given
};

extern const std::string_view kHelp;

// The arguments without the program's name. On a mistake `mistake` says what is wrong.
Arguments parse_arguments(std::span<const char* const> words, std::string& mistake);

// Settles what to do, now that it is known whether `database` is a file with one game. What does not fit, or
// nothing.
std::string settle(Arguments& arguments, bool is_record_file);

}  // namespace landsraad::replay
