// libFuzzer: no content text, however broken, makes the reader crash, hang or load half a thing silently.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "rules/notation/load.h"
#include "rules/notation/parser.h"

namespace {

using namespace landsraad::rules;

// What the fuzzer's text may refer to.
constexpr std::string_view kSurroundings = R"(
starter signet_ring "Signet Ring"
  copies 1  icons city
space arrakeen "Arrakeen"
  icon city  area "City"  flags combat critical
  effects draw(1)
)";

void load(std::string_view text) {
  const std::array files{ContentFile{"around.txt", kSurroundings}, ContentFile{"fuzzed.txt", text}};
  const LoadResult result = load_content("fuzz", files);
  if (!result.errors.empty()) return;
  for (const Node& node : result.content.nodes)
    if (node.child >= result.content.nodes.size() || node.next >= result.content.nodes.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  load(text);

  // As an effect of its own, which must either be read or leave an error.
  std::vector<notation::Error> errors;
  const notation::Source source{"fuzzed.txt", errors};
  if (notation::parse_effect(text, {}, source).has_value() != errors.empty()) std::abort();
  load("card x \"X\"\n copies 1\n reveal " + std::string(text));
  return 0;
}
