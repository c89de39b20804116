#include "rules/notation/lexer.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace landsraad::rules::notation {

namespace {

// Longer ones first, so that `>=` is not read as `>` and `=`.
constexpr std::array<std::string_view, 22> kSymbols{"THEN", "OR", "->", ">=", "<=", "..", "(", ")",
                                                    "{",    "}",  "[",  "]",  ",",  "|",  ";", ":",
                                                    "+",    "&",  "*",  "@",  "/",  "="};
constexpr std::string_view kMoreThan = ">";

std::size_t name_length(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && is_name_part(text[n])) ++n;
  return n;
}

std::size_t symbol_length(std::string_view text) {
  for (std::string_view symbol : kSymbols)
    if (text.substr(0, symbol.size()) == symbol) return symbol.size();
  return text.substr(0, 1) == kMoreThan ? 1 : 0;
}

// Reads digits; more than kMaxNumber is reported by the caller.
int to_number(std::string_view digits) {
  int number = 0;
  for (char digit : digits) number = std::min(number * 10 + (digit - '0'), kMaxNumber + 1);
  return number;
}

}  // namespace

std::vector<Token> tokenize(std::string_view text, Place place, const Source& source) {
  std::vector<Token> tokens;
  std::size_t i = 0;
  auto here = [&] { return Place{place.line, place.column + static_cast<std::uint32_t>(i)}; };
  while (i < text.size()) {
    if (text[i] == ' ' || text[i] == '\t') {
      ++i;
      continue;
    }
    Token token;
    token.place = here();
    std::size_t length = 0;
    if (is_name_start(text[i])) {
      token.kind = Token::Kind::name;
      length = name_length(text.substr(i));
    } else if (is_digit(text[i])) {
      token.kind = Token::Kind::number;
      while (i + length < text.size() && is_digit(text[i + length])) ++length;
      token.number = to_number(text.substr(i, length));
    } else {
      token.kind = Token::Kind::symbol;
      length = symbol_length(text.substr(i));
    }
    if (length == 0) {
      source.error(here(), "expected a word, a number or a sign of the notation");
      break;
    }
    if (token.number > kMaxNumber) {
      source.error(here(), "numbers go up to " + std::to_string(kMaxNumber));
      break;
    }
    token.text = text.substr(i, length);
    i += length;
    tokens.push_back(token);
  }
  tokens.emplace_back().place = here();
  return tokens;
}

std::string describe(const Token& token) {
  return token.kind == Token::Kind::end ? "the end" : "\"" + std::string(token.text) + "\"";
}

}  // namespace landsraad::rules::notation
