#include "tools/replay/playable.h"

#include "rules/notation/load.h"

namespace landsraad::replay {

room::Library new_library() { return room::Library(rules::uprising_content()); }

Playable playable(const v1::GameRecord& record, const std::string& otherwise) {
  auto library = std::make_shared<room::Library>(new_library());
  // One that does not read is as good as none: replay() says what is wrong.
  if (record.has_edition()) library->add(record.edition().SerializeAsString());
  Playable game{record.id().empty() ? otherwise : record.id(), {record.setup().SerializeAsString()}, library};
  for (const v1::LogRecord& entry : record.entries()) game.records.push_back(entry.SerializeAsString());
  return game;
}

room::Replay play(const Playable& game, room::Audience* audience, std::uint64_t until) {
  return room::replay(game.content(), game.records, audience, until);
}

}  // namespace landsraad::replay
