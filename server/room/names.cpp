#include "server/room/names.h"

#include <utf8proc.h>

#include <cstdlib>
#include <memory>

namespace landsraad::room {

namespace {

using CodePoint = utf8proc_int32_t;

constexpr CodePoint kZeroWidthNonJoiner = 0x200c;
constexpr CodePoint kZeroWidthJoiner = 0x200d;

// What a character may be used for.
enum class Role : std::uint8_t {
  ink,     // something to see
  blank,   // a space of whatever width, or a letter without ink
  mark,    // stands on the character before it
  joiner,  // some scripts and emoji cannot be written without
  line_break,
  forbidden,
};

bool has_no_ink(CodePoint point) {
  return point == 0x115f || point == 0x1160 || point == 0x2800 || point == 0x3164 || point == 0xffa0 ||
         point == 0x1d159;
}

// Chooses between two looks of the symbol before it.
bool is_selector(CodePoint point) { return point == 0xfe0e || point == 0xfe0f; }

Role role_of(CodePoint point) {
  if (point == '\n') return Role::line_break;
  if (point == kZeroWidthJoiner || point == kZeroWidthNonJoiner) return Role::joiner;
  if (has_no_ink(point)) return Role::blank;
  if (is_selector(point)) return Role::mark;
  if (utf8proc_get_property(point)->ignorable) return Role::forbidden;  // makes twins that look the same
  switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_CN:  // unassigned
    case UTF8PROC_CATEGORY_CC:  // controls
    case UTF8PROC_CATEGORY_CF:  // formats, the reordering ones among them
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:  // private use: everybody sees something else
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return Role::forbidden;
    case UTF8PROC_CATEGORY_ZS:
      return Role::blank;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
      return Role::mark;
    default:
      return Role::ink;
  }
}

// Reads a text character by character and says whether all of it may be shown.
class Reader {
 public:
  explicit Reader(bool line_breaks) : line_breaks_(line_breaks) {}

  bool accepts(CodePoint point) {
    const Role role = role_of(point);
    const bool on_something = last_ == Role::ink || last_ == Role::mark;
    // A joiner joins: it stands between two things to see, never twice.
    if (last_ == Role::joiner && role != Role::ink) return false;
    if ((role == Role::mark || role == Role::joiner) && !on_something) return false;
    if (is_selector(point) && utf8proc_category(point_) != UTF8PROC_CATEGORY_SO) return false;
    if (role == Role::forbidden || (role == Role::line_break && !line_breaks_)) return false;
    marks_ = role == Role::mark ? marks_ + 1 : 0;
    if (marks_ > kMaxStackedMarks) return false;
    has_ink_ = has_ink_ || role == Role::ink;
    const bool new_character =
        !started_ || utf8proc_grapheme_break_stateful(point_, point, &break_state_) != 0;
    characters_ += new_character ? 1 : 0;
    started_ = true;
    point_ = point;
    last_ = role;
    return true;
  }

  bool complete() const { return has_ink_ && last_ != Role::joiner; }
  std::size_t characters() const { return characters_; }  // as a reader counts them

 private:
  bool line_breaks_;
  Role last_ = Role::blank;
  bool has_ink_ = false, started_ = false;
  std::size_t marks_ = 0, characters_ = 0;
  CodePoint point_ = 0;
  utf8proc_int32_t break_state_ = 0;
};

// Normal form C; nothing if it is no UTF-8.
std::optional<std::string> composed(std::string_view utf8) {
  utf8proc_uint8_t* made = nullptr;
  const utf8proc_ssize_t size = utf8proc_map(
      reinterpret_cast<const utf8proc_uint8_t*>(utf8.data()), static_cast<utf8proc_ssize_t>(utf8.size()),
      &made, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(made, &std::free);
  if (size < 0) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(made), static_cast<std::size_t>(size));
}

struct Decoded {
  CodePoint point = 0;
  std::size_t bytes = 0;
};

Decoded first_of(std::string_view utf8) {
  Decoded first;
  first.bytes =
      static_cast<std::size_t>(utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(utf8.data()),
                                                static_cast<utf8proc_ssize_t>(utf8.size()), &first.point));
  return first;
}

// Without blanks and line breaks at either end.
std::string_view trimmed(std::string_view utf8) {
  std::size_t begin = utf8.size(), end = 0;
  for (std::size_t at = 0; at < utf8.size();) {
    const Decoded next = first_of(utf8.substr(at));
    const Role role = role_of(next.point);
    const bool counts = role != Role::blank && role != Role::line_break;
    if (counts && begin == utf8.size()) begin = at;
    at += next.bytes;
    if (counts) end = at;
  }
  return begin < end ? utf8.substr(begin, end - begin) : std::string_view{};
}

std::optional<std::string> clean(std::string_view utf8, std::size_t most_bytes, std::size_t most_characters,
                                 bool line_breaks) {
  if (utf8.size() > most_bytes) return std::nullopt;
  const std::optional<std::string> text = composed(utf8);
  if (!text) return std::nullopt;
  const std::string_view shown = trimmed(*text);
  if (shown.size() > most_bytes) return std::nullopt;
  Reader reader(line_breaks);
  for (std::string_view rest = shown; !rest.empty();) {
    const Decoded next = first_of(rest);
    if (!reader.accepts(next.point)) return std::nullopt;
    rest.remove_prefix(next.bytes);
  }
  if (!reader.complete() || reader.characters() > most_characters) return std::nullopt;
  return std::string(shown);
}

}  // namespace

std::optional<std::string> clean_name(std::string_view utf8, const Limits& limits) {
  return clean(utf8, limits.name_bytes, limits.name_characters, false);
}

std::optional<std::string> clean_text(std::string_view utf8, const Limits& limits) {
  return clean(utf8, limits.chat_bytes, limits.chat_bytes, true);
}

}  // namespace landsraad::room
