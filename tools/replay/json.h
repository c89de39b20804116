// JSON written piece by piece, valid by construction.
#pragma once

#include <cstdint>
#include <ostream>
#include <string_view>
#include <vector>

namespace landsraad::replay {

class JsonWriter {
 public:
  explicit JsonWriter(std::ostream& out) : out_(out) {}

  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_list();
  JsonWriter& end_list();
  // Of the value that comes next, in an object.
  JsonWriter& key(std::string_view name);

  JsonWriter& text(std::string_view value);  // UTF-8; bytes that are not become U+FFFD
  JsonWriter& number(std::int64_t value);
  JsonWriter& boolean(bool value);
  JsonWriter& raw(std::string_view json);  // a value written by somebody else

  JsonWriter& field(std::string_view name, std::string_view value) { return key(name).text(value); }
  JsonWriter& field(std::string_view name, std::int64_t value) { return key(name).number(value); }

 private:
  void begin_value();
  void open(char bracket);
  void close(char bracket);
  void new_line();
  void quoted(std::string_view value);

  std::ostream& out_;
  std::vector<bool> has_items_;  // of each open object or list
  bool after_key_ = false;
};

}  // namespace landsraad::replay
