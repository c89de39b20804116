#include "tools/bot/view_digest.h"

#include <sodium.h>

#include <array>

namespace landsraad::bot {

std::string digest(const v1::GameView& view) {
  const std::string bytes = view.SerializeAsString();
  std::array<unsigned char, 16> hash{};
  crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                     bytes.size(), nullptr, 0);
  std::string hex(hash.size() * 2 + 1, '\0');
  sodium_bin2hex(hex.data(), hex.size(), hash.data(), hash.size());
  hex.pop_back();  // the terminating zero
  return hex;
}

}  // namespace landsraad::bot
