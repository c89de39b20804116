#include "tools/scenario/values.h"

#include <algorithm>

#include "tools/scenario/text.h"

namespace landsraad::scenario {

using namespace rules;

namespace {

// "3", "+2", "-1", ">=3", "<= 3", "at least 3", "=-1"
std::optional<Amount> read_amount(std::string_view text) {
  Words words(text);
  Amount amount;
  if (words.take("at")) {
    if (words.take("least"))
      amount.relation = Relation::at_least;
    else if (words.take("most"))
      amount.relation = Relation::at_most;
    else
      return std::nullopt;
    text = words.rest();
  } else if (text.starts_with(">=") || text.starts_with("<=")) {
    amount.relation = text.front() == '>' ? Relation::at_least : Relation::at_most;
    text = trimmed(text.substr(2));
  } else if (text.starts_with("=")) {
    text = trimmed(text.substr(1));
  } else if (text.starts_with("+") || text.starts_with("-")) {
    amount.relation = Relation::changed_by;
  }
  const auto number = whole_number(text);
  if (!number) return std::nullopt;
  amount.number = *number;
  return amount;
}

// Takes marks off the end of `text`.
void read_marks(std::string_view& text, std::uint8_t allowed, Part& part) {
  for (;;) {
    const std::size_t blank = text.find_last_of(" \t");
    if (blank == std::string_view::npos) return;
    const std::string_view word = text.substr(blank + 1);
    std::uint8_t mark = kNoMark;
    std::uint8_t without = kNoMark;
    if (same_word(word, "known"))
      mark = kKnown;
    else if (same_word(word, "revealed"))
      mark = kRevealed;
    else if (same_word(word, "sword"))
      mark = kSword;
    else if (same_word(word, "down") || same_word(word, "face_down"))
      mark = kDown;
    else if (same_word(word, "up") || same_word(word, "face_up"))
      without = kDown;
    else if (same_word(word, "agent"))
      without = kRevealed;
    if (((mark | without) & allowed) == 0) return;
    part.entry.marks |= mark;
    part.without |= without;
    text = trimmed(text.substr(0, blank));
  }
}

Done add_parts(const Lexicon& lexicon, const Field& of, std::string_view text, std::vector<Part>& parts) {
  Part part;
  read_marks(text, of.marks, part);
  std::size_t times = 1;
  Words words(text);
  if (const auto number = whole_number(words.peek()); number && *number > 0 && of.kind != FieldKind::counts) {
    times = static_cast<std::size_t>(*number);
    words.next();
    text = words.rest();
  } else if (const std::size_t x = text.rfind(" x");
             x != std::string_view::npos && whole_number(text.substr(x + 2))) {
    times = static_cast<std::size_t>(std::max(0, *whole_number(text.substr(x + 2))));
    text = trimmed(text.substr(0, x));
  }
  const auto whole = read_thing(lexicon, of.thing, text);
  if (whole.ok()) {
    part.entry.id = *whole;
    parts.insert(parts.end(), times, part);
    return std::monostate{};
  }
  // "hand dagger diplomacy": names separated by blanks only.
  Words each(text);
  if (each.peek().size() == text.size()) return whole.fault();
  while (!each.at_end()) {
    const std::string_view word = each.next();
    const auto id = read_thing(lexicon, of.thing, word);
    if (!id.ok()) return id.fault();
    Part single;
    single.entry.id = *id;
    if (each.at_end()) single = Part{{*id, part.entry.marks, 0}, part.without, {}};
    parts.push_back(single);
  }
  return std::monostate{};
}

Outcome<Reading> read_counts(const Lexicon& lexicon, const Field& of, std::string_view text) {
  Reading reading{Reading::Form::exactly, {}, {}};
  for (std::string_view piece : split(text, ',')) {
    const std::size_t blank = piece.find_last_of(" \t");
    const auto amount = blank == std::string_view::npos ? std::nullopt : read_amount(piece.substr(blank + 1));
    if (!amount)
      return Fault{"expected a name and a number, as in '" + std::string(of.name) + " " + std::string(piece) +
                   " 2'"};
    const auto id = read_thing(lexicon, of.thing, trimmed(piece.substr(0, blank)));
    if (!id.ok()) return id.fault();
    Part part;
    part.entry.id = *id;
    part.entry.number = static_cast<std::int16_t>(amount->number);
    part.amount = *amount;
    reading.parts.push_back(part);
  }
  return reading;
}

bool is_none(std::string_view text) {
  return same_word(text, "none") || same_word(text, "empty") || same_word(text, "nothing");
}

Outcome<Reading> read_list(const Lexicon& lexicon, const Field& of, std::string_view text) {
  if (const auto amount = read_amount(text)) return Reading{Reading::Form::amount, *amount, {}};
  Reading reading{Reading::Form::exactly, {}, {}};
  Words words(text);
  if (words.take("only"))
    reading.form = Reading::Form::only;
  else if (words.take_any({"has", "includes", "with"}))
    reading.form = Reading::Form::has;
  else if (words.take_any({"lacks", "without"}))
    reading.form = Reading::Form::lacks;
  if (is_none(words.rest())) {
    reading.form = Reading::Form::only;
    return reading;
  }
  for (std::string_view piece : split(words.rest(), ','))
    if (const auto done = add_parts(lexicon, of, piece, reading.parts); !done.ok()) return done.fault();
  if (reading.parts.empty()) return Fault{"expected names or 'none' after " + quoted(of.name)};
  return reading;
}

Outcome<Reading> read_flag(const Field& of, std::string_view text) {
  Reading reading;
  if (text.empty() || same_word(text, "yes") || text == "1")
    reading.amount.number = 1;
  else if (!same_word(text, "no") && text != "0")
    return Fault{"expected 'yes' or 'no' after " + quoted(of.name) + ", not " + quoted(text)};
  return reading;
}

Outcome<Reading> read_word(const Lexicon& lexicon, const Field& of, std::string_view text, LeaderId leader) {
  const auto fixed = words_of(of.id);
  const std::vector<std::string_view> known = of.id == FieldId::step
                                                  ? steps_of(lexicon.content, leader)
                                                  : std::vector<std::string_view>(fixed.begin(), fixed.end());
  for (std::size_t i = 0; i < known.size(); ++i)
    if (same_word(known[i], text))
      return Reading{Reading::Form::amount, {Relation::equals, static_cast<int>(i)}, {}};
  std::string list;
  for (std::string_view word : known) list += (list.empty() ? "" : ", ") + std::string(word);
  return Fault{"expected one of " + (list.empty() ? "no words: this leader has no track of its own" : list) +
               ", not " + quoted(text)};
}

Value value_of(const Reading& reading) {
  Value value{reading.amount.number, {}};
  for (const Part& part : reading.parts) value.entries.push_back(part.entry);
  return value;
}

bool fits(const Part& part, const Entry& entry) {
  return part.entry.id == entry.id && (entry.marks & part.entry.marks) == part.entry.marks &&
         (entry.marks & part.without) == 0;
}

bool satisfied(const Amount& amount, int now, int before) {
  switch (amount.relation) {
    case Relation::equals:
      return now == amount.number;
    case Relation::changed_by:
      return now - before == amount.number;
    case Relation::at_least:
      return now >= amount.number;
    case Relation::at_most:
      return now <= amount.number;
  }
  return false;
}

std::string amount_text(const Amount& amount, int before) {
  const std::string number = std::to_string(amount.number);
  switch (amount.relation) {
    case Relation::equals:
      return number;
    case Relation::changed_by:
      return (amount.number >= 0 ? "+" + number : number) + " (" + std::to_string(before + amount.number) +
             ", was " + std::to_string(before) + ")";
    case Relation::at_least:
      return "at least " + number;
    case Relation::at_most:
      return "at most " + number;
  }
  return number;
}

// Every part has an entry of its own.
bool all_found(const std::vector<Part>& parts, std::vector<Entry> entries) {
  return std::all_of(parts.begin(), parts.end(), [&](const Part& part) {
    const auto found =
        std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return fits(part, e); });
    if (found == entries.end()) return false;
    entries.erase(found);
    return true;
  });
}

