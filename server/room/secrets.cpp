#include "server/room/secrets.h"

#include <sodium.h>

#include <cstdlib>

namespace landsraad::room {

namespace {

// Base 32 without i, l, o and u.
constexpr std::string_view kRoomAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";
constexpr std::size_t kRoomCharacters = 10;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

Entropy system_entropy() {
  // Without a working random source no secret could be kept: better not to start at all.
  if (sodium_init() < 0) std::abort();
  return [](std::span<std::uint8_t> bytes) { randombytes_buf(bytes.data(), bytes.size()); };
}

Token draw_token(const Entropy& entropy) {
  Token token{};
  entropy(token);
  return token;
}

TokenHash hash(const Token& token) {
  TokenHash out{};
  crypto_generichash(out.data(), out.size(), token.data(), token.size(), nullptr, 0);
  return out;
}

std::string to_text(const Token& token) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * token.size());
  for (const std::uint8_t byte : token) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::optional<Token> token_from_text(std::string_view text) {
  Token token{};
  if (text.size() != 2 * token.size()) return std::nullopt;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const int high = hex_digit(text[2 * i]);
    const int low = hex_digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    token[i] = static_cast<std::uint8_t>(16 * high + low);
  }
  return token;
}

bool same_hash(const TokenHash& a, const TokenHash& b) {
  return sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::optional<std::size_t> find_token(std::span<const TokenHash> hashes, const Token& token) {
  const TokenHash wanted = hash(token);
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < hashes.size(); ++i)
    if (same_hash(hashes[i], wanted)) found = i;
  return found;
}

bool is_room_id(std::string_view text) {
  if (text.size() != kRoomCharacters + 1) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool hyphen = i == kRoomCharacters / 2;
    if (hyphen ? text[i] != '-' : kRoomAlphabet.find(text[i]) == std::string_view::npos) return false;
  }
  return true;
}

RoomId draw_room_id(const Entropy& entropy) {
  std::array<std::uint8_t, kRoomCharacters> bytes{};
  entropy(bytes);
  RoomId id;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == kRoomCharacters / 2) id += '-';
    id += kRoomAlphabet[bytes[i] % kRoomAlphabet.size()];
  }
  return id;
}

rules::Seed draw_seed(const Entropy& entropy) {
  rules::Seed seed{};
  entropy(seed);
  return seed;
}

std::string commitment(const rules::Seed& seed) {
  std::array<std::uint8_t, crypto_hash_sha256_BYTES> digest{};
  crypto_hash_sha256(digest.data(), seed.data(), seed.size());
  return {digest.begin(), digest.end()};
}

}  // namespace landsraad::room
