#include "tools/scenario/given.h"

#include <algorithm>
#include <cstdlib>

#include "tools/scenario/moves.h"
#include "tools/scenario/text.h"

namespace landsraad::scenario {

using namespace rules;

namespace {

constexpr int kDefaultSeed = 1;
constexpr int kMostOfPieces = 250;   // pieces are counted in a byte
constexpr int kMostOfMoney = 30000;  // resources and points in two

bool is_option(std::string_view text) {
  Words words(text);
  return words.take_any({"players", "leaders", "seed", "new"});
}

std::string unknown_field(std::string_view word, bool of_seat) {
  if (find_field(word, !of_seat) != nullptr)
    return quoted(word) + (of_seat ? " belongs to the table, not to a seat"
                                   : " belongs to a seat: write 'P1 " + std::string(word) + " ...'");
  std::vector<std::string_view> known = field_names(of_seat);
  if (of_seat) {
    const auto actions = verbs();
    known.insert(known.end(), actions.begin(), actions.end());
  } else {
    for (std::string_view option : {"players", "leaders", "seed", "new game"}) known.push_back(option);
  }
  const std::string near = nearest(word, known);
  return quoted(word) + " is " +
         (of_seat ? "neither a part of a seat nor an action" : "no part of the table") +
         (near.empty() ? "" : "; nearest: " + near);
}

int most_of(FieldId id) {
  switch (id) {
    case FieldId::vp:
    case FieldId::solari:
    case FieldId::spice:
    case FieldId::water:
    case FieldId::persuasion:
    case FieldId::swords:
      return kMostOfMoney;
    default:
      return kMostOfPieces;
  }
}

std::string unfit_for_given(const Field& of, const Reading& reading) {
  const bool listing = of.kind == FieldKind::one || of.kind == FieldKind::list || of.kind == FieldKind::pile;
  if (listing && reading.form == Reading::Form::amount)
    return "expected names after " + quoted(of.name) + "; a number alone can only be expected";
  if (reading.form == Reading::Form::has || reading.form == Reading::Form::lacks ||
      reading.form == Reading::Form::unchanged)
    return "'has', 'lacks' and 'unchanged' can be expected, but not given";
  for (const Part& part : reading.parts)
    if (part.entry.number < 0 || part.entry.number > kMostOfPieces) return "expected numbers from 0 to 250";
  const Relation relation = reading.amount.relation;
  const bool negative = relation == Relation::changed_by && reading.amount.number < 0;
  if (relation == Relation::at_least || relation == Relation::at_most ||
      (relation == Relation::changed_by && !negative))
    return "expected a plain number after " + quoted(of.name);
  const int most = most_of(of.id);
  if (std::abs(reading.amount.number) > most) return "expected a number up to " + std::to_string(most);
  if (of.kind == FieldKind::one && reading.parts.size() > 1)
    return "expected one name after " + quoted(of.name);
  return {};
}

}  // namespace

Given::Given(const Lexicon& lexicon, const Scenario& scenario)
    : lexicon_(lexicon), scenario_(scenario), seed_(kDefaultSeed) {
  read_options();
  if (!is_sound() || new_game_) return;
  read_fields();
  check_room();
}

// The engine's lists are bounded far above what play can reach; a scenario could ask for more.
void Given::check_room() {
  constexpr std::array<std::pair<FieldId, std::size_t>, 6> kRoom{{{FieldId::row, kRowSize},
                                                                  {FieldId::set_aside, 1},
                                                                  {FieldId::won, kMaxConflicts},
                                                                  {FieldId::conflict, kMaxConflicts - 1},
                                                                  {FieldId::conflict_deck, kMaxConflicts},
                                                                  {FieldId::acquired, 30}}};
  for (const auto& [id, most] : kRoom)
    for (Seat seat = 0; seat < options_.seats; ++seat)
      if (parts(id, seat).size() > most)
        problem(line_of(id, seat),
                quoted(field(id).name) + " has room for " + std::to_string(most) + " only");
  std::array<std::size_t, 4> said{};
  constexpr std::array<std::size_t, 4> kMost{kMaxWaiting, kMaxFrames - 8, kMaxItems - 40,
                                             16};  // room to play on
  for (const SaidEffect& effect : effects_) {
    const auto what = static_cast<std::size_t>(effect.what);
    if (++said[what] == kMost[what] + 1) problem(effect.line, "too many effects");
  }
}

void Given::read_options() {
  int first_field = 0;
  for (const Clause& clause : scenario_.given) {
    Words words(clause.text);
    if (words.take("players")) {
      const auto number = whole_number(words.rest());
      if (!number || *number < 3 || *number > 4)
        problem(clause.line, "expected 'players 3' or 'players 4'");
      else
        options_.seats = static_cast<std::uint8_t>(*number);
    } else if (words.take("leaders")) {
      if (words.take("pick"))
        options_.leaders = LeaderSelection::pick;
      else if (!words.take("random"))
        problem(clause.line, "expected 'leaders pick' or 'leaders random'");
    } else if (words.take("seed")) {
      const auto number = whole_number(words.rest());
      if (!number || *number < 0)
        problem(clause.line, "expected a number from 0 to 32767 after 'seed'");
      else
        seed_ = *number;
    } else if (words.take("new")) {
      if (!words.take("game")) problem(clause.line, "expected 'new game'");
      new_game_ = true;
    } else if (first_field == 0) {
      first_field = clause.line;
    }
  }
  if (new_game_ && first_field != 0)
    problem(first_field, "a new game is set up by the rules; nothing else can be given with 'new game'");
}

// Clauses about several seats first, so that one about a single seat goes before them.
void Given::read_fields() {
  for (const bool several : {true, false})
    for (const Clause& clause : scenario_.given) {
      const bool is_several =
          clause.subject.who == Subject::Who::all || clause.subject.who == Subject::Who::others;
      if (is_several == several && !is_option(clause.text)) read_clause(clause);
    }
}

void Given::read_clause(const Clause& clause) {
  switch (clause.subject.who) {
    case Subject::Who::spectator:
      problem(clause.line, "a spectator owns nothing");
      return;
    case Subject::Who::table:
      read_field(clause, kNoSeat);
      return;
    case Subject::Who::seat:
      if (clause.subject.seat >= options_.seats) {
        problem(clause.line, "there is no " + seat_name(clause.subject.seat) + " with " +
                                 std::to_string(options_.seats) + " players");
        return;
      }
      read_field(clause, clause.subject.seat);
      return;
    case Subject::Who::all:
    case Subject::Who::others:
      break;
  }
  const Seat mover = turn_seat_said();
  for (Seat seat = 0; seat < options_.seats; ++seat)
    if (clause.subject.who == Subject::Who::all || seat != mover) read_field(clause, seat);
}

// The seat whose turn it is, wherever it is said; kNoSeat if nobody's is.
Seat Given::turn_seat_said() const {
  Seat first = 0;
  for (const Clause& clause : scenario_.given) {
    Words words(clause.text);
    if (clause.subject.who != Subject::Who::table) continue;
    const bool turn = words.take("turn");
    if (!turn && !words.take_any({"first", "first_player"})) continue;
    const auto seat = read_seat(words.rest());
    if (turn) return seat.ok() ? *seat : kNoSeat;
    if (seat.ok()) first = *seat;
  }
  return first;
}

void Given::read_field(const Clause& clause, Seat seat) {
  Words words(clause.text);
  const bool of_seat = seat != kNoSeat;
  bool negated = false;
  if (words.take_any({"no", "not"})) negated = true;
  if (of_seat && words.take("influence")) {
    for (std::string_view part : split(words.rest(), ','))
      read_field({clause.kind, clause.line, clause.subject, std::string(part)}, seat);
    return;
  }
  if (read_effect_clause(clause, seat)) return;
  const std::string_view word = words.next();
  const Field* of = find_field(word, of_seat);
  if (of == nullptr) {
    problem(clause.line, unknown_field(word, of_seat));
    return;
  }
  if (!of->settable) {
    problem(clause.line, quoted(of->name) + " follows from the rest and cannot be given");
    return;
  }
  const std::string_view text = negated ? absence(*of) : words.rest();
  const auto reading = read_value(lexicon_, *of, text, leader_said(seat));
  if (!reading.ok()) {
    problem(clause.line, reading.fault().text);
    return;
  }
  if (const std::string fault = unfit_for_given(*of, *reading); !fault.empty()) {
    problem(clause.line, fault);
    return;
  }
  keep(*of, clause, is_of_turn(of->id) && !of_seat ? turn_seat_said() : seat, *reading);
}

// What one clause about this very seat has said, another one may not change.
void Given::keep(const Field& of, const Clause& clause, Seat seat, const Reading& reading) {
  const bool single = clause.subject.who == Subject::Who::seat || clause.subject.who == Subject::Who::table;
  const auto before = lines_of_single_seats_.find({of.id, seat});
  if (single && before != lines_of_single_seats_.end()) {
    problem(clause.line, quoted(of.name) + " was given before, in line " + std::to_string(before->second));
    return;
  }
  if (single) lines_of_single_seats_[{of.id, seat}] = clause.line;
  place(of.id, seat) = Said{reading, clause.line};
}

bool Given::read_effect_clause(const Clause& clause, Seat seat) {
  using What = SaidEffect::What;
  constexpr std::array<std::pair<std::string_view, What>, 4> kWords{{{"waiting", What::waiting},
                                                                     {"frame", What::frame},
                                                                     {"open", What::open},
                                                                     {"used_arrow", What::used_arrow}}};
  Words words(clause.text);
  for (const auto& [word, what] : kWords) {
    if (!words.take(word)) continue;
    effects_.push_back({what, seat, std::string(words.rest()), clause.line});
    return true;
  }
  return false;
}

LeaderId Given::leader_said(Seat seat) const {
  if (seat == kNoSeat) return kNoLeader;
  if (const auto& leader = parts(FieldId::leader, seat); !leader.empty()) return leader.front().entry.id;
  // The leader may be named in a later clause.
  for (const Clause& clause : scenario_.given) {
    Words words(clause.text);
    if (clause.subject != Subject{Subject::Who::seat, seat} || !words.take("leader")) continue;
    if (const auto leader = lexicon_.names.find(Thing::leader, words.rest()); leader.ok()) return *leader;
  }
  return kNoLeader;
}

Phase Given::phase() const {
  return static_cast<Phase>(number(FieldId::phase, kNoSeat, static_cast<int>(Phase::turns)));
}

bool Given::is_half_resolved() const {
  return std::any_of(effects_.begin(), effects_.end(),
                     [](const SaidEffect& effect) { return effect.what == SaidEffect::What::frame; });
}

std::optional<Said>& Given::place(FieldId id, Seat seat) {
  return said_[static_cast<std::size_t>(id)][seat == kNoSeat ? 0 : seat];
}

const std::optional<Said>& Given::said(FieldId id, Seat seat) const {
  return said_[static_cast<std::size_t>(id)][seat == kNoSeat ? 0 : seat];
}

int Given::number(FieldId id, Seat seat, int otherwise) const {
  const auto& here = said(id, seat);
  return here ? here->reading.amount.number : otherwise;
}

int Given::line_of(FieldId id, Seat seat) const {
  const auto& here = said(id, seat);
  return here ? here->line : scenario_.line;
}

const std::vector<Part>& Given::parts(FieldId id, Seat seat) const {
  static const std::vector<Part> none;
  const auto& here = said(id, seat);
  return here ? here->reading.parts : none;
}

bool Given::only(FieldId id, Seat seat) const {
  const auto& here = said(id, seat);
  return here && here->reading.form == Reading::Form::only;
}

}  // namespace landsraad::scenario
