// What happened, in words a log or an animation can use. Every change names its cause.
#pragma once

#include <cstdint>

#include "rules/engine/types.h"

namespace landsraad::rules {

// With what each means for the event's other fields.
// clang-format off
enum class EventKind : std::uint8_t {
  none,
  game_began, round_began, phase_began, game_over,  // amount = round / Phase / -
  first_player, objective_dealt, leader_picked,     // subject = ObjectiveId / LeaderId
  conflict_revealed, conflict_won, conflict_unclaimed,  // subject = ConflictId
  reward,                                           // subject = ConflictId, amount = rank 1..3
  battle_icons_matched,                             // subject = ConflictId, detail = partner kind
  turn_began, turn_ended, passed,
  agent_sent,                                       // subject = card, detail = space
  agent_recalled,                                   // detail = space
  revealed,                                         // amount = cards
  card_drawn,                                       // subject = card (owner only), amount 1
  card_discarded, card_trashed, card_to_hand,       // subject = card
  deck_shuffled,
  card_acquired,                                    // subject = card, detail = AcquireFrom
  row_refilled, row_card_removed,                   // subject = card
  intrigue_drawn,                                   // subject = card (owner only)
  intrigue_stolen,                                  // seat = thief, other = victim, subject = card (both only)
  intrigue_played, intrigue_trashed, intrigue_discarded,  // subject = card
  resource,                                         // detail = Resource, amount +/-
  persuasion, swords, victory_points,               // amount +/-
  influence,                                        // detail = Faction, amount +/-
  alliance_taken, alliance_returned,                // detail = Faction
  troops_recruited, troops_deployed, troops_retreated, troops_lost, sandworms_summoned,  // amount
  spy_placed, spy_recalled,                         // detail = post
  bonus_spice,                                      // detail = space, amount +/-
  control_taken,                                    // detail = space
  shield_wall_removed, high_council_seat, swordmaster_taken, maker_hooks_taken,
  leader_flipped, leader_track, memories,           // subject = LeaderId / detail = step / amount +/-
  effect_waits, effect_expired,
  count_
};
// clang-format on

struct Event {
  EventKind kind = EventKind::none;
  Seat seat = kNoSeat;  // whose change; kNoSeat = the table's
  Seat other = kNoSeat;
  std::uint8_t detail = 0;
  std::uint16_t subject = 0xffff;  // an id, see the kind; for cards a CardId
  std::int16_t amount = 0;
  Source cause;
  SeatMask subject_known_to = 0xff;  // seats that may learn `subject`; 0xff = everybody
};

// Receives events in the order in which they happen, while an action is applied.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void on(const Event& event) = 0;
};

}  // namespace landsraad::rules
