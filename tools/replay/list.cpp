#include "tools/replay/list.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <utility>

#include "tools/replay/exit_code.h"
#include "tools/replay/teller.h"

namespace landsraad::replay {

using persistence::GameStatus;
using persistence::ListedGame;

namespace {

void print_line(const ListedGame& game, const room::Opening& opening) {
  std::cout << std::left << std::setw(24) << game.id << "  " << std::setw(6)
            << (game.status == GameStatus::open ? "open" : "closed") << "  " << std::right << std::setw(5)
            << game.next_sequence - 1 << " entries  " << written(opening.created) << "  "
            << opening.options.product();
  std::string between = "  ";
  for (const std::string& name : names_of(opening)) std::cout << std::exchange(between, ", ") << name;
  if (!opening.options.title().empty()) std::cout << "  \"" << opening.options.title() << '"';
  std::cout << '\n';
}

bool has_player(const room::Opening& opening, const std::string& name) {
  return std::any_of(opening.seats.begin(), opening.seats.end(),
                     [&](const room::OpeningSeat& seat) { return seat.name == name; });
}

}  // namespace

int list(Database& database, const Arguments& arguments) {
  persistence::ListQuery query;
  if (arguments.open_only) query.status = GameStatus::open;
  bool all_readable = true;
  const std::string fault = database.for_each_game(query, [&](const ListedGame& game) {
    const auto opening = game.readable ? room::read_opening(game.setup) : std::nullopt;
    if (!opening) {
      std::cout << std::left << std::setw(24) << game.id << "  cannot be read\n";
      all_readable = false;
    } else if (arguments.player.empty() || has_player(*opening, arguments.player)) {
      print_line(game, *opening);
    }
  });
  if (!fault.empty()) std::cerr << fault << '\n';
  return fault.empty() && all_readable ? kWell : kDamaged;
}

}  // namespace landsraad::replay
