// The random stream: the same on every machine, without bias, and shuffles that lose nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "rules/engine/random.h"

namespace landsraad::rules::random_stream_test {
namespace {

RandomStream stream_of(std::uint8_t first_byte) {
  RandomStream stream;
  stream.key[0] = first_byte;
  return stream;
}

TEST_CASE("the same seed gives the same numbers, another seed others") {
  RandomStream a = stream_of(1);
  RandomStream b = stream_of(1);
  RandomStream c = stream_of(2);
  int differing = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::uint32_t number = a.below(1000);
    CHECK(number == b.below(1000));
    if (number != c.below(1000)) ++differing;
  }
  CHECK(differing > 900);
}

TEST_CASE("the first numbers of the zero seed are those of ChaCha20's published key stream") {
  // First bytes of the ChaCha20 key stream for an all-zero key and nonce, block 0: 76 b8 e0 ad a0 f1 3d 90.
  // Numbers are little-endian pairs; 65536 accepts every pair as it is.
  RandomStream stream;
  CHECK(stream.below(65536) == 0xb876);
  CHECK(stream.below(65536) == 0xade0);
  CHECK(stream.below(65536) == 0xf1a0);
  CHECK(stream.below(65536) == 0x903d);
}

TEST_CASE("numbers stay below their bound and each comes about equally often") {
  RandomStream stream = stream_of(3);
  for (const std::uint32_t bound : {1U, 2U, 3U, 7U, 44U, 65U}) {
    std::array<int, 65> seen{};
    constexpr int kDrawsEach = 2000;
    for (std::uint32_t i = 0; i < bound * kDrawsEach; ++i) {
      const std::uint32_t number = stream.below(bound);
      REQUIRE(number < bound);
      ++seen[number];
    }
    // Six standard deviations of a binomial count: a fair stream of a fixed seed stays well inside.
    for (std::uint32_t n = 0; n < bound; ++n) {
      CHECK(seen[n] > kDrawsEach - 270);
      CHECK(seen[n] < kDrawsEach + 270);
    }
  }
}

TEST_CASE("a shuffle keeps every item and moves each to every place about equally often") {
  RandomStream stream = stream_of(4);
  constexpr int kItems = 5;
  constexpr int kShuffles = 10000;
  std::array<std::array<int, kItems>, kItems> seen{};
  for (int i = 0; i < kShuffles; ++i) {
    std::array<int, kItems> items;
    std::iota(items.begin(), items.end(), 0);
    stream.shuffle(items.data(), items.data() + items.size());
    for (std::size_t place = 0; place < items.size(); ++place)
      ++seen[place][static_cast<std::size_t>(items[place])];
    std::sort(items.begin(), items.end());
    for (int item = 0; item < kItems; ++item) REQUIRE(items[static_cast<std::size_t>(item)] == item);
  }
  for (const auto& place : seen) {
    for (const int count : place) {
      CHECK(count > kShuffles / kItems - 240);
      CHECK(count < kShuffles / kItems + 240);
    }
  }
}

TEST_CASE("a stream copied in the middle goes on as the original") {
  RandomStream original = stream_of(5);
  for (int i = 0; i < 77; ++i) original.below(10);
  RandomStream copy;
  std::memcpy(&copy, &original, sizeof(copy));
  for (int i = 0; i < 200; ++i) CHECK(copy.below(100) == original.below(100));
}

}  // namespace
}  // namespace landsraad::rules::random_stream_test
