#include "persistence/checksum.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <string>

namespace landsraad::persistence {

namespace {

// A fixed key: the checksum finds accidents, it does not authenticate.
constexpr std::array<unsigned char, crypto_shorthash_KEYBYTES> kKey{'L', 'a', 'n', 'd', 's', 'r', 'a', 'a',
                                                                    'd', ' ', 'r', 'e', 'c', 'o', 'r', 'd'};

std::uint64_t short_hash(std::string_view bytes) {
  std::array<unsigned char, crypto_shorthash_BYTES> hash{};
  crypto_shorthash(hash.data(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                   kKey.data());
  std::uint64_t number = 0;
  for (std::size_t i = hash.size(); i > 0; --i) number = number << 8 | hash[i - 1];
  return number;
}

// What is to be hashed, one part behind the other; most of it is short and takes no allocation.
class Parts {
 public:
  Parts& operator<<(std::uint64_t number) {
    std::array<char, 8> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(number >> (8 * i) & 0xff);
    return *this << std::string_view(bytes.data(), bytes.size());
  }
  Parts& operator<<(std::string_view bytes) {
    if (long_.empty() && size_ + bytes.size() <= short_.size()) {
      std::copy(bytes.begin(), bytes.end(), short_.begin() + static_cast<std::ptrdiff_t>(size_));
      size_ += bytes.size();
    } else {
      if (long_.empty()) long_.assign(short_.data(), size_);
      long_.append(bytes);
    }
    return *this;
  }
  std::uint64_t hash() const {
    return short_hash(long_.empty() ? std::string_view(short_.data(), size_) : std::string_view(long_));
  }

 private:
  std::array<char, 256> short_;
  std::size_t size_ = 0;
  std::string long_;
};

// A number and two strings; `kind` keeps what is of one kind from passing for another.
std::uint64_t hash_of(std::uint64_t kind, std::string_view first, std::string_view second) {
  return (Parts() << kind << first.size() << first << second).hash();
}

// Beyond all sequences of records, which stand in the same place.
enum Kind : std::uint64_t { kSnapshot = 1ULL << 32, kPlayer = 2ULL << 32, kText = 3ULL << 32 };

void put_old_fields(Parts& parts, std::string_view game, const GameHead& head) {
  parts << game << static_cast<std::uint64_t>(head.created_ms) << static_cast<std::uint64_t>(head.status)
        << head.epoch << head.next;
}

}  // namespace

std::uint64_t record_checksum(std::string_view game, Sequence sequence, std::string_view bytes) {
  return hash_of(sequence, game, bytes);
}

std::uint64_t game_checksum(std::string_view game, const GameHead& head) {
  Parts parts;
  put_old_fields(parts, game, head);
  parts << std::uint64_t{head.listed} << static_cast<std::uint64_t>(head.closed_ms)
        << static_cast<std::uint64_t>(head.wake_ms);
  return parts.hash();
}

std::uint64_t old_game_checksum(std::string_view game, const GameHead& head) {
  Parts parts;
  put_old_fields(parts, game, head);
  return parts.hash();
}

std::uint64_t snapshot_checksum(std::string_view game, Sequence covers, std::string_view bytes) {
  return hash_of(kSnapshot + covers, game, bytes);
}

std::uint64_t player_checksum(std::string_view game, std::string_view player) {
  return hash_of(kPlayer, game, player);
}

std::uint64_t text_checksum(std::string_view key, std::string_view text) { return hash_of(kText, key, text); }

}  // namespace landsraad::persistence
