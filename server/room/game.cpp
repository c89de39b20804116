#include "server/room/game.h"

#include <cassert>
#include <utility>

#include "landsraad/v1/protocol.pb.h"

namespace landsraad::room {

namespace {

class Collector final : public rules::EventSink {
 public:
  explicit Collector(std::vector<rules::Event>& events) : events_(events) {}
  void on(const rules::Event& event) override { events_.push_back(event); }

 private:
  std::vector<rules::Event>& events_;
};

}  // namespace

Game::Game(const rules::Content& content, Opening opening)
    : content_(&content),
      opening_(std::move(opening)),
      state_(rules::new_game(content, opening_.options, opening_.seed)) {
  opening_.state_hash = stored_hash(state_);
}

std::variant<Game, std::string> Game::replay(const rules::Content& content,
                                             const std::vector<std::string>& records) {
  if (records.empty()) return "It has no opening.";
  std::optional<Opening> opening = read_opening(records.front());
  if (!opening) return "Its opening does not read as one.";
  if (opening->product != content.product || opening->content_version != content.version)
    return "It began with other cards (" + opening->product + " " + opening->content_version.substr(0, 12) +
           ") than this server has (" + content.product + " " + content.version.substr(0, 12) + ").";

  const std::string hash_at_start = opening->state_hash;
  Game game(content, std::move(*opening));
  if (!agrees(hash_at_start, rules::hash(game.state_)))
    return "Its set-up comes out differently than it was stored.";

  game.log_.reserve(records.size() - 1);
  for (std::size_t n = 1; n < records.size(); ++n) {
    const std::string at = "Action " + std::to_string(n);
    const std::optional<StoredPlay> stored = read_play(records[n]);
    if (!stored) return at + " does not read as one.";
    if (stored->version != n) return at + " stands in the wrong place.";
    const Play& play = stored->play;
    if (!game.waits_for(play.seat) || !rules::is_legal(content, game.state_, play.seat, play.action))
      return at + " is not legal here.";
    rules::apply(content, game.state_, play.seat, play.action);
    if (!agrees(stored->state_hash, rules::hash(game.state_)))
      return at + " leads to another state than it was stored with.";
    game.log_.push_back(play);
  }
  return game;
}

Step Game::prepare(const Play& play, Instant now) const {
  Step step{play, state_, {}, {}};
  Collector collector(step.events);
  rules::apply(*content_, step.after, play.seat, play.action, &collector);
  step.record = write_play(step.after.version, play, rules::hash(step.after), now);
  return step;
}

void Game::commit(const Step& step) {
  assert(step.after.version == state_.version + 1);
  state_ = step.after;
  log_.push_back(step.play);
}

void Game::write_diffs_since(std::uint32_t held_version, wire::Viewer viewer, v1::GameUpdate& out) const {
  rules::State after = rules::new_game(*content_, opening_.options, opening_.seed);
  std::vector<rules::Event> events;
  Collector collector(events);
  for (std::uint32_t version = 0; version < log_.size(); ++version) {
    const Play& play = log_[version];
    if (version < held_version) {
      rules::apply(*content_, after, play.seat, play.action);
      continue;
    }
    const rules::State before = after;
    events.clear();
    rules::apply(*content_, after, play.seat, play.action, &collector);
    wire::encode_diff(*content_, before, after, events, viewer, *out.add_diffs());
  }
}

}  // namespace landsraad::room
