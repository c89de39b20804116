// What the database says of a game, independent of the server that wrote it.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace landsraad::e2e {

// Loads the game, replays its log and gives the digest of the final view of each seat, as landsraad-bot
// prints it. Throws Failure if the game cannot be read, differs from its hashes or is not over.
std::map<std::uint32_t, std::string> final_views_of_stored_game(const std::string& database,
                                                                const std::string& game);

}  // namespace landsraad::e2e
