// Effects that answer to something that happened: of leaders, of cards in play, of Intrigue cards that
// wait face up. Internal to the engine.
#pragma once

#include "rules/engine/effects.h"

namespace landsraad::rules {

// The seat has acquired a card (its kind).
void on_acquired(Table&, Seat, CardId);
// The seat's net deployment of this turn has grown (UNIT-14).
void on_units_deployed(Table&, Seat);
// The seat's Influence has moved up to `level`.
void on_influence_reached(Table&, Seat, Faction, int level);
// The seat has sent an Agent to the space: own triggers join the turn's effects, opponents' happen at once.
void on_visit(Table&, Seat, SpaceId);
// A leader has been turned over in the middle of a visit: its own visit triggers join the turn.
void add_visit_triggers(Table&, Seat, SpaceId);
// The Reveal turn of the seat begins: leader abilities and waiting effects join its menu.
void on_reveal_turn(Table&, Seat, std::size_t menu);
// Passives of a card: discarded from hand, or trashed.
void on_card(Table&, Seat, CardCopy, TriggerOn);

}  // namespace landsraad::rules
