// Random games as a server would have stored them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rules/engine/random.h"
#include "rules/notation/load.h"
#include "server/room/record.h"

namespace landsraad::replay {

inline room::Opening opening_of(std::uint8_t number) {
  room::Opening opening;
  opening.options.set_product(rules::uprising_content().product);
  opening.content_version = rules::uprising_content().version;
  opening.options.set_players(number % 2 == 0 ? 4 : 3);
  opening.options.set_leader_selection(number % 3 == 0 ? v1::LEADER_SELECTION_PICK
                                                       : v1::LEADER_SELECTION_RANDOM);
  opening.seed.fill(number);
  opening.options.set_title("Table \"" + std::to_string(number) + "\"");
  for (std::uint32_t seat = 0; seat < opening.options.players(); ++seat) {
    opening.seats.push_back({.name = std::string(1, static_cast<char>('A' + seat)) + "lia"});
  }
  return opening;
}

struct Recorded {
  std::vector<std::string> records;
  rules::State last;
};

// A random game, as the server would have stored it.
inline Recorded record_game(std::uint8_t number) {
  const rules::Content& content = rules::uprising_content();
  room::Opening opening = opening_of(number);
  Recorded game{{}, rules::new_game(content, room::game_options(opening.options), opening.seed)};
  opening.state_hash = room::stored_hash(game.last);
  game.records.push_back(room::write_opening(opening));
  rules::RandomStream dice;
  dice.key.fill(static_cast<std::uint8_t>(number + 100));
  while (const rules::SeatMask seats = rules::deciders(game.last)) {
    const rules::Seat seat = rules::first_seat(seats);
    const rules::ActionList actions = rules::legal_actions(content, game.last, seat);
    const rules::Action action =
        actions[static_cast<std::uint16_t>(dice.below(static_cast<std::uint32_t>(actions.size())))];
    rules::apply(content, game.last, seat, action);
    game.records.push_back(
        room::write_entry(game.last.version, {.deed = action, .seat = seat}, rules::hash(game.last)));
  }
  return game;
}

}  // namespace landsraad::replay
