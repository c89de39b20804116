// Tells a game turn by turn, in words.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "server/room/replay.h"
#include "tools/words/narrator.h"

namespace landsraad::replay {

std::vector<std::string> names_of(const room::Opening& opening);

class Teller final : public room::Audience {
 public:
  // Both must outlive the teller. With a viewer only what that one was told while it happened: events, and
  // whose doing they were.
  Teller(const rules::Content& content, std::ostream& out, std::optional<wire::Viewer> viewer = std::nullopt)
      : content_(content), narrator_(content), out_(out), viewer_(viewer) {}

  void opening(const room::Opening& opening, const rules::State& after,
               const std::vector<rules::Event>& events) override;
  void scene(const room::Scene& scene) override;

  // How the seats stand, best place first once the game is over.
  void standings(const rules::State& state) const;

 private:
  std::string deed(const room::Scene& scene) const;
  std::string words_for(const rules::Event& event) const;
  void tell(const std::vector<rules::Event>& events) const;

  const rules::Content& content_;
  words::Narrator narrator_;
  std::ostream& out_;
  std::optional<wire::Viewer> viewer_;
};

// The seats of a game, the winner first when it is over, else clockwise.
std::vector<rules::Seat> by_place(const rules::State& state);

// "2026-11-29 20:16 UTC"
std::string written(room::Instant instant);

}  // namespace landsraad::replay
