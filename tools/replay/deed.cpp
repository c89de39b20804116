#include "tools/replay/deed.h"

namespace landsraad::replay {

namespace {

std::string words_for(v1::SeatControl control, const std::string& player) {
  switch (control) {
    case v1::SEAT_CONTROL_BOT:
      return "A bot plays for " + player;
    case v1::SEAT_CONTROL_RESIGNED:
      return player + " resigns";
    default:
      return player + " takes the seat back";
  }
}

std::string words_for(v1::Ending ending) {
  return ending == v1::ENDING_AGREED ? "The players agree to end the game" : "The game ends by resignation";
}

class Wording {
 public:
  Wording(const words::Narrator& narrator, const room::Scene& scene) : narrator_(narrator), scene_(scene) {}

  std::string operator()(const rules::Action& action) const {
    return narrator_.action(scene_.before, scene_.step.entry.seat, action);
  }
  std::string operator()(const room::Undo& undo) const {
    const bool agreed = scene_.step.entry.cause == v1::CAUSE_AGREED;
    return (agreed ? "The players agree to go" : player() + " goes") + " back to version " +
           std::to_string(undo.to);
  }
  std::string operator()(v1::SeatControl control) const { return words_for(control, player()); }
  std::string operator()(const room::Pause& pause) const {
    return pause.paused ? "The game is paused" : "The game goes on";
  }
  std::string operator()(v1::Ending ending) const { return words_for(ending); }
  std::string operator()(const room::Door&) const { return "The room has a new invitation"; }
  std::string operator()(const room::NewOwner&) const { return "The room has a new owner"; }
  std::string operator()(const room::ServerStops&) const { return "The server stops"; }

 private:
  std::string player() const { return narrator_.player(scene_.step.entry.seat); }

  const words::Narrator& narrator_;
  const room::Scene& scene_;
};

}  // namespace

std::string words_for(const words::Narrator& narrator, const room::Scene& scene) {
  return std::visit(Wording(narrator, scene), scene.step.entry.deed);
}

}  // namespace landsraad::replay
