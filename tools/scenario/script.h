// A scenario file as clauses: who, and what is said. The language is documented in
// tests/scenarios/README.md; what a clause means is decided by position.h, moves.h and expectation.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/engine/types.h"
#include "tools/scenario/outcome.h"

namespace landsraad::scenario {

// Whom a clause is about.
struct Subject {
  enum class Who : std::uint8_t { table, seat, all, others, spectator };
  Who who = Who::table;
  rules::Seat seat = rules::kNoSeat;
  bool operator==(const Subject&) const = default;
};

enum class ClauseKind : std::uint8_t { given, act, expect, mark };

struct Clause {
  ClauseKind kind = ClauseKind::given;
  int line = 0;  // from 1
  Subject subject;
  std::string text;  // without the subject, and without `expect`
};

struct Scenario {
  std::string title;
  int line = 1;
  std::vector<std::string> proves;
  std::vector<Clause> given;
  std::vector<Clause> steps;
};

// What is wrong in a file, and where.
struct Problem {
  int line = 0;
  std::string text;
};

struct Script {
  std::vector<Scenario> scenarios;
  std::vector<std::string> lines;  // as they stand in the file
  std::vector<Problem> problems;   // the file cannot be played if there are any
};

Script read_script(std::string_view text);

// Takes a subject off the front of `text`, if one stands there.
bool take_subject(std::string_view& text, Subject& subject);

std::string subject_text(const Subject&);

}  // namespace landsraad::scenario
