// Tells a game turn by turn, in words.
#pragma once

#include <ostream>
#include <string>

#include "server/room/replay.h"
#include "tools/words/narrator.h"

namespace landsraad::replay {

std::vector<std::string> names_of(const room::Opening& opening);

class Teller final : public room::Audience {
 public:
  // Both must outlive the teller.
  Teller(const rules::Content& content, std::ostream& out) : narrator_(content), out_(out) {}

  void opening(const room::Opening& opening, const rules::State& after,
               const std::vector<rules::Event>& events) override;
  void scene(const room::Scene& scene) override;

  // How the seats stand, best place first once the game is over.
  void standings(const rules::State& state) const;

 private:
  void tell(const std::vector<rules::Event>& events) const;

  words::Narrator narrator_;
  std::ostream& out_;
};

// The seats of a game, the winner first when it is over, else clockwise.
std::vector<rules::Seat> by_place(const rules::State& state);

// "2026-11-29 20:16 UTC"
std::string written(room::Instant instant);

}  // namespace landsraad::replay