bool on_top(const std::vector<Part>& parts, const std::vector<Entry>& entries) {
  return parts.size() <= entries.size() && std::equal(parts.begin(), parts.end(), entries.begin(), fits);
}

bool list_as_expected(const Field& of, const Reading& reading, const Value& now) {
  const bool ordered = of.kind == FieldKind::pile;
  switch (reading.form) {
    case Reading::Form::has:
      return all_found(reading.parts, now.entries);
    case Reading::Form::lacks:
      return std::none_of(now.entries.begin(), now.entries.end(), [&](const Entry& entry) {
        return std::any_of(reading.parts.begin(), reading.parts.end(),
                           [&](const Part& part) { return fits(part, entry); });
      });
    case Reading::Form::exactly:
      if (ordered) return on_top(reading.parts, now.entries);
      [[fallthrough]];
    default:
      return reading.parts.size() == now.entries.size() &&
             (ordered ? on_top(reading.parts, now.entries) : all_found(reading.parts, now.entries));
  }
}

int count_for(const Value& value, std::uint16_t id) {
  int number = 0;
  for (const Entry& entry : value.entries)
    if (entry.id == id) number += entry.number;
  return number;
}

std::string counts_difference(const Lexicon& lexicon, const Field& of, const Reading& reading,
                              const Value& now, const Value& before) {
  for (const Part& part : reading.parts) {
    const int is = count_for(now, part.entry.id);
    const int was = count_for(before, part.entry.id);
    if (!satisfied(part.amount, is, was))
      return std::to_string(is) + " for " + std::string(lexicon.names.text(of.thing, part.entry.id)) +
             ", expected " + amount_text(part.amount, was);
  }
  return {};
}

