#include "tests/durability/ledger.h"

#include "server/room/record.h"

namespace landsraad::durability {

namespace {

// The acts among the stored records; nothing if one does not read as a record or stands in the wrong place.
std::optional<std::vector<Act>> acts_of(const std::vector<persistence::Record>& records) {
  std::vector<Act> acts;
  for (std::size_t n = 1; n < records.size(); ++n) {
    const auto stored = room::read_entry(records[n]);
    if (!stored) return std::nullopt;
    const room::Entry& entry = stored->entry;
    if (entry.moves_the_game()) {
      if (entry.action() == nullptr) return std::nullopt;  // nobody has taken anything back
      acts.push_back({entry.seat, *entry.action()});
    }
    if (stored->version != acts.size()) return std::nullopt;
  }
  return acts;
}

}  // namespace

std::string Ledger::contradiction(const std::vector<persistence::Record>& records) const {
  const auto stored = acts_of(records);
  if (!stored) return "its log is not one of acts, each after the other";
  for (std::size_t n = 0; n < acts_.size(); ++n) {
    if (n >= stored->size()) return "act " + std::to_string(n + 1) + " was acknowledged and is not stored";
    if ((*stored)[n] != acts_[n])
      return "act " + std::to_string(n + 1) + " was another when it was acknowledged";
  }
  if (stored->size() < shown_) return "version " + std::to_string(shown_) + " was shown and is not stored";
  if (stored->size() == acts_.size()) return {};
  const bool explained = in_doubt_ && stored->size() == acts_.size() + 1 && stored->back() == *in_doubt_;
  return explained ? "" : "act " + std::to_string(acts_.size() + 1) + " is stored and nobody did it";
}

}  // namespace landsraad::durability
