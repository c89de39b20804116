// A game as JSON.
#pragma once

#include <ostream>
#include <string>

#include "server/room/replay.h"
#include "tools/replay/json.h"
#include "tools/words/narrator.h"

namespace landsraad::replay {

// Writes one object: game, setup, actions (numbers as in rules/engine/action.h, words, hash, events),
// standings. The hashes of the seats' tokens are left out.
class Exporter final : public room::Audience {
 public:
  // Both must outlive the exporter.
  Exporter(const rules::Content& content, std::ostream& out) : narrator_(content), json_(out) {}

  void begin(const std::string& game);
  void opening(const room::Opening& opening, const rules::State& after,
               const std::vector<rules::Event>& events) override;
  void scene(const room::Scene& scene) override;
  // Closes the object; what came of the replay is part of it. Valid JSON comes out also if there is a
  // fault.
  void end(const room::Replay& replay);

 private:
  void write_action(const rules::Action& action);
  void write_events(const std::vector<rules::Event>& events);
  void write_standings(const rules::State& state);

  words::Narrator narrator_;
  JsonWriter json_;
  bool opened_ = false;
};

}  // namespace landsraad::replay
