#include "tools/replay/database.h"

#include <chrono>
#include <utility>

#include "persistence/wait.h"
#include "server/storage/port.h"

namespace landsraad::replay {

using persistence::Epoch;
using persistence::ListedGame;
using persistence::ListPage;
using persistence::NewGame;
using persistence::Result;
using persistence::Sequence;
using persistence::SqliteStore;
using persistence::StoredGame;
using persistence::UnixMs;
using persistence::wait_for;

namespace {

Result<int> failed(persistence::StoreError error, std::string why) { return {error, std::move(why), 0}; }

UnixMs now_ms() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since_1970).count();
}

}  // namespace

Result<Database> Database::open(const std::string& path, bool read_only) {
  auto opened = SqliteStore::open({.path = path, .read_only = read_only, .describe = storage::described});
  if (!opened.ok()) return {opened.error, opened.why, {}};
  Result<Database> result;
  result.value.path_ = path;
  result.value.store_ = std::move(opened.value);
  SqliteStore& store = *result.value.store_;
  auto texts = wait_for<persistence::Texts>([&](auto done) { store.texts(std::move(done)); });
  if (!texts.ok()) return {texts.error, texts.why, {}};
  result.value.library_ = std::make_shared<room::Library>(new_library());
  for (auto& [version, edition] : texts.value) {
    result.value.library_->add(edition);  // what does not read is missed by the games that need it
    result.value.editions_.emplace(version, std::move(edition));
  }
  return result;
}

Result<Playable> Database::load(const std::string& game) {
  Result<StoredGame> stored = wait_for<StoredGame>(
      [&](auto done) { store_->load(game, persistence::Extent::whole, std::move(done)); });
  return {stored.error,
          std::move(stored.why),
          {std::move(stored.value.id), std::move(stored.value.records), library_}};
}

Result<StoredGame> Database::load_to_resume(const std::string& game) {
  return wait_for<StoredGame>(
      [&](auto done) { store_->load(game, persistence::Extent::resume, std::move(done)); });
}

std::string Database::for_each_game(persistence::ListQuery query,
                                    const std::function<void(const ListedGame&)>& visit) {
  query.unlisted_too = true;
  query.limit = persistence::kMaxListPage;
  for (bool more = true; more;) {
    const Result<ListPage> page =
        wait_for<ListPage>([&](auto done) { store_->list(query, std::move(done)); });
    if (!page.ok()) return page.why;
    for (const ListedGame& game : page.value.games) visit(game);
    more = page.value.more;
    if (more) query.after = page.value.games.back().id;
  }
  return {};
}

std::string Database::edition(const std::string& version) const {
  const auto it = editions_.find(version);
  return it == editions_.end() ? std::string() : it->second;
}

Result<int> Database::store(const Playable& game, const room::Replay& replay, const std::string& edition) {
  const room::Opening& opening = replay.game->opening();
  if (!edition.empty()) {
    const Result<bool> kept = wait_for<bool>(
        [&](auto done) { store_->keep_text(opening.content_version, edition, std::move(done)); });
    if (!kept.ok()) return failed(kept.error, kept.why);
  }
  persistence::GameDescription said = storage::described(game.records.front());
  NewGame contents{.created_ms = opening.created.time_since_epoch().count(),
                   .records = game.records,
                   .players = std::move(said.players),
                   .listed = said.listed};
  const Result<Epoch> created =
      wait_for<Epoch>([&](auto done) { store_->create(game.id, std::move(contents), std::move(done)); });
  if (!created.ok()) return failed(created.error, created.why);
  // Closed now, not when it ended: it is from now on that this server is to keep it. If one of the next two
  // fails, the game is found awake without an owner, and so due, when the file is opened next.
  if (replay.game->over())
    wait_for<Sequence>(*store_, [&](auto done) { store_->close(game.id, created.value, now_ms(), done); });
  const UnixMs wake = replay.game->over() ? persistence::kNever : now_ms();
  wait_for<UnixMs>(*store_, [&](auto done) { store_->sleep(game.id, created.value, wake, done); });
  return {};
}

}  // namespace landsraad::replay
