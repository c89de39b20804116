#include "tools/words/effect.h"

#include <vector>

namespace landsraad::words {

using namespace rules;

namespace {

// "a", "a or b", "a, b or c"
std::string enumerated(const std::vector<std::string>& parts, std::string_view last,
                       std::string_view between = ", ") {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? last : between;
    text += parts[i];
  }
  return text;
}

std::string_view icon_name(AgentIcon icon) {
  switch (icon) {
    case AgentIcon::emperor:
      return "Emperor";
    case AgentIcon::guild:
      return "Spacing Guild";
    case AgentIcon::bene_gesserit:
      return "Bene Gesserit";
    case AgentIcon::fremen:
      return "Fremen";
    case AgentIcon::great_houses:
      return "Great Houses";
    case AgentIcon::fringe_worlds:
      return "Fringe Worlds";
    case AgentIcon::landsraad:
      return "Landsraad";
    case AgentIcon::city:
      return "City";
    case AgentIcon::spice_trade:
      return "Spice Trade";
    case AgentIcon::spy:
      return "Spy";
  }
  return "?";
}

constexpr std::string_view kBattleIconNames[] = {"crysknife", "desert mouse", "ornithopter", "wild"};

class EffectWords {
 public:
  explicit EffectWords(const Content& content) : content_(content) {}

  std::string text(NodeId id) const {
    const Node& node = content_.node(id);
    std::string sentence = plain(node);
    if (node.limit_span == LimitSpan::turn) sentence += ", once a turn";
    if (node.limit_span == LimitSpan::round) sentence += ", once a round";
    if (node.limit_span == LimitSpan::game) sentence += ", once a game";
    if (node.duration == Duration::turn) sentence += ", this turn";
    if (node.duration == Duration::round) sentence += ", this round";
    if (node.duration == Duration::reveal_turn) sentence += ", this Reveal turn";
    return sentence;
  }

  std::string text(const Conditions& list) const {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < list.count; ++i) {
      const Condition& condition = content_.conditions[list.first + i];
      parts.push_back((condition.negated ? "not " : "") + text(condition));
    }
    return enumerated(parts, list.any ? " or " : " and ");
  }

 private:
  std::string plain(const Node& node) const {
    switch (node.op) {
      case Op::all:
        return side_by_side(node);
      case Op::then:
        return enumerated(children(node), ", then ");
      case Op::choice:
        return enumerated(children(node), ", or ");
      case Op::arrow:
        return text(node.child) + " to " + text(content_.node(node.child).next);
      case Op::when:
        return "if " + text(node.conditions) + ": " + text(node.child);
      case Op::trigger:
        return trigger(node) + ": " + text(node.child);
      case Op::may:
        return "if wanted: " + text(node.child);
      case Op::each_opponent:
        return "every opponent: " + text(node.child);
      default:
        return operation(node) + per(node);
    }
  }

  // "a, b and c", or "a; b; c" where a part is more than one deed.
  std::string side_by_side(const Node& node) const {
    bool simple = true;
    for (NodeId child = node.child; child != kNoNode; child = content_.node(child).next)
      simple = simple && content_.node(child).op > Op::each_opponent;
    return simple ? enumerated(children(node), " and ") : enumerated(children(node), "; ", "; ");
  }

  std::vector<std::string> children(const Node& node) const {
    std::vector<std::string> parts;
    for (NodeId child = node.child; child != kNoNode; child = content_.node(child).next)
      parts.push_back(text(child));
    return parts;
  }

  // ---- Pieces --------------------------------------------------------------------------------------

  std::string factions(FactionMask mask) const {
    std::vector<std::string> names;
    for (std::uint8_t faction = 0; faction < kMaxFactions; ++faction)
      if ((mask >> faction & 1U) != 0) names.emplace_back(faction_name(content_, faction));
    return enumerated(names, " or ");
  }

  static std::string icons(IconMask mask) {
    std::vector<std::string> names;
    for (unsigned icon = 0; icon < 10; ++icon)
      if ((mask >> icon & 1U) != 0) names.emplace_back(icon_name(static_cast<AgentIcon>(icon)));
    return enumerated(names, " or ");
  }

