#include "rules/notation/block.h"

#include <algorithm>
#include <array>
#include <optional>

#include "rules/notation/lexer.h"

namespace landsraad::rules::notation {

namespace {

constexpr std::array<std::string_view, kBlockKinds> kKindWords{
    "starter", "reserve", "card", "intrigue", "conflict", "leader", "space", "post", "objective", "track"};

constexpr FieldRule kCardFields[] = {
    {"copies", FieldForm::number, true}, {"cost", FieldForm::number},
    {"icons", FieldForm::words},         {"factions", FieldForm::words},
    {"acquire", FieldForm::effect},      {"passive", FieldForm::effect, false, true},
    {"agent", FieldForm::effect},        {"reveal", FieldForm::effect}};
constexpr FieldRule kIntrigueFields[] = {{"copies", FieldForm::number, true},
                                         {"plot", FieldForm::effect},
                                         {"combat", FieldForm::effect},
                                         {"endgame", FieldForm::effect}};
constexpr FieldRule kConflictFields[] = {
    {"level", FieldForm::number, true}, {"icon", FieldForm::words, true}, {"location", FieldForm::words},
    {"first", FieldForm::effect, true}, {"second", FieldForm::effect},    {"third", FieldForm::effect}};
constexpr FieldRule kLeaderFields[] = {{"house", FieldForm::quoted},
                                       {"back_of", FieldForm::words},
                                       {"removes", FieldForm::named_words},
                                       {"passive", FieldForm::named_effect, false, true},
                                       {"signet", FieldForm::named_effect, true},
                                       {"step", FieldForm::step, false, true}};
constexpr FieldRule kSpaceFields[] = {
    {"icon", FieldForm::words, true},  {"faction", FieldForm::words},
    {"area", FieldForm::quoted, true}, {"flags", FieldForm::words},
    {"control", FieldForm::effect},    {"requires", FieldForm::conditions},
    {"cost", FieldForm::effect},       {"effects", FieldForm::effect, true}};
constexpr FieldRule kPostFields[] = {{"spaces", FieldForm::words, true}};
constexpr FieldRule kObjectiveFields[] = {
    {"icon", FieldForm::words, true}, {"players", FieldForm::words, true}, {"first_player", FieldForm::flag}};
constexpr FieldRule kTrackFields[] = {{"bonus", FieldForm::effect, true}};

bool is_word_part(char c) { return is_name_part(c) || (c >= 'A' && c <= 'Z'); }

// One line of the file, read from left to right.
class Line {
 public:
  Line(std::string_view text, std::uint32_t number) : text_(text), number_(number) { skip_blanks(); }

  bool at_end() const { return next_ >= text_.size(); }
  bool indented() const { return !text_.empty() && (text_[0] == ' ' || text_[0] == '\t'); }
  Place place() const { return {number_, static_cast<std::uint32_t>(next_ + 1)}; }
  char peek() const { return at_end() ? '\0' : text_[next_]; }

  // The word here without taking it; empty if none stands here.
  std::string_view peek_word() const {
    std::size_t end = next_;
    while (end < text_.size() && is_word_part(text_[end])) ++end;
    return text_.substr(next_, end - next_);
  }
  FieldWord take_word() {
    FieldWord word{place(), std::string(peek_word())};
    advance(word.text.size());
    return word;
  }
  bool take_sign(std::string_view sign) {
    if (text_.substr(std::min(next_, text_.size()), sign.size()) != sign) return false;
    advance(sign.size());
    return true;
  }
  // "Text in quotes"; nothing if there is none or it does not end.
  std::optional<std::string> take_quoted() {
    if (peek() != '"') return std::nullopt;
    const std::size_t end = text_.find('"', next_ + 1);
    if (end == std::string_view::npos) return std::nullopt;
    std::string text(text_.substr(next_ + 1, end - next_ - 1));
    advance(end + 1 - next_);
    return text;
  }
  std::string take_rest() {
    std::string rest(text_.substr(std::min(next_, text_.size())));
    next_ = text_.size();
    return rest;
  }

