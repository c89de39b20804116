// The given part of a scenario, read and checked clause by clause, before anything is placed.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rules/engine/engine.h"
#include "tools/scenario/fields.h"
#include "tools/scenario/script.h"
#include "tools/scenario/values.h"

namespace landsraad::scenario {

// A field as it was said, and where.
struct Said {
  Reading reading;
  int line = 0;
};

// An effect that is said in words: on the stack, open in a menu, or waiting.
struct SaidEffect {
  enum class What : std::uint8_t { waiting, frame, open, used_arrow };
  What what = What::waiting;
  rules::Seat seat = rules::kNoSeat;
  std::string text;
  int line = 0;
};

// Seats are kNoSeat for fields of the table.
class Given {
 public:
  Given(const Lexicon& lexicon, const Scenario& scenario);

  const Lexicon& lexicon() const { return lexicon_; }
  const rules::Options& options() const { return options_; }
  int seed() const { return seed_; }
  bool new_game() const { return new_game_; }  // nothing else is given
  const std::vector<SaidEffect>& effects() const { return effects_; }

  rules::Phase phase() const;
  bool is_half_resolved() const;  // the stack is given: a position in the middle of something

  const std::optional<Said>& said(FieldId id, rules::Seat seat) const;
  int number(FieldId id, rules::Seat seat, int otherwise) const;
  const std::vector<Part>& parts(FieldId id, rules::Seat seat) const;  // empty if not said
  bool only(FieldId id, rules::Seat seat) const;                       // said with `only`, or `none`
  int line_of(FieldId id, rules::Seat seat) const;                     // that of the scenario if not said

  int line() const { return scenario_.line; }
  void problem(int line, std::string text) { problems_.push_back({line, std::move(text)}); }
  bool is_sound() const { return problems_.empty(); }
  std::vector<Problem> take_problems() { return std::move(problems_); }

 private:
  void read_options();
  void read_fields();
  void check_room();
  void read_clause(const Clause& clause);
  void read_field(const Clause& clause, rules::Seat seat);
  bool read_effect_clause(const Clause& clause, rules::Seat seat);
  void keep(const Field& of, const Clause& clause, rules::Seat seat, const Reading& reading);
  rules::Seat turn_seat_said() const;
  rules::LeaderId leader_said(rules::Seat seat) const;
  std::optional<Said>& place(FieldId id, rules::Seat seat);

  const Lexicon& lexicon_;
  const Scenario& scenario_;
  rules::Options options_;
  int seed_;
  bool new_game_ = false;
  std::array<std::array<std::optional<Said>, rules::kMaxSeats>, static_cast<std::size_t>(FieldId::count_)>
      said_;
  std::map<std::pair<FieldId, rules::Seat>, int> lines_of_single_seats_;
  std::vector<SaidEffect> effects_;
  std::vector<Problem> problems_;
};

}  // namespace landsraad::scenario
