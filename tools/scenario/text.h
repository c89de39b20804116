// Small pieces for reading lines of words.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace landsraad::scenario {

std::string_view trimmed(std::string_view text);

// Lower-case letters and digits only: "Muad'Dib", "muad_dib" and "Muad Dib" have the same key.
std::string key_of(std::string_view text);

bool same_word(std::string_view a, std::string_view b);  // upper or lower case does not matter

// Parts between separators that stand outside of () [] {}; trimmed, empty parts left out.
std::vector<std::string_view> split(std::string_view text, char separator);

// A whole number with an optional sign, nothing else. Range of int16.
std::optional<int> whole_number(std::string_view text);

// Up to three of `known` that look most like `word`, joined with commas; empty if none comes near.
std::string nearest(std::string_view word, const std::vector<std::string_view>& known);

std::string quoted(std::string_view text);  // 'text'
std::string joined(const std::vector<std::string>& parts, std::string_view between);

// Reads a text word by word; words are separated by blanks.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(trimmed(text)) {}
  bool at_end() const { return rest_.empty(); }
  std::string_view peek() const;
  std::string_view next();
  bool take(std::string_view word);  // consumes the next word if it is this one
  bool take_any(std::initializer_list<std::string_view> words);
  std::string_view rest() const { return rest_; }
  std::string_view take_rest();
  // Everything up to the next of the given words (which stays), or to the end.
  std::string_view until(std::initializer_list<std::string_view> words);

 private:
  std::string_view rest_;
};

}  // namespace landsraad::scenario
