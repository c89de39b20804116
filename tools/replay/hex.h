// Bytes as people compare them: two hexadecimal digits each.
#pragma once

#include <string>
#include <string_view>

namespace landsraad::replay {

template <class Bytes>
std::string hex(const Bytes& bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const auto byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += digits[value >> 4U];
    text += digits[value & 0xfU];
  }
  return text;
}

}  // namespace landsraad::replay
