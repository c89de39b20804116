// libFuzzer: whatever bytes are stored of a game, reading and replaying them ends with a game or with a
// sentence that says why not; and what can be read is written back the same.
//
// The input is taken for three things: for a list of records, each behind its length in two bytes, low one
// first (a list that does not begin with a set-up of its own is played after a fixed one); for a whole game
// in one message; and for a snapshot of a fixed game, by itself and as changes to a good one.
#include "server/room/record.h"

#include <google/protobuf/stubs/logging.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/notation/load.h"
#include "server/room/autoplayer.h"
#include "server/room/replay.h"
#include "server/room/snapshot.h"

namespace {

using namespace landsraad;

std::vector<std::string> records_of(std::string_view input) {
  std::vector<std::string> records;
  while (input.size() >= 2) {
    const auto length = static_cast<std::size_t>(static_cast<std::uint8_t>(input[0]) |
                                                 static_cast<std::uint8_t>(input[1]) << 8);
    records.emplace_back(input.substr(2, length));
    input.remove_prefix(2 + records.back().size());
  }
  return records;
}

constexpr int kActionsOfFixedGame = 40;

room::Game begin_fixed_game() {
  const rules::Content& content = rules::uprising_content();
  room::Opening opening;
  opening.options.set_product(content.product);
  opening.options.set_players(4);
  opening.content_version = content.version;
  opening.seats.resize(opening.options.players());
  return {content, opening};
}

const std::string& fixed_opening() {
  static const std::string bytes = room::write_opening(begin_fixed_game().opening());
  return bytes;
}

const room::Game& fixed_game() {
  static const room::Game game = [] {
    room::Game begun = begin_fixed_game();
    for (int n = 0; n < kActionsOfFixedGame; ++n) {
      const rules::Seat seat = rules::first_seat(begun.deciders());
      begun.commit(
          begun.prepare({.deed = room::choose_default(begun.content(), begun.state(), seat), .seat = seat}),
          {});
    }
    return begun;
  }();
  return game;
}

void check_reading(const std::string& record) {
  if (const auto opening = room::read_opening(record)) {
    const auto again = room::read_opening(room::write_opening(*opening));
    if (!again || again->seed != opening->seed ||
        room::write_opening(*again) != room::write_opening(*opening))
      std::abort();
  }
  if (const auto stored = room::read_entry(record)) {
    const std::string written = room::write_entry(stored->version, stored->entry, {});
    const auto again = room::read_entry(written);
    if (!again || room::write_entry(again->version, again->entry, {}) != written) std::abort();
  }
}

void judge(const room::Replay& result) {
  if (result.fault.empty() && !result.game) std::abort();
}

void replay(const std::vector<std::string>& records) {
  judge(room::replay(rules::uprising_content(), records));
}

void check_snapshot(const std::string& bytes) {
  const auto read = [](const std::string& snapshot) {
    return room::read_snapshot(fixed_game().content(), fixed_game().opening(), snapshot);
  };
  const std::optional<room::Game> game = read(bytes);
  if (!game) return;
  const std::string written = room::write_snapshot(*game);
  const std::optional<room::Game> again = read(written);
  if (!again || room::write_snapshot(*again) != written) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Protobuf would report every text that is no UTF-8.
  static const auto loud = google::protobuf::SetLogHandler(nullptr);
  static_cast<void>(loud);
  const std::string input(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> records = records_of(input);
  for (const std::string& record : records) check_reading(record);
  replay(records);
  records.insert(records.begin(), fixed_opening());
  replay(records);

  v1::GameRecord whole;
  if (whole.ParseFromString(input)) judge(room::replay(rules::uprising_content(), whole));

  static const std::string good = room::write_snapshot(fixed_game());
  check_snapshot(input);
  check_snapshot(good + input);  // which is how protobuf merges messages
  return 0;
}
