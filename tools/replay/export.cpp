#include "tools/replay/export.h"

#include "tools/replay/deed.h"
#include "tools/replay/hex.h"
#include "tools/replay/teller.h"

namespace landsraad::replay {

using namespace rules;

void Exporter::begin(const std::string& game) { json_.begin_object().field("game", game); }

void Exporter::opening(const room::Opening& opening, const State& after, const std::vector<Event>& events) {
  narrator_.introduce(names_of(opening));
  opened_ = true;
  json_.key("setup").begin_object();
  json_.field("engine_version", opening.engine_version);
  json_.field("product", opening.options.product());
  json_.field("content_version", opening.content_version);
  json_.field("title", opening.options.title());
  json_.field("begun", written(opening.created));
  json_.field("seats", static_cast<std::int64_t>(opening.options.players()));
  json_.field("leaders", opening.options.leader_selection() == v1::LEADER_SELECTION_PICK ? "pick" : "random");
  json_.field("seed", hex(opening.seed));
  json_.field("state_hash", hex(hash(after)));
  json_.key("players").begin_list();
  for (Seat seat = 0; seat < after.options.seats; ++seat) json_.text(narrator_.player(seat));
  json_.end_list();
  write_events(events);
  json_.end_object();
  json_.key("actions").begin_list();
}

void Exporter::scene(const room::Scene& scene) {
  const room::Entry& entry = scene.step.entry;
  json_.begin_object();
  json_.field("version", static_cast<std::int64_t>(scene.version));
  if (entry.seat != kNoSeat) json_.field("seat", entry.seat);
  json_.field("words", words_for(narrator_, scene));
  if (entry.action() != nullptr) write_action(*entry.action());
  json_.field("state_hash", hex(hash(scene.step.after)));
  write_events(scene.step.events);
  json_.end_object();
}

void Exporter::write_action(const Action& action) {
  json_.key("action").begin_object();
  json_.field("kind", static_cast<std::int64_t>(action.kind));
  json_.field("option", action.option);
  json_.field("subject", action.subject);
  json_.field("target", action.target);
  if (action.post != kNoPost) json_.field("post", action.post);
  json_.end_object();
}

void Exporter::write_events(const std::vector<Event>& events) {
  json_.key("events").begin_list();
  for (const Event& event : events) {
    if (const std::string sentence = narrator_.event(event); !sentence.empty()) json_.text(sentence);
  }
  json_.end_list();
}

void Exporter::write_standings(const State& state) {
  json_.key("standings").begin_list();
  for (const Seat seat : by_place(state)) {
    const Player& player = state.player(seat);
    json_.begin_object();
    json_.field("seat", seat);
    json_.field("player", narrator_.player(seat));
    if (player.leader != kNoLeader) json_.field("leader", narrator_.leader(player.leader));
    if (player.place > 0) json_.field("place", player.place);
    json_.field("victory_points", player.victory_points);
    json_.field("spice", player[Resource::spice]);
    json_.field("solari", player[Resource::solari]);
    json_.field("water", player[Resource::water]);
    json_.field("garrison", player.garrison);
    json_.end_object();
  }
  json_.end_list();
}

void Exporter::end(const room::Replay& replay) {
  if (opened_) {
    json_.end_list();
    json_.field("rounds", replay.game->state().round);
    json_.key("over").boolean(replay.game->over());
    write_standings(replay.game->state());
  }
  if (!replay.fault.empty()) json_.field("fault", replay.fault);
  json_.end_object();
}

}  // namespace landsraad::replay
