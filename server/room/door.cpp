#include "server/room/door.h"

#include <sodium.h>

#include <cstdlib>

namespace landsraad::room {

namespace {

void hash_password(std::string_view text, Password& password) {
  // Fails only without memory.
  if (crypto_pwhash(password.hash.data(), password.hash.size(), text.data(), text.size(),
                    password.salt.data(), crypto_pwhash_OPSLIMIT_MIN, kPasswordMemoryBytes,
                    crypto_pwhash_ALG_ARGON2ID13) != 0)
    std::abort();
}

}  // namespace

bool Door::opens(std::string_view given_password, std::string_view given_invite) const {
  if (!password) return true;
  const std::optional<Token> token = token_from_text(given_invite);
  if (token && invite && find_token({&*invite, 1}, *token)) return true;
  if (given_password.empty() || given_password.size() > kMaxPasswordBytes) return false;
  Password tried{password->salt, {}};
  hash_password(given_password, tried);
  return sodium_memcmp(tried.hash.data(), password->hash.data(), tried.hash.size()) == 0;
}

Password lock_with(std::string_view password, const Entropy& entropy) {
  Password locked;
  entropy(locked.salt);
  hash_password(password, locked);
  return locked;
}

}  // namespace landsraad::room
