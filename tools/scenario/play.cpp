#include "tools/scenario/play.h"

#include <fstream>
#include <iterator>

#include "tools/scenario/dump.h"
#include "tools/scenario/position.h"
#include "tools/scenario/table_play.h"

namespace landsraad::scenario {

using namespace rules;

namespace {

std::string indented(const std::string& text) {
  std::string result;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    result += "    " + text.substr(start, end - start) + "\n";
    start = end + 1;
  }
  return result;
}

std::string context_of(const InPlay& game) {
  return "  position:\n" + indented(outline_of(game.lexicon, game.state)) + "  " + asked_text(game) +
         "; legal:\n" + legal_text(game);
}

// Deltas and events count from where the last expectations ended, unless a `mark` says otherwise.
class Baseline {
 public:
  void before_action(InPlay& game) {
    if (fresh_ && !marked_) set(game);
    fresh_ = false;
  }
  void after_expectation() { fresh_ = true; }
  void mark(InPlay& game) {
    marked_ = true;
    set(game);
  }

 private:
  static void set(InPlay& game) {
    game.before = game.state;
    game.log.events.clear();
  }
  bool fresh_ = true;
  bool marked_ = false;
};

std::string at_line(const std::string& path, int line) { return path + ":" + std::to_string(line) + ": "; }

std::string shown(const std::string& path, const Script& script, const Scenario& scenario,
                  const Outcomes& outcomes) {
  std::string text;
  const auto source = [&](int line) {
    const auto index = static_cast<std::size_t>(line - 1);
    return line >= 1 && index < script.lines.size() ? "    " + script.lines[index] + "\n" : std::string();
  };
  for (const Problem& problem : outcomes.problems)
    text += at_line(path, problem.line) + problem.text + "\n" + source(problem.line);
  for (std::size_t i = 0; i < outcomes.failures.size(); ++i) {
    const Failure& failure = outcomes.failures[i];
    text += at_line(path, failure.line) + failure.text + "\n" + source(failure.line);
    // Several expectations about one position show it once.
    const bool last =
        i + 1 == outcomes.failures.size() || outcomes.failures[i + 1].context != failure.context;
    if (last) text += failure.context;
  }
  if (!text.empty() && !scenario.title.empty())
    text = path + ":" + std::to_string(scenario.line) + ": FAILED " + scenario.title + "\n" + text;
  return text;
}

}  // namespace

Outcomes play(const Lexicon& lexicon, const Scenario& scenario) {
  Outcomes outcomes;
  Built built = build_position(lexicon, scenario);
  outcomes.problems = std::move(built.problems);
  if (!outcomes.problems.empty()) return outcomes;
  InPlay game{lexicon, built.state, built.state, {}, kNoSeat};
  game.actor = game.decider();
  Baseline baseline;
  for (const Clause& clause : scenario.steps) {
    if (clause.kind == ClauseKind::mark) {
      baseline.mark(game);
      continue;
    }
    if (clause.kind == ClauseKind::act) {
      baseline.before_action(game);
      if (const Done done = act(game, clause); !done.ok()) {
        outcomes.failures.push_back({clause.line, done.fault().text, context_of(game)});
        break;
      }
      continue;
    }
    const auto checked = check(game, clause);
    baseline.after_expectation();
    if (!checked.ok())
      outcomes.problems.push_back({clause.line, checked.fault().text});
    else if (!checked->empty())
      outcomes.failures.push_back({clause.line, *checked, context_of(game)});
  }
  outcomes.end = game.state;
  return outcomes;
}

FileReport play_text(const Lexicon& lexicon, const std::string& path, std::string_view text) {
  FileReport report;
  const Script script = read_script(text);
  report.scenarios = script.scenarios.size();
  for (const Problem& problem : script.problems) {
    report.unreadable = true;
    report.text += at_line(path, problem.line) + problem.text + "\n";
    const auto index = static_cast<std::size_t>(problem.line - 1);
    if (index < script.lines.size()) report.text += "    " + script.lines[index] + "\n";
  }
  if (report.unreadable) return report;
  for (const Scenario& scenario : script.scenarios) {
    const Outcomes outcomes = play(lexicon, scenario);
    report.text += shown(path, script, scenario, outcomes);
    if (!outcomes.problems.empty())
      report.unreadable = true;
    else
      report.ends.push_back(outcomes.end);
    if (!outcomes.passed()) ++report.failed;
  }
  return report;
}

FileReport play_file(const Lexicon& lexicon, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.good() && text.empty()) {
    FileReport report;
    report.unreadable = true;
    report.text = path + ": cannot be read\n";
    return report;
  }
  return play_text(lexicon, path, text);
}

}  // namespace landsraad::scenario
