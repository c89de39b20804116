#include "rules/engine/effects.h"

#include <algorithm>
#include <cassert>

#include "rules/engine/conditions.h"
#include "rules/engine/triggers.h"

namespace landsraad::rules {

namespace {

Effect with_node(const Effect& effect, NodeId node) { return {node, effect.seat, effect.source}; }

// EFF-3 concerns arrows that can come up again in one turn: those of spaces and leaders. Those of cards
// and rewards go with their item.
bool arrow_is_recorded(const Effect& effect) {
  return effect.source.kind == SourceKind::space || effect.source.kind == SourceKind::leader;
}

// A cost of several parts must be payable in full: equal parts are added up (EFF-4).
Duty duty_of_cost(const Position& at, const Effect& effect) {
  const Node& node = at.node(effect.node);
  if (node.op != Op::all) {
    const Operation& row = operation(node.op);
    return row.duty == nullptr ? Duty::must : row.duty(at, effect, amount_of(at, effect));
  }
  for (NodeId part = node.child; part != kNoNode; part = at.node(part).next) {
    int amount = 0;
    for_each_child(at.content, effect.node, [&](NodeId other) {
      const bool equal = at.node(other).op == at.node(part).op &&
                         at.node(other).qualifiers.words == at.node(part).qualifiers.words;
      if (equal) amount += amount_of(at, with_node(effect, other));
    });
    const Operation& row = operation(at.node(part).op);
    if (row.duty != nullptr && row.duty(at, with_node(effect, part), amount) == Duty::none) return Duty::none;
  }
  return Duty::must;
}

Duty duty_of_arrow(const Position& at, const Effect& effect) {
  if (arrow_is_recorded(effect) && at.state.turn.arrows_used.contains(effect.node)) return Duty::none;
  const bool payable = duty_of_cost(at, with_node(effect, at.node(effect.node).child)) != Duty::none;
  return payable ? Duty::may : Duty::none;
}

Duty strongest_child(const Position& at, const Effect& effect) {
  Duty found = Duty::none;
  for_each_child(at.content, effect.node,
                 [&](NodeId child) { found = std::max(found, duty(at, with_node(effect, child))); });
  return found;
}

// An effect for each opponent can be done if one of them can do something.
Duty duty_of_opponents(const Position& at, const Effect& effect) {
  const NodeId part = at.node(effect.node).child;
  for (Seat seat = 0; seat < at.state.options.seats; ++seat)
    if (seat != effect.seat && duty(at, {part, seat, effect.source}) != Duty::none) return Duty::must;
  return Duty::none;
}

// DECK-4: an option that would do nothing cannot be chosen, not even by paying for it.
Duty duty_of_option(const Position& at, const Effect& effect) {
  const Node& node = at.node(effect.node);
  if (node.op == Op::when) {
    const bool holds_now = holds(at, node.conditions, effect.seat, effect.source);
    return holds_now ? duty_of_option(at, with_node(effect, node.child)) : Duty::none;
  }
  if (node.op != Op::arrow) return duty(at, effect);
  const NodeId result = at.node(node.child).next;
  return duty(at, with_node(effect, result)) == Duty::none ? Duty::none : duty(at, effect);
}

Duty strongest_option(const Position& at, const Effect& effect) {
  Duty found = Duty::none;
  for_each_child(at.content, effect.node, [&](NodeId child) {
    found = std::max(found, duty_of_option(at, with_node(effect, child)));
  });
  return found;
}

// Whether a node is carried out without asking: plain gains, payments, and what only leaves a trigger.
bool is_plain(const Position& at, const Effect& effect) {
  const Node& node = at.node(effect.node);
  switch (node.op) {
    case Op::trigger:
      return true;
    case Op::deploy:
      return node.qualifiers.has(Word::recruited_this_turn);  // only a permission
    case Op::when:
      return holds(at, node.conditions, effect.seat, effect.source) &&
             is_plain(at, with_node(effect, node.child));
    case Op::all: {
      bool plain = true;
      for_each_child(at.content, effect.node,
                     [&](NodeId child) { plain = plain && is_plain(at, with_node(effect, child)); });
      return plain;
    }
    case Op::troop:
      // Recruiting early is harmless only while the supply has enough for everything else of the turn.
      return at.player(effect.seat).supply >= 2 * amount_of(at, effect) && node.per == CountOf::none;
    default:
      return node.is_cost ||
             (operation(node.op).plain_gain && node.per == CountOf::none && !node.qualifiers.has(Word::self));
  }
}

void push_menu(Table& table, FrameKind kind, const Effect& effect) {
  table.state.stack.push_back(
      {.kind = kind, .seat = effect.seat, .node = effect.node, .source = effect.source});
}

struct Entry {
  NodeId node = kNoNode;
  Duty duty = Duty::none;
};
using Entries = FixedList<Entry, kMaxEntries>;

// Every part of an item that can be picked now; none is more of a duty than `most`.
void collect_entries(const Position& at, const Effect& effect, Duty most, Entries& out) {
  const Node& node = at.node(effect.node);
  const auto add = [&](NodeId part) {
    const Duty possible = std::min(most, duty(at, with_node(effect, part)));
    if (possible != Duty::none) out.push_back({part, possible});
  };
  switch (node.op) {
    case Op::when:
      if (holds(at, node.conditions, effect.seat, effect.source))
        collect_entries(at, with_node(effect, node.child), most, out);
      return;
    case Op::all:
      if (node.unit) {
        add(effect.node);
        return;
      }
      for_each_child(at.content, effect.node,
                     [&](NodeId child) { collect_entries(at, with_node(effect, child), most, out); });
      return;
    case Op::choice:
      for_each_child(at.content, effect.node, [&](NodeId child) {
        if (duty_of_option(at, with_node(effect, child)) != Duty::none) add(child);
      });
      return;
    case Op::may:
      if (at.node(node.child).op == Op::choice)
        collect_entries(at, with_node(effect, node.child), Duty::may, out);
      else
        add(node.child);
      return;
    default:
      add(effect.node);
  }
}

// Two copies of one card offer the same part once.
bool is_listed(const ActionList& actions, NodeId node) {
  for (const Action& action : actions)
    if (action.kind == ActionKind::resolve && action.subject == node) return true;
  return false;
}

// Finds `wanted` below `at_node`; the other parts of every `all` on the way stay open as items.
bool take_part(Table& table, const Item& item, NodeId at_node, NodeId wanted) {
  if (at_node == wanted) return true;
  const Node& node = table.node(at_node);
  switch (node.op) {
    case Op::when:
    case Op::may:
      return take_part(table, item, node.child, wanted);
    case Op::choice:
      for (NodeId child = node.child; child != kNoNode; child = table.node(child).next)
        if (child == wanted) return true;
      return false;
    case Op::all:
      for (NodeId child = node.child; child != kNoNode; child = table.node(child).next) {
        if (!take_part(table, item, child, wanted)) continue;
        for_each_child(table.content, at_node, [&](NodeId other) {
          if (other == child) return;
          Item rest = item;
          rest.node = other;
          table.state.items.push_back(rest);
        });
        return true;
      }
      return false;
    default:
      return false;
  }
}

void run_arrow(Table& table, const Effect& effect) {
  if (arrow_is_recorded(effect)) table.state.turn.arrows_used.push_back(effect.node);
  table.state.stack.push_back(
      {.kind = FrameKind::arrow, .seat = effect.seat, .node = effect.node, .source = effect.source});
  perform(table, with_node(effect, table.node(effect.node).child));
}

}  // namespace

Duty duty(const Position& at, const Effect& effect) {
  const Node& node = at.node(effect.node);
  if (node.is_cost) return duty_of_cost(at, effect);
  switch (node.op) {
    case Op::all:
      return strongest_child(at, effect);
    case Op::choice:
      return strongest_option(at, effect);
    case Op::then:
      return duty(at, with_node(effect, node.child));
    case Op::arrow:
      return duty_of_arrow(at, effect);
    case Op::when:
      return holds(at, node.conditions, effect.seat, effect.source) ? duty(at, with_node(effect, node.child))
                                                                    : Duty::none;
    case Op::may:
      return std::min(Duty::may, duty(at, with_node(effect, node.child)));
    case Op::each_opponent:
      return duty_of_opponents(at, effect);
    default: {
      const Operation& row = operation(node.op);
      const int amount = amount_of(at, effect);
      if (amount == 0 && node.per != CountOf::none) return Duty::none;  // nothing to count yet (ORDER-6)
      return row.duty == nullptr ? Duty::must : row.duty(at, effect, amount);
    }
  }
}

void run(Table& table, const Effect& effect) {
  if (effect.node == kNoNode) return;
  switch (duty(table, effect)) {
    case Duty::none:
      return;
    case Duty::may:
      push_unit(table, effect);
      return;
    case Duty::must:
      perform(table, effect);
      return;
  }
}

void perform(Table& table, const Effect& effect) {
  const Node& node = table.node(effect.node);
  switch (node.op) {
    case Op::all:
    case Op::choice:
    case Op::may:
      push_menu(table, FrameKind::menu, effect);
      add_items(table, table.state.stack.size() - 1, effect);
      return;
    case Op::then:
      table.state.turn.last_post = kNoPost;  // later parts ask about the Spy of this sentence
      push_menu(table, FrameKind::sequence, effect);
      return;
    case Op::arrow:
      run_arrow(table, effect);
      return;
    case Op::when:
      if (holds(table, node.conditions, effect.seat, effect.source))
        perform(table, with_node(effect, node.child));
      return;
    case Op::trigger:
      wait_for(table, effect);
      return;
    case Op::each_opponent:
      push_menu(table, FrameKind::opponents, effect);
      table.state.stack.back().left = static_cast<std::int16_t>(table.state.options.seats - 1);
      return;
    default:
      operation(node.op).run(table, effect, amount_of(table, effect));
  }
}

void push_unit(Table& table, const Effect& effect) {
  push_menu(table, FrameKind::menu, effect);
  add_items(table, table.state.stack.size() - 1, effect);
}

void push_choices(Table& table, const Effect& effect, int choices) {
  if (choices <= 0) return;
  push_menu(table, FrameKind::operation, effect);
  table.state.stack.back().left = static_cast<std::int16_t>(choices);
}

// ---- Menus -----------------------------------------------------------------------------------------

void add_items(Table& table, std::size_t menu, const Effect& effect) {
  if (effect.node == kNoNode) return;
  const Node& node = table.node(effect.node);
  const bool is_frame_itself = table.state.stack[menu].node == effect.node;
  if (node.op == Op::all && (!node.unit || is_frame_itself)) {
    for_each_child(table.content, effect.node,
                   [&](NodeId child) { add_items(table, menu, with_node(effect, child)); });
    return;
  }
  if (node.op == Op::signet) {  // the parts of the ability stand beside the card's other effects
    const NodeId signet = table.content.leaders[table.player(effect.seat).leader].signet;
    add_items(table, menu, with_node(effect, signet));
    return;
  }
  table.state.items.push_back(
      {.node = effect.node, .menu = static_cast<std::uint8_t>(menu), .source = effect.source});
}

void list_entries(const Position& at, std::size_t menu, ActionList& out) {
  const Seat seat = at.state.stack[menu].seat;
  for (std::size_t i = 0; i < at.state.items.size(); ++i) {
    const Item& item = at.state.items[i];
    if (item.menu != menu) continue;
    Entries entries;
    collect_entries(at, {item.node, seat, item.source}, Duty::must, entries);
    for (const Entry& entry : entries)
      if (!is_listed(out, entry.node))
        out.push_back(
            {.kind = ActionKind::resolve, .subject = entry.node, .target = static_cast<std::uint16_t>(i)});
  }
}

bool has_obligation(const Position& at, std::size_t menu) {
  const Seat seat = at.state.stack[menu].seat;
  for (const Item& item : at.state.items)
    if (item.menu == menu && duty(at, {item.node, seat, item.source}) == Duty::must) return true;
  return false;
}

Action next_in_order(const Position& at, std::size_t menu) {
  const Seat seat = at.state.stack[menu].seat;
  Action first;
  for (std::size_t i = 0; i < at.state.items.size(); ++i) {
    const Item& item = at.state.items[i];
    if (item.menu != menu) continue;
    const Effect effect{item.node, seat, item.source};
    Entries entries;
    collect_entries(at, effect, Duty::must, entries);
    if (entries.empty()) continue;  // impossible now
    if (entries.size() > 1 || duty(at, effect) != Duty::must) return {};
    if (first.kind == ActionKind::none)
      first = {
          .kind = ActionKind::resolve, .subject = entries[0].node, .target = static_cast<std::uint16_t>(i)};
  }
  return first;
}

void resolve_entry(Table& table, const Action& action) {
  const Item item = table.state.items.erase(action.target);
  const Seat seat = table.state.stack[item.menu].seat;
  [[maybe_unused]] const bool found = take_part(table, item, item.node, action.subject);
  assert(found);
  perform(table, {action.subject, seat, item.source});
}

bool run_plain_items(Table& table, std::size_t menu) {
  const Seat seat = table.state.stack[menu].seat;
  for (std::size_t i = 0; i < table.state.items.size(); ++i) {
    const Item item = table.state.items[i];
    const Effect effect{item.node, seat, item.source};
    if (item.menu != menu || !is_plain(table, effect) || duty(table, effect) != Duty::must) continue;
    table.state.items.erase(i);
    perform(table, effect);
    return true;
  }
  return false;
}

void drop_items(Table& table, std::size_t menu) {
  for (std::size_t i = table.state.items.size(); i-- > 0;)
    if (table.state.items[i].menu == menu) table.state.items.erase(i);
}

void drop_items_of(Table& table, Source source) {
  const int menu = turn_menu(table.state);
  if (menu < 0) return;
  for (std::size_t i = table.state.items.size(); i-- > 0;)
    if (table.state.items[i].menu == menu && table.state.items[i].source == source)
      table.state.items.erase(i);
}

int turn_menu(const State& state) {
  for (std::size_t i = 0; i < state.stack.size(); ++i) {
    const FrameKind kind = state.stack[i].kind;
    if (kind == FrameKind::agent_turn || kind == FrameKind::reveal_turn) return static_cast<int>(i);
  }
  return -1;
}

Event change(EventKind kind, const Effect& effect, int amount) {
  return {
      .kind = kind, .seat = effect.seat, .amount = static_cast<std::int16_t>(amount), .cause = effect.source};
}

}  // namespace landsraad::rules
