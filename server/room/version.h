// The server's own name and version, as it introduces itself.
#pragma once

#include <string_view>

namespace landsraad::room {

inline constexpr std::string_view kServerName = "landsraad 0.1.0";

}  // namespace landsraad::room
