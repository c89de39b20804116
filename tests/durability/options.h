// What the command line says.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace landsraad::durability {

struct Options {
  std::string run;     // "crash" or "full_disk"
  std::string server;  // program
  std::string folder;  // emptied; holds the database and the logs
  std::uint64_t seed = 0;
  std::uint32_t rooms = 50;
  int kills = 200;
  std::chrono::milliseconds peace{700};  // the longest time between two kills
  std::chrono::milliseconds think{20};   // of a player
};

}  // namespace landsraad::durability
