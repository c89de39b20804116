#include "rules/wire/words.h"

#include <cassert>

namespace landsraad::wire {

// One line for each word; the compiler reports a word that is missing.
// clang-format off

v1::Phase to_wire(rules::Phase word) {
  using enum rules::Phase;
  switch (word) {
    case setup: return v1::PHASE_SETUP;
    case round_start: return v1::PHASE_ROUND_START;
    case turns: return v1::PHASE_TURNS;
    case combat: return v1::PHASE_COMBAT;
    case makers: return v1::PHASE_MAKERS;
    case recall: return v1::PHASE_RECALL;
    case endgame: return v1::PHASE_ENDGAME;
    case over: return v1::PHASE_OVER;
  }
  assert(false);
  return v1::PHASE_SETUP;
}

v1::TurnKind to_wire(rules::TurnKind word) {
  using enum rules::TurnKind;
  switch (word) {
    case none: return v1::TURN_KIND_NONE;
    case undecided: return v1::TURN_KIND_UNDECIDED;
    case agent: return v1::TURN_KIND_AGENT;
    case reveal: return v1::TURN_KIND_REVEAL;
  }
  assert(false);
  return v1::TURN_KIND_NONE;
}

v1::ActionKind to_wire(rules::ActionKind word) {
  using enum rules::ActionKind;
  switch (word) {
    case none: return v1::ACTION_KIND_NONE;
    case pick_leader: return v1::ACTION_KIND_PICK_LEADER;
    case defend: return v1::ACTION_KIND_DEFEND;
    case send_agent: return v1::ACTION_KIND_SEND_AGENT;
    case reveal: return v1::ACTION_KIND_REVEAL;
    case play_intrigue: return v1::ACTION_KIND_PLAY_INTRIGUE;
    case resolve: return v1::ACTION_KIND_RESOLVE;
    case deploy: return v1::ACTION_KIND_DEPLOY;
    case acquire: return v1::ACTION_KIND_ACQUIRE;
    case choose_faction: return v1::ACTION_KIND_CHOOSE_FACTION;
    case choose_post: return v1::ACTION_KIND_CHOOSE_POST;
    case recall_spy: return v1::ACTION_KIND_RECALL_SPY;
    case recall_agent: return v1::ACTION_KIND_RECALL_AGENT;
    case choose_card: return v1::ACTION_KIND_CHOOSE_CARD;
    case choose_amount: return v1::ACTION_KIND_CHOOSE_AMOUNT;
    case choose_step: return v1::ACTION_KIND_CHOOSE_STEP;
    case choose_seat: return v1::ACTION_KIND_CHOOSE_SEAT;
    case choose_conflict: return v1::ACTION_KIND_CHOOSE_CONFLICT;
    case match_wild: return v1::ACTION_KIND_MATCH_WILD;
    case done: return v1::ACTION_KIND_DONE;
    case count_: break;
  }
  assert(false);
  return v1::ACTION_KIND_NONE;
}

v1::DecisionKind to_wire(rules::DecisionKind word) {
  using enum rules::DecisionKind;
  switch (word) {
    case none: return v1::DECISION_KIND_NONE;
    case pick_leader: return v1::DECISION_KIND_PICK_LEADER;
    case defensive_bonus: return v1::DECISION_KIND_DEFENSIVE_BONUS;
    case take_turn: return v1::DECISION_KIND_TAKE_TURN;
    case gather_intelligence: return v1::DECISION_KIND_GATHER_INTELLIGENCE;
    case agent_turn: return v1::DECISION_KIND_AGENT_TURN;
    case reveal_turn: return v1::DECISION_KIND_REVEAL_TURN;
    case effects: return v1::DECISION_KIND_EFFECTS;
    case choose_faction: return v1::DECISION_KIND_CHOOSE_FACTION;
    case choose_post: return v1::DECISION_KIND_CHOOSE_POST;
    case choose_spy: return v1::DECISION_KIND_CHOOSE_SPY;
    case choose_agent: return v1::DECISION_KIND_CHOOSE_AGENT;
    case choose_card: return v1::DECISION_KIND_CHOOSE_CARD;
    case choose_amount: return v1::DECISION_KIND_CHOOSE_AMOUNT;
    case choose_step: return v1::DECISION_KIND_CHOOSE_STEP;
    case choose_conflict: return v1::DECISION_KIND_CHOOSE_CONFLICT;
    case choose_opponent: return v1::DECISION_KIND_CHOOSE_OPPONENT;
    case combat_intrigue: return v1::DECISION_KIND_COMBAT_INTRIGUE;
    case endgame: return v1::DECISION_KIND_ENDGAME;
    case count_: break;
  }
  assert(false);
  return v1::DECISION_KIND_NONE;
}

v1::EventKind to_wire(rules::EventKind word) {
  using enum rules::EventKind;
  switch (word) {
    case none: return v1::EVENT_KIND_NONE;
    case game_began: return v1::EVENT_KIND_GAME_BEGAN;
    case round_began: return v1::EVENT_KIND_ROUND_BEGAN;
    case phase_began: return v1::EVENT_KIND_PHASE_BEGAN;
    case game_over: return v1::EVENT_KIND_GAME_OVER;
    case first_player: return v1::EVENT_KIND_FIRST_PLAYER;
    case objective_dealt: return v1::EVENT_KIND_OBJECTIVE_DEALT;
    case leader_picked: return v1::EVENT_KIND_LEADER_PICKED;
    case conflict_revealed: return v1::EVENT_KIND_CONFLICT_REVEALED;
    case conflict_won: return v1::EVENT_KIND_CONFLICT_WON;
    case conflict_unclaimed: return v1::EVENT_KIND_CONFLICT_UNCLAIMED;
    case reward: return v1::EVENT_KIND_REWARD;
    case battle_icons_matched: return v1::EVENT_KIND_BATTLE_ICONS_MATCHED;
    case turn_began: return v1::EVENT_KIND_TURN_BEGAN;
    case turn_ended: return v1::EVENT_KIND_TURN_ENDED;
    case passed: return v1::EVENT_KIND_PASSED;
    case agent_sent: return v1::EVENT_KIND_AGENT_SENT;
    case agent_recalled: return v1::EVENT_KIND_AGENT_RECALLED;
    case revealed: return v1::EVENT_KIND_REVEALED;
    case card_drawn: return v1::EVENT_KIND_CARD_DRAWN;
    case card_discarded: return v1::EVENT_KIND_CARD_DISCARDED;
    case card_trashed: return v1::EVENT_KIND_CARD_TRASHED;
    case card_to_hand: return v1::EVENT_KIND_CARD_TO_HAND;
    case deck_shuffled: return v1::EVENT_KIND_DECK_SHUFFLED;
    case card_acquired: return v1::EVENT_KIND_CARD_ACQUIRED;
    case row_refilled: return v1::EVENT_KIND_ROW_REFILLED;
    case row_card_removed: return v1::EVENT_KIND_ROW_CARD_REMOVED;
    case intrigue_drawn: return v1::EVENT_KIND_INTRIGUE_DRAWN;
    case intrigue_stolen: return v1::EVENT_KIND_INTRIGUE_STOLEN;
    case intrigue_played: return v1::EVENT_KIND_INTRIGUE_PLAYED;
    case intrigue_trashed: return v1::EVENT_KIND_INTRIGUE_TRASHED;
    case intrigue_discarded: return v1::EVENT_KIND_INTRIGUE_DISCARDED;
    case resource: return v1::EVENT_KIND_RESOURCE;
    case persuasion: return v1::EVENT_KIND_PERSUASION;
    case swords: return v1::EVENT_KIND_SWORDS;
    case victory_points: return v1::EVENT_KIND_VICTORY_POINTS;
    case influence: return v1::EVENT_KIND_INFLUENCE;
    case alliance_taken: return v1::EVENT_KIND_ALLIANCE_TAKEN;
    case alliance_returned: return v1::EVENT_KIND_ALLIANCE_RETURNED;
    case troops_recruited: return v1::EVENT_KIND_TROOPS_RECRUITED;
    case troops_deployed: return v1::EVENT_KIND_TROOPS_DEPLOYED;
    case troops_retreated: return v1::EVENT_KIND_TROOPS_RETREATED;
    case troops_lost: return v1::EVENT_KIND_TROOPS_LOST;
    case sandworms_summoned: return v1::EVENT_KIND_SANDWORMS_SUMMONED;
    case spy_placed: return v1::EVENT_KIND_SPY_PLACED;
    case spy_recalled: return v1::EVENT_KIND_SPY_RECALLED;
    case bonus_spice: return v1::EVENT_KIND_BONUS_SPICE;
    case control_taken: return v1::EVENT_KIND_CONTROL_TAKEN;
    case shield_wall_removed: return v1::EVENT_KIND_SHIELD_WALL_REMOVED;
    case high_council_seat: return v1::EVENT_KIND_HIGH_COUNCIL_SEAT;
    case swordmaster_taken: return v1::EVENT_KIND_SWORDMASTER_TAKEN;
    case maker_hooks_taken: return v1::EVENT_KIND_MAKER_HOOKS_TAKEN;
    case leader_flipped: return v1::EVENT_KIND_LEADER_FLIPPED;
    case leader_track: return v1::EVENT_KIND_LEADER_TRACK;
    case memories: return v1::EVENT_KIND_MEMORIES;
    case effect_waits: return v1::EVENT_KIND_EFFECT_WAITS;
    case effect_expired: return v1::EVENT_KIND_EFFECT_EXPIRED;
    case count_: break;
  }
  assert(false);
  return v1::EVENT_KIND_NONE;
}

v1::SourceKind to_wire(rules::SourceKind word) {
  using enum rules::SourceKind;
  switch (word) {
    case rule: return v1::SOURCE_KIND_RULE;
    case card: return v1::SOURCE_KIND_CARD;
    case intrigue: return v1::SOURCE_KIND_INTRIGUE;
    case space: return v1::SOURCE_KIND_SPACE;
    case leader: return v1::SOURCE_KIND_LEADER;
    case conflict: return v1::SOURCE_KIND_CONFLICT;
    case faction_track: return v1::SOURCE_KIND_FACTION_TRACK;
    case control: return v1::SOURCE_KIND_CONTROL;
    case high_council: return v1::SOURCE_KIND_HIGH_COUNCIL;
    case objective: return v1::SOURCE_KIND_OBJECTIVE;
  }
  assert(false);
  return v1::SOURCE_KIND_RULE;
}

// clang-format on

WireSource to_wire(const rules::Content& content, rules::Source source) {
  const v1::SourceKind kind = to_wire(source.kind);
  const bool is_card = source.kind == rules::SourceKind::card || source.kind == rules::SourceKind::intrigue;
  if (!is_card) return {kind, source.id};
  return {kind, source.id == rules::kNoCopy ? 0U : content.card_id(source.id)};
}

}  // namespace landsraad::wire
