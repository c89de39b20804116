// A stored game, played again action by action before an audience.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "rules/engine/engine.h"
#include "server/room/record.h"

namespace landsraad::replay {

// One action of the game, from position to position.
struct Scene {
  const room::StoredPlay& play;
  const rules::State& before;
  const rules::State& after;
  const std::vector<rules::Event>& events;
};

class Audience {
 public:
  virtual ~Audience() = default;
  virtual void opening(const room::Opening& opening, const rules::State& after,
                       const std::vector<rules::Event>& events) = 0;
  virtual void scene(const Scene& scene) = 0;
};

struct Playback {
  std::string fault;          // empty: everything agrees with what is stored; else a sentence
  std::uint64_t actions = 0;  // played, all in agreement
  rules::State last;          // the position reached; meaningful only if the opening was played
};

// Plays records[0], the opening, and up to `until` actions, and compares the stored hash after each. Stops at
// the first that differs; the audience does not see that one.
Playback play_back(const rules::Content& content, const std::vector<std::string>& records, Audience& audience,
                   std::uint64_t until = std::numeric_limits<std::uint64_t>::max());

}  // namespace landsraad::replay
