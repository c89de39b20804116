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
};

struct Arguments {
  Task task = Task::list;
  std::string database;                // or a file with one GameRecord
  std::string game;                    // empty: all
  std::optional<std::uint64_t> until;  // stop after this many actions
  std::string commitment;              // hex, lower case; empty: none given
};

extern const std::string_view kHelp;

// The arguments without the program's name. On a mistake `mistake` says what is wrong.
Arguments parse_arguments(std::span<const char* const> words, std::string& mistake);

}  // namespace landsraad::replay