 private:
  void advance(std::size_t n) {
    next_ += n;
    skip_blanks();
  }
  void skip_blanks() {
    while (next_ < text_.size() && (text_[next_] == ' ' || text_[next_] == '\t')) ++next_;
  }
  std::string_view text_;
  std::uint32_t number_;
  std::size_t next_ = 0;
};

std::string_view without_comment(std::string_view line) {
  bool quoted = false;
  std::size_t end = 0;
  for (; end < line.size() && (quoted || line[end] != '#'); ++end)
    if (line[end] == '"') quoted = !quoted;
  while (end > 0 && (line[end - 1] == ' ' || line[end - 1] == '\t' || line[end - 1] == '\r')) --end;
  return line.substr(0, end);
}

std::vector<std::string_view> field_names(BlockKind kind) {
  std::vector<std::string_view> names;
  for (const FieldRule& rule : field_rules(kind)) names.push_back(rule.name);
  return names;
}

const FieldRule* find_rule(BlockKind kind, std::string_view name) {
  for (const FieldRule& rule : field_rules(kind))
    if (rule.name == name) return &rule;
  return nullptr;
}

class BlockReader {
 public:
  explicit BlockReader(const Source& source) : source_(source) {}

  void read(Line line) {
    if (line.at_end()) return;
    if (!line.indented()) {
      begin_block(line);
    } else if (!open_) {
      // The header of this block was wrong and has been reported.
      if (!reported_) source_.error(line.place(), "a field stands before the first block");
      reported_ = true;
    } else {
      read_fields(line);
    }
  }

  std::vector<Block> finish() {
    check_required();
    return std::move(blocks_);
  }

 private:
  void begin_block(Line& line) {
    check_required();
    open_ = false;
    reported_ = true;
    Block block;
    block.place = line.place();
    const FieldWord kind = line.take_word();
    const auto found = std::find(kKindWords.begin(), kKindWords.end(), kind.text);
    if (found == kKindWords.end()) {
      source_.error(kind.place, "expected a kind of block, found \"" + kind.text + "\"" +
                                    nearest(kind.text, {kKindWords.begin(), kKindWords.end()}));
      return;
    }
    block.kind = static_cast<BlockKind>(found - kKindWords.begin());
    block.id = line.take_word().text;
    if (block.id.empty()) return source_.error(line.place(), "expected the id of the " + kind.text);
    if (!read_name(block, line)) return;
    blocks_.push_back(std::move(block));
    open_ = true;
  }

  // Posts have letters, no names.
  bool read_name(Block& block, Line& line) {
    if (block.kind != BlockKind::post) {
      auto name = line.take_quoted();
      if (!name || name->empty()) {
        source_.error(line.place(), "expected the printed name in quotes");
        return false;
      }
      block.name = *name;
    }
    if (line.at_end()) return true;
    source_.error(line.place(), "expected the end of the line: fields stand indented below");
    return false;
  }

  void read_fields(Line& line) {
    while (!line.at_end()) {
      const Place place = line.place();
      const std::string_view name = line.peek_word();
      Block& block = blocks_.back();
      const FieldRule* rule = find_rule(block.kind, name);
      if (rule == nullptr) {
        source_.error(place, "\"" + std::string(name) + "\" is no field of a " +
                                 std::string(word_for(block.kind)) + nearest(name, field_names(block.kind)));
        return;
      }
      if (!rule->repeated && block.find(rule->name) != nullptr)
        source_.error(place, "\"" + std::string(name) + "\" stands twice in this block");
      line.take_word();
      Field field;
      field.name = rule->name;
      field.form = rule->form;
      field.place = place;
      if (!read_value(field, line)) return;
      block.fields.push_back(std::move(field));
    }
  }

