// What the engine's functions pass around: the position to ask about, the table to change.
// Internal to the engine.
#pragma once

#include "rules/engine/content.h"
#include "rules/engine/event.h"
#include "rules/engine/state.h"

namespace landsraad::rules {

// A game to ask questions about.
struct Position {
  const Content& content;
  const State& state;

  const Node& node(NodeId id) const { return content.nodes[id]; }
  const Player& player(Seat seat) const { return state.players[seat]; }
};

// A game to change, and who is told.
struct Table {
  const Content& content;
  State& state;
  EventSink* sink = nullptr;

  operator Position() const { return {content, state}; }  // NOLINT: every table is a position
  const Node& node(NodeId id) const { return content.nodes[id]; }
  Player& player(Seat seat) const { return state.players[seat]; }
  void tell(const Event& event) const {
    if (sink != nullptr) sink->on(event);
  }
};

// An effect to be carried out: what, by whom, and where it is printed.
struct Effect {
  NodeId node = kNoNode;
  Seat seat = kNoSeat;
  Source source;
};

inline Source card_source(CardCopy copy) { return {SourceKind::card, 0, copy}; }
inline Source intrigue_source(CardCopy copy) { return {SourceKind::intrigue, 0, copy}; }
inline Source space_source(SpaceId space) { return {SourceKind::space, 0, space}; }
inline Source leader_source(LeaderId leader) { return {SourceKind::leader, 0, leader}; }

// Seats clockwise from `from`, `from` included.
template <class Visit>
void clockwise(const State& state, Seat from, Visit visit) {
  for (Seat n = 0; n < state.options.seats; ++n) visit(static_cast<Seat>((from + n) % state.options.seats));
}

// Children of a node, in printed order.
template <class Visit>
void for_each_child(const Content& content, NodeId parent, Visit visit) {
  for (NodeId child = content.nodes[parent].child; child != kNoNode; child = content.nodes[child].next)
    visit(child);
}

}  // namespace landsraad::rules
