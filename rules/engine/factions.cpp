#include "rules/engine/factions.h"

#include <algorithm>

#include "rules/engine/conditions.h"
#include "rules/engine/frames.h"
#include "rules/engine/resources.h"
#include "rules/engine/rulings.h"
#include "rules/engine/triggers.h"

namespace landsraad::rules {

namespace {

constexpr FactionMask bit(std::size_t f) { return static_cast<FactionMask>(1U << f); }

std::int8_t& influence_of(Table& table, Seat seat, Faction faction) {
  return table.player(seat).influence[static_cast<std::size_t>(faction)];
}

Source track_source(Faction faction) {
  return {SourceKind::faction_track, 0, static_cast<std::uint16_t>(faction)};
}

Event faction_event(EventKind kind, const Effect& effect, Faction faction, int amount) {
  Event event = change(kind, effect, amount);
  event.detail = static_cast<std::uint8_t>(faction);
  return event;
}

void take_alliance(Table& table, Seat taker, Faction faction) {
  Seat& holder = table.state.board.alliance[static_cast<std::size_t>(faction)];
  const Effect loses{kNoNode, holder, track_source(faction)};
  const Effect gains{kNoNode, taker, track_source(faction)};
  if (holder != kNoSeat) change_victory_points(table, loses, -1);
  holder = taker;
  table.tell(faction_event(EventKind::alliance_taken, gains, faction, 1));
  change_victory_points(table, gains, 1);
}

// ALLY-1, ALLY-2
void check_alliance_after_gain(Table& table, Seat seat, Faction faction) {
  const Seat holder = table.state.board.alliance[static_cast<std::size_t>(faction)];
  const int level = influence_of(table, seat, faction);
  if (holder == seat || level < kInfluenceForBonus) return;
  if (holder == kNoSeat || level > influence_of(table, holder, faction)) take_alliance(table, seat, faction);
}

// Those who stand above the former holder and may hold the token (ALLY-3).
SeatMask heirs(const Position& at, Seat holder, std::size_t faction) {
  int highest = std::max<int>(at.player(holder).influence[faction], kInfluenceForBonus - 1);
  SeatMask mask = 0;
  for (Seat seat = 0; seat < at.state.options.seats; ++seat) {
    if (seat == holder || at.player(seat).influence[faction] <= highest) continue;
    mask = static_cast<SeatMask>(mask | seat_bit(seat));
  }
  return mask;
}

// ALLY-3, ALLY-4
void check_alliance_after_loss(Table& table, const Effect& effect, Faction faction) {
  Seat& holder = table.state.board.alliance[static_cast<std::size_t>(faction)];
  if (holder != effect.seat) return;
  const SeatMask candidates = heirs(table, holder, static_cast<std::size_t>(faction));
  if (__builtin_popcount(candidates) > 1) {
    table.state.stack.push_back({.kind = FrameKind::alliance_passes,
                                 .seat = holder,
                                 .left = static_cast<std::int16_t>(faction),
                                 .source = track_source(faction)});
  } else if (candidates != 0) {
    take_alliance(table, static_cast<Seat>(__builtin_ctz(candidates)), faction);
  } else if (influence_of(table, holder, faction) < kInfluenceForBonus) {
    const Effect returns{kNoNode, holder, track_source(faction)};
    holder = kNoSeat;
    table.tell(faction_event(EventKind::alliance_returned, returns, faction, 1));
    change_victory_points(table, returns, -1);
  }
}

void step_up(Table& table, const Effect& effect, Faction faction) {
  std::int8_t& level = influence_of(table, effect.seat, faction);
  ++level;
  table.tell(faction_event(EventKind::influence, effect, faction, 1));
  const Effect track{kNoNode, effect.seat, track_source(faction)};
  if (level == kInfluenceForPoint) change_victory_points(table, track, 1);
  check_alliance_after_gain(table, effect.seat, faction);
  on_influence_reached(table, effect.seat, faction, level);
  if (level != kInfluenceForBonus) return;
  for (const FactionTrack& printed : table.content.tracks)
    if (printed.faction == faction)
      push_unit(table, {printed.bonus, effect.seat, track.source});  // FACT-6, ORDER-10
}

FactionMask all_factions(const Position& at) {
  FactionMask mask = 0;
  for (const FactionTrack& track : at.content.tracks)
    mask = static_cast<FactionMask>(mask | faction_bit(track.faction));
  return mask;
}

FactionMask named_factions(const Position& at, const Qualifiers& q) {
  return q.has(Word::any) ? all_factions(at) : q.factions;
}

FactionMask below_top(const Position& at, Seat seat, FactionMask among) {
  FactionMask mask = 0;
  for (std::size_t f = 0; f < kMaxFactions; ++f)
    if ((among & bit(f)) != 0 && at.player(seat).influence[f] < kMaxInfluence)
      mask = static_cast<FactionMask>(mask | bit(f));
  return mask;
}

FactionMask spied_factions(const Position& at, Seat seat) {
  const SpaceMask spied = spied_spaces(at, seat);
  FactionMask mask = 0;
  for (std::size_t space = 0; space < at.content.spaces.size(); ++space) {
    const std::uint8_t faction = at.content.spaces[space].faction;
    if ((spied >> space & 1U) != 0 && faction != kNoFaction)
      mask = static_cast<FactionMask>(mask | bit(faction));
  }
  return mask;
}

int total_influence(const Position& at, Seat seat, FactionMask among) {
  int sum = 0;
  for (std::size_t f = 0; f < kMaxFactions; ++f)
    if ((among & bit(f)) != 0) sum += at.player(seat).influence[f];
  return sum;
}

// How many different factions are chosen: `diff=k`, else one.
int factions_to_choose(const Node& node) { return std::max<int>(1, node.qualifiers.value); }

// "Two instead of one" are gained together: what the visit gives waits while more is open.
bool larger_visit_is_open(const Position& at, int amount) {
  for (const Item& item : at.state.items) {
    const Node& node = at.node(item.node);
    if (node.op == Op::influence_visit && node.amount > amount) return true;
  }
  return false;
}

}  // namespace

void gain_influence(Table& table, const Effect& effect, Faction faction, int amount) {
  for (int n = 0; n < amount && influence_of(table, effect.seat, faction) < kMaxInfluence; ++n)
    step_up(table, effect, faction);  // FACT-4
}

void lose_influence(Table& table, const Effect& effect, Faction faction) {
  std::int8_t& level = influence_of(table, effect.seat, faction);
  if (level == 0) return;
  --level;
  table.tell(faction_event(EventKind::influence, effect, faction, -1));
  if (level == kInfluenceForPoint - 1)
    change_victory_points(table, {kNoNode, effect.seat, track_source(faction)}, -1);
  check_alliance_after_loss(table, effect, faction);
}

void list_alliance_heirs(const Position& at, ActionList& out) {
  const Frame& frame = top(at);
  const SeatMask candidates = heirs(at, frame.seat, static_cast<std::size_t>(frame.left));
  for (Seat seat = 0; seat < at.state.options.seats; ++seat)
    if ((candidates & seat_bit(seat)) != 0) out.push_back({.kind = ActionKind::choose_seat, .option = seat});
}

void choose_alliance_heir(Table& table, const Action& action) {
  const auto faction = static_cast<Faction>(top(table).left);
  pop(table);
  take_alliance(table, action.option, faction);
}

// ---- Operations ------------------------------------------------------------------------------------

// FACT-11: lost only if no allowed faction is below the top.
Duty duty_of_influence(const Position& at, const Effect& effect, int) {
  const Qualifiers& q = at.node(effect.node).qualifiers;
  const FactionMask among = q.has(Word::each_spied) ? spied_factions(at, effect.seat) : named_factions(at, q);
  return below_top(at, effect.seat, among) != 0 ? Duty::must : Duty::none;
}

void run_influence(Table& table, const Effect& effect, int amount) {
  const Node& node = table.node(effect.node);
  if (!node.qualifiers.has(Word::each_spied)) {
    push_choices(table, effect, factions_to_choose(node));
    return;
  }
  const FactionMask among = spied_factions(table, effect.seat);  // what the gains add does not count
  for (std::size_t f = 0; f < kMaxFactions; ++f)
    if ((among & bit(f)) != 0) gain_influence(table, effect, static_cast<Faction>(f), amount);
}

// frame.used holds the factions chosen so far.
void list_influence(const Position& at, const Frame& frame, ActionList& out) {
  const FactionMask among = below_top(at, frame.seat, named_factions(at, at.node(frame.node).qualifiers));
  for (std::size_t f = 0; f < kMaxFactions; ++f)
    if ((among & ~frame.used & bit(f)) != 0)
      out.push_back({.kind = ActionKind::choose_faction, .option = static_cast<std::uint8_t>(f)});
}

// ORDER-7: all factions are chosen before the first gain.
void choose_influence(Table& table, Frame& frame, const Action& action) {
  const Effect effect{frame.node, frame.seat, frame.source};
  frame.used = static_cast<std::uint8_t>(frame.used | bit(action.option));
  --frame.left;
  const FactionMask open =
      below_top(table, effect.seat, named_factions(table, table.node(effect.node).qualifiers));
  if (frame.left > 0 && (open & ~frame.used) != 0) return;
  const FactionMask chosen = frame.used;
  frame.left = 0;
  for (std::size_t f = 0; f < kMaxFactions; ++f)
    if ((chosen & bit(f)) != 0)
      gain_influence(table, effect, static_cast<Faction>(f), amount_of(table, effect));
}

Duty duty_of_influence_visit(const Position& at, const Effect& effect, int amount) {
  const Turn& turn = at.state.turn;
  if (turn.seat != effect.seat || turn.space == kNoSpace) return Duty::none;
  if (larger_visit_is_open(at, amount)) return Duty::none;
  const std::uint8_t faction = at.content.spaces[turn.space].faction;
  const bool gains = faction != kNoFaction && amount > turn.visit_influence;
  return gains && at.player(effect.seat).influence[faction] < kMaxInfluence ? Duty::must : Duty::none;
}

// FACT-3; "two instead of one" never adds up with what the visit has given already.
void run_influence_visit(Table& table, const Effect& effect, int amount) {
  Turn& turn = table.state.turn;
  const std::uint8_t faction = table.content.spaces[turn.space].faction;
  const int gain = amount - turn.visit_influence;
  if (faction == kNoFaction || gain <= 0) return;
  turn.visit_influence = static_cast<std::uint8_t>(amount);
  gain_influence(table, effect, static_cast<Faction>(faction), gain);
}

Duty duty_of_lose_influence(const Position& at, const Effect& effect, int amount) {
  const FactionMask among = named_factions(at, at.node(effect.node).qualifiers);
  const int needed = at.node(effect.node).is_cost ? amount : 1;  // FACT-9
  return total_influence(at, effect.seat, among) >= needed ? Duty::must : Duty::none;
}

void run_lose_influence(Table& table, const Effect& effect, int amount) {
  push_choices(table, effect, amount);
}

void list_lose_influence(const Position& at, const Frame& frame, ActionList& out) {
  const FactionMask among = named_factions(at, at.node(frame.node).qualifiers);
  for (std::size_t f = 0; f < kMaxFactions; ++f)
    if ((among & bit(f)) != 0 && at.player(frame.seat).influence[f] > 0)
      out.push_back({.kind = ActionKind::choose_faction, .option = static_cast<std::uint8_t>(f)});
}

void choose_lose_influence(Table& table, Frame& frame, const Action& action) {
  const Effect effect{frame.node, frame.seat, frame.source};
  --frame.left;
  lose_influence(table, effect, static_cast<Faction>(action.option));
}

}  // namespace landsraad::rules
