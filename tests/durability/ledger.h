// What the players of one game have been told, to be compared with what is stored of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "persistence/store.h"
#include "rules/engine/action.h"

namespace landsraad::durability {

struct Act {
  rules::Seat seat = rules::kNoSeat;
  rules::Action action;
  bool operator==(const Act&) const = default;
};

// The acts of a game, in order: the n-th leads to version n. All of them are known to be stored, but the one
// in doubt: it has been sent, and nobody has heard yet what became of it.
class Ledger {
 public:
  std::uint32_t version() const { return static_cast<std::uint32_t>(acts_.size()); }
  const std::optional<Act>& in_doubt() const { return in_doubt_; }
  // The greatest version that any player has been shown.
  std::uint32_t shown() const { return shown_; }

  void sent(const Act& act) { in_doubt_ = act; }
  void acknowledged() {
    acts_.push_back(*in_doubt_);
    in_doubt_.reset();
  }
  void show(std::uint32_t version) { shown_ = std::max(shown_, version); }

  // What the stored records contradict of all this, as a sentence; empty if nothing: every act is there at
  // its place and so once, nothing is there that nobody did, and nothing is missing that anybody saw.
  std::string contradiction(const std::vector<persistence::Record>& records) const;

 private:
  std::vector<Act> acts_;
  std::optional<Act> in_doubt_;
  std::uint32_t shown_ = 0;
};

}  // namespace landsraad::durability
