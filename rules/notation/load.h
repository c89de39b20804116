// Content files -> Content, checked.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "rules/engine/content.h"
#include "rules/notation/source.h"

namespace landsraad::rules {

inline constexpr std::size_t kMaxContentFileBytes = 1 << 20;

struct ContentFile {
  std::string_view path;  // for error messages
  std::string_view text;
};

struct LoadResult {
  Content content;                      // complete and consistent only if there are no errors
  std::vector<notation::Error> errors;  // in the order of the files
};

// Reads all blocks of all files. Ids are given in the order of the blocks, so the order of the files
// matters; Content::version covers it, and every byte of text.
LoadResult load_content(std::string_view product, std::span<const ContentFile> files);

// The files built into this binary, in their fixed order.
std::span<const ContentFile> embedded_files();

// The embedded content of Dune: Imperium - Uprising, loaded at the first call and shared by all games.
// The build's tests prove that it loads; if it does not, this prints the errors and aborts.
const Content& uprising_content();

}  // namespace landsraad::rules
