#include "server/json_text.h"

#include <utf8proc.h>

namespace landsraad {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

void append_ascii(char c, std::string& out) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto value = static_cast<unsigned char>(c);
  if (c == '"' || c == '\\') {
    out += {'\\', c};
  } else if (c == '\n') {
    out += "\\n";
  } else if (value < 0x20 || value == 0x7f) {
    out += "\\u00";
    out += {digits[value >> 4U], digits[value & 0xfU]};
  } else {
    out += c;
  }
}

}  // namespace

std::string json_escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    utf8proc_int32_t point = 0;
    const utf8proc_ssize_t length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                                     static_cast<utf8proc_ssize_t>(text.size()), &point);
    if (length <= 0)
      out += kReplacement;
    else if (length == 1)
      append_ascii(text.front(), out);
    else
      out += text.substr(0, static_cast<std::size_t>(length));
    text.remove_prefix(length <= 0 ? 1 : static_cast<std::size_t>(length));
  }
  return out;
}

}  // namespace landsraad
