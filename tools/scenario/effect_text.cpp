#include "tools/scenario/effect_text.h"

#include <algorithm>

#include "rules/engine/operations.h"
#include "tools/scenario/names.h"
#include "tools/scenario/text.h"

namespace landsraad::scenario {

using namespace rules;

namespace {

// How tightly a text must hold together to stand where it stands.
enum class Binding { effect, option, sequence, item };

class Writer {
 public:
  explicit Writer(const Content& content) : content_(content) {}

  std::string text(NodeId id, Binding binding) const {
    const Node& node = content_.nodes[id];
    const std::string plain = unbraced(node, binding);
    const std::string suffix = node.op == Op::trigger ? "" : suffixes(node);
    const bool atom = is_atom(node.op);
    if (atom) return plain + suffix;
    if (!suffix.empty() || node.unit || binding_of(node) < binding) return "{" + plain + "}" + suffix;
    return plain;
  }

  std::string conditions(const Conditions& conditions) const {
    std::string text;
    for (std::size_t i = 0; i < conditions.count; ++i) {
      const Condition& condition = content_.conditions[conditions.first + i];
      if (i > 0) text += conditions.any ? " or " : " and ";
      if (condition.negated) text += "not ";
      const WordRow& word = row(condition.predicate);
      text += std::string(word.name) + brackets(condition.qualifiers, word, false) +
              comparison(condition.qualifiers, word);
    }
    return text;
  }

 private:
  static bool is_atom(Op op) { return op > Op::when && op != Op::trigger; }

  static Binding binding_of(const Node& node) {
    switch (node.op) {
      case Op::choice:
        return Binding::option;
      case Op::all:  // with semicolons only where a whole effect may stand
      case Op::then:
      case Op::arrow:
      case Op::when:
      case Op::trigger:
        return Binding::sequence;
      default:
        return Binding::item;
    }
  }

  std::string unbraced(const Node& node, Binding binding) const {
    switch (node.op) {
      case Op::all:
        if (node.is_cost) return parts(node, " & ", Binding::item);
        return binding == Binding::effect ? parts(node, "; ", Binding::option)
                                          : parts(node, " + ", Binding::item);
      case Op::then:
        return parts(node, " THEN ", Binding::item);
      case Op::choice:
        return parts(node, " OR ", Binding::sequence);
      case Op::arrow:
        return text(node.child, Binding::item) + " -> " +
               text(content_.nodes[node.child].next, Binding::sequence);
      case Op::when:
        return "if(" + conditions(node.conditions) + "): " + text(node.child, Binding::sequence);
      case Op::trigger:
        return trigger(node);
      case Op::may:
      case Op::each_opponent:
        return std::string(row(node.op).name) + "(" + text(node.child, Binding::effect) + ")";
      default:
        return operation(node);
    }
  }

  std::string parts(const Node& node, std::string_view between, Binding binding) const {
    std::string text;
    for (NodeId child = node.child; child != kNoNode; child = content_.nodes[child].next) {
      if (child != node.child) text += between;
      const bool side_by_side = node.op == Op::then && content_.nodes[child].op == Op::all;
      text += this->text(child, side_by_side ? Binding::sequence : binding);
    }
    return text;
  }

  std::string trigger(const Node& node) const {
    const WordRow& word = row(node.trigger);
    return "on(" + std::string(word.name) + brackets(node.qualifiers, word, false) +
           comparison(node.qualifiers, word) + "): " + text(node.child, Binding::sequence) + suffixes(node);
  }

  static std::string suffixes(const Node& node) {
    std::string text;
    if (node.duration != Duration::immediate) text += " @" + std::string(name(node.duration));
    if (node.limit_span == LimitSpan::none) return text;
    constexpr std::string_view kSpans[] = {"", "turn", "round", "game"};
    return text + " limit(" + std::to_string(node.limit) + "/" +
           std::string(kSpans[static_cast<std::size_t>(node.limit_span)]) + ")";
  }

  std::string operation(const Node& node) const {
    const WordRow& word = row(node.op);
    std::string text = std::string(word.name) + brackets(node.qualifiers, word, true, &node);
    if (node.amount == kAmountAll)
      text += "(all)";
    else if (node.amount == kAmountAny)
      text += "(any)";
    else if (!is_range(node) && (word.takes & kTakesAmount) != 0)
      text += "(" + std::to_string(node.amount_max) + ")";
    if (node.per == CountOf::none) return text;
    const WordRow& count = row(node.per);
    return text + "*per(" + std::string(count.name) + brackets(node.per_qualifiers, count, false) + ")";
  }

