#include "rules/engine/triggers.h"

#include <algorithm>

#include "rules/engine/conditions.h"
#include "rules/engine/intrigue.h"

namespace landsraad::rules {

namespace {

template <class Visit>
void for_each_leader_trigger(const Table& table, Seat seat, TriggerOn on, Visit visit) {
  const LeaderId leader = table.player(seat).leader;
  if (leader == kNoLeader) return;
  for (NodeId passive : table.content.leaders[leader].passives)
    if (table.node(passive).op == Op::trigger && table.node(passive).trigger == on)
      visit(table.node(passive), leader_source(leader));
}

bool matches_card(const Qualifiers& q, CardId card) { return q.has(Word::any) || q.ref == card; }

bool matches_space(const Table& table, const Qualifiers& q, SpaceId visited) {
  const Space& space = table.content.spaces[visited];
  return q.ref == visited || (space.faction != kNoFaction && (q.factions >> space.faction & 1U) != 0);
}

// Whether a trigger that has just been put in force has come true before (CLAR, notes of the cards).
bool already_true(const Table& table, const Node& trigger, Seat seat) {
  const Turn& turn = table.state.turn;
  if (turn.seat != seat) return false;
  switch (trigger.trigger) {
    case TriggerOn::units_deployed_this_turn:
      return compares(trigger.qualifiers, turn.units_deployed);
    case TriggerOn::acquire:
      return trigger.qualifiers.has(Word::this_turn) && turn.acquired.contains(trigger.qualifiers.ref);
    default:
      return false;
  }
}

// Lets a waiting effect happen. One without a duration happens once and is over.
void fire(Table& table, std::size_t index) {
  Waiting& waiting = table.state.waiting[index];
  const Node& trigger = table.node(waiting.node);
  if (trigger.limit_span != LimitSpan::none && waiting.used) return;
  waiting.used = true;
  push_unit(table, {trigger.child, waiting.seat, waiting.source});
  if (trigger.duration == Duration::immediate) {
    const Waiting over = table.state.waiting.erase(index);
    put_away(table, over.seat, over.source);
  }
}

// What lasts for the own Reveal turn may lie there before, but works only in it.
bool works_now(const Table& table, const Node& trigger, Seat seat) {
  const Turn& turn = table.state.turn;
  return trigger.duration != Duration::reveal_turn || (turn.seat == seat && turn.kind == TurnKind::reveal);
}

// Waiting effects are fired last to first, so that on the stack the oldest comes out on top.
template <class Matches>
void fire_waiting(Table& table, Seat seat, TriggerOn on, Matches matches) {
  for (std::size_t i = table.state.waiting.size(); i-- > 0;) {
    const Waiting& waiting = table.state.waiting[i];
    const Node& trigger = table.node(waiting.node);
    if (waiting.seat != seat || trigger.trigger != on || !works_now(table, trigger, seat)) continue;
    if (matches(trigger.qualifiers)) fire(table, i);
  }
}

// A limit counts for the place that shows the trigger, however often its effect has been put in force.
bool is_limited_and_in_force(const Table& table, const Effect& effect) {
  if (table.node(effect.node).limit_span == LimitSpan::none) return false;
  return std::any_of(table.state.waiting.begin(), table.state.waiting.end(), [&](const Waiting& waiting) {
    return waiting.node == effect.node && waiting.seat == effect.seat && waiting.source == effect.source;
  });
}

void add_reveal_item(Table& table, const Waiting& waiting, std::size_t menu) {
  add_items(table, menu, {table.node(waiting.node).child, waiting.seat, waiting.source});
}

}  // namespace

void wait_for(Table& table, const Effect& effect) {
  if (is_limited_and_in_force(table, effect)) return;
  State& state = table.state;
  const Waiting waiting{.node = effect.node, .seat = effect.seat, .source = effect.source};
  const Node& trigger = table.node(effect.node);
  state.waiting.push_back(waiting);
  table.tell(change(EventKind::effect_waits, effect, 0));
  const bool in_reveal_turn = state.turn.seat == effect.seat && state.turn.kind == TurnKind::reveal;
  if (trigger.trigger == TriggerOn::reveal_turn && in_reveal_turn)
    add_reveal_item(table, waiting, static_cast<std::size_t>(turn_menu(state)));
  else if (already_true(table, trigger, effect.seat))
    fire(table, state.waiting.size() - 1);
}

void expire(Table& table, Seat seat, std::initializer_list<Duration> durations) {
  for (std::size_t i = table.state.waiting.size(); i-- > 0;) {
    const Waiting& waiting = table.state.waiting[i];
    if (waiting.seat != seat) continue;
    for (Duration duration : durations) {
      if (table.node(waiting.node).duration != duration) continue;
      const Waiting over = table.state.waiting.erase(i);
      table.tell(change(EventKind::effect_expired, {over.node, seat, over.source}, 0));
      put_away(table, seat, over.source);
      break;
    }
  }
}

void drop_waiting_of(Table& table, Source source) {
  for (std::size_t i = table.state.waiting.size(); i-- > 0;) {
    if (table.state.waiting[i].source != source) continue;
    const Waiting over = table.state.waiting.erase(i);
    table.tell(change(EventKind::effect_expired, {over.node, over.seat, source}, 0));
  }
}

void on_acquired(Table& table, Seat seat, CardId card) {
  fire_waiting(table, seat, TriggerOn::acquire, [&](const Qualifiers& q) { return matches_card(q, card); });
}

void on_units_deployed(Table& table, Seat seat) {
  if (table.state.turn.seat != seat) return;
  const int deployed = table.state.turn.units_deployed;
  fire_waiting(table, seat, TriggerOn::units_deployed_this_turn,
               [&](const Qualifiers& q) { return compares(q, deployed); });
}

void on_influence_reached(Table& table, Seat seat, Faction faction, int level) {
  for_each_leader_trigger(table, seat, TriggerOn::reach_influence, [&](const Node& trigger, Source source) {
    const bool track =
        trigger.qualifiers.has(Word::any) || (trigger.qualifiers.factions & faction_bit(faction)) != 0;
    if (track && compares(trigger.qualifiers, level)) push_unit(table, {trigger.child, seat, source});
  });
}

void add_visit_triggers(Table& table, Seat seat, SpaceId space) {
  const int menu = turn_menu(table.state);
  for_each_leader_trigger(table, seat, TriggerOn::visit, [&](const Node& trigger, Source source) {
    if (matches_space(table, trigger.qualifiers, space))
      add_items(table, static_cast<std::size_t>(menu), {trigger.child, seat, source});
  });
}

void on_visit(Table& table, Seat visitor, SpaceId space) {
  add_visit_triggers(table, visitor, space);
  clockwise(table.state, table.state.next_seat(visitor), [&](Seat seat) {
    if (seat == visitor) return;
    for_each_leader_trigger(table, seat, TriggerOn::opponent_visit, [&](const Node& trigger, Source source) {
      const bool spied_maker = trigger.qualifiers.has(Word::spied_maker) &&
                               table.content.spaces[space].maker &&
                               (spied_spaces(table, seat) & space_bit(space)) != 0;
      if (spied_maker || trigger.qualifiers.ref == space) push_unit(table, {trigger.child, seat, source});
    });
  });
}

void on_reveal_turn(Table& table, Seat seat, std::size_t menu) {
  for_each_leader_trigger(table, seat, TriggerOn::reveal_turn, [&](const Node& trigger, Source source) {
    add_items(table, menu, {trigger.child, seat, source});
  });
  for (const Waiting& waiting : table.state.waiting)
    if (waiting.seat == seat && table.node(waiting.node).trigger == TriggerOn::reveal_turn)
      add_reveal_item(table, waiting, menu);
}

void on_card(Table& table, Seat seat, CardCopy copy, TriggerOn on) {
  for (NodeId passive : table.content.card_of(copy).passives)
    if (table.node(passive).op == Op::trigger && table.node(passive).trigger == on)
      push_unit(table, {table.node(passive).child, seat, card_source(copy)});
}

}  // namespace landsraad::rules
