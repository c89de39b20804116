#include "rules/wire/catalogue.h"

#include <string>
#include <string_view>

#include "rules/notation/vocabulary.h"

namespace landsraad::wire {

namespace {

using namespace landsraad::rules;
using notation::kValues;
using notation::word_for;
using Wire = v1::Catalogue;

// Calls add(word) for every value of the enum whose bit is set.
template <class Enum, class Mask, class Add>
void for_each_word(Mask mask, Add add) {
  for (std::size_t i = 0; i < kValues<Enum>; ++i)
    if ((mask >> i & 1U) != 0) add(std::string(word_for(static_cast<Enum>(i))));
}

template <class Enum>
void write_word(Wire& out, Wire::WordKind kind, Enum value, std::string_view word, std::string_view meaning) {
  if (word.empty()) return;
  Wire::Word& row = *out.add_vocabulary();
  row.set_kind(kind);
  row.set_word(std::string(word));
  row.set_id(static_cast<std::uint32_t>(value));
  row.set_meaning(std::string(meaning));
}

// Words with a row in the engine's tables, operations of structure included.
template <class Enum>
void write_rows(Wire& out, Wire::WordKind kind) {
  for (std::size_t i = 0; i < kValues<Enum>; ++i) {
    const auto value = static_cast<Enum>(i);
    write_word(out, kind, value, row(value).name, row(value).meaning);
  }
}

template <class Enum>
void write_words(Wire& out, Wire::WordKind kind) {
  for (std::size_t i = 0; i < kValues<Enum>; ++i) {
    const auto value = static_cast<Enum>(i);
    write_word(out, kind, value, word_for(value), "");
  }
}

void write_vocabulary(Wire& out) {
  write_rows<Op>(out, Wire::WORD_OPERATION);
  write_rows<Predicate>(out, Wire::WORD_CONDITION);
  write_rows<CountOf>(out, Wire::WORD_COUNT);
  write_rows<TriggerOn>(out, Wire::WORD_TRIGGER);
  write_words<Word>(out, Wire::WORD_QUALIFIER);
  write_words<Duration>(out, Wire::WORD_DURATION);
  write_words<Faction>(out, Wire::WORD_FACTION);
  write_words<AgentIcon>(out, Wire::WORD_AGENT_ICON);
  write_words<BattleIcon>(out, Wire::WORD_BATTLE_ICON);
}

class Writer {
 public:
  explicit Writer(const Content& content) : content_(content) {}

  void write(Wire& out) const {
    out.set_product(content_.product);
    out.set_content_version(content_.version);
    for (std::size_t id = 0; id < content_.cards.size(); ++id) write_card(id, *out.add_cards());
    for (std::size_t id = 0; id < content_.leaders.size(); ++id) write_leader(id, *out.add_leaders());
    for (std::size_t id = 0; id < content_.spaces.size(); ++id) write_space(id, *out.add_spaces());
    for (std::size_t id = 0; id < content_.posts.size(); ++id) write_post(id, *out.add_posts());
    for (std::size_t id = 0; id < content_.conflicts.size(); ++id) write_conflict(id, *out.add_conflicts());
    for (std::size_t id = 0; id < content_.objectives.size(); ++id)
      write_objective(id, *out.add_objectives());
    for (const FactionTrack& track : content_.tracks) write_track(track, *out.add_tracks());
    write_effect(content_.visit_influence, *out.mutable_visit_influence());
    write_vocabulary(out);
  }

 private:
  template <class Thing, class Out>
  void write_names(std::size_t id, const Thing& thing, Out& out) const {
    out.set_id(static_cast<std::uint32_t>(id));
    out.set_key(thing.id);
    if constexpr (requires { thing.name; }) out.set_name(thing.name);
  }

  // Leaves the field absent where nothing is printed.
  template <class Out>
  void write_optional(NodeId node, Out mutable_effect) const {
    if (node != kNoNode) write_effect(node, *mutable_effect());
  }

  void write_card(std::size_t id, Wire::Card& out) const {
    const Card& card = content_.cards[id];
    write_names(id, card, out);
    out.set_deck(to_wire(card.deck));
    out.set_copies(card.copies);
    if (card.cost >= 0) out.set_cost(static_cast<std::uint32_t>(card.cost));
    for_each_word<AgentIcon>(card.icons, [&](std::string word) { out.add_icons(std::move(word)); });
    for_each_word<Faction>(card.factions, [&](std::string word) { out.add_factions(std::move(word)); });
    write_optional(card.acquire, [&] { return out.mutable_acquire(); });
    write_optional(card.agent, [&] { return out.mutable_agent(); });
    out.set_reveal_persuasion(card.reveal_persuasion);
    out.set_reveal_swords(card.reveal_swords);
    write_optional(card.reveal, [&] { return out.mutable_reveal(); });
    for (NodeId passive : card.passives) write_effect(passive, *out.add_passives());
    write_optional(card.intrigue[0], [&] { return out.mutable_plot(); });
    write_optional(card.intrigue[1], [&] { return out.mutable_combat(); });
    write_optional(card.intrigue[2], [&] { return out.mutable_endgame(); });
  }

