#include "server/room/version.h"

namespace landsraad::room {

constinit const std::string_view kServerName = "landsraad " LANDSRAAD_VERSION;

}  // namespace landsraad::room
