// The tokens of an effect.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/notation/source.h"

namespace landsraad::rules::notation {

struct Token {
  enum class Kind : std::uint8_t {
    name,    // lower_snake_case
    number,  // 0 .. kMaxNumber, no sign
    symbol,  // one of ( ) { } [ ] , | ; : + & -> * @ / = >= <= > .. OR THEN
    end
  };
  Kind kind = Kind::end;
  Place place;
  std::string_view text;  // into the text given to tokenize()
  int number = 0;

  bool is(std::string_view symbol) const { return kind == Kind::symbol && text == symbol; }
};

inline constexpr int kMaxNumber = 250;  // every printed figure fits in a byte

// The tokens of one line of text that stands at `place`, ending with an `end` token. Stops at the first
// character that begins no token, with an error.
std::vector<Token> tokenize(std::string_view text, Place place, const Source&);

// For error messages: what the token is, in quotes, or "the end".
std::string describe(const Token&);

constexpr bool is_name_start(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_name_part(char c) { return is_name_start(c) || is_digit(c) || c == '_'; }

}  // namespace landsraad::rules::notation
