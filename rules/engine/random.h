// The one source of chance of a game: a ChaCha20 stream inside the State (libsodium).
#pragma once

#include <array>
#include <cstdint>

namespace landsraad::rules {

using Seed = std::array<std::uint8_t, 32>;

// Keyed by the seed; the same seed gives the same numbers on every machine. Not knowing the seed, what
// came says nothing about what comes.
struct RandomStream {
  Seed key{};
  std::array<std::uint8_t, 64> block{};
  std::uint64_t next_block = 0;
  std::uint64_t used = 64;  // bytes of `block` already given out

  // A number in 0 .. bound-1, without bias. bound in 1 .. 2^16.
  std::uint32_t below(std::uint32_t bound);

  // Fisher-Yates over [begin, end).
  template <class T>
  void shuffle(T* begin, T* end) {
    for (auto left = static_cast<std::uint32_t>(end - begin); left > 1; --left) {
      const std::uint32_t pick = below(left);
      const T kept = begin[left - 1];
      begin[left - 1] = begin[pick];
      begin[pick] = kept;
    }
  }
};

}  // namespace landsraad::rules
