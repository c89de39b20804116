// Lists the games of a database, a line each.
#pragma once

#include "tools/replay/arguments.h"
#include "tools/replay/database.h"

namespace landsraad::replay {

int list(Database& database, const Arguments& arguments);

}  // namespace landsraad::replay
