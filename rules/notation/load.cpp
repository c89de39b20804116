#include "rules/notation/load.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "rules/notation/block.h"
#include "rules/notation/derive.h"
#include "rules/notation/fill.h"

namespace landsraad::rules {

namespace {

using notation::Block;
using notation::BlockKind;
using notation::Source;

constexpr std::size_t kMaxBlocks = 4000;

// A block, the file it stands in and its index in the table of its kind.
struct Entry {
  std::string_view file;
  Block block;
  std::size_t index = 0;
};

// Reads in two passes: first every id, so that effects may name what comes later, then the rest.
class Loader {
 public:
  LoadResult load(std::string_view product, std::span<const ContentFile> files) {
    content_.product = std::string(product);
    content_.nodes.emplace_back();  // node 0 means "no effect"
    add_visit_influence();
    for (const ContentFile& file : files) read(file);
    for (Entry& entry : entries_) register_id(entry);
    if (errors_.empty()) check_limits();
    if (errors_.empty()) fill_all();
    if (errors_.empty()) derive();
    return {std::move(content_), std::move(errors_)};
  }

 private:
  // The Influence of a visit is printed on no space (FACT-3), but waits among its effects like any other.
  void add_visit_influence() {
    content_.visit_influence = static_cast<NodeId>(content_.nodes.size());
    content_.nodes.emplace_back().op = Op::influence_visit;
  }

  // ---- First pass ---------------------------------------------------------------------------------
  void read(const ContentFile& file) {
    const Source source{file.path, errors_};
    if (file.text.size() > kMaxContentFileBytes) return source.error({}, "the file is larger than 1 MiB");
    std::vector<Block> blocks = notation::read_blocks(file.text, source);
    if (entries_.size() + blocks.size() > kMaxBlocks)
      return source.error({}, "more than " + std::to_string(kMaxBlocks) + " blocks in all files together");
    for (Block& block : blocks) entries_.push_back({file.path, std::move(block)});
  }

  template <class Thing>
  Thing& add(std::vector<Thing>& table, Entry& entry) {
    const Block& block = entry.block;
    const bool taken =
        std::any_of(table.begin(), table.end(), [&](const Thing& other) { return other.id == block.id; });
    if (taken) Source{entry.file, errors_}.error(block.place, "the id \"" + block.id + "\" is taken already");
    entry.index = table.size();
    Thing& thing = table.emplace_back();
    thing.id = block.id;
    if constexpr (requires { thing.name; }) thing.name = block.name;
    return thing;
  }

  void register_id(Entry& entry) {
    switch (entry.block.kind) {
      case BlockKind::starter:
        add(content_.cards, entry).deck = Deck::starter;
        break;
      case BlockKind::reserve:
        add(content_.cards, entry).deck = Deck::reserve;
        break;
      case BlockKind::card:
        add(content_.cards, entry).deck = Deck::imperium;
        break;
      case BlockKind::intrigue:
        add(content_.cards, entry).deck = Deck::intrigue;
        break;
      case BlockKind::conflict:
        add(content_.conflicts, entry);
        break;
      case BlockKind::leader:
        add(content_.leaders, entry);
        break;
      case BlockKind::space:
        add(content_.spaces, entry);
        break;
      case BlockKind::post:
        add(content_.posts, entry);
        break;
      case BlockKind::objective:
        add(content_.objectives, entry);
        break;
      case BlockKind::track:
        add(content_.tracks, entry);
        break;
    }
  }

  // ---- Second pass --------------------------------------------------------------------------------
  void fill_all() {
    for (const Entry& entry : entries_)
      notation::fill(content_, entry.block, entry.index, Source{entry.file, errors_});
  }

  void derive() {
    notation::number_copies(content_);
    notation::mark_board(content_);
    check_limits();
    check_conflicts();
  }

  void check_limits() {
    for (std::string& sentence : notation::exceeded_limits(content_))
      errors_.push_back({content_.product, {}, std::move(sentence)});
  }

  // The Shield Wall protects the Conflicts for critical locations and no others (WALL-2), so a Conflict
  // for any other location is a slip.
  void check_conflicts() {
    for (const Entry& entry : entries_) {
      if (entry.block.kind != BlockKind::conflict) continue;
      const SpaceId location = content_.conflicts[entry.index].location;
      if (location != kNoSpace && !content_.spaces[location].critical)
        Source{entry.file, errors_}.error(entry.block.place,
                                          "the location of a Conflict must be a critical space");
    }
  }

  Content content_;
  std::vector<notation::Error> errors_;
  std::vector<Entry> entries_;
};

void add_text(crypto_generichash_state& hash, std::string_view text) {
  crypto_generichash_update(&hash, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  const unsigned char end = 0;  // so that moving text from one file to the next changes the version
  crypto_generichash_update(&hash, &end, 1);
}

std::string version_of(std::string_view product, std::span<const ContentFile> files) {
  crypto_generichash_state hash;
  std::array<unsigned char, crypto_generichash_BYTES> digest{};
  crypto_generichash_init(&hash, nullptr, 0, digest.size());
  add_text(hash, product);
  for (const ContentFile& file : files) add_text(hash, file.text);
  crypto_generichash_final(&hash, digest.data(), digest.size());
  std::array<char, 2 * crypto_generichash_BYTES + 1> hex{};
  sodium_bin2hex(hex.data(), hex.size(), digest.data(), digest.size());
  return hex.data();
}

Content load_or_abort() {
  LoadResult result = load_content("uprising", embedded_files());
  if (result.errors.empty()) return std::move(result.content);
  std::fputs("The embedded content does not load:\n", stderr);
  std::fputs(notation::to_text(result.errors).c_str(), stderr);
  std::abort();
}

}  // namespace

LoadResult load_content(std::string_view product, std::span<const ContentFile> files) {
  LoadResult result = Loader().load(product, files);
  result.content.version = version_of(product, files);
  return result;
}

const Content& uprising_content() {
  static const Content content = load_or_abort();
  return content;
}

}  // namespace landsraad::rules
