#include "persistence/checksum.h"

#include <sodium.h>

#include <array>
#include <string>

namespace landsraad::persistence {

namespace {

// A fixed key: the checksum finds accidents, it does not authenticate.
constexpr std::array<unsigned char, crypto_shorthash_KEYBYTES> kKey{'L', 'a', 'n', 'd', 's', 'r', 'a', 'a',
                                                                    'd', ' ', 'r', 'e', 'c', 'o', 'r', 'd'};

void put(std::string& out, std::uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8) out.push_back(static_cast<char>(number >> shift & 0xff));
}

std::uint64_t short_hash(std::string_view bytes) {
  std::array<unsigned char, crypto_shorthash_BYTES> hash{};
  crypto_shorthash(hash.data(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                   kKey.data());
  std::uint64_t number = 0;
  for (std::size_t i = hash.size(); i > 0; --i) number = number << 8 | hash[i - 1];
  return number;
}

}  // namespace

std::uint64_t record_checksum(std::string_view game, Sequence sequence, std::string_view bytes) {
  std::string all;
  all.reserve(16 + game.size() + bytes.size());
  put(all, sequence);
  put(all, game.size());
  all.append(game).append(bytes);
  return short_hash(all);
}

std::uint64_t game_checksum(std::string_view game, std::int64_t created_ms, const GameHead& head) {
  std::string all(game);
  put(all, static_cast<std::uint64_t>(created_ms));
  put(all, static_cast<std::uint64_t>(head.status));
  put(all, head.epoch);
  put(all, head.next);
  return short_hash(all);
}

}  // namespace landsraad::persistence
