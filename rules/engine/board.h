// Agents on spaces, control, council seats and battle icons. Internal to the engine.
#pragma once

#include "rules/engine/effects.h"

namespace landsraad::rules {

inline constexpr int kAgentsAtStart = 2;      // SETUP-9
inline constexpr int kCouncilPersuasion = 2;  // COUNCIL-2

// Takes an Agent of the seat off a space and back to its leader.
void return_agent(Table&, Seat, SpaceId, Source cause);

// ICON-2: the card just won pairs with a face-up card of the same icon.
void match_battle_icon(Table&, Seat);
// A face-up won card or Objective, as choose_conflict actions name it.
void turn_face_down(Table&, Seat, std::uint16_t id, bool objective);
// Calls visit(id, is_objective, icon) for every face-up card with a battle icon.
template <class Visit>
void for_each_face_up(const Position& at, Seat seat, Visit visit) {
  const Player& player = at.player(seat);
  for (const WonConflict& won : player.won)
    if (!won.face_down) visit(std::uint16_t{won.conflict}, false, at.content.conflicts[won.conflict].icon);
  if (player.objective != 0xff && !player.objective_face_down)
    visit(std::uint16_t{player.objective}, true, at.content.objectives[player.objective].icon);
}

// Rows of operations.cpp.
Duty duty_of_high_council(const Position&, const Effect&, int amount);
void run_high_council(Table&, const Effect&, int amount);
Duty duty_of_swordmaster(const Position&, const Effect&, int amount);
void run_swordmaster(Table&, const Effect&, int amount);
void run_maker_hooks(Table&, const Effect&, int amount);
void run_control(Table&, const Effect&, int amount);
void run_ignore_requirements(Table&, const Effect&, int amount);
Duty duty_of_recall_agent(const Position&, const Effect&, int amount);
void run_recall_agent(Table&, const Effect&, int amount);
void list_recall_agent(const Position&, const Frame&, ActionList&);
void choose_recall_agent(Table&, Frame&, const Action&);
Duty duty_of_flip_icon(const Position&, const Effect&, int amount);
void run_flip_icon(Table&, const Effect&, int amount);
void list_flip_icon(const Position&, const Frame&, ActionList&);
void choose_flip_icon(Table&, Frame&, const Action&);

}  // namespace landsraad::rules
