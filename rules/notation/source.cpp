#include "rules/notation/source.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace landsraad::rules::notation {

namespace {

inline constexpr std::size_t kMaxSuggestions = 3;
inline constexpr std::size_t kMaxComparedLength = 40;  // longer words are no slips of the pen

// Levenshtein distance.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t k = 1; k <= b.size(); ++k) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[k - 1] ? 0 : 1);
      diagonal = row[k];
      row[k] = std::min({replaced, row[k] + 1, row[k - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string to_text(const Error& error) {
  return error.file + ":" + std::to_string(error.place.line) + ":" + std::to_string(error.place.column) +
         ": " + error.message;
}

std::string to_text(const std::vector<Error>& errors) {
  std::string text;
  for (const Error& error : errors) text += to_text(error) + "\n";
  return text;
}

std::string nearest(std::string_view unknown, const std::vector<std::string_view>& known) {
  if (unknown.size() > kMaxComparedLength) return "";
  std::vector<std::pair<std::size_t, std::string_view>> close;
  for (std::string_view word : known) {
    const std::size_t distance = edits(unknown, word);
    if (!word.empty() && distance <= 1 + unknown.size() / 3) close.emplace_back(distance, word);
  }
  std::stable_sort(close.begin(), close.end(), [](auto& a, auto& b) { return a.first < b.first; });
  if (close.size() > kMaxSuggestions) close.resize(kMaxSuggestions);
  std::string text;
  for (const auto& [distance, word] : close) {
    text += text.empty() ? " (nearest: " : ", ";
    text += word;
  }
  return text.empty() ? text : text + ")";
}

}  // namespace landsraad::rules::notation
