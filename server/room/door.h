// Who may come into a room: its password and the invitation that replaces it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "server/room/secrets.h"

namespace landsraad::room {

// Slow on purpose, but cheap enough for the thread of a hall: about a millisecond.
inline constexpr std::size_t kPasswordMemoryBytes = 1024 * 1024;
inline constexpr std::size_t kMaxPasswordBytes = 128;

struct Password {
  std::array<std::uint8_t, 16> salt{};
  std::array<std::uint8_t, 32> hash{};  // Argon2id
};

struct Door {
  std::optional<Password> password;  // none: everyone may come in
  std::optional<TokenHash> invite;   // of the latest invitation

  // Whether somebody with this password and this invitation, which may both be empty, may come in.
  bool opens(std::string_view given_password, std::string_view given_invite) const;
};

Password lock_with(std::string_view password, const Entropy& entropy);

}  // namespace landsraad::room
