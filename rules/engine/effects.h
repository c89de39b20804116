// How effects are carried out: the interpreter of effect trees. Internal to the engine.
//
// An effect is a node of a compiled tree. Structure nodes are handled in effects.cpp, every other
// operation by its row in operations.cpp. What cannot be finished at once lies as a frame on the stack
// of the state; parts whose order is the player's lie as items of a menu frame.
#pragma once

#include "rules/engine/action.h"
#include "rules/engine/table.h"

namespace landsraad::rules {

// Whether an effect can be carried out now, and whether it must be (EFF-1). For a cost: `none` means
// that it cannot be paid.
enum class Duty : std::uint8_t { none, may, must };

// One row of the table of operations: the words of WordRow and the code.
struct Operation {
  WordRow word;
  // Nothing is gained by delaying it, so it is carried out without asking: a plain gain (ORDER-2).
  bool plain_gain = false;
  // Whether it can be done now with this amount. Null: always a must.
  Duty (*duty)(const Position&, const Effect&, int amount) = nullptr;
  // Does it; or pushes a frame that asks. Costs are paid by the same code: it looks at Node::is_cost.
  void (*run)(Table&, const Effect&, int amount) = nullptr;
  // The rest only for operations that ask: the decision, its legal actions, what an answer does.
  DecisionKind asks = DecisionKind::none;
  void (*list)(const Position&, const Frame&, ActionList&) = nullptr;
  void (*choose)(Table&, Frame&, const Action&) = nullptr;
};
const Operation& operation(Op op);

Duty duty(const Position&, const Effect&);

// Carries an effect out; optional ones are offered first.
void run(Table&, const Effect&);
// Carries out an effect the player has chosen, without offering it again.
void perform(Table&, const Effect&);
// Puts an effect on the stack, so that it is carried out before anything that lies there already.
void push_unit(Table&, const Effect&);
// Puts an operation on the stack that needs `choices` answers.
void push_choices(Table&, const Effect&, int choices);

// ---- Menus -----------------------------------------------------------------------------------------

// Adds the parts of an effect to the menu at this index of the stack, each as an item of its own.
void add_items(Table&, std::size_t menu, const Effect&);
// Lists what can be picked from a menu: one `resolve` action for each part that can be done now.
void list_entries(const Position&, std::size_t menu, ActionList&);
// Whether something in the menu must still be done.
bool has_obligation(const Position&, std::size_t menu);
// The first entry, if every one is a must without a choice; kind none otherwise.
Action next_in_order(const Position&, std::size_t menu);
// Carries out what a `resolve` action has picked.
void resolve_entry(Table&, const Action&);
// Carries out the items that need no decision; true if there were any.
bool run_plain_items(Table&, std::size_t menu);
void drop_items(Table&, std::size_t menu);
// ORDER-9: a card trashed by something else gives nothing more.
void drop_items_of(Table&, Source source);

// The turn frame of the seat whose turn it is, or -1: where effects of the turn are added.
int turn_menu(const State&);

// ---- Waiting effects ---------------------------------------------------------------------------

// Leaves a trigger node behind until it fires or its time is over.
void wait_for(Table&, const Effect&);
// Ends the waiting effects of the seat with these durations; their Intrigue cards are put away.
void expire(Table&, Seat, std::initializer_list<Duration>);
// ORDER-9: the effects a card has left behind end when it is trashed by something else.
void drop_waiting_of(Table&, Source source);

Event change(EventKind kind, const Effect& effect, int amount);

}  // namespace landsraad::rules
