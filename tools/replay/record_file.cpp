#include "tools/replay/record_file.h"

#include <array>
#include <fstream>

#include "tools/replay/hex.h"
#include "tools/replay/playable.h"

namespace landsraad::replay {

namespace {

std::string count_nonces(const room::Opening& opening) {
  std::size_t given = 0;
  for (const room::OpeningSeat& seat : opening.seats) given += seat.nonce.empty() ? 0 : 1;
  return std::to_string(given) + " of " + std::to_string(opening.seats.size()) + " players";
}

}  // namespace

bool is_record_file(const std::string& path) {
  constexpr std::string_view sqlite("SQLite format 3\0", 16);
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  std::array<char, sqlite.size()> head{};
  file.read(head.data(), head.size());
  // An empty file is a database that nothing has been written to yet.
  return file.gcount() > 0 && std::string_view(head.data(), head.size()) != sqlite;
}

std::optional<v1::GameRecord> read_record_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  v1::GameRecord record;
  if (!file || !record.ParseFromIstream(&file) || !record.has_setup()) return std::nullopt;
  return record;
}

Verdict verify_record(const v1::GameRecord& record, std::string_view commitment) {
  const room::Replay replay = play(playable(record, {}));
  if (!replay.fault.empty()) return {false, replay.fault};
  const room::Opening& opening = replay.game->opening();
  const std::string committed = hex(room::commitment(opening.seed));
  const bool over = replay.game->over();
  const std::string said = std::to_string(replay.entries) + " entries, all as stored; " +
                           (over ? "" : "the game is not over; ") + count_nonces(opening) +
                           " had a share in the seed; the server's part ";
  // A server gives out nothing before the end: who checks one must have the whole game.
  if (!over && !commitment.empty()) return {false, "The record stops before the end of the game."};
  if (commitment.empty()) return {true, said + "has the commitment " + committed};
  if (commitment == committed) return {true, said + "is what it had committed to"};
  return {false, said + "is NOT what it had committed to, but has the commitment " + committed};
}

}  // namespace landsraad::replay
