#include "tools/check_content/files.h"

#include <fstream>
#include <iterator>
#include <set>
#include <system_error>

#include "rules/notation/load.h"

namespace landsraad::check_content {

namespace fs = std::filesystem;

namespace {

void find_unknown(const fs::path& folder, const std::set<fs::path>& known,
                  std::vector<std::string>& problems) {
  std::error_code failed;
  for (auto entry = fs::recursive_directory_iterator(folder, failed); !failed && entry != fs::end(entry);
       entry.increment(failed)) {
    const fs::path path = entry->path();
    if (path.extension() == ".txt" && !known.contains(path.lexically_normal()))
      problems.push_back(path.string() + ": not in the list of content files of rules/CMakeLists.txt");
  }
  if (failed) problems.push_back(folder.string() + ": " + failed.message());
}

}  // namespace

std::vector<FileText> read_files(const fs::path& folder, std::vector<std::string>& problems) {
  std::vector<FileText> files;
  std::set<fs::path> known;
  for (const rules::ContentFile& embedded : rules::embedded_files()) {
    const fs::path path = (folder / embedded.path).lexically_normal();
    known.insert(path);
    std::ifstream in(path, std::ios::binary);
    if (!in) {
      problems.push_back(path.string() + ": cannot be read");
      continue;
    }
    files.push_back({path.string(), std::string(std::istreambuf_iterator<char>(in), {})});
  }
  find_unknown(folder, known, problems);
  return files;
}

}  // namespace landsraad::check_content
