#include "tools/bot/seat_tokens.h"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace landsraad::bot {

namespace fs = std::filesystem;

bool load_tokens(const std::string& path, SeatTokens& out) {
  std::error_code error;
  if (!fs::exists(path, error)) return !error;
  std::ifstream file(path);
  SeatTokens read;
  std::string word;
  if (!(file >> word) || word != "room" || !(file >> read.room)) return false;
  while (file >> word) {
    std::string token;
    if ((word != "token" && word != "player") || !(file >> token)) return false;
    (word == "token" ? read.tokens : read.players).push_back(token == "-" ? "" : token);
  }
  out = read;
  return file.eof();
}

bool save_tokens(const std::string& path, const SeatTokens& seats) {
  const std::string fresh = path + ".new";
  std::error_code error;
  {
    std::ofstream file(fresh, std::ios::trunc);
    // Before the secret is written: whoever reads a token is that seat.
    fs::permissions(fresh, fs::perms::owner_read | fs::perms::owner_write, error);
    if (error) return false;
    file << "room " << seats.room << '\n';
    for (const std::string& token : seats.tokens) file << "token " << (token.empty() ? "-" : token) << '\n';
    for (const std::string& token : seats.players) file << "player " << (token.empty() ? "-" : token) << '\n';
    if (!file.flush()) return false;
  }
  fs::rename(fresh, path, error);
  return !error;
}

}  // namespace landsraad::bot
