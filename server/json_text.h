// Text inside a JSON string.
#pragma once

#include <string>
#include <string_view>

namespace landsraad {

// Without the quotes around it. Bytes that are no UTF-8 become U+FFFD, so valid JSON comes out whatever goes
// in.
std::string json_escaped(std::string_view text);

}  // namespace landsraad