  static Wire::Deck to_wire(Deck deck) {
    switch (deck) {
      case Deck::starter:
        return Wire::DECK_STARTER;
      case Deck::imperium:
        return Wire::DECK_IMPERIUM;
      case Deck::reserve:
        return Wire::DECK_RESERVE;
      case Deck::intrigue:
        return Wire::DECK_INTRIGUE;
    }
    return Wire::DECK_STARTER;
  }

  void write_leader(std::size_t id, Wire::Leader& out) const {
    const Leader& leader = content_.leaders[id];
    write_names(id, leader, out);
    out.set_house(leader.house);
    out.set_back_side(leader.back_side);
    if (leader.other_side != kNoLeader) out.set_other_side(leader.other_side);
    for (std::size_t i = 0; i < leader.passives.size(); ++i) {
      Wire::NamedEffect& passive = *out.add_passives();
      passive.set_name(leader.passive_names[i]);
      write_effect(leader.passives[i], *passive.mutable_effect());
    }
    out.mutable_signet()->set_name(leader.signet_name);
    write_optional(leader.signet, [&] { return out.mutable_signet()->mutable_effect(); });
    for (const TrackStep& step : leader.track) {
      Wire::Step& to = *out.add_track();
      to.set_key(step.id);
      write_optional(step.reward, [&] { return to.mutable_reward(); });
      for (std::uint8_t next : step.next) to.add_next(next);
    }
    for (CardId card : leader.removed_starters) out.add_removed_cards(card);
    out.set_removal_name(leader.removal_name);
  }

  void write_space(std::size_t id, Wire::Space& out) const {
    const Space& space = content_.spaces[id];
    write_names(id, space, out);
    out.set_area(space.area);
    out.set_icon(std::string(word_for(space.icon)));
    if (space.faction != kNoFaction)
      out.set_faction(std::string(word_for(static_cast<Faction>(space.faction))));
    out.set_combat(space.combat);
    out.set_maker(space.maker);
    out.set_critical(space.critical);
    out.set_once_per_game(space.once_per_game);
    write_optional(space.control_bonus, [&] { return out.mutable_control_bonus(); });
    if (space.requirement.count > 0) write_conditions(space.requirement, *out.mutable_requirement());
    for (const CostOption& cost : space.costs) write_cost(cost, *out.add_costs());
    write_optional(space.effects, [&] { return out.mutable_effects(); });
    for (std::uint32_t post = 0; post < content_.posts.size(); ++post)
      if ((space.posts >> post & 1U) != 0) out.add_posts(post);
  }

  void write_cost(const CostOption& cost, Wire::CostOption& out) const {
    if (cost.conditions.count > 0) write_conditions(cost.conditions, *out.mutable_conditions());
    out.set_solari(cost.pays[static_cast<std::size_t>(Resource::solari)]);
    out.set_spice(cost.pays[static_cast<std::size_t>(Resource::spice)]);
    out.set_water(cost.pays[static_cast<std::size_t>(Resource::water)]);
  }

  void write_post(std::size_t id, Wire::Post& out) const {
    const Post& post = content_.posts[id];
    write_names(id, post, out);
    for (std::uint32_t space = 0; space < content_.spaces.size(); ++space)
      if ((post.spaces >> space & 1U) != 0) out.add_spaces(space);
    for_each_word<AgentIcon>(post.icons, [&](std::string word) { out.add_icons(std::move(word)); });
  }

  void write_conflict(std::size_t id, Wire::Conflict& out) const {
    const Conflict& conflict = content_.conflicts[id];
    write_names(id, conflict, out);
    out.set_level(conflict.level);
    if (conflict.location != kNoSpace) out.set_location(conflict.location);
    out.set_icon(std::string(word_for(conflict.icon)));
    for (NodeId reward : conflict.rewards) write_effect(reward, *out.add_rewards());
  }

