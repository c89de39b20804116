// What people may call themselves and say. Everything shown to others goes through here.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "server/room/limits.h"

namespace landsraad::room {

// So many combining marks may stand on one character; more would climb over the lines around it.
inline constexpr std::size_t kMaxStackedMarks = 4;

// A player's name or a room's title as it is shown: Unicode in normal form C, without blanks at its ends.
// Nothing if it is too long (Limits::name_bytes, Limits::name_characters), has nothing to see, or has
// characters that are invisible, unassigned, or that change how the text around them is shown.
std::optional<std::string> clean_name(std::string_view utf8, const Limits& limits);

// A line of chat: the same with Limits::chat_bytes, and line breaks are allowed.
std::optional<std::string> clean_text(std::string_view utf8, const Limits& limits);

}  // namespace landsraad::room
