#include "tools/replay/json.h"

#include <cstddef>

#include "server/json_text.h"

namespace landsraad::replay {

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
JsonWriter& JsonWriter::raw(std::string_view json) { return begin_value(), out_ << json, *this; }
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

void JsonWriter::quoted(std::string_view value) { out_ << '"' << json_escaped(value) << '"'; }

}  // namespace landsraad::replay
