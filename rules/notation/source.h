// Where something stands in a content file, and what is wrong there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace landsraad::rules::notation {

struct Place {
  std::uint32_t line = 1;    // from 1
  std::uint32_t column = 1;  // from 1, in bytes
  bool operator==(const Place&) const = default;
};

struct Error {
  std::string file;
  Place place;
  std::string message;  // what was expected, what stands there
};

// "file:line:column: message", as compilers write it.
std::string to_text(const Error&);
std::string to_text(const std::vector<Error>&);  // one a line

// A file being read, and the errors found so far. Refers to, and does not own, both.
struct Source {
  std::string_view file;
  std::vector<Error>& errors;

  void error(Place place, std::string message) const {
    errors.push_back({std::string(file), place, std::move(message)});
  }
};

// " (nearest: a, b)" for the known words that look most like `unknown`; empty if none comes close.
std::string nearest(std::string_view unknown, const std::vector<std::string_view>& known);

}  // namespace landsraad::rules::notation
