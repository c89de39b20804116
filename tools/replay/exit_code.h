// How landsraad-replay ends; --help says it too.
#pragma once

namespace landsraad::replay {

enum ExitCode : int { kWell = 0, kDamaged = 1, kUsage = 2 };

}  // namespace landsraad::replay
