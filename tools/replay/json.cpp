#include "tools/replay/json.h"

#include <array>
#include <cstddef>

namespace landsraad::replay {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

// Length of the UTF-8 character at the front, 0 if there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Longer than needed, surrogates, beyond U+10FFFF.
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f)) return 0;
  if ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f)) return 0;
  return length;
}

}  // namespace

JsonWriter& JsonWriter::begin_object() { return open('{'), *this; }
JsonWriter& JsonWriter::end_object() { return close('}'), *this; }
JsonWriter& JsonWriter::begin_list() { return open('['), *this; }
JsonWriter& JsonWriter::end_list() { return close(']'), *this; }

JsonWriter& JsonWriter::key(std::string_view name) {
  begin_value();
  quoted(name);
  out_ << ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) { return begin_value(), quoted(value), *this; }
JsonWriter& JsonWriter::number(std::int64_t value) { return begin_value(), out_ << value, *this; }
JsonWriter& JsonWriter::boolean(bool value) {
  return begin_value(), out_ << (value ? "true" : "false"), *this;
}

void JsonWriter::begin_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_items_.empty()) return;
  if (has_items_.back()) out_ << ',';
  has_items_.back() = true;
  new_line();
}

void JsonWriter::open(char bracket) {
  begin_value();
  out_ << bracket;
  has_items_.push_back(false);
}

void JsonWriter::close(char bracket) {
  const bool had_items = has_items_.back();
  has_items_.pop_back();
  if (had_items) new_line();
  out_ << bracket;
  if (has_items_.empty()) out_ << '\n';
}

void JsonWriter::new_line() {
  out_ << '\n';
  for (std::size_t i = 0; i < has_items_.size(); ++i) out_ << "  ";
}

void JsonWriter::quoted(std::string_view value) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  out_ << '"';
  while (!value.empty()) {
    const std::size_t length = character_length(value);
    const auto first = static_cast<unsigned char>(value.front());
    if (length == 0) {
      out_ << kReplacement;
    } else if (first == '"' || first == '\\') {
      out_ << '\\' << value.front();
    } else if (first < 0x20) {
      out_ << "\\u00" << kHex[first >> 4U] << kHex[first & 0xfU];
    } else {
      out_ << value.substr(0, length);
    }
    value.remove_prefix(length == 0 ? 1 : length);
  }
  out_ << '"';
}

}  // namespace landsraad::replay
