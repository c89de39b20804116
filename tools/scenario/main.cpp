// landsraad-scenario: plays scenario files and prints what differs from what they expect.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "rules/notation/load.h"
#include "tools/scenario/dump.h"
#include "tools/scenario/fields.h"
#include "tools/scenario/moves.h"
#include "tools/scenario/play.h"

namespace {

using namespace landsraad;
using namespace landsraad::scenario;

constexpr std::string_view kUsage =
    "usage: landsraad-scenario [--dump] [--quiet] PATH...\n"
    "       landsraad-scenario --words\n"
    "\n"
    "Plays scenario files (tests/scenarios/README.md) and prints what differs. A folder stands for all\n"
    "files in it, and in its folders, whose names end with .scenario.\n"
    "\n"
    "  --dump   print the position after each scenario as the given part of a scenario\n"
    "  --quiet  print failures only, no summary\n"
    "  --words  list every word of a position and every verb\n"
    "  --help   print this\n"
    "\n"
    "exit code: 0 all hold, 1 something differs, 2 a file cannot be read or understood\n";

constexpr int kHolds = 0, kDiffers = 1, kUnreadable = 2;

struct Arguments {
  bool dump = false;
  bool quiet = false;
  std::vector<std::string> paths;
};

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void print_words() {
  for (const bool of_seat : {true, false}) {
    std::printf(of_seat ? "of a seat (P1 WORD ...):\n" : "of the table:\n");
    for (const Field& of : all_fields()) {
      if (is_of_seat(of.id) != of_seat) continue;
      std::printf("  %-20s %s%s\n", std::string(of.name).c_str(), std::string(of.meaning).c_str(),
                  of.settable ? "" : " (only to expect)");
    }
  }
  std::printf("verbs:\n ");
  std::string last;
  for (std::string_view verb : verbs()) {
    if (verb != last) std::printf(" %s", std::string(verb).c_str());
    last = verb;
  }
  std::printf("\n");
}

// Files as they were named; those of a folder in the order of their names.
std::vector<std::string> files_of(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(path, error)) return {path};
  std::vector<std::string> files;
  for (fs::recursive_directory_iterator entry(path, error), end; entry != end; entry.increment(error)) {
    if (error) break;
    if (entry->is_regular_file() && entry->path().extension() == ".scenario")
      files.push_back(entry->path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

int run(const Arguments& arguments) {
  const auto began = std::chrono::steady_clock::now();
  const Lexicon lexicon(rules::uprising_content());
  std::size_t scenarios = 0, failed = 0, files = 0, unreadable = 0;
  for (const std::string& path : arguments.paths) {
    for (const std::string& file : files_of(path)) {
      const FileReport report = play_file(lexicon, file);
      ++files;
      scenarios += report.scenarios;
      failed += report.failed;
      if (report.unreadable) ++unreadable;
      print(report.text);
      if (!arguments.dump) continue;
      for (const rules::State& end : report.ends)
        print("# the position after " + file + "\n" + dump_position(lexicon, end) + "\n");
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  if (!arguments.quiet && !arguments.dump)
    std::printf(
        "%zu scenarios in %zu files: %zu hold, %zu do not%s (%.2f s)\n", scenarios, files,
        scenarios - std::min(failed, scenarios), failed,
        unreadable > 0 ? (", " + std::to_string(unreadable) + " files cannot be understood").c_str() : "",
        seconds);
  if (files == 0) {
    std::fprintf(stderr, "no scenario files found\n");
    return kUnreadable;
  }
  return unreadable > 0 ? kUnreadable : failed > 0 ? kDiffers : kHolds;
}

}  // namespace

int main(int count, char** values) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = values[i];
    if (argument == "--help") {
      std::printf("%s", kUsage.data());
      return kHolds;
    }
    if (argument == "--words") {
      print_words();
      return kHolds;
    }
    if (argument == "--dump")
      arguments.dump = true;
    else if (argument == "--quiet")
      arguments.quiet = true;
    else if (argument.starts_with("--")) {
      std::fprintf(stderr, "unknown option %s\n%s", values[i], kUsage.data());
      return kUnreadable;
    } else
      arguments.paths.emplace_back(argument);
  }
  if (arguments.paths.empty()) {
    std::fprintf(stderr, "%s", kUsage.data());
    return kUnreadable;
  }
  return run(arguments);
}
