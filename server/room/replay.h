// A stored game, played again entry by entry and compared with what is stored.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/room/game.h"

namespace landsraad::room {

// One entry of the log, from position to position.
struct Scene {
  std::uint64_t version = 0;  // after it
  const Step& step;
  const rules::State& before;
};

// Sees a game as it is played again; anyone who wants less need not look.
class Audience {
 public:
  virtual ~Audience() = default;
  virtual void opening(const Opening&, const rules::State&, const std::vector<rules::Event>&) {}
  virtual void scene(const Scene&) {}
};

struct Replay {
  std::string fault;          // empty: everything agrees with what is stored; else a sentence
  std::optional<Game> game;   // as far as it agrees; none if the opening does not
  std::uint64_t entries = 0;  // played, all in agreement
};

// Plays records[0], the opening, and up to `until` entries, and compares the stored hash after each. Stops at
// the first that differs; the audience does not see that one.
Replay replay(const rules::Content& content, const std::vector<std::string>& records,
              Audience* audience = nullptr, std::uint64_t until = std::numeric_limits<std::uint64_t>::max());

// Goes on from a stored snapshot with the entries after it (records[1], records[2] ...). Without an audience:
// nobody sees the game from its beginning.
Replay resume(const rules::Content& content, const std::vector<std::string>& records,
              std::string_view snapshot);

// replay() of a game as one message.
Replay replay(const rules::Content& content, const v1::GameRecord& record, Audience* audience = nullptr,
              std::uint64_t until = std::numeric_limits<std::uint64_t>::max());

}  // namespace landsraad::room
