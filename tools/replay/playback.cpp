#include "tools/replay/playback.h"

#include <optional>
#include <utility>

namespace landsraad::replay {

namespace {

class Collector final : public rules::EventSink {
 public:
  void on(const rules::Event& event) override { events.push_back(event); }
  std::vector<rules::Event> events;
};

std::string why_not_ours(const rules::Content& content, const room::Opening& opening) {
  if (opening.engine_version != room::kEngineVersion) {
    return "it was begun by version " + opening.engine_version + " of the rules; this is version " +
           std::string(room::kEngineVersion);
  }
  if (opening.product != content.product) return "it is a game of " + opening.product;
  if (opening.content_version != content.version) {
    return "it was begun with cards of version " + opening.content_version + "; these are of version " +
           content.version;
  }
  return "";
}

Playback stopped(Playback playback, std::string fault) {
  playback.fault = std::move(fault);
  return playback;
}

std::string why_not_legal(const rules::Content& content, const rules::State& state,
                          const room::StoredPlay& play) {
  if (play.version != state.version + 1U) return "is stored as action " + std::to_string(play.version);
  const bool asked = (rules::deciders(state) & rules::seat_bit(play.play.seat)) != 0;
  if (!asked) return "is of a seat that is not asked";
  if (!rules::is_legal(content, state, play.play.seat, play.play.action)) return "is not legal";
  return "";
}

}  // namespace

Playback play_back(const rules::Content& content, const std::vector<std::string>& records, Audience& audience,
                   std::uint64_t until) {
  Playback playback;
  const std::optional<room::Opening> opening =
      records.empty() ? std::nullopt : room::read_opening(records.front());
  if (!opening) return stopped(playback, "its set-up cannot be read");
  if (std::string why = why_not_ours(content, *opening); !why.empty())
    return stopped(playback, std::move(why));

  Collector collector;
  playback.last = rules::new_game(content, opening->options, opening->seed, &collector);
  if (!room::agrees(opening->state_hash, rules::hash(playback.last))) {
    return stopped(playback, "the set-up leads to another position than the stored one");
  }
  audience.opening(*opening, playback.last, collector.events);

  rules::State& state = playback.last;
  for (std::size_t n = 1; n < records.size() && playback.actions < until; ++n) {
    const std::string action = "action " + std::to_string(n) + " ";
    const std::optional<room::StoredPlay> play = room::read_play(records[n]);
    if (!play) return stopped(playback, action + "cannot be read");
    if (const std::string why = why_not_legal(content, state, *play); !why.empty()) {
      return stopped(playback, action + why);
    }
    rules::State after = state;
    collector.events.clear();
    rules::apply(content, after, play->play.seat, play->play.action, &collector);
    if (!room::agrees(play->state_hash, rules::hash(after))) {
      return stopped(playback, action + "leads to another position than the stored one");
    }
    audience.scene({*play, state, after, collector.events});
    state = after;
    ++playback.actions;
  }
  return playback;
}

}  // namespace landsraad::replay
