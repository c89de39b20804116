// What landsraad-bot was asked to do.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <variant>

#include "tools/bot/policy.h"

namespace landsraad::bot {

struct Options {
  std::string host = "127.0.0.1";
  std::string port = "8080";
  std::string room;           // empty: create one
  std::uint32_t players = 4;  // of a room that is created
  bool pick_leaders = false;  // of a room that is created
  std::uint32_t seats = 1;    // how many this process plays
  Policy policy = Policy::random;
  std::uint64_t seed = 0;  // of the bots' choices; 0 = a new one every time
  std::string name = "bot";
  std::string record_file;             // empty: the game's record is not asked for
  std::string token_file;              // empty: tokens are kept in memory only
  std::chrono::seconds patience{30};   // how long to try to come back before giving up
  std::chrono::milliseconds think{0};  // before every answer
  std::uint32_t drop_one_in = 0;       // closes the connection after one in so many updates; 0 = never
};

// Options, or a line for standard error (bad usage), or the help text.
struct BadUsage {
  std::string line;
};
struct HelpWanted {};
std::variant<Options, BadUsage, HelpWanted> parse_options(int argc, const char* const* argv);

extern const char* const kHelp;

}  // namespace landsraad::bot
