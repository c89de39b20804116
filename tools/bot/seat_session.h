// Keeps one player connected until its game is over.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "tools/bot/options.h"
#include "tools/bot/player.h"

namespace landsraad::bot {

// Connects, plays, comes back after every lost connection; ends when the game is over, the player has
// failed, or nothing was heard from the server for options.patience. Both arguments must outlive it.
boost::asio::awaitable<void> keep_playing(Player& player, const Options& options);

}  // namespace landsraad::bot
