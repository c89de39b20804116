// The server's own name and version, as it introduces itself.
#pragma once

#include <string_view>

namespace landsraad::room {

extern const std::string_view kServerName;  // "landsraad 0.1.0"; the build says which

}  // namespace landsraad::room