  static std::string battle_icons(BattleIconMask mask) {
    std::vector<std::string> names;
    for (unsigned icon = 0; icon < 4; ++icon)
      if ((mask >> icon & 1U) != 0) names.emplace_back(kBattleIconNames[icon]);
    return enumerated(names, " or ");
  }

  static std::string compared(const Qualifiers& q) {
    const std::string number = std::to_string(q.value);
    switch (q.compare) {
      case Compare::none:
        return "";
      case Compare::at_least:
        return number + " or more";
      case Compare::exactly:
        return number;
      case Compare::at_most:
        return number + " or less";
      case Compare::more_than_each_opponent:
        return "more than each opponent";
    }
    return "";
  }

  static std::string amount(const Node& node, std::string_view one) {
    return amount(node, one, std::string(one) + "s");
  }

  // "2 troops", "up to 2 troops", "1 to 2 troops", "any number of troops".
  static std::string amount(const Node& node, std::string_view one, std::string_view many) {
    if (node.amount == kAmountAny) return "any number of " + std::string(many);
    if (node.amount == kAmountAll) return "all " + std::string(many);
    const std::string most = counted(node.amount_max, one, many);
    if (node.amount == node.amount_max) return most;
    return (node.amount == 0 ? "up to " : std::to_string(node.amount) + " to ") + most;
  }

  std::string per(const Node& node) const {
    switch (node.per) {
      case CountOf::none:
      case CountOf::count_:
        return "";
      case CountOf::cards_in_play:
        return " for each " + factions(node.per_qualifiers.factions) + " card in play";
      case CountOf::revealed: {
        const std::string other = node.per_qualifiers.has(Word::other) ? " other" : "";
        const std::string kind = node.per_qualifiers.has(Word::sword)
                                     ? "card with a sword"
                                     : factions(node.per_qualifiers.factions) + " card";
        return " for each" + other + " revealed " + kind;
      }
      case CountOf::sandworms_in_conflict:
        return " for each own sandworm in the Conflict";
      case CountOf::memories_returned:
        return " for each memory taken back";
    }
    return "";
  }

  // ---- Operations ----------------------------------------------------------------------------------

  std::string operation(const Node& node) const {
    const Qualifiers& q = node.qualifiers;
    const std::string gain = node.is_cost ? "pay " : "gain ";
    switch (node.op) {
      case Op::none:
        return "nothing";
      case Op::solari:
        return gain + amount(node, "Solari", "Solari");
      case Op::spice:
        return gain + amount(node, "spice", "spice");
      case Op::water:
        return gain + amount(node, "water", "water");
      case Op::troop:
        return "recruit " + amount(node, "troop");
      case Op::intrigue:
        return "draw " + amount(node, "Intrigue card");
      case Op::draw:
        return "draw " + amount(node, "card");
      case Op::persuasion:
        return "gain " + amount(node, "Persuasion", "Persuasion");
      case Op::sword:
        return "gain " + amount(node, "sword");
      case Op::vp:
        return "gain " + amount(node, "victory point");
      case Op::discard:
        return "discard " + amount(node, "card");
      case Op::trash:
        return trash(node);
      case Op::trash_intrigue:
        return "trash " + amount(node, "Intrigue card");
      case Op::acquire:
        return acquire(q);
      case Op::remove_row:
        return "set aside " + amount(node, "card") + " of the Imperium Row";
      case Op::look_top:
        return "look at the top " + amount(node, "card") + " of the deck";
      case Op::to_hand:
        return q.has(Word::self) ? "take this card into the hand"
                                 : "take " + std::to_string(node.amount) + " of them into the hand";
      case Op::to_discard:
        return "discard " + std::to_string(node.amount) + " of them";
      case Op::trash_looked:
        return "trash " + std::to_string(node.amount) + " of them";
      case Op::influence:
        return "gain " + influence(node);
      case Op::influence_visit:
        return "gain " + std::to_string(node.amount) + " Influence for the visit";
      case Op::lose_influence:
        return "lose " + influence(node);
      case Op::spy:
        return spy(node);
      case Op::recall_spy:
        return "recall " + amount(node, "Spy", "Spies");
      case Op::take_bonus_spice:
        return "take the bonus spice";
      case Op::steal_intrigue:
        return "take " + amount(node, "Intrigue card") + " from every opponent with " +
               std::to_string(q.value) + " or more Intrigue cards";
      case Op::recall_agent:
        return "take back " + amount(node, "other Agent");
      case Op::contract:
        return "take " + amount(node, "contract");
      case Op::high_council:
        return "take a seat in the High Council";
      case Op::swordmaster:
        return "hire the Swordmaster";
      case Op::maker_hooks:
        return "take Maker Hooks";
      case Op::sandworm:
        return "summon " + amount(node, "sandworm") + (q.has(Word::no_hooks) ? " without Maker Hooks" : "");
      case Op::blow_wall:
        return "blow up the Shield Wall";
      case Op::deploy:
        return "deploy " + amount(node, "troop") +
               (q.has(Word::recruited_this_turn) ? " recruited this turn" : "");
      case Op::retreat:
        return "retreat " + amount(node, "troop");
      case Op::control:
        return "take control of " +
               (q.ref < content_.spaces.size() ? content_.spaces[q.ref].name : "a location");
      case Op::flip_icon:
        return "turn " + amount(node, battle_icons(q.battle_icons) + " card") + " face down";
      case Op::signet:
        return "use the Signet Ring";
      case Op::ignore_influence_requirements:
        return "ignore Influence requirements";
      case Op::memory:
        return "put " + amount(node, "memory", "memories") + " aside";
      case Op::return_memories:
        return "take back all memories";
      case Op::flip_leader:
        return "turn the leader over";
      case Op::repeat_space:
        return "repeat the effects of the space";
      case Op::track_advance:
        return "move on the leader's track";
      default:
        return std::string(row(node.op).name);
    }
  }