  void write_objective(std::size_t id, Wire::Objective& out) const {
    const Objective& objective = content_.objectives[id];
    write_names(id, objective, out);
    out.set_icon(std::string(word_for(objective.icon)));
    for (std::uint32_t players = 1; players <= kMaxSeats; ++players)
      if ((objective.player_counts >> players & 1U) != 0) out.add_players(players);
    out.set_first_player(objective.first_player);
  }

  void write_track(const FactionTrack& track, Wire::Track& out) const {
    write_names(static_cast<std::size_t>(track.faction), track, out);
    write_effect(track.bonus, *out.mutable_bonus());
  }

  // ---- Effects ------------------------------------------------------------------------------------
  void write_effect(NodeId id, Wire::EffectNode& out) const {
    if (id == kNoNode) return;
    const Node& node = content_.node(id);
    out.set_node(id);
    write_operation(node, *out.mutable_operation());
    out.set_cost(node.is_cost);
    out.set_unit(node.unit);
    out.set_amount(node.amount);
    out.set_amount_max(node.amount_max);
    if (node.per != CountOf::none) write_phrase(row(node.per), node.per_qualifiers, true, *out.mutable_per());
    if (node.conditions.count > 0) write_conditions(node.conditions, *out.mutable_conditions());
    if (node.trigger != TriggerOn::none)
      write_phrase(row(node.trigger), node.qualifiers, true, *out.mutable_trigger());
    out.set_duration(std::string(word_for(node.duration)));
    out.set_limit(node.limit);
    out.set_limit_span(std::string(word_for(node.limit_span)));
    for (NodeId child = node.child; child != kNoNode; child = content_.node(child).next)
      write_effect(child, *out.add_children());
  }

  // The qualifiers of a trigger node belong to what it waits for.
  void write_operation(const Node& node, Wire::Phrase& out) const {
    write_phrase(row(node.op), node.op == Op::trigger ? Qualifiers{} : node.qualifiers, false, out);
  }

  void write_conditions(const Conditions& conditions, Wire::Conditions& out) const {
    out.set_any(conditions.any);
    for (std::uint8_t i = 0; i < conditions.count; ++i) {
      const Condition& condition = content_.conditions[std::size_t{conditions.first} + i];
      Wire::Condition& to = *out.add_conditions();
      to.set_negated(condition.negated);
      write_phrase(row(condition.predicate), condition.qualifiers, true, *to.mutable_predicate());
    }
  }

  // `bare_icons`: Agent icons stand in the brackets alone, not behind `icons=`.
  void write_phrase(const WordRow& row, const Qualifiers& qualifiers, bool bare_icons,
                    Wire::Phrase& out) const {
    out.set_word(std::string(row.name));
    auto add = [&](std::string word) { out.add_qualifiers(std::move(word)); };
    for_each_word<Word>(qualifiers.words, add);
    for_each_word<Faction>(qualifiers.factions, add);
    for_each_word<AgentIcon>(qualifiers.icons,
                             [&](const std::string& word) { add((bare_icons ? "" : "icons=") + word); });
    for_each_word<BattleIcon>(qualifiers.battle_icons, add);
    if (qualifiers.discount > 0) add("discount=" + std::to_string(qualifiers.discount));
    write_reference(row, qualifiers.ref, out);
    write_value(row, qualifiers, out);
  }

  static void write_reference(const WordRow& row, std::uint16_t ref, Wire::Phrase& out) {
    if (ref == Qualifiers{}.ref) return;
    if ((row.takes & kTakesSpace) != 0) {
      out.set_space(ref);
    } else {
      out.set_card(ref);
    }
  }

  // The number belongs to a qualifier or stands behind the word; the word's row says which.
  static void write_value(const WordRow& row, const Qualifiers& qualifiers, Wire::Phrase& out) {
    const std::string number = std::to_string(qualifiers.value);
    const std::string sign(word_for(qualifiers.compare));
    if ((row.takes & kTakesCompare) != 0) {
      out.set_compare(sign);
      out.set_value(qualifiers.value);
    } else if ((row.takes & kTakesCost) != 0 && qualifiers.compare != Compare::none) {
      out.add_qualifiers("cost" + sign + number);
    } else if ((row.takes & kTakesOpponents) != 0 && qualifiers.compare != Compare::none) {
      out.add_qualifiers("each_opponent_with" + sign + number);
    } else if ((row.takes & kTakesDifferent) != 0 && qualifiers.value != 0) {
      out.add_qualifiers("diff=" + number);
    }
  }

  const Content& content_;
};

}  // namespace

void write_catalogue(const rules::Content& content, v1::Catalogue& out) {
  out.Clear();
  Writer(content).write(out);
}

}  // namespace landsraad::wire
