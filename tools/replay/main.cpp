// landsraad-replay: looks at stored games. See arguments.cpp for its help.
#include <future>
#include <iomanip>
#include <iostream>
#include <memory>
#include <utility>

#include "persistence/sqlite/sqlite_store.h"
#include "rules/notation/load.h"
#include "server/room/replay.h"
#include "tools/replay/arguments.h"
#include "tools/replay/export.h"
#include "tools/replay/record_file.h"
#include "tools/replay/teller.h"
#include "tools/scenario/dump.h"

namespace landsraad::replay {

namespace {

enum ExitCode : int { kWell = 0, kDamaged = 1, kUsage = 2 };

using persistence::GameStatus;
using persistence::ListedGame;
using persistence::ListPage;
using persistence::Result;
using persistence::SqliteStore;
using persistence::StoredGame;

// Makes a request of the store and waits for its result.
template <class T, class Request>
Result<T> wait_for(Request request) {
  std::promise<Result<T>> promise;
  request([&](Result<T> result) { promise.set_value(std::move(result)); });
  return promise.get_future().get();
}

Result<StoredGame> load(SqliteStore& store, const std::string& game) {
  return wait_for<StoredGame>(
      [&](auto done) { store.load(game, persistence::Extent::whole, std::move(done)); });
}

// Visits all games, page by page; true if all pages could be read.
template <class Visit>
bool for_each_game(SqliteStore& store, Visit visit) {
  persistence::ListQuery query;
  query.unlisted_too = true;
  for (bool more = true; more;) {
    const Result<ListPage> page = wait_for<ListPage>([&](auto done) { store.list(query, std::move(done)); });
    if (!page.ok()) {
      std::cerr << page.why << '\n';
      return false;
    }
    for (const ListedGame& game : page.value.games) visit(game);
    more = page.value.more;
    if (more) query.after = page.value.games.back().id;
  }
  return true;
}

void print_line(const ListedGame& game) {
  std::cout << std::left << std::setw(24) << game.id << "  ";
  const auto opening = game.readable ? room::read_opening(game.setup) : std::nullopt;
  if (!opening) {
    std::cout << "cannot be read\n";
    return;
  }
  std::cout << std::setw(6) << (game.status == GameStatus::open ? "open" : "closed") << "  " << std::right
            << std::setw(5) << game.next_sequence - 1 << " entries  " << written(opening->created) << "  "
            << opening->options.product();
  std::string between = "  ";
  for (const std::string& name : names_of(*opening)) std::cout << std::exchange(between, ", ") << name;
  if (!opening->options.title().empty()) std::cout << "  \"" << opening->options.title() << '"';
  std::cout << '\n';
}

int list(SqliteStore& store) {
  bool all_readable = true;
  const bool complete = for_each_game(store, [&](const ListedGame& game) {
    print_line(game);
    all_readable = all_readable && game.readable;
  });
  return complete && all_readable ? kWell : kDamaged;
}

bool verify(SqliteStore& store, const std::string& game) {
  const Result<StoredGame> stored = load(store, game);
  if (!stored.ok()) {
    std::cout << stored.why << '\n';
    return false;
  }
  const room::Replay replay = room::replay(rules::uprising_content(), stored.value.records);
  std::cout << "game " << game << ": ";
  if (replay.fault.empty()) {
    std::cout << replay.entries << " entries, all as stored\n";
  } else {
    std::cout << replay.fault << '\n';
  }
  return replay.fault.empty();
}

int verify(SqliteStore& store, const Arguments& arguments) {
  if (!arguments.game.empty()) return verify(store, arguments.game) ? kWell : kDamaged;
  bool all_well = true;
  const bool complete =
      for_each_game(store, [&](const ListedGame& game) { all_well = verify(store, game.id) && all_well; });
  return complete && all_well ? kWell : kDamaged;
}

int show(const Arguments& arguments, const StoredGame& stored) {
  const rules::Content& content = rules::uprising_content();
  const std::uint64_t until = arguments.until.value_or(stored.records.size());
  room::Replay replay;
  if (arguments.task == Task::json) {
    Exporter exporter(content, std::cout);
    exporter.begin(stored.id);
    replay = room::replay(content, stored.records, &exporter, until);
    exporter.end(replay);
  } else if (arguments.task == Task::scenario) {
    replay = room::replay(content, stored.records, nullptr, until);
    if (replay.fault.empty()) std::cout << scenario::dump_position(content, replay.game->state());
  } else {
    Teller teller(content, std::cout);
    replay = room::replay(content, stored.records, &teller, until);
    if (replay.fault.empty()) teller.standings(replay.game->state());
  }
  if (replay.fault.empty()) return kWell;
  std::cerr << "game " << stored.id << ": " << replay.fault << '\n';
  return kDamaged;
}

int show(SqliteStore& store, const Arguments& arguments) {
  const Result<StoredGame> stored = load(store, arguments.game);
  if (!stored.ok()) {
    std::cerr << stored.why << '\n';
    const bool no_such_game = stored.error == persistence::StoreError::not_found ||
                              stored.error == persistence::StoreError::invalid;
    return no_such_game ? kUsage : kDamaged;
  }
  const std::size_t entries = stored.value.records.size() - 1;
  if (arguments.until.value_or(0) > entries) {
    std::cerr << "game " << arguments.game << " has only " << entries << " entries\n";
    return kUsage;
  }
  return show(arguments, stored.value);
}

int run(std::span<const char* const> words) {
  std::string mistake;
  const Arguments arguments = parse_arguments(words, mistake);
  if (!mistake.empty()) {
    std::cerr << "landsraad-replay: " << mistake << "; see --help\n";
    return kUsage;
  }
  if (arguments.task == Task::help) {
    std::cout << kHelp;
    return kWell;
  }
  if (arguments.task == Task::verify && is_record_file(arguments.database)) {
    const Verdict verdict = verify_record_file(arguments.database, arguments.commitment);
    std::cout << arguments.database << ": " << verdict.sentence << '\n';
    return verdict.good ? kWell : kDamaged;
  }
  if (!arguments.commitment.empty()) {
    std::cerr << "landsraad-replay: --commitment goes with a file that holds one game; see --help\n";
    return kUsage;
  }
  Result<std::unique_ptr<SqliteStore>> opened =
      SqliteStore::open({.path = arguments.database, .read_only = true});
  if (!opened.ok()) {
    std::cerr << opened.why << '\n';
    return kDamaged;
  }
  SqliteStore& store = *opened.value;
  if (arguments.task == Task::list) return list(store);
  if (arguments.task == Task::verify) return verify(store, arguments);
  return show(store, arguments);
}

}  // namespace

}  // namespace landsraad::replay

int main(int argc, char** argv) {
  return landsraad::replay::run({argv + 1, static_cast<std::size_t>(argc > 0 ? argc - 1 : 0)});
}