  // False after an error: the rest of the line is skipped.
  bool read_value(Field& field, Line& line) {
    switch (field.form) {
      case FieldForm::flag:
        return true;
      case FieldForm::number:
        return read_number(field, line);
      case FieldForm::words:
        return read_words(field, line);
      case FieldForm::quoted:
        return read_title(field, line);
      case FieldForm::effect:
      case FieldForm::conditions:
        return read_text(field, line, true);
      case FieldForm::named_effect:
        return read_title(field, line) && read_text(field, line, false);
      case FieldForm::named_words:
        return read_title(field, line) && read_words(field, line);
      case FieldForm::step:
        return read_step(field, line);
    }
    return false;
  }

  bool read_number(Field& field, Line& line) {
    const FieldWord word = line.take_word();
    const bool digits = !word.text.empty() && std::all_of(word.text.begin(), word.text.end(), is_digit);
    for (char digit : word.text) field.number = std::min(field.number * 10 + (digit - '0'), kMaxNumber + 1);
    if (digits && field.number <= kMaxNumber) return true;
    source_.error(word.place, "expected a number up to " + std::to_string(kMaxNumber));
    return false;
  }

  bool read_words(Field& field, Line& line) {
    const BlockKind kind = blocks_.back().kind;
    while (!line.peek_word().empty() && find_rule(kind, line.peek_word()) == nullptr)
      field.words.push_back(line.take_word());
    if (!field.words.empty()) return true;
    source_.error(line.place(), "expected at least one word for \"" + std::string(field.name) + "\"");
    return false;
  }

  bool read_title(Field& field, Line& line) {
    auto title = line.take_quoted();
    if (!title) {
      source_.error(line.place(), "expected a name in quotes for \"" + std::string(field.name) + "\"");
      return false;
    }
    field.title = *title;
    return true;
  }

  bool read_text(Field& field, Line& line, bool required) {
    field.text_place = line.place();
    field.text = line.take_rest();
    if (!required || !field.text.empty()) return true;
    source_.error(field.text_place, "expected what \"" + std::string(field.name) + "\" does");
    return false;
  }

  bool read_step(Field& field, Line& line) {
    field.step = line.take_word();
    if (field.step.text.empty()) {
      source_.error(line.place(), "expected the id of the step");
      return false;
    }
    if (line.take_sign("=>") && !read_words(field, line)) return false;
    if (line.take_sign(":")) return read_text(field, line, true);
    if (line.at_end()) return true;
    source_.error(line.place(), "expected \"=>\", \":\" or the end of the line");
    return false;
  }

  void check_required() {
    if (!open_) return;
    const Block& block = blocks_.back();
    for (const FieldRule& rule : field_rules(block.kind))
      if (rule.required && block.find(rule.name) == nullptr)
        source_.error(block.place, std::string(word_for(block.kind)) + " " + block.id + " has no \"" +
                                       std::string(rule.name) + "\"");
  }

  const Source& source_;
  std::vector<Block> blocks_;
  bool open_ = false;      // the last block can take fields
  bool reported_ = false;  // fields that stand in no block have been reported
};

}  // namespace

const Field* Block::find(std::string_view field) const {
  for (const Field& candidate : fields)
    if (candidate.name == field) return &candidate;
  return nullptr;
}

std::string_view word_for(BlockKind kind) { return kKindWords[static_cast<std::size_t>(kind)]; }

std::span<const FieldRule> field_rules(BlockKind kind) {
  switch (kind) {
    case BlockKind::starter:
    case BlockKind::reserve:
    case BlockKind::card:
      return kCardFields;
    case BlockKind::intrigue:
      return kIntrigueFields;
    case BlockKind::conflict:
      return kConflictFields;
    case BlockKind::leader:
      return kLeaderFields;
    case BlockKind::space:
      return kSpaceFields;
    case BlockKind::post:
      return kPostFields;
    case BlockKind::objective:
      return kObjectiveFields;
    case BlockKind::track:
      return kTrackFields;
  }
  return {};
}

std::vector<Block> read_blocks(std::string_view text, const Source& source) {
  BlockReader reader(source);
  std::uint32_t number = 1;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.read(Line(without_comment(text.substr(0, end)), number++));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish();
}

}  // namespace landsraad::rules::notation
