// Parse tree -> nodes of Content. Gives every word its meaning and checks what the word takes.
#pragma once

#include <string_view>
#include <vector>

#include "rules/engine/content.h"
#include "rules/notation/effect.h"
#include "rules/notation/source.h"

namespace landsraad::rules::notation {

// Where the effect stands, which decides how its top level is laid out.
enum class Layout : std::uint8_t {
  separate,  // parts of the top level stand free, whether joined by `;` or `+`
  lines      // Intrigue card: each line is used or not by itself, its parts belong together (INTR-5)
};

// Compiles into `content`. Ids of cards and spaces must be in its tables already. Errors go to the
// source; what is returned then must not be used.
class Compiler {
 public:
  Compiler(Content& content, const Source& source) : content_(content), source_(source) {}

  NodeId effect(const Effect&, Layout = Layout::separate);
  rules::Conditions conditions(const Conditions&);
  std::vector<CostOption> cost(const Effect&);  // COST-2

 private:
  NodeId compile(const Effect&);
  NodeId atom(const Effect&);
  NodeId group(const Effect&);
  NodeId parts(const Effect&);
  NodeId lines(const Effect&);
  NodeId arrow(const Effect&);
  NodeId condition(const Effect&);
  NodeId trigger(const Effect&);
  NodeId structure(Op, const std::vector<Effect>& children);

  NodeId new_node(Op, Place);
  void make_unit(NodeId);
  void append(NodeId parent, NodeId child);
  void mark_cost(NodeId);

  void set_amount(Node&, const WordRow&, const Effect&);
  void set_wrapped(NodeId, Op, const Effect&);
  void set_suffixes(NodeId, const Suffixes&);
  CostOption cost_option(const Effect&);
  void add_price(CostOption&, const Effect&);

  // What the brackets and the comparison of a phrase mean to a word with this row.
  Qualifiers qualifiers(const Phrase&, const WordRow&, bool bare_icons);
  void add_words(Qualifiers&, const Qualifier&, const WordRow&, bool bare_icons);
  bool add_word(Qualifiers&, const std::string& word, const WordRow&, bool bare_icons) const;
  void add_keyed(Qualifiers&, const Qualifier&, const WordRow&, bool bare_icons);
  bool add_number(Qualifiers&, const Qualifier&, const WordRow&) const;
  bool add_icons(Qualifiers&, const Qualifier&);
  void set_comparison(Qualifiers&, const Phrase&, const WordRow&);
  void reject(const Qualifier&, const std::string& word, const WordRow&);

  Content& content_;
  const Source& source_;
  int cost_depth_ = 0;  // inside how many costs of arrows the compiler is
};

}  // namespace landsraad::rules::notation
