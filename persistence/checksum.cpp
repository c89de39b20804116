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

// A number and two strings; `kind` keeps what is of one kind from passing for another.
std::uint64_t hash_of(std::uint64_t kind, std::string_view first, std::string_view second) {
  std::string all;
  all.reserve(16 + first.size() + second.size());
  put(all, kind);
  put(all, first.size());
  all.append(first).append(second);
  return short_hash(all);
}

// Beyond all sequences of records, which stand in the same place.
enum Kind : std::uint64_t { kSnapshot = 1ULL << 32, kPlayer = 2ULL << 32, kText = 3ULL << 32 };

std::string old_fields(std::string_view game, const GameHead& head) {
  std::string all(game);
  put(all, static_cast<std::uint64_t>(head.created_ms));
  put(all, static_cast<std::uint64_t>(head.status));
  put(all, head.epoch);
  put(all, head.next);
  return all;
}

}  // namespace

std::uint64_t record_checksum(std::string_view game, Sequence sequence, std::string_view bytes) {
  return hash_of(sequence, game, bytes);
}

std::uint64_t game_checksum(std::string_view game, const GameHead& head) {
  std::string all = old_fields(game, head);
  put(all, head.listed ? 1 : 0);
  put(all, static_cast<std::uint64_t>(head.closed_ms));
  put(all, static_cast<std::uint64_t>(head.wake_ms));
  return short_hash(all);
}

std::uint64_t old_game_checksum(std::string_view game, const GameHead& head) {
  return short_hash(old_fields(game, head));
}

std::uint64_t snapshot_checksum(std::string_view game, Sequence covers, std::string_view bytes) {
  return hash_of(kSnapshot + covers, game, bytes);
}

std::uint64_t player_checksum(std::string_view game, std::string_view player) {
  return hash_of(kPlayer, game, player);
}

std::uint64_t text_checksum(std::string_view key, std::string_view text) { return hash_of(kText, key, text); }

}  // namespace landsraad::persistence
