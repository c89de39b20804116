// libFuzzer: whatever bytes are stored as the records of a game, reading and replaying them ends with a game
// or with a sentence that says why not; and what can be read is written back the same.
//
// The input is a list of records, each behind its length in two bytes, low one first. An input that does not
// begin with a set-up of its own is played after a fixed one.
#include "server/room/record.h"

#include <google/protobuf/stubs/logging.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "rules/notation/load.h"
#include "server/room/replay.h"

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

const std::string& fixed_opening() {
  static const std::string bytes = [] {
    const rules::Content& content = rules::uprising_content();
    room::Opening opening;
    opening.options.set_product(content.product);
    opening.options.set_players(4);
    opening.content_version = content.version;
    opening.seats.resize(opening.options.players());
    opening.state_hash = room::Game(content, opening).opening().state_hash;
    return room::write_opening(opening);
  }();
  return bytes;
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

void replay(const std::vector<std::string>& records) {
  const room::Replay result = room::replay(rules::uprising_content(), records);
  if (result.fault.empty() && !result.game) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Protobuf would report every text that is no UTF-8.
  static const auto loud = google::protobuf::SetLogHandler(nullptr);
  static_cast<void>(loud);
  std::vector<std::string> records = records_of({reinterpret_cast<const char*>(data), size});
  for (const std::string& record : records) check_reading(record);
  replay(records);
  records.insert(records.begin(), fixed_opening());
  replay(records);
  return 0;
}
