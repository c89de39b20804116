#include "server/room/disclosure.h"

#include "server/room/record.h"

namespace landsraad::room {

namespace {

void withhold(v1::GameSetup& setup) {
  for (v1::StoredSeat& seat : *setup.mutable_seats()) {
    seat.clear_token_hash();
    seat.clear_player_hash();
  }
  setup.mutable_room()->clear_owner_hash();
  setup.mutable_room()->clear_door();
  setup.mutable_room()->clear_barred();
}

// That something happened to the door or the owner stays to be seen.
void withhold(v1::LogRecord& entry) {
  if (entry.has_door()) entry.mutable_door()->Clear();
  if (entry.has_owner_hash()) entry.mutable_owner_hash()->clear();
}

}  // namespace

std::optional<v1::GameRecord> disclose(const std::vector<std::string>& records) {
  v1::GameRecord game;
  if (records.empty() || !game.mutable_setup()->ParseFromString(records.front())) return std::nullopt;
  withhold(*game.mutable_setup());
  for (std::size_t n = 1; n < records.size(); ++n) {
    if (!game.add_entries()->ParseFromString(records[n])) return std::nullopt;
    withhold(*game.mutable_entries(static_cast<int>(n) - 1));
  }
  return game;
}

std::optional<Unnamed> without_player(std::string_view bytes, const TokenHash& player) {
  std::optional<Opening> opening = read_opening(bytes);
  if (!opening) return std::nullopt;
  Unnamed out;
  for (OpeningSeat& seat : opening->seats) {
    if (same_hash(seat.player, player))
      seat = {.name = std::string(kForgottenName), .nonce = seat.nonce};
    else
      out.players.push_back(seat.player);
  }
  if (same_hash(opening->owner, player)) opening->owner = {};
  std::erase_if(opening->barred, [&](const TokenHash& barred) { return same_hash(barred, player); });
  out.setup = write_opening(*opening);
  return out;
}

}  // namespace landsraad::room
