// Effects written in the notation of the content files, and found again by what is written.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rules/engine/content.h"

namespace landsraad::scenario {

// The node as a content file would have it: `if(influence[fremen]>=2): spice(1)`. Reading it gives an
// equal tree.
std::string effect_text(const rules::Content&, rules::NodeId);

// Conditions as they stand between the brackets of if(...).
std::string conditions_text(const rules::Content&, const rules::Conditions&);

// What two ways of writing one effect have in common: no blanks, no braces, no "(1)", one sign for all
// parts that are gained side by side.
std::string effect_key(std::string_view text);

// Where a node stands: its text, and which of several nodes with that text it is.
struct EffectPlace {
  std::string text;
  std::size_t nth = 0;  // from 0
};

// Nodes by text. Looks first where the effect comes from, then everywhere else.
class EffectIndex {
 public:
  explicit EffectIndex(const rules::Content& content);

  const std::string& text(rules::NodeId node) const { return texts_[node]; }
  const std::string& key(rules::NodeId node) const { return keys_[node]; }
  // All nodes with this text, those printed on `source` first. A source of a card is its CardCopy.
  std::vector<rules::NodeId> nodes_with(std::string_view text, rules::Source source) const;
  EffectPlace place_of(rules::NodeId node, rules::Source source) const;
  // Whether any effect of the content is, or contains, what is written.
  bool occurs(std::string_view text) const;
  // The roots printed on a source.
  std::vector<rules::NodeId> roots_of(rules::Source source) const;

 private:
  void collect(rules::NodeId node, std::string_view key, std::vector<rules::NodeId>& found) const;

  const rules::Content& content_;
  std::vector<std::string> texts_;
  std::vector<std::string> keys_;
  std::unordered_map<std::string, std::vector<rules::NodeId>> by_key_;
};

}  // namespace landsraad::scenario
