// Plays a scenario: actions, and what is expected after them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/scenario/fields.h"
#include "tools/scenario/script.h"

namespace landsraad::scenario {

// An expectation that does not hold, or an action that is not legal.
struct Failure {
  int line = 0;
  std::string text;     // what differs
  std::string context;  // the position around it, what is asked, what is legal
};

struct Outcomes {
  std::vector<Problem> problems;  // the scenario itself cannot be understood
  std::vector<Failure> failures;
  rules::State end;  // the position after the last step that was played
  bool passed() const { return problems.empty() && failures.empty(); }
};

Outcomes play(const Lexicon&, const Scenario&);

// All scenarios of one file.
struct FileReport {
  bool unreadable = false;  // no such file, or problems in it
  std::size_t scenarios = 0;
  std::size_t failed = 0;
  std::string text;                // everything to print about it; empty if all is well
  std::vector<rules::State> ends;  // of scenarios without problems
};

FileReport play_file(const Lexicon&, const std::string& path);
FileReport play_text(const Lexicon&, const std::string& path, std::string_view text);

}  // namespace landsraad::scenario
