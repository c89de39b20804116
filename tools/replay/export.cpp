#include "tools/replay/export.h"

#include "tools/replay/teller.h"

namespace landsraad::replay {

using namespace rules;

namespace {

template <class Bytes>
std::string hex(const Bytes& bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const auto byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += kDigits[value >> 4U];
    text += kDigits[value & 0xfU];
  }
  return text;
}

}  // namespace

void Exporter::begin(const std::string& game) { json_.begin_object().field("game", game); }

void Exporter::opening(const room::Opening& opening, const State& after, const std::vector<Event>& events) {
  narrator_.introduce(names_of(opening));
  opened_ = true;
  json_.key("setup").begin_object();
  json_.field("engine_version", opening.engine_version);
  json_.field("product", opening.product);
  json_.field("content_version", opening.content_version);
  json_.field("title", opening.title);
  json_.field("begun", written(opening.created));
  json_.field("seats", opening.options.seats);
  json_.field("leaders", opening.options.leaders == LeaderSelection::pick ? "pick" : "random");
  json_.field("seed", hex(opening.seed));
  json_.field("state_hash", hex(hash(after)));
  json_.key("players").begin_list();
  for (Seat seat = 0; seat < opening.options.seats; ++seat) json_.text(narrator_.player(seat));
  json_.end_list();
  write_events(events);
  json_.end_object();
  json_.key("actions").begin_list();
}

void Exporter::scene(const Scene& scene) {
  json_.begin_object();
  json_.field("version", static_cast<std::int64_t>(scene.play.version));
  json_.field("seat", scene.play.play.seat);
  json_.field("words", narrator_.action(scene.before, scene.play.play.seat, scene.play.play.action));
  write_action(scene);
  json_.field("state_hash", hex(hash(scene.after)));
  write_events(scene.events);
  json_.end_object();
}

void Exporter::write_action(const Scene& scene) {
  const Action& action = scene.play.play.action;
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

void Exporter::end(const Playback& playback) {
  if (opened_) {
    json_.end_list();
    json_.field("rounds", playback.last.round);
    json_.key("over").boolean(is_over(playback.last));
    write_standings(playback.last);
  }
  if (!playback.fault.empty()) json_.field("fault", playback.fault);
  json_.end_object();
}

}  // namespace landsraad::replay
