// The server's log: lines for people, or JSON objects for machines; on standard error, or in a file.
#pragma once

#include <string>
#include <string_view>

#include "server/net/log_settings.h"
#include "server/room/outbox.h"

namespace landsraad::net {

// What is wrong, or nothing.
std::string set_up_log(const LogSettings& settings);

// Opens the file anew, for whoever has moved it away. What is wrong, or nothing; then the old one stays open.
std::string reopen_log();

// A line about a room.
void log_note(const room::Note& note);

}  // namespace landsraad::net
