#include "tests/durability/verdict.h"

#include "rules/notation/load.h"
#include "server/room/replay.h"
#include "tests/durability/stored.h"
#include "tests/e2e/table.h"

namespace landsraad::durability {

namespace {

using persistence::GameStatus;
using persistence::StoredGame;

[[noreturn]] void fail(const std::string& game, const std::string& why) {
  throw e2e::Failure{"game " + game + ": " + why};
}

StoredGame load_and_compare(Stored& stored, const std::string& game, const Ledger& ledger) {
  auto loaded = stored.load(game);
  if (!loaded.ok()) fail(game, "its players have seen it, and it does not load: " + loaded.why);
  if (const std::string why = ledger.contradiction(loaded.value.records); !why.empty()) fail(game, why);
  return std::move(loaded.value);
}

void check_end(const StoredGame& game) {
  const room::Replay replay = room::replay(rules::uprising_content(), game.records);
  if (!replay.fault.empty()) fail(game.id, replay.fault);
  if (!replay.game->over()) fail(game.id, "it has not come to its end");
  if (game.status != GameStatus::closed) fail(game.id, "it is over and not closed");
}

}  // namespace

void Bookkeeper::compare(const Ledgers& ledgers) {
  Stored stored(database_);
  for (const auto& [game, ledger] : ledgers) {
    if (const auto settled = settled_.find(game);
        settled != settled_.end() && settled->second == ledger.version())
      continue;
    const StoredGame found = load_and_compare(stored, game, ledger);
    if (found.status == GameStatus::closed && !ledger.in_doubt()) settled_[game] = ledger.version();
  }
}

std::size_t Bookkeeper::close_the_books(const Ledgers& ledgers) const {
  Stored stored(database_);
  for (const auto& [game, ledger] : ledgers) check_end(load_and_compare(stored, game, ledger));
  for (const persistence::GameId& game : stored.games())
    if (!ledgers.contains(game)) fail(game, "it is stored, and nobody has ever seen it");
  return ledgers.size();
}

}  // namespace landsraad::durability