  // `=n` or `n..m`; a plain `retreat(n)` means up to n and is written with its number.
  static bool is_range(const Node& node) {
    if ((row(node.op).takes & kTakesRange) == 0 || node.amount < 0) return false;
    return node.qualifiers.compare == Compare::exactly || (node.amount > 0 && node.amount != node.amount_max);
  }

  // Whether the number of the qualifiers stands in the brackets, and not behind the word.
  static bool number_inside(const WordRow& word) {
    return (word.takes & (kTakesCost | kTakesDifferent | kTakesOpponents)) != 0;
  }

  static std::string compared(Compare compare, int value) {
    switch (compare) {
      case Compare::none:
        return "";
      case Compare::at_least:
        return ">=" + std::to_string(value);
      case Compare::exactly:
        return "=" + std::to_string(value);
      case Compare::at_most:
        return "<=" + std::to_string(value);
      case Compare::more_than_each_opponent:
        return ">each_opponent";
    }
    return "";
  }

  static std::string comparison(const Qualifiers& qualifiers, const WordRow& word) {
    return (word.takes & kTakesCompare) != 0 && !number_inside(word)
               ? compared(qualifiers.compare, qualifiers.value)
               : "";
  }

  template <class Enum>
  static void add_mask(std::vector<std::string>& parts, unsigned mask, std::size_t bits,
                       std::string_view before) {
    std::string text;
    for (std::size_t bit = 0; bit < bits; ++bit) {
      if ((mask >> bit & 1U) == 0) continue;
      text +=
          (text.empty() ? std::string(before) : "|") + std::string(scenario::name(static_cast<Enum>(bit)));
    }
    if (!text.empty()) parts.push_back(text);
  }

  std::string brackets(const Qualifiers& q, const WordRow& word, bool operation,
                       const Node* node = nullptr) const {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Word::count_); ++i)
      if (q.has(static_cast<Word>(i))) parts.emplace_back(rules::name(static_cast<Word>(i)));
    add_mask<AgentIcon>(parts, q.icons, 10, operation ? "icons=" : "");
    add_mask<Faction>(parts, q.factions, kMaxFactions, "");
    add_mask<BattleIcon>(parts, q.battle_icons, 4, "");
    if (q.ref != 0xffff)
      parts.push_back((word.takes & kTakesSpace) != 0
                          ? content_.spaces[q.ref].id
                          : (operation ? "card=" : "") + content_.cards[q.ref].id);
    if ((word.takes & kTakesCost) != 0 && q.compare != Compare::none)
      parts.push_back("cost" + compared(q.compare, q.value));
    if ((word.takes & kTakesDifferent) != 0 && q.value > 0)
      parts.push_back("diff=" + std::to_string(q.value));
    if ((word.takes & kTakesOpponents) != 0 && q.value > 0)
      parts.push_back("each_opponent_with>=" + std::to_string(q.value));
    if (q.discount != 0) parts.push_back("discount=" + std::to_string(q.discount));
    if (node != nullptr && is_range(*node))
      parts.push_back(node->amount == node->amount_max
                          ? "=" + std::to_string(node->amount)
                          : std::to_string(node->amount) + ".." + std::to_string(node->amount_max));
    if (parts.empty()) return "";
    std::string text = "[";
    for (const std::string& part : parts) text += (text.size() > 1 ? "," : "") + part;
    return text + "]";
  }

  const Content& content_;
};

std::string without_blanks(std::string_view text) {
  std::string result;
  for (char c : text)
    if (c != ' ' && c != '\t') result += c;
  return result;
}

std::string sorted(std::string_view text, char between) {
  std::vector<std::string> parts;
  for (std::string_view part : split(text, between)) parts.push_back(without_blanks(part));
  std::sort(parts.begin(), parts.end());
  return joined(parts, std::string_view(&between, 1));
}

// Qualifiers mean the same in any order, before or behind the amount: `sword,other`, `icons=a|b`.
void add_brackets(std::string& key, std::string_view inside) {
  std::vector<std::string> parts;
  for (std::string_view part : split(inside, ',')) {
    const std::size_t equal = part.find('=');
    if (equal == std::string_view::npos)
      parts.push_back(sorted(part, '|'));
    else
      parts.push_back(without_blanks(part.substr(0, equal + 1)) + sorted(part.substr(equal + 1), '|'));
  }
  std::sort(parts.begin(), parts.end());
  const std::string brackets = "[" + joined(parts, ",") + "]";
  const bool behind = key.ends_with(')');
  const std::size_t open = behind ? key.rfind('(') : key.size();
  key.insert(open == std::string::npos ? key.size() : open, brackets);
}

