#include "rules/engine/resources.h"

#include "rules/engine/rulings.h"

namespace landsraad::rules {

namespace {

Duty payable(const Position& at, const Effect& effect, Resource resource, int amount) {
  if (!at.node(effect.node).is_cost) return Duty::must;
  return at.player(effect.seat)[resource] >= amount ? Duty::must : Duty::none;
}

void gain_or_pay(Table& table, const Effect& effect, Resource resource, int amount) {
  change_resource(table, effect, resource, table.node(effect.node).is_cost ? -amount : amount);
}

}  // namespace

void change_resource(Table& table, const Effect& effect, Resource resource, int amount) {
  if (amount == 0) return;
  std::int16_t& owned = table.player(effect.seat)[resource];
  owned = static_cast<std::int16_t>(owned + amount);
  Turn& turn = table.state.turn;
  if (resource == Resource::spice && amount > 0 && turn.seat == effect.seat)
    turn.spice_gained = static_cast<std::uint8_t>(turn.spice_gained + amount);
  Event event = change(EventKind::resource, effect, amount);
  event.detail = static_cast<std::uint8_t>(resource);
  table.tell(event);
}

void change_victory_points(Table& table, const Effect& effect, int amount) {
  Player& player = table.player(effect.seat);
  player.victory_points = static_cast<std::int16_t>(player.victory_points + amount);
  table.tell(change(EventKind::victory_points, effect, amount));
}

void gain_persuasion(Table& table, const Effect& effect, int amount) {
  if (amount == 0) return;
  Player& player = table.player(effect.seat);
  player.persuasion = static_cast<std::int16_t>(player.persuasion + amount);
  table.tell(change(EventKind::persuasion, effect, amount));
}

void gain_swords(Table& table, const Effect& effect, int amount) {
  if (amount == 0) return;
  Player& player = table.player(effect.seat);
  player.swords = static_cast<std::int16_t>(player.swords + amount);  // REVEAL-8: remembered without units
  if (effect.source.kind == SourceKind::card)
    for (CardSlot* slot = player.cards.begin(Zone::play); slot != player.cards.end(Zone::play); ++slot)
      if (slot->copy == effect.source.id) slot->sword = 1;
  table.tell(change(EventKind::swords, effect, amount));
}

Duty duty_of_solari(const Position& at, const Effect& effect, int amount) {
  return payable(at, effect, Resource::solari, amount);
}
Duty duty_of_spice(const Position& at, const Effect& effect, int amount) {
  return payable(at, effect, Resource::spice, amount);
}
Duty duty_of_water(const Position& at, const Effect& effect, int amount) {
  return payable(at, effect, Resource::water, amount);
}

void run_none(Table&, const Effect&, int) {}
void run_solari(Table& table, const Effect& effect, int amount) {
  gain_or_pay(table, effect, Resource::solari, amount);
}
void run_spice(Table& table, const Effect& effect, int amount) {
  gain_or_pay(table, effect, Resource::spice, amount);
}
void run_water(Table& table, const Effect& effect, int amount) {
  gain_or_pay(table, effect, Resource::water, amount);
}

// CHOAM-2: without the module every contract icon gives Solari.
void run_contract(Table& table, const Effect& effect, int amount) {
  change_resource(table, effect, Resource::solari, kSolariPerContractIcon * amount);
}

Duty duty_of_bonus_spice(const Position& at, const Effect& effect, int) {
  const Turn& turn = at.state.turn;
  return turn.seat == effect.seat && turn.space != kNoSpace ? Duty::must : Duty::none;
}

// MAKER-2
void run_take_bonus_spice(Table& table, const Effect& effect, int) {
  const SpaceId space = table.state.turn.space;
  std::uint8_t& lying = table.state.board.bonus_spice[space];
  if (lying == 0) return;
  Event event = change(EventKind::bonus_spice, effect, -lying);
  event.detail = space;
  table.tell(event);
  change_resource(table, effect, Resource::spice, lying);
  lying = 0;
}

}  // namespace landsraad::rules