bool same_entries(const Value& a, const Value& b) {
  return std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(),
                    [](const Entry& x, const Entry& y) {
                      return x.id == y.id && x.marks == y.marks && x.number == y.number;
                    });
}

std::string_view form_text(const Field& of, Reading::Form form) {
  switch (form) {
    case Reading::Form::has:
      return "at least ";
    case Reading::Form::lacks:
      return "none of ";
    case Reading::Form::only:
      return of.kind == FieldKind::pile ? "only " : "";
    default:
      return of.kind == FieldKind::pile ? "on top " : "";
  }
}

bool is_listing(const Field& of) {
  return of.kind == FieldKind::list || of.kind == FieldKind::pile || of.kind == FieldKind::one;
}

std::string shown(const Lexicon& lexicon, const State& state, const Field& of, const Reading& reading,
                  Seat seat) {
  std::string text = value_text(lexicon, state, of, value_of(reading), seat);
  for (const Part& part : reading.parts)
    if (part.without == kDown) return text + " (face up)";
  return text;
}

}  // namespace

std::string_view absence(const Field& of) {
  if (of.kind == FieldKind::flag) return "no";
  return of.id == FieldId::wall ? "down" : "none";
}

Outcome<std::uint16_t> read_thing(const Lexicon& lexicon, Thing thing, std::string_view text) {
  const auto found = lexicon.names.find(thing, text);
  if (found.ok() || thing != Thing::objective) return found;
  const auto longer = lexicon.names.find(thing, "objective_" + std::string(text));
  return longer.ok() ? longer : found;
}

Outcome<Seat> read_seat(std::string_view word) {
  if (word.size() == 2 && (word[0] == 'P' || word[0] == 'p') && word[1] >= '1' &&
      word[1] < static_cast<char>('1' + kMaxSeats))
    return static_cast<Seat>(word[1] - '1');
  return Fault{"expected a seat (P1, P2, ...), not " + quoted(word)};
}

Outcome<Reading> read_value(const Lexicon& lexicon, const Field& of, std::string_view text, LeaderId leader) {
  text = trimmed(text);
  if (same_word(text, "unchanged")) return Reading{Reading::Form::unchanged, {}, {}};
  switch (of.kind) {
    case FieldKind::number: {
      const auto amount = read_amount(text);
      if (!amount)
        return Fault{"expected a number after " + quoted(of.name) +
                     (text.empty() ? "" : ", not " + quoted(text))};
      return Reading{Reading::Form::amount, *amount, {}};
    }
    case FieldKind::flag:
      return read_flag(of, text);
    case FieldKind::word:
      return read_word(lexicon, of, text, leader);
    case FieldKind::seat: {
      if (same_word(text, "nobody") || same_word(text, "none"))
        return Reading{Reading::Form::amount, {Relation::equals, -1}, {}};
      const auto seat = read_seat(text);
      if (!seat.ok()) return seat.fault();
      return Reading{Reading::Form::amount, {Relation::equals, *seat}, {}};
    }
    case FieldKind::counts:
      return read_counts(lexicon, of, text);
    case FieldKind::one:
    case FieldKind::list:
    case FieldKind::pile:
      return read_list(lexicon, of, text);
  }
  return Fault{"cannot be read"};
}

std::string difference(const Lexicon& lexicon, const Field& of, const Reading& reading,
                       const State& now_state, const State& before_state, Seat seat) {
  const Value now = of.read(lexicon, now_state, seat);
  const Value before = of.read(lexicon, before_state, seat);
  const std::string is = value_text(lexicon, now_state, of, now, seat);
  if (reading.form == Reading::Form::unchanged) {
    if (now.number == before.number && same_entries(now, before)) return {};
    return is + ", expected no change from " + value_text(lexicon, before_state, of, before, seat);
  }
  if (of.kind == FieldKind::counts) return counts_difference(lexicon, of, reading, now, before);
  if (is_listing(of) && reading.form != Reading::Form::amount) {
    if (list_as_expected(of, reading, now)) return {};
    return is + ", expected " + std::string(form_text(of, reading.form)) +
           shown(lexicon, now_state, of, reading, seat);
  }
  if (is_listing(of)) {
    const auto size = static_cast<int>(now.entries.size());
    const auto was = static_cast<int>(before.entries.size());
    if (satisfied(reading.amount, size, was)) return {};
    return std::to_string(size) + " (" + is + "), expected " + amount_text(reading.amount, was);
  }
  if (satisfied(reading.amount, now.number, before.number)) return {};
  return is + ", expected " +
         (of.kind == FieldKind::number ? amount_text(reading.amount, before.number)
                                       : shown(lexicon, now_state, of, reading, seat));
}

}  // namespace landsraad::scenario
