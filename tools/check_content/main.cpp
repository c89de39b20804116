// landsraad-check-content: are the content files right? Exit code 0 if so, 1 if not, 2 for wrong usage.
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "rules/notation/load.h"
#include "tools/check_content/files.h"
#include "tools/check_content/names.h"
#include "tools/check_content/totals.h"
#include "tools/check_content/words.h"

namespace {

using namespace landsraad;
using check_content::FileText;

constexpr const char* kUsage =
    "landsraad-check-content [FOLDER | --words]\n"
    "  Checks words, names and totals of the content files in FOLDER (rules/content), or of those\n"
    "  built into this program if no folder is given.\n"
    "  --words  lists every word that effects are written with.\n";

rules::LoadResult load(const std::vector<FileText>& texts) {
  std::vector<rules::ContentFile> files;
  files.reserve(texts.size());
  for (const FileText& file : texts) files.push_back({file.path, file.text});
  return rules::load_content("uprising", files);
}

void print_totals(const rules::Content& content, std::vector<std::string>& problems) {
  for (const check_content::Total& total : check_content::uprising_totals(content)) {
    std::printf("%4d  %.*s\n", total.found, static_cast<int>(total.what.size()), total.what.data());
    if (total.found != total.expected)
      problems.push_back(std::string(total.what) + ": " + std::to_string(total.found) + ", expected " +
                         std::to_string(total.expected));
  }
}

void check(const rules::Content& content, std::vector<std::string>& problems) {
  print_totals(content, problems);
  for (std::string& problem : check_content::name_problems(content)) problems.push_back(std::move(problem));
  for (const std::string& word : check_content::unused_operations(content))
    std::printf("note: no content uses the operation \"%s\"\n", word.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view argument = argc > 1 ? argv[1] : "";
  if (argc == 2 && argument == "--words") {
    check_content::print_words();
    return 0;
  }
  if (argc > 2 || (!argument.empty() && argument.front() == '-')) {
    std::fputs(kUsage, argument == "--help" ? stdout : stderr);
    return argument == "--help" ? 0 : 2;
  }
  std::vector<std::string> problems;
  std::vector<FileText> texts;
  if (argc > 1) texts = check_content::read_files(argv[1], problems);
  const rules::LoadResult result =
      argc > 1 ? load(texts) : rules::load_content("uprising", rules::embedded_files());
  for (const rules::notation::Error& error : result.errors) problems.push_back(to_text(error));
  if (problems.empty()) check(result.content, problems);
  for (const std::string& problem : problems) std::fprintf(stderr, "%s\n", problem.c_str());
  if (!problems.empty()) return 1;
  std::printf("content %s is right: %zu cards, %zu effects\n", result.content.version.substr(0, 16).c_str(),
              result.content.cards.size(), result.content.nodes.size());
  return 0;
}
