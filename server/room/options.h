// Which rooms may be opened.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "landsraad/v1/protocol.pb.h"
#include "server/room/limits.h"

namespace landsraad::room {

inline constexpr std::uint32_t kMaxSpectatorDelay = 100;  // actions

// ---- Clocks. All that a clock measures fits 32 bits of milliseconds (LogRecord.spent_ms).
inline constexpr std::uint32_t kMinDecisionSeconds = 5;
inline constexpr std::uint32_t kMaxDecisionSeconds = 7 * 24 * 60 * 60;
inline constexpr std::uint32_t kMinBankSeconds = 60;
inline constexpr std::uint32_t kMaxBankSeconds = 7 * 24 * 60 * 60;
inline constexpr std::uint32_t kMaxIncrementSeconds = 60 * 60;
inline constexpr std::uint32_t kMaxDays = 30;

struct Refusal {
  v1::ErrorCode code = v1::ERROR_CODE_UNSPECIFIED;
  std::string_view sentence;
};

// Fills in what was left open and drops what the server does not know; or says what is wrong. `product` is
// the one the server has. Whether there is a password is the caller's to set.
std::optional<Refusal> complete(v1::RoomOptions& options, std::string_view product, const Limits& limits);

}  // namespace landsraad::room
