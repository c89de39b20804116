#include "tools/scenario/text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <utility>

namespace landsraad::scenario {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Levenshtein distance.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string key_of(std::string_view text) {
  std::string key;
  for (char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) key += lower(c);
  return key;
}

bool same_word(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : separator;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (i < text.size() && (c != separator || depth > 0)) continue;
    if (const auto part = trimmed(text.substr(start, i - start)); !part.empty()) parts.push_back(part);
    start = i + 1;
  }
  return parts;
}

std::optional<int> whole_number(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  if (number < std::numeric_limits<short>::min() || number > std::numeric_limits<short>::max())
    return std::nullopt;
  return number;
}

std::string nearest(std::string_view word, const std::vector<std::string_view>& known) {
  const std::string key = key_of(word);
  std::vector<std::pair<std::size_t, std::string_view>> found;
  for (std::string_view candidate : known) {
    const std::string other = key_of(candidate);
    const bool contains = key.size() >= 3 && other.find(key) != std::string::npos;
    const std::size_t far = contains ? 0 : distance(key, other);
    if (far <= 1 + key.size() / 3) found.emplace_back(far, candidate);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text;
  for (std::size_t i = 0; i < found.size() && i < 3; ++i) {
    if (i > 0) text += ", ";
    text += found[i].second;
  }
  return text;
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += between;
    text += part;
  }
  return text;
}

std::string_view Words::peek() const {
  std::size_t length = 0;
  while (length < rest_.size() && !is_blank(rest_[length])) ++length;
  return rest_.substr(0, length);
}

std::string_view Words::next() {
  const std::string_view word = peek();
  rest_ = trimmed(rest_.substr(word.size()));
  return word;
}

bool Words::take(std::string_view word) {
  if (!same_word(peek(), word)) return false;
  next();
  return true;
}

bool Words::take_any(std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [this](std::string_view word) { return take(word); });
}

std::string_view Words::take_rest() { return std::exchange(rest_, std::string_view{}); }

std::string_view Words::until(std::initializer_list<std::string_view> words) {
  const std::string_view all = rest_;
  while (!at_end()) {
    const std::string_view word = peek();
    if (std::any_of(words.begin(), words.end(), [word](std::string_view w) { return same_word(w, word); }))
      return trimmed(all.substr(0, static_cast<std::size_t>(word.data() - all.data())));
    next();
  }
  return trimmed(all);
}

}  // namespace landsraad::scenario
