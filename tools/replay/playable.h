// A whole stored game, wherever it comes from.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "landsraad/v1/record.pb.h"
#include "server/room/library.h"
#include "server/room/replay.h"

namespace landsraad::replay {

struct Playable {
  std::string id;  // may be empty in a file that a server has given out
  std::vector<std::string> records;
  std::shared_ptr<const room::Library> library;

  const rules::Content& content() const { return library->of_game(records); }
  std::uint64_t entries() const { return records.size() - 1; }
};

// A library with the cards of this version.
room::Library new_library();

// A game as one message, with the cards it brings along. Without the id `otherwise` stands for it.
Playable playable(const v1::GameRecord& record, const std::string& otherwise);

inline constexpr std::uint64_t kToTheEnd = std::numeric_limits<std::uint64_t>::max();

room::Replay play(const Playable& game, room::Audience* audience = nullptr, std::uint64_t until = kToTheEnd);

}  // namespace landsraad::replay
