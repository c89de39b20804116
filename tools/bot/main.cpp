// landsraad-bot: plays any number of seats of one game and prints how it ended.
#include <sodium.h>

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <deque>
#include <fstream>
#include <string>
#include <vector>

#include "tools/bot/options.h"
#include "tools/bot/player.h"
#include "tools/bot/seat_session.h"
#include "tools/bot/seat_tokens.h"
#include "tools/bot/view_digest.h"

namespace {

using namespace landsraad;
using namespace landsraad::bot;

enum ExitCode { kGameOver = 0, kGaveUp = 1, kBadUsage = 2 };

// Compared with what the player noted when it came into the room.
bool seed_was_committed_to(const Player& player) {
  const std::string& seed = player.room().seed();
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
  crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(seed.data()), seed.size());
  return player.commitment() == std::string(hash.begin(), hash.end());
}

std::string hex(const std::string& bytes) {
  std::string text(2 * bytes.size() + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                 bytes.size());
  text.pop_back();
  return text;
}

bool save_record(const std::string& path, const v1::GameRecord& record) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (record.SerializeToOstream(&file) && file.flush()) return true;
  std::fprintf(stderr, "landsraad-bot: cannot write the record file %s\n", path.c_str());
  return false;
}

void print_result(const Player& player) {
  std::vector<const v1::SeatView*> seats;
  for (const v1::SeatView& seat : player.view().seats()) seats.push_back(&seat);
  std::sort(seats.begin(), seats.end(), [](const auto* a, const auto* b) { return a->place() < b->place(); });
  std::printf("room %s, round %d, %u actions\n", player.room().room().c_str(), player.view().round(),
              player.version());
  for (const v1::SeatView* seat : seats) {
    const auto index = static_cast<int>(seat->id());
    const std::string name = index < player.room().seats_size() ? player.room().seats(index).name() : "";
    std::printf("place %d: seat %u (%s), %d points\n", seat->place(), seat->id(), name.c_str(),
                seat->victory_points());
  }
  std::printf("seed %s its commitment\n", seed_was_committed_to(player) ? "matches" : "does NOT match");
  std::printf("commitment %s\n", hex(player.commitment()).c_str());
}

// Tokens of seats played before, if a file remembers them and they are of the room that was asked for.
bool recall_seats(const Options& options, SeatTokens& seats) {
  if (!options.token_file.empty() && !load_tokens(options.token_file, seats)) {
    std::fprintf(stderr, "landsraad-bot: %s is not a token file\n", options.token_file.c_str());
    return false;
  }
  if (!options.room.empty() && seats.room != options.room) seats = {options.room, {}, seats.players};
  seats.tokens.resize(options.seats);
  seats.players.resize(options.seats);
  return true;
}

int play(const Options& options) {
  SeatTokens seats;
  if (!recall_seats(options, seats)) return kBadUsage;

  boost::asio::io_context io;
  std::deque<Player> players;
  for (std::uint32_t index = 0; index < options.seats; ++index) {
    Player& player = players.emplace_back(options, seats, index);
    boost::asio::co_spawn(io, keep_playing(player, options), boost::asio::detached);
  }
  io.run();

  bool all_over = true;
  for (const Player& player : players) {
    if (player.status() == Status::over) {
      std::printf("seat %u saw %s\n", *player.seat(), digest(player.view()).c_str());
    } else {
      all_over = false;
      std::fprintf(stderr, "landsraad-bot: gave up at action %u: %s\n", player.version(),
                   player.failure().empty() ? "the server did not answer" : player.failure().c_str());
    }
  }
  if (players[0].status() == Status::over) print_result(players[0]);
  if (players[0].record() && !save_record(options.record_file, *players[0].record())) return kGaveUp;
  return all_over ? kGameOver : kGaveUp;
}

}  // namespace

int main(int argc, char** argv) {
  if (sodium_init() < 0) return kGaveUp;
  const auto parsed = parse_options(argc, argv);
  if (std::holds_alternative<HelpWanted>(parsed)) {
    std::fputs(kHelp, stdout);
    return 0;
  }
  if (const auto* bad = std::get_if<BadUsage>(&parsed)) {
    std::fprintf(stderr, "landsraad-bot: %s\n", bad->line.c_str());
    return kBadUsage;
  }
  return play(std::get<Options>(parsed));
}
