#include "server/room/replay.h"

#include <algorithm>
#include <utility>

#include "server/room/snapshot.h"

namespace landsraad::room {

namespace {

class Collector final : public rules::EventSink {
 public:
  void on(const rules::Event& event) override { events.push_back(event); }
  std::vector<rules::Event> events;
};

std::string why_not_ours(const rules::Content& content, const Opening& opening) {
  const auto versions = [](const std::string& theirs, std::string_view ours) {
    return theirs.substr(0, 12) + "; this is version " + std::string(ours.substr(0, 12)) + ".";
  };
  if (opening.engine_version != kEngineVersion)
    return "It was begun by version " + versions(opening.engine_version, kEngineVersion);
  if (opening.options.product() != content.product)
    return "It is a game of " + opening.options.product() + ".";
  if (opening.content_version != content.version)
    return "It was begun with cards of version " + versions(opening.content_version, content.version);
  return {};
}

Replay begin(const rules::Content& content, const std::optional<Opening>& opening, Audience* audience) {
  Replay replay;
  if (!opening) {
    replay.fault = "Its opening does not read as one.";
    return replay;
  }
  replay.fault = why_not_ours(content, *opening);
  if (!replay.fault.empty()) return replay;
  Game game(content, *opening);
  if (!agrees(opening->state_hash, rules::hash(game.state()))) {
    replay.fault = "Its set-up comes out differently than it was stored.";
    return replay;
  }
  if (audience != nullptr) {
    Collector collector;
    rules::new_game(content, game_options(opening->options), game_seed(*opening), &collector);
    audience->opening(*opening, game.state(), collector.events);
  }
  replay.game.emplace(std::move(game));
  return replay;
}

// Plays one entry; what is wrong with it, or nothing.
std::string_view play(Game& game, const std::optional<StoredEntry>& stored, Audience* audience) {
  if (!stored) return "does not read as one";
  const Entry& entry = stored->entry;
  if (stored->version != game.version() + (entry.moves_the_game() ? 1U : 0U))
    return "stands in the wrong place";
  if (const std::string_view why = game.why_not(entry); !why.empty()) return why;
  const Step step = game.prepare(entry);
  if (!agrees(stored->state_hash, rules::hash(step.after)))
    return "leads to another state than it was stored with";
  if (audience != nullptr) audience->scene({stored->version, step, game.state()});
  game.commit(step, entry.when);
  return {};
}

// What the entries will undo to, so that each undo finds its state at once.
std::vector<std::uint32_t> undo_targets(const std::vector<std::optional<StoredEntry>>& entries) {
  std::vector<std::uint32_t> targets;
  for (const std::optional<StoredEntry>& stored : entries)
    if (stored)
      if (const auto* undo = std::get_if<Undo>(&stored->entry.deed)) targets.push_back(undo->to);
  return targets;
}

// Plays the entries, of which the first is number `first`.
void go_on(Replay& replay, const std::vector<std::optional<StoredEntry>>& entries, std::uint64_t first,
           Audience* audience) {
  if (!replay.fault.empty()) return;
  replay.game->expect_undos(undo_targets(entries));
  for (std::size_t n = 0; n < entries.size() && replay.fault.empty(); ++n) {
    const std::string_view fault = play(*replay.game, entries[n], audience);
    if (fault.empty())
      ++replay.entries;
    else
      replay.fault = "Entry " + std::to_string(first + n) + " " + std::string(fault) + ".";
  }
  replay.game->forget_undos();
}

template <class Read>  // (n-th entry, from 1) -> std::optional<StoredEntry>
std::vector<std::optional<StoredEntry>> read_entries(std::uint64_t count, Read read) {
  std::vector<std::optional<StoredEntry>> entries;
  entries.reserve(count);
  for (std::uint64_t n = 1; n <= count; ++n) entries.push_back(read(n));
  return entries;
}

std::vector<std::optional<StoredEntry>> read_entries(const std::vector<std::string>& records,
                                                     std::uint64_t until) {
  return read_entries(std::min<std::uint64_t>(until, records.size() - 1),
                      [&](std::uint64_t n) { return read_entry(records[n]); });
}

}  // namespace

Replay replay(const rules::Content& content, const std::vector<std::string>& records, Audience* audience,
              std::uint64_t until) {
  if (records.empty()) return {"It has no opening.", std::nullopt, 0};
  Replay replay = begin(content, read_opening(records.front()), audience);
  go_on(replay, read_entries(records, until), 1, audience);
  return replay;
}

Replay resume(const rules::Content& content, const std::vector<std::string>& records,
              std::string_view snapshot) {
  Replay replay;
  if (records.empty()) return {"It has no opening.", std::nullopt, 0};
  const std::optional<Opening> opening = read_opening(records.front());
  replay.fault = opening ? why_not_ours(content, *opening) : "Its opening does not read as one.";
  if (!replay.fault.empty()) return replay;
  replay.game = read_snapshot(content, *opening, snapshot);
  if (!replay.game) replay.fault = "Its snapshot does not read as one.";
  if (!replay.game) return replay;
  const std::uint64_t first = replay.game->records();
  go_on(replay, read_entries(records, records.size()), first, nullptr);
  return replay;
}

Replay replay(const rules::Content& content, const v1::GameRecord& record, Audience* audience,
              std::uint64_t until) {
  Replay replay = begin(content, read_opening(record.setup()), audience);
  const auto entries =
      read_entries(std::min(until, static_cast<std::uint64_t>(record.entries_size())),
                   [&](std::uint64_t n) { return read_entry(record.entries(static_cast<int>(n) - 1)); });
  go_on(replay, entries, 1, audience);
  return replay;
}

}  // namespace landsraad::room
