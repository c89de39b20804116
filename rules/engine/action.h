// What a player may be asked, and what a player may answer.
#pragma once

#include <cstdint>

#include "rules/engine/fixed_list.h"
#include "rules/engine/types.h"

namespace landsraad::rules {

// What the engine waits for. Public: everyone may know the kind and the seat (not the legal actions).
enum class DecisionKind : std::uint8_t {
  none,
  pick_leader,          // SETUP-6, draft option
  defensive_bonus,      // START-2
  take_turn,            // choose Agent or Reveal turn (TURN-2), or play a Plot card first
  gather_intelligence,  // SPY-10
  agent_turn,           // the open effects of an Agent turn, in any order (ORDER-2)
  reveal_turn,          // the same for a Reveal turn, with acquiring (REVEAL)
  effects,              // open parts of one unit, card or reward (ORDER-3)
  choose_faction,
  choose_post,
  choose_spy,
  choose_agent,
  choose_card,
  choose_amount,
  choose_step,
  choose_conflict,
  choose_opponent,
  combat_intrigue,  // COMBAT-2
  endgame,          // END-1
  count_
};

enum class ActionKind : std::uint8_t {
  none,
  pick_leader,      // subject = LeaderId
  defend,           // deploy the defensive troop
  send_agent,       // subject = card, target = space, option = cost option (0-based), post = Spy recalled to
                    // Infiltrate, or kNoPost (AGENT, COST-2, SPY-8)
  reveal,           // take the Reveal turn
  play_intrigue,    // subject = card
  resolve,          // subject = node to carry out now, target = index of the open effect in the list
  deploy,           // option = troops garrison -> Conflict (UNIT-7)
  acquire,          // subject = card, option = AcquireFrom
  choose_faction,   // option = Faction
  choose_post,      // post = where the Spy goes
  recall_spy,       // post = the Spy to take back
  recall_agent,     // target = space
  choose_card,      // subject = card, option = Zone (or AcquireFrom for acquire and remove_row)
  choose_amount,    // option = how many
  choose_step,      // option = step of the leader's track
  choose_seat,      // option = seat
  choose_conflict,  // subject = ConflictId; option = 1: ObjectiveId instead
  match_wild,       // subject = the wild ConflictId; target = partner, option as in choose_conflict (ICON-4)
  done,             // end the turn, pass, decline: nothing more here
  count_
};

enum class AcquireFrom : std::uint8_t { row, reserve, set_aside };

// A small value; two actions are the same if all fields are.
struct Action {
  ActionKind kind = ActionKind::none;
  std::uint8_t option = 0;
  std::uint16_t subject = 0;
  std::uint16_t target = 0;
  std::uint8_t post = kNoPost;
  std::uint8_t unused = 0;
  bool operator==(const Action&) const = default;
};
static_assert(sizeof(Action) == 8);

using ActionList = FixedList<Action, kMaxActions, std::uint16_t>;

}  // namespace landsraad::rules
