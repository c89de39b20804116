// What must not be guessed: seat tokens, room ids, seeds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rules/engine/random.h"

namespace landsraad::room {

// Fills the bytes with random ones. Tests and simulations pass a seeded source.
using Entropy = std::function<void(std::span<std::uint8_t>)>;

// The operating system's, through libsodium.
Entropy system_entropy();

// Whoever holds it is this player, has this seat or may come in: 128 random bits. Only its hash is kept.
using Token = std::array<std::uint8_t, 16>;
using TokenHash = std::array<std::uint8_t, 32>;  // BLAKE2b-256

Token draw_token(const Entropy& entropy);
TokenHash hash(const Token& token);
std::string to_text(const Token& token);                      // 32 hexadecimal digits
std::optional<Token> token_from_text(std::string_view text);  // nothing if it is no such text

bool same_hash(const TokenHash& a, const TokenHash& b);  // in constant time

// The index of the hash that belongs to the token. Looks at all of them and compares in constant time.
std::optional<std::size_t> find_token(std::span<const TokenHash> hashes, const Token& token);

// Ten characters that cannot be mistaken for each other, as in "k3m9x-2pq7t": 50 random bits.
using RoomId = std::string;
bool is_room_id(std::string_view text);  // as draw_room_id() makes them
RoomId draw_room_id(const Entropy& entropy);

rules::Seed draw_seed(const Entropy& entropy);

// SHA-256 of the seed: published at the start, so that the seed, published at the end, can be checked.
std::string commitment(const rules::Seed& seed);

}  // namespace landsraad::room
