// landsraad-load's command line.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <variant>

namespace landsraad::load {

enum class Mode : std::uint8_t { saturated, paced, idle, flatness };

struct Options {
  std::string server;           // program to start; empty: `url`
  std::string url;              // of a server that runs already: its processor time and memory stay unknown
  std::string floor;            // the bare server to compare with; empty = none
  std::string folder = "/tmp";  // for the database
  std::string csv;              // file; empty = none
  Mode mode = Mode::saturated;
  bool standard = false;  // the standard set instead of one measurement
  std::size_t rooms = 50;
  std::chrono::seconds seconds{10};  // of measuring
  std::uint64_t games = 0;           // end earlier, after so many games; 0 = by time alone
  unsigned threads = 0;              // of the server and the floor; 0 = one for each core
};

struct HelpWanted {};
struct BadUsage {
  std::string line;
};

extern const char* const kHelp;
std::variant<Options, HelpWanted, BadUsage> parse_options(int argc, char** argv);
const char* name(Mode mode);

}  // namespace landsraad::load
