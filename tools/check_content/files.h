// The content files on disk, so that a change can be checked before anything is built.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace landsraad::check_content {

struct FileText {
  std::string path;  // as it stands in error messages: folder and file
  std::string text;
};

// The files that the build embeds, read from `folder` (rules/content). A file that cannot be read, and a
// content file that the build does not know, is added to `problems`.
std::vector<FileText> read_files(const std::filesystem::path& folder, std::vector<std::string>& problems);

}  // namespace landsraad::check_content
