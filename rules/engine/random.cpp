#include "rules/engine/random.h"

#include <sodium.h>

#include <cassert>

namespace landsraad::rules {

namespace {

std::uint32_t next16(RandomStream& stream) {
  if (stream.used + 2 > stream.block.size()) {
    static constexpr unsigned char kNonce[crypto_stream_chacha20_NONCEBYTES] = {};
    stream.block.fill(0);
    crypto_stream_chacha20_xor_ic(stream.block.data(), stream.block.data(), stream.block.size(), kNonce,
                                  stream.next_block++, stream.key.data());
    stream.used = 0;
  }
  const std::uint32_t low = stream.block[stream.used];
  const std::uint32_t high = stream.block[stream.used + 1];
  stream.used += 2;
  return low | high << 8;
}

}  // namespace

std::uint32_t RandomStream::below(std::uint32_t bound) {
  assert(bound >= 1 && bound <= 65536);
  // Reject the incomplete last run of `bound` numbers, so that each is equally likely.
  const std::uint32_t limit = 65536 / bound * bound;
  std::uint32_t number = next16(*this);
  while (number >= limit) number = next16(*this);
  return number % bound;
}

}  // namespace landsraad::rules
