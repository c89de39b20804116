// Where the bots' seats are remembered, so that they can come back after they or the server stopped.
#pragma once

#include <string>
#include <vector>

namespace landsraad::bot {

struct SeatTokens {
  std::string room;                  // empty: none yet
  std::vector<std::string> tokens;   // one for each seat this process plays; empty = not seated yet
  std::vector<std::string> players;  // likewise, who the server takes them for; empty = new to it
};

// Reads the file; an absent one gives no room and no tokens. False if it is there and cannot be read as
// what save_tokens wrote.
bool load_tokens(const std::string& path, SeatTokens& out);

// Replaces the file as a whole, readable by its owner only. False if that fails.
bool save_tokens(const std::string& path, const SeatTokens& seats);

}  // namespace landsraad::bot
