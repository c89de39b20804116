#include "rules/notation/compiler.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "rules/notation/vocabulary.h"

namespace landsraad::rules::notation {

namespace {

using Form = Effect::Form;

constexpr std::size_t kMaxNodes = std::numeric_limits<NodeId>::max();
constexpr std::size_t kMaxConditions = std::numeric_limits<std::uint16_t>::max();

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

Compare to_compare(Sign sign) {
  switch (sign) {
    case Sign::none:
      return Compare::none;
    case Sign::equal:
      return Compare::exactly;
    case Sign::at_least:
      return Compare::at_least;
    case Sign::at_most:
      return Compare::at_most;
    case Sign::more:
      return Compare::more_than_each_opponent;
  }
  return Compare::none;
}

// The value of a word, or an error that names the nearest ones.
template <class Enum>
std::optional<Enum> known(const Source& source, Place place, std::string_view word, const std::string& what) {
  if (auto value = find_word<Enum>(word)) return value;
  source.error(place, "unknown " + what + " " + quoted(word) + nearest(word, all_words<Enum>()));
  return std::nullopt;
}

}  // namespace

// ---- Structure ----------------------------------------------------------------------------------------

NodeId Compiler::effect(const Effect& root, Layout layout) {
  return layout == Layout::lines ? lines(root) : compile(root);
}

NodeId Compiler::compile(const Effect& effect) {
  switch (effect.form) {
    case Form::atom:
      return atom(effect);
    case Form::group:
      return group(effect);
    case Form::lines:
    case Form::parts:
      return parts(effect);
    case Form::then:
      return structure(Op::then, effect.children);
    case Form::choice:
      return structure(Op::choice, effect.children);
    case Form::arrow:
      return arrow(effect);
    case Form::condition:
      return condition(effect);
    case Form::trigger:
      return trigger(effect);
  }
  return kNoNode;
}

// `all` of the lines, each of them one node whose parts belong together.
NodeId Compiler::lines(const Effect& root) {
  const bool several = root.form == Form::lines;
  const NodeId lines = new_node(Op::all, root.place);
  const std::size_t count = several ? root.children.size() : 1;
  for (std::size_t i = 0; i < count; ++i) {
    const NodeId line = compile(several ? root.children[i] : root);
    make_unit(line);
    append(lines, line);
  }
  return lines;
}

void Compiler::make_unit(NodeId id) {
  while (content_.nodes[id].op == Op::when) id = content_.nodes[id].child;
  content_.nodes[id].unit = content_.nodes[id].op == Op::all;
}

NodeId Compiler::structure(Op op, const std::vector<Effect>& children) {
  const NodeId node = new_node(op, children.front().place);
  for (const Effect& child : children) append(node, compile(child));
  return node;
}

// One flat list, whether the parts are joined by `;`, `+` or `&`.
NodeId Compiler::parts(const Effect& effect) {
  if (effect.cost_link && cost_depth_ == 0)
    source_.error(effect.place, "\"&\" joins only parts of a cost; use \"+\"");
  const NodeId node = new_node(Op::all, effect.place);
  for (const Effect& child : effect.children) {
    if (child.form != Form::parts) {
      append(node, compile(child));
      continue;
    }
    if (child.cost_link && cost_depth_ == 0)
      source_.error(child.place, "\"&\" joins only parts of a cost; use \"+\"");
    for (const Effect& part : child.children) append(node, compile(part));
  }
  return node;
}

NodeId Compiler::group(const Effect& effect) {
  const NodeId node = compile(effect.children.front());
  if (content_.nodes[node].op == Op::all) content_.nodes[node].unit = true;
  set_suffixes(node, effect.suffixes);
  return node;
}

NodeId Compiler::arrow(const Effect& effect) {
  const NodeId node = new_node(Op::arrow, effect.place);
  ++cost_depth_;
  const NodeId cost = compile(effect.children[0]);
  --cost_depth_;
  mark_cost(cost);
  append(node, cost);
  append(node, compile(effect.children[1]));
  return node;
}

NodeId Compiler::condition(const Effect& effect) {
  const NodeId node = new_node(Op::when, effect.place);
  const rules::Conditions compiled = conditions(effect.conditions);
  content_.nodes[node].conditions = compiled;
  append(node, compile(effect.children.front()));
  return node;
}

NodeId Compiler::trigger(const Effect& effect) {
  const NodeId node = new_node(Op::trigger, effect.place);
  if (auto on = known<TriggerOn>(source_, effect.phrase.place, effect.phrase.name, "trigger")) {
    content_.nodes[node].trigger = *on;
    content_.nodes[node].qualifiers = qualifiers(effect.phrase, row(*on), true);
  }
  append(node, compile(effect.children.front()));
  set_suffixes(node, effect.suffixes);
  return node;
}

rules::Conditions Compiler::conditions(const Conditions& conditions) {
  std::vector<Condition> compiled;
  for (const Predicate& predicate : conditions.predicates) {
    const Phrase& phrase = predicate.phrase;
    const auto test = known<rules::Predicate>(source_, phrase.place, phrase.name, "condition");
    if (!test) continue;
    compiled.push_back({*test, predicate.negated, qualifiers(phrase, row(*test), true)});
  }
  if (content_.conditions.size() + compiled.size() > kMaxConditions) {
    source_.error(conditions.place, "too many conditions in all content files together");
    return {};
  }
  rules::Conditions range;
  range.first = static_cast<std::uint16_t>(content_.conditions.size());
  range.count = static_cast<std::uint8_t>(compiled.size());
  range.any = conditions.any;
  content_.conditions.insert(content_.conditions.end(), compiled.begin(), compiled.end());
  return range;
}

// ---- Nodes --------------------------------------------------------------------------------------------

NodeId Compiler::new_node(Op op, Place place) {
  if (content_.nodes.size() >= kMaxNodes) {
    source_.error(place, "too many effects in all content files together");
    return kNoNode;
  }
  content_.nodes.emplace_back().op = op;
  return static_cast<NodeId>(content_.nodes.size() - 1);
}

void Compiler::append(NodeId parent, NodeId child) {
  if (parent == kNoNode || child == kNoNode) return;
  NodeId* link = &content_.nodes[parent].child;
  while (*link != kNoNode) link = &content_.nodes[*link].next;
  *link = child;
}

void Compiler::mark_cost(NodeId id) {
  if (id == kNoNode) return;
  content_.nodes[id].is_cost = true;
  for (NodeId child = content_.nodes[id].child; child != kNoNode; child = content_.nodes[child].next)
    mark_cost(child);
}

NodeId Compiler::atom(const Effect& effect) {
  const auto op = known<Op>(source_, effect.phrase.place, effect.phrase.name, "operation");
  if (!op) return new_node(Op::none, effect.place);
  const NodeId id = new_node(*op, effect.place);
  Node& node = content_.nodes[id];
  node.qualifiers = qualifiers(effect.phrase, row(*op), false);
  set_amount(node, row(*op), effect);
  if (!effect.per.empty()) {
    const Phrase& phrase = effect.per.front();
    if (auto count = known<CountOf>(source_, phrase.place, phrase.name, "count")) {
      node.per = *count;
      node.per_qualifiers = qualifiers(phrase, row(*count), true);
    }
  }
  set_wrapped(id, *op, effect);  // `node` is invalid from here on
  set_suffixes(id, effect.suffixes);
  return id;
}

void Compiler::set_wrapped(NodeId id, Op op, const Effect& effect) {
  const bool wraps = op == Op::may || op == Op::each_opponent;
  if (wraps && effect.children.empty())
    source_.error(effect.place, quoted(effect.phrase.name) + " needs an effect in parentheses");
  if (!wraps && !effect.children.empty())
    source_.error(effect.children.front().place,
                  quoted(effect.phrase.name) + " takes an amount in parentheses, not an effect");
  for (const Effect& child : effect.children) append(id, compile(child));
}

void Compiler::set_suffixes(NodeId id, const Suffixes& suffixes) {
  if (id == kNoNode || suffixes.empty()) return;
  Node& node = content_.nodes[id];
  if (!suffixes.duration.empty()) {
    if (node.duration != Duration::immediate) source_.error(suffixes.place, "a second duration");
    if (auto duration = known<Duration>(source_, suffixes.place, suffixes.duration, "duration"))
      node.duration = *duration;
  }
  if (suffixes.span.empty()) return;
  if (node.limit_span != LimitSpan::none) source_.error(suffixes.place, "a second limit");
  if (suffixes.limit == 0) source_.error(suffixes.place, "a limit is at least 1");
  if (auto span = known<LimitSpan>(source_, suffixes.place, suffixes.span, "span of a limit"))
    node.limit_span = *span;
  node.limit = static_cast<std::uint8_t>(suffixes.limit);
}

// (n), (any), (all), [=n] and [n..m]. A plain n of a word that takes ranges means "up to n".
void Compiler::set_amount(Node& node, const WordRow& row, const Effect& effect) {
  const Amount& amount = effect.amount;
  const bool up_to = takes(row, kTakesRange);
  auto set = [&](int low, int high) {
    node.amount = static_cast<std::int16_t>(low);
    node.amount_max = static_cast<std::int16_t>(high);
  };
  for (const Qualifier& qualifier : effect.phrase.qualifiers) {
    if (qualifier.form != Qualifier::Form::range || !up_to) continue;  // not up_to: reported already
    set(qualifier.low, qualifier.high);
    if (qualifier.low == qualifier.high) node.qualifiers.compare = Compare::exactly;
    if (amount.kind != Amount::Kind::missing)
      source_.error(amount.place, "the amount stands in the brackets already");
    return;
  }
  switch (amount.kind) {
    case Amount::Kind::missing:
      return up_to ? set(0, 1) : set(1, 1);
    case Amount::Kind::any:
      if (!up_to) source_.error(amount.place, quoted(row.name) + " does not take (any)");
      return set(kAmountAny, kAmountAny);
    case Amount::Kind::all:
      if (!takes(row, kTakesAll)) source_.error(amount.place, quoted(row.name) + " does not take (all)");
      return set(kAmountAll, kAmountAll);
    case Amount::Kind::number:
      if (!takes(row, kTakesAmount)) source_.error(amount.place, quoted(row.name) + " takes no number");
      if (amount.number == 0) source_.error(amount.place, "an amount is at least 1");
      return set(up_to ? 0 : amount.number, amount.number);
  }
}

// ---- Costs of board spaces ----------------------------------------------------------------------------

std::vector<CostOption> Compiler::cost(const Effect& effect) {
  std::vector<CostOption> options;
  if (effect.form != Form::choice) {
    options.push_back(cost_option(effect));
    return options;
  }
  for (const Effect& option : effect.children) options.push_back(cost_option(option));
  return options;
}

CostOption Compiler::cost_option(const Effect& effect) {
  const Effect* inner = &effect;
  while (inner->form == Form::group && inner->suffixes.empty()) inner = &inner->children.front();
  CostOption option;
  if (inner->form == Form::condition) {
    option.conditions = conditions(inner->conditions);
    inner = &inner->children.front();
  }
  if (inner->form == Form::parts) {
    for (const Effect& part : inner->children) add_price(option, part);
  } else {
    add_price(option, *inner);
  }
  return option;
}

void Compiler::add_price(CostOption& option, const Effect& effect) {
  const bool plain = effect.form == Form::atom && effect.phrase.qualifiers.empty() && effect.per.empty() &&
                     effect.children.empty() && effect.suffixes.empty();
  if (plain && effect.phrase.name == row(Op::none).name && effect.amount.kind == Amount::Kind::missing)
    return;
  const auto resource = plain ? find_word<Resource>(effect.phrase.name) : std::nullopt;
  if (!resource || effect.amount.kind == Amount::Kind::any || effect.amount.kind == Amount::Kind::all) {
    source_.error(effect.place, "a cost of a space is solari(n), spice(n), water(n) or none");
    return;
  }
  auto& paid = option.pays[static_cast<std::size_t>(*resource)];
  paid = static_cast<std::uint8_t>(std::min(paid + effect.amount.number, 255));
}

// ---- Qualifiers ---------------------------------------------------------------------------------------

Qualifiers Compiler::qualifiers(const Phrase& phrase, const WordRow& row, bool bare_icons) {
  Qualifiers found;
  for (const Qualifier& qualifier : phrase.qualifiers) {
    switch (qualifier.form) {
      case Qualifier::Form::words:
        add_words(found, qualifier, row, bare_icons);
        break;
      case Qualifier::Form::keyed:
        add_keyed(found, qualifier, row, bare_icons);
        break;
      case Qualifier::Form::range:
        if (!takes(row, kTakesRange)) reject(qualifier, "a range", row);
        break;
    }
  }
  set_comparison(found, phrase, row);
  return found;
}

void Compiler::add_words(Qualifiers& found, const Qualifier& qualifier, const WordRow& row, bool bare_icons) {
  for (const std::string& word : qualifier.words)
    if (!add_word(found, word, row, bare_icons)) reject(qualifier, word, row);
}

bool Compiler::add_word(Qualifiers& found, const std::string& word, const WordRow& row,
                        bool bare_icons) const {
  if (const auto known = find_word<Word>(word); known && (row.words & word_bit(*known)) != 0) {
    found.words |= word_bit(*known);
    return true;
  }
  if (const auto faction = find_word<Faction>(word); faction && takes(row, kTakesFactions)) {
    found.factions = static_cast<FactionMask>(found.factions | faction_bit(*faction));
    return true;
  }
  if (const auto icon = find_word<AgentIcon>(word); icon && bare_icons && takes(row, kTakesAgentIcons)) {
    found.icons = static_cast<IconMask>(found.icons | icon_bit(*icon));
    return true;
  }
  if (const auto icon = find_word<BattleIcon>(word); icon && takes(row, kTakesBattleIcons)) {
    found.battle_icons = static_cast<BattleIconMask>(found.battle_icons | battle_icon_bit(*icon));
    return true;
  }
  if (found.ref != Qualifiers{}.ref) return false;  // one card or space only
  if (const SpaceId space = find_space(content_, word); takes(row, kTakesSpace) && space != kNoSpace) {
    found.ref = space;
    return true;
  }
  if (const CardId card = find_card(content_, word); takes(row, kTakesCard) && card != kNoCard) {
    found.ref = card;
    return true;
  }
  return false;
}

void Compiler::add_keyed(Qualifiers& found, const Qualifier& qualifier, const WordRow& row, bool bare_icons) {
  const std::string_view sign = qualifier.sign == Sign::more ? ">" : word_for(to_compare(qualifier.sign));
  if (qualifier.words.empty()) {
    if (!add_number(found, qualifier, row)) reject(qualifier, qualifier.key + std::string(sign) + "n", row);
    return;
  }
  if (qualifier.key == "icons" && !bare_icons && takes(row, kTakesAgentIcons) &&
      qualifier.sign == Sign::equal) {
    if (!add_icons(found, qualifier)) return;
  } else if (qualifier.key == "card" && takes(row, kTakesCard) && qualifier.words.size() == 1) {
    found.ref = find_card(content_, qualifier.words.front());
    if (found.ref == kNoCard) reject(qualifier, qualifier.words.front(), row);
  } else {
    const std::string word = qualifier.key + std::string(sign) + qualifier.words.front();
    if (qualifier.words.size() != 1 || !add_word(found, word, row, bare_icons)) reject(qualifier, word, row);
  }
}

bool Compiler::add_icons(Qualifiers& found, const Qualifier& qualifier) {
  for (const std::string& word : qualifier.words) {
    const auto icon = known<AgentIcon>(source_, qualifier.place, word, "Agent icon");
    if (!icon) return false;
    found.icons = static_cast<IconMask>(found.icons | icon_bit(*icon));
  }
  return true;
}

bool Compiler::add_number(Qualifiers& found, const Qualifier& qualifier, const WordRow& row) const {
  if (qualifier.key == "discount" && takes(row, kTakesDiscount) && qualifier.sign == Sign::equal) {
    found.discount = static_cast<std::uint8_t>(qualifier.low);
    return true;
  }
  const bool cost = qualifier.key == "cost" && takes(row, kTakesCost) && qualifier.sign != Sign::more;
  const bool different =
      qualifier.key == "diff" && takes(row, kTakesDifferent) && qualifier.sign == Sign::equal;
  const bool opponents = qualifier.key == "each_opponent_with" && takes(row, kTakesOpponents) &&
                         qualifier.sign == Sign::at_least;
  if (!cost && !different && !opponents) return false;
  found.value = static_cast<std::int16_t>(qualifier.low);
  if (!different) found.compare = to_compare(qualifier.sign);
  return true;
}

void Compiler::set_comparison(Qualifiers& found, const Phrase& phrase, const WordRow& row) {
  if (!takes(row, kTakesCompare)) {
    if (phrase.sign != Sign::none)
      source_.error(phrase.place, quoted(phrase.name) + " is not compared with a number");
    return;
  }
  if (phrase.sign == Sign::none || (phrase.sign == Sign::more && !phrase.each_opponent)) {
    source_.error(phrase.place, quoted(phrase.name) + " needs >=n, =n, <=n or >each_opponent behind it");
    return;
  }
  found.compare = to_compare(phrase.sign);
  found.value = static_cast<std::int16_t>(phrase.value);
}

void Compiler::reject(const Qualifier& qualifier, const std::string& word, const WordRow& row) {
  const std::string taken = bracket_words(row);
  source_.error(qualifier.place, quoted(row.name) + " does not take " + quoted(word) +
                                     " in its brackets; it takes " +
                                     (taken.empty() ? "nothing there" : "there: " + taken));
}

}  // namespace landsraad::rules::notation