  std::string trash(const Node& node) const {
    const Qualifiers& q = node.qualifiers;
    if (q.has(Word::self)) return "trash this card";
    std::string kind = q.has(Word::other) ? "other " : "";
    if (q.factions != 0) kind += factions(q.factions) + " ";
    std::string text = "trash " + amount(node, kind + "card");
    if (q.has(Word::hand)) text += " from the hand";
    if (q.has(Word::discard)) text += " from the discard pile";
    if (q.has(Word::in_play)) text += " in play";
    return text;
  }

  static std::string acquire(const Qualifiers& q) {
    std::string text = q.has(Word::removed) ? "acquire the card set aside" : "acquire a card";
    if (q.compare != Compare::none) text += " that costs " + compared(q);
    if (q.has(Word::pay_none)) text += " for free";
    if (q.has(Word::pay_solari)) text += " for Solari";
    if (q.discount > 0) text += " for " + std::to_string(q.discount) + " less";
    if (q.has(Word::to_hand)) text += " into the hand";
    if (q.has(Word::to_top)) text += " onto the deck";
    return text;
  }

  std::string influence(const Node& node) const {
    const Qualifiers& q = node.qualifiers;
    const std::string points = std::to_string(node.amount) + " Influence with ";
    if (q.has(Word::each_spied)) return points + "every faction spied on";
    if (q.value > 1) return points + "each of " + std::to_string(q.value) + " factions";
    return points + (q.factions != 0 ? factions(q.factions) : "any faction");
  }

  static std::string spy(const Node& node) {
    const Qualifiers& q = node.qualifiers;
    std::string text = "place " + amount(node, "Spy", "Spies");
    if (q.icons != 0) text += " at a space of the kind " + icons(q.icons);
    if (q.has(Word::visited)) text += " at the visited space";
    if (q.has(Word::may_share)) text += ", also beside another Spy";
    return text;
  }

  // ---- Triggers and conditions ---------------------------------------------------------------------