template <class Visit>
void for_each_below(const Content& content, NodeId node, Visit visit) {
  if (node == kNoNode) return;
  visit(node);
  for (NodeId child = content.nodes[node].child; child != kNoNode; child = content.nodes[child].next)
    for_each_below(content, child, visit);
}

}  // namespace

std::string effect_text(const Content& content, NodeId node) {
  return node == kNoNode ? "" : Writer(content).text(node, Binding::effect);
}

std::string conditions_text(const Content& content, const Conditions& conditions) {
  return Writer(content).conditions(conditions);
}

std::string effect_key(std::string_view text) {
  std::string key;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ' || c == '\t' || c == '{' || c == '}') continue;
    if (c == '[') {
      const std::size_t end = std::min(text.find(']', i), text.size());
      add_brackets(key, text.substr(i + 1, end - i - 1));
      i = end;
      continue;
    }
    key += c == ';' || c == '&' ? '+' : c;
  }
  for (std::size_t one = key.find("(1)"); one != std::string::npos; one = key.find("(1)", one))
    key.erase(one, 3);
  return key;
}

EffectIndex::EffectIndex(const Content& content)
    : content_(content), texts_(content.nodes.size()), keys_(content.nodes.size()) {
  for (std::size_t i = 1; i < content.nodes.size(); ++i) {
    const auto node = static_cast<NodeId>(i);
    texts_[i] = effect_text(content, node);
    if (split(texts_[i], ';').size() > 1)
      texts_[i] = "{" + texts_[i] + "}";  // a clause ends at a bare semicolon
    keys_[i] = effect_key(texts_[i]);
    by_key_[keys_[i]].push_back(node);
  }
}

std::vector<NodeId> EffectIndex::roots_of(Source source) const {
  std::vector<NodeId> roots;
  switch (source.kind) {
    case SourceKind::card:
    case SourceKind::intrigue: {
      if (source.id >= content_.card_of_copy.size()) break;
      const Card& card = content_.card_of(source.id);
      roots = {card.agent, card.reveal, card.acquire};
      roots.insert(roots.end(), card.passives.begin(), card.passives.end());
      roots.insert(roots.end(), card.intrigue.begin(), card.intrigue.end());
      break;
    }
    case SourceKind::space:
    case SourceKind::control:
      if (source.id < content_.spaces.size())
        roots = {content_.spaces[source.id].effects, content_.spaces[source.id].control_bonus};
      break;
    case SourceKind::leader: {
      if (source.id >= content_.leaders.size()) break;
      const Leader& leader = content_.leaders[source.id];
      roots = leader.passives;
      roots.push_back(leader.signet);
      for (const TrackStep& step : leader.track) roots.push_back(step.reward);
      break;
    }
    case SourceKind::conflict:
      if (source.id < content_.conflicts.size()) {
        const auto& rewards = content_.conflicts[source.id].rewards;
        roots.assign(rewards.begin(), rewards.end());
      }
      break;
    case SourceKind::faction_track:
      for (const FactionTrack& track : content_.tracks)
        if (static_cast<std::uint16_t>(track.faction) == source.id) roots.push_back(track.bonus);
      break;
    case SourceKind::rule:
    case SourceKind::high_council:
    case SourceKind::objective:
      break;
  }
  roots.erase(std::remove(roots.begin(), roots.end(), kNoNode), roots.end());
  return roots;
}

void EffectIndex::collect(NodeId root, std::string_view key, std::vector<NodeId>& found) const {
  for_each_below(content_, root, [&](NodeId node) {
    if (keys_[node] == key && std::find(found.begin(), found.end(), node) == found.end())
      found.push_back(node);
  });
}

std::vector<NodeId> EffectIndex::nodes_with(std::string_view text, Source source) const {
  std::vector<NodeId> found;
  const std::string key = effect_key(text);
  for (NodeId root : roots_of(source)) collect(root, key, found);
  if (const auto same = by_key_.find(key); same != by_key_.end()) {
    const std::size_t own = found.size();
    for (NodeId node : same->second)
      if (std::find(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(own), node) ==
          found.begin() + static_cast<std::ptrdiff_t>(own))
        found.push_back(node);
  }
  return found;
}

EffectPlace EffectIndex::place_of(NodeId node, Source source) const {
  const std::vector<NodeId> same = nodes_with(texts_[node], source);
  const auto place = std::find(same.begin(), same.end(), node);
  return {texts_[node], static_cast<std::size_t>(place - same.begin())};
}

bool EffectIndex::occurs(std::string_view text) const {
  const std::string key = effect_key(text);
  return std::any_of(keys_.begin(), keys_.end(),
                     [&](const std::string& k) { return k.find(key) != std::string::npos; });
}

}  // namespace landsraad::scenario
