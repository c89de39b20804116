// How the server's log is to be written.
#pragma once

#include <cstddef>
#include <string>

namespace landsraad::net {

struct LogSettings {
  std::string level = "info";                // trace, debug, info, warn, error, off
  bool json = false;                         // one object a line: time, level, room (if of one), text
  std::string file;                          // empty = standard error
  std::size_t max_bytes = 64 * 1024 * 1024;  // of the file x.log; then it becomes x.1.log, and so on
  std::size_t files = 5;                     // so many old ones are kept
};

}  // namespace landsraad::net