  std::string trigger(const Node& node) const {
    const Qualifiers& q = node.qualifiers;
    const std::string space = q.ref < content_.spaces.size() ? content_.spaces[q.ref].name : "a space";
    switch (node.trigger) {
      case TriggerOn::none:
      case TriggerOn::count_:
        break;
      case TriggerOn::discarded:
        return "when this card is discarded";
      case TriggerOn::trashed:
        return "when this card is trashed";
      case TriggerOn::acquire:
        return "when acquiring " + (q.ref < content_.cards.size() ? content_.cards[q.ref].name : "a card");
      case TriggerOn::send_agent:
        return "when sending an Agent with this card";
      case TriggerOn::visit:
        return "when visiting " + (q.factions != 0 ? factions(q.factions) : space);
      case TriggerOn::opponent_visit:
        return "when an opponent visits " + (q.has(Word::spied_maker) ? "a Maker space spied on" : space);
      case TriggerOn::units_deployed_this_turn:
        return "when " + compared(q) + " units have been deployed this turn";
      case TriggerOn::reach_influence:
        return "on reaching " + std::to_string(q.value) + " Influence with " +
               (q.factions != 0 ? factions(q.factions) : "any faction");
      case TriggerOn::reveal_turn:
        return "in the Reveal turn";
    }
    return "at some time";
  }

  std::string text(const Condition& condition) const {
    const Qualifiers& q = condition.qualifiers;
    switch (condition.predicate) {
      case Predicate::bond:
        return "another " + factions(q.factions) + " card is in play";
      case Predicate::influence:
        return compared(q) + " Influence with " + factions(q.factions);
      case Predicate::alliance:
        return "the Alliance with " + factions(q.factions);
      case Predicate::any_alliance:
        return "any Alliance";
      case Predicate::influence_on_opponent_alliance:
        return compared(q) + " Influence where an opponent has the Alliance";
      case Predicate::high_council:
        return "a High Council seat";
      case Predicate::had_high_council:
        return "a High Council seat before this visit";
      case Predicate::swordmaster:
        return "the Swordmaster";
      case Predicate::swordmaster_taken:
        return "somebody has the Swordmaster";
      case Predicate::cost_option:
        return "cost option " + compared(q);
      case Predicate::agent_here:
        return "the Agent is still there";
      case Predicate::units_in_conflict:
        return compared(q) + " units in the Conflict";
      case Predicate::sandworms_in_conflict:
        return compared(q) + " sandworms in the Conflict";
      case Predicate::strength:
        return "a strength of " + compared(q);
      case Predicate::spies_on_board:
        return compared(q) + " Spies on the board";
      case Predicate::spying_on:
        return "spying on a Maker space";
      case Predicate::spy_placed_on:
        return "the Spy watches a space of the kind " + icons(q.icons);
      case Predicate::visited:
        if (q.has(Word::maker)) return "a Maker space was visited";
        if (q.has(Word::faction)) return "a faction was visited";
        return "a space of the kind " + icons(q.icons) + " was visited";
      case Predicate::recalled_spy_this_turn:
        return "a Spy was recalled this turn";
      case Predicate::maker_hooks:
        return "Maker Hooks";
      case Predicate::spice:
        return compared(q) + " spice";
      case Predicate::water:
        return compared(q) + " water";
      case Predicate::solari:
        return compared(q) + " Solari";
      case Predicate::gained_spice_this_turn:
        return compared(q) + " spice gained this turn";
      case Predicate::discarded:
        return "that card was of " + factions(q.factions);
      case Predicate::trashed_cost:
        return "that card cost " + compared(q);
      case Predicate::cards_owned:
        return compared(q) + " copies of " +
               (q.ref < content_.cards.size() ? content_.cards[q.ref].name : "a card");
      case Predicate::deck:
        return compared(q) + " cards in the deck";
      case Predicate::count_:
        break;
    }
    return std::string(row(condition.predicate).name);
  }

  const Content& content_;
};

}  // namespace

std::string effect(const Content& content, NodeId node) {
  return node == kNoNode ? "" : EffectWords(content).text(node);
}

std::string conditions(const Content& content, const Conditions& list) {
  return EffectWords(content).text(list);
}

std::string_view faction_name(const Content& content, std::uint8_t faction) {
  for (const FactionTrack& track : content.tracks)
    if (static_cast<std::uint8_t>(track.faction) == faction) return track.name;
  return "?";
}

std::string counted(int amount, std::string_view one, std::string_view many) {
  return std::to_string(amount) + " " + std::string(amount == 1 ? one : many);
}

std::string counted(int amount, std::string_view one) { return counted(amount, one, std::string(one) + "s"); }

}  // namespace landsraad::words
