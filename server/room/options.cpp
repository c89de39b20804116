#include "server/room/options.h"

#include <algorithm>
#include <string>

#include "server/room/names.h"

namespace landsraad::room {

namespace {

bool is_within(std::uint32_t number, std::uint32_t least, std::uint32_t most) {
  return number >= least && number <= most;
}

// What is wrong with the clock, as a sentence; empty if nothing.
std::string_view fault_of(const v1::ClockOptions& clock) {
  switch (clock.kind_case()) {
    case v1::ClockOptions::kPerDecision:
      if (is_within(clock.per_decision().seconds(), kMinDecisionSeconds, kMaxDecisionSeconds)) return {};
      return "A decision may take from 5 seconds to 7 days.";
    case v1::ClockOptions::kBank:
      if (is_within(clock.bank().seconds(), kMinBankSeconds, kMaxBankSeconds) &&
          clock.bank().increment_seconds() <= kMaxIncrementSeconds)
        return {};
      return "A bank holds from 1 minute to 7 days, with an increment of at most an hour.";
    case v1::ClockOptions::kDays:
      if (is_within(clock.days().days(), 1, kMaxDays)) return {};
      return "A decision may take from 1 to 30 days.";
    case v1::ClockOptions::KIND_NOT_SET:
      break;
  }
  return {};
}

// The same of everything else but the title.
std::string_view fault_of(const v1::RoomOptions& options, std::string_view product) {
  if (options.product() != product) return "The server does not have this game: see Welcome.products.";
  if (options.players() < 3 || options.players() > 4) return "A game has 3 or 4 players.";
  if (!v1::LeaderSelection_IsValid(options.leader_selection())) return "Unknown leader selection.";
  if (!v1::TimeoutPolicy_IsValid(options.timeout())) return "Unknown policy for time-outs.";
  if (!v1::UndoPolicy_IsValid(options.undo())) return "Unknown policy for undo.";
  if (!v1::ResignPolicy_IsValid(options.resigning())) return "Unknown policy for resigning.";
  if (options.spectator_delay() > kMaxSpectatorDelay) return "Spectators may be at most 100 actions behind.";
  return fault_of(options.clock());
}

}  // namespace

std::optional<Refusal> complete(v1::RoomOptions& options, std::string_view product, const Limits& limits) {
  options.DiscardUnknownFields();  // they would be sent on to everyone
  if (options.product().empty()) options.set_product(std::string(product));
  if (options.players() == 0) options.set_players(4);
  if (options.clock().kind_case() == v1::ClockOptions::KIND_NOT_SET) options.clear_clock();
  if (const std::string_view fault = fault_of(options, product); !fault.empty())
    return Refusal{v1::ERROR_CODE_BAD_OPTIONS, fault};
  const auto most = static_cast<std::uint32_t>(limits.spectators);
  options.set_spectators(options.has_spectators() ? std::min(options.spectators(), most) : most);
  if (options.title().empty()) return std::nullopt;
  const std::optional<std::string> title = clean_name(options.title(), limits);
  if (!title) return Refusal{v1::ERROR_CODE_BAD_NAME, {}};
  options.set_title(*title);
  return std::nullopt;
}

}  // namespace landsraad::room
