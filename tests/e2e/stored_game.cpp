#include "tests/e2e/stored_game.h"

#include "persistence/sqlite/sqlite_store.h"
#include "persistence/wait.h"
#include "rules/engine/engine.h"
#include "rules/notation/load.h"
#include "rules/wire/encode.h"
#include "server/room/replay.h"
#include "tests/e2e/table.h"
#include "tools/bot/view_digest.h"

namespace landsraad::e2e {

namespace {

persistence::StoredGame load(const std::string& database, const std::string& game) {
  persistence::SqliteSettings settings;
  settings.path = database;
  settings.read_only = true;
  auto store = persistence::SqliteStore::open(settings);
  if (!store.ok()) throw Failure{"the database cannot be opened: " + store.why};
  auto result = persistence::wait_for<persistence::StoredGame>(
      [&](auto done) { store.value->load(game, persistence::Extent::whole, std::move(done)); });
  if (!result.ok()) throw Failure{"the database does not give the game back: " + result.why};
  return result.value;
}

rules::State replay(const rules::Content& content, const persistence::StoredGame& game) {
  room::Replay replayed = room::replay(content, game.records);
  if (!replayed.fault.empty()) throw Failure{replayed.fault};
  return replayed.game->state();
}

}  // namespace

std::map<std::uint32_t, std::string> final_views_of_stored_game(const std::string& database,
                                                                const std::string& game) {
  const rules::Content& content = rules::uprising_content();
  const rules::State state = replay(content, load(database, game));
  if (!rules::is_over(state)) throw Failure{"the stored game is not over"};
  std::map<std::uint32_t, std::string> views;
  for (rules::Seat seat = 0; seat < state.options.seats; ++seat) {
    v1::GameView view;
    wire::encode(content, nullptr, state, wire::Viewer{seat}, view);
    views[seat] = bot::digest(view);
  }
  return views;
}

}  // namespace landsraad::e2e
