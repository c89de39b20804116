#include "tools/scenario/script.h"

#include "tools/scenario/fields.h"
#include "tools/scenario/moves.h"
#include "tools/scenario/text.h"
#include "tools/scenario/values.h"

namespace landsraad::scenario {

namespace {

// A comment begins with # at the start of the line or behind a blank.
std::string_view without_comment(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i)
    if (line[i] == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t')) return line.substr(0, i);
  return line;
}

bool is_legality(std::string_view text) {
  Words words(text);
  words.take_any({"not", "only"});
  const std::string_view word = words.peek();
  return word.starts_with("legal") || word.starts_with("illegal");
}

// Reads line by line; remembers what an indented line or a part behind a semicolon goes on with.
class Reader {
 public:
  Script read(std::string_view text) {
    int number = 0;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      script_.lines.emplace_back(line);
      read_line(line, ++number);
    }
    for (const Scenario& scenario : script_.scenarios)
      if (scenario.steps.empty()) problem(scenario.line, "this scenario plays and expects nothing");
    if (script_.scenarios.empty()) problem(1, "the file holds no scenario");
    return std::move(script_);
  }

 private:
  void problem(int line, std::string text) { script_.problems.push_back({line, std::move(text)}); }

  Scenario& scenario(int line) {
    if (script_.scenarios.empty()) script_.scenarios.push_back({first_comment_, line, {}, {}, {}});
    return script_.scenarios.back();
  }

  void read_line(std::string_view raw, int number) {
    if (first_comment_.empty() && raw.starts_with('#')) first_comment_ = trimmed(raw.substr(1));
    const bool indented = !raw.empty() && (raw.front() == ' ' || raw.front() == '\t');
    const std::string_view line = trimmed(without_comment(raw));
    if (line.empty()) return;
    Words words(line);
    if (words.take("scenario")) {
      script_.scenarios.push_back({std::string(words.rest()), number, {}, {}, {}});
      return;
    }
    if (words.take("proves")) {
      while (!words.at_end()) {
        std::string_view id = words.next();
        while (id.ends_with(',')) id.remove_suffix(1);
        scenario(number).proves.emplace_back(id);
      }
      return;
    }
    if (!indented) {
      mode_ = ClauseKind::given;
      subject_ = {};
      legality_.clear();
    }
    for (std::string_view part : split(line, ';')) read_part(part, number);
  }

  void read_part(std::string_view part, int number) {
    Words words(part);
    if (words.take("expect")) {
      mode_ = ClauseKind::expect;
      legality_.clear();
      part = words.rest();
    } else if (words.take("given")) {
      part = words.rest();
    } else if (words.take("mark") && words.at_end()) {
      add({ClauseKind::mark, number, {}, {}});
      return;
    }
    if (mode_ == ClauseKind::expect) {
      read_expectation(part, number);
      return;
    }
    const bool has_subject = take_subject(part, subject_);
    if (part.empty()) {
      if (!has_subject) problem(number, "expected a clause");
      return;
    }
    read_given_or_act(part, number, has_subject ? subject_ : subject_for(part));
  }

  void read_expectation(std::string_view part, int number) {
    // `expect legal: P1 reveals; P1 plays x`: the second is about what is legal too.
    if (is_legality(part)) {
      const std::size_t colon = part.find(':');
      if (colon == std::string_view::npos) {
        problem(number, "expected a colon: 'expect legal: P1 reveals'");
        return;
      }
      legality_ = part.substr(0, colon + 1);
      add({ClauseKind::expect, number, {}, std::string(part)});
      return;
    }
    const std::string_view whole = part;
    if (take_subject(part, subject_)) {
      Words words(part);
      if (is_action(part)) {
        if (legality_.empty())
          problem(number, "to check an action, write 'expect legal: " + std::string(whole) +
                              "' or 'expect not legal: ...'");
        else
          add({ClauseKind::expect, number, {}, legality_ + " " + std::string(whole)});
        return;
      }
    }
    legality_.clear();
    const bool has_subject = part.size() != whole.size();
    if (!part.empty())
      add({ClauseKind::expect, number, has_subject ? subject_ : subject_for(part), std::string(part)});
  }

  // A part without a subject goes on with the last one, unless it can only be about the table.
  Subject subject_for(std::string_view part) const {
    Words words(part);
    words.take_any({"no", "not"});
    const bool table_alone =
        words.peek() == "game" || words.peek() == "nobody" ||
        (find_field(words.peek(), false) != nullptr && find_field(words.peek(), true) == nullptr);
    return table_alone ? Subject{} : subject_;
  }

  void read_given_or_act(std::string_view part, int number, const Subject& subject) {
    Words words(part);
    const std::string_view word = words.peek();
    if (is_action(part) || is_everyone_acting(part)) {
      mode_ = ClauseKind::act;
      add({ClauseKind::act, number, subject, std::string(part)});
      return;
    }
    if (!scenario(number).steps.empty()) {
      const bool known = find_field(word, true) != nullptr || find_field(word, false) != nullptr;
      problem(number,
              known ? "'" + std::string(word) +
                          "' sets the position, but play has begun above; to check it, write 'expect ...'"
                    : unknown_word(word));
      return;
    }
    add({ClauseKind::given, number, subject, std::string(part)});
  }

  bool is_everyone_acting(std::string_view part) const {
    Words words(part);
    return subject_.who == Subject::Who::all && words.take("else") && is_verb(words.peek());
  }

  static std::string unknown_word(std::string_view word) {
    std::vector<std::string_view> known = verbs();
    const std::string near = nearest(word, known);
    return "'" + std::string(word) + "' is no action" + (near.empty() ? "" : "; nearest: " + near);
  }

  void add(Clause clause) {
    Scenario& into = scenario(clause.line);
    (clause.kind == ClauseKind::given ? into.given : into.steps).push_back(std::move(clause));
  }

  Script script_;
  std::string first_comment_;
  ClauseKind mode_ = ClauseKind::given;
  Subject subject_;
  std::string legality_;
};

}  // namespace

bool take_subject(std::string_view& text, Subject& subject) {
  Words words(text);
  std::string_view word = words.next();
  while (word.ends_with(':')) word.remove_suffix(1);
  if (const auto seat = read_seat(word); seat.ok())
    subject = {Subject::Who::seat, *seat};
  else if (same_word(word, "all") || same_word(word, "everyone") || same_word(word, "each"))
    subject = {Subject::Who::all};
  else if (same_word(word, "others"))
    subject = {Subject::Who::others};
  else if (same_word(word, "spectator") || same_word(word, "spectators"))
    subject = {Subject::Who::spectator};
  else if (same_word(word, "table"))
    subject = {Subject::Who::table};
  else
    return false;
  text = words.rest();
  return true;
}

std::string subject_text(const Subject& subject) {
  switch (subject.who) {
    case Subject::Who::table:
      return "";
    case Subject::Who::seat:
      return seat_name(subject.seat);
    case Subject::Who::all:
      return "all";
    case Subject::Who::others:
      return "others";
    case Subject::Who::spectator:
      return "spectator";
  }
  return "";
}

Script read_script(std::string_view text) { return Reader().read(text); }

}  // namespace landsraad::scenario
