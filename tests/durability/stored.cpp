#include "tests/durability/stored.h"

#include <utility>

#include "persistence/wait.h"
#include "tests/e2e/table.h"

namespace landsraad::durability {

using persistence::Result;
using persistence::wait_for;

Stored::Stored(const std::string& database) {
  auto opened = persistence::SqliteStore::open({.path = database, .read_only = true});
  if (!opened.ok()) throw e2e::Failure{"the database cannot be opened: " + opened.why};
  store_ = std::move(opened.value);
}

Result<persistence::StoredGame> Stored::load(const persistence::GameId& game) {
  return wait_for<persistence::StoredGame>(
      [&](auto done) { store_->load(game, persistence::Extent::whole, std::move(done)); });
}

std::vector<persistence::GameId> Stored::games() {
  std::vector<persistence::GameId> ids;
  persistence::ListQuery query{.unlisted_too = true};
  for (bool more = true; more;) {
    const auto page =
        wait_for<persistence::ListPage>([&](auto done) { store_->list(query, std::move(done)); });
    if (!page.ok()) throw e2e::Failure{"the database lists no games: " + page.why};
    for (const persistence::ListedGame& game : page.value.games) ids.push_back(game.id);
    more = page.value.more;
    if (more) query.after = ids.back();
  }
  return ids;
}

}  // namespace landsraad::durability
