#include "tools/scenario/fields.h"

#include <algorithm>
#include <array>

#include "tools/scenario/text.h"

namespace landsraad::scenario {

using namespace rules;

namespace {

// ---- Reading ---------------------------------------------------------------------------------------

Value plain(int n) { return {n, {}}; }
Value single(std::uint16_t id, bool there, std::uint8_t marks = kNoMark) {
  return there ? Value{0, {{id, marks, 0}}} : Value{};
}

template <auto Member>
Value of_player(const Lexicon&, const State& state, Seat seat) {
  return plain(static_cast<int>(state.player(seat).*Member));
}

template <Resource R>
Value resource(const Lexicon&, const State& state, Seat seat) {
  return plain(state.player(seat)[R]);
}

template <Faction F>
Value influence(const Lexicon&, const State& state, Seat seat) {
  return plain(state.player(seat).influence[static_cast<std::size_t>(F)]);
}

template <Zone Z>
Value own_cards(const Lexicon& lexicon, const State& state, Seat seat) {
  Value value;
  const OwnedCards& cards = state.player(seat).cards;
  for (const CardSlot* slot = cards.begin(Z); slot != cards.end(Z); ++slot) {
    std::uint8_t marks = kNoMark;
    if (Z == Zone::hand && slot->known != 0) marks |= kKnown;
    if (Z == Zone::play && slot->revealed != 0) marks |= kRevealed;
    if (Z == Zone::play && slot->sword != 0) marks |= kSword;
    value.entries.push_back({lexicon.content.card_id(slot->copy), marks, 0});
  }
  if (Z == Zone::deck) std::reverse(value.entries.begin(), value.entries.end());
  return value;
}

template <class Copies>
Value kinds_of(const Lexicon& lexicon, const Copies& copies, bool reversed = false) {
  Value value;
  for (CardCopy copy : copies) value.entries.push_back({lexicon.content.card_id(copy), kNoMark, 0});
  if (reversed) std::reverse(value.entries.begin(), value.entries.end());
  return value;
}

template <auto Member, bool Reversed>
Value of_board(const Lexicon& lexicon, const State& state, Seat) {
  return kinds_of(lexicon, state.board.*Member, Reversed);
}

template <auto Member>
Value conflicts_of_board(const Lexicon&, const State& state, Seat) {
  Value value;
  for (ConflictId id : state.board.*Member) value.entries.push_back({id, kNoMark, 0});
  std::reverse(value.entries.begin(), value.entries.end());
  return value;
}

// Things whose mask holds the seat: spaces with an own Agent, posts with an own Spy.
template <auto Member>
Value where_seat_stands(const Lexicon&, const State& state, Seat seat) {
  Value value;
  const auto& masks = state.board.*Member;
  for (std::size_t i = 0; i < masks.size(); ++i)
    if ((masks[i] & seat_bit(seat)) != 0)
      value.entries.push_back({static_cast<std::uint16_t>(i), kNoMark, 0});
  return value;
}

// Things that belong to the seat: controlled spaces, alliances.
template <auto Member>
Value what_seat_holds(const Lexicon&, const State& state, Seat seat) {
  Value value;
  const auto& owners = state.board.*Member;
  for (std::size_t i = 0; i < owners.size(); ++i)
    if (owners[i] == seat) value.entries.push_back({static_cast<std::uint16_t>(i), kNoMark, 0});
  return value;
}

Value leader_of(const Lexicon&, const State& state, Seat seat) {
  return single(state.player(seat).leader, state.player(seat).leader != kNoLeader);
}

Value intrigues_of(const Lexicon& lexicon, const State& state, Seat seat) {
  return kinds_of(lexicon, state.player(seat).intrigues);
}

Value set_aside_of(const Lexicon& lexicon, const State& state, Seat seat) {
  Value value;
  for (const SetAside& card : state.board.set_aside)
    if (card.seat == seat) value.entries.push_back({lexicon.content.card_id(card.copy), kNoMark, 0});
  return value;
}

Value strength_of(const Lexicon&, const State& state, Seat seat) {
  return plain(state.player(seat).strength());
}

Value objective_of(const Lexicon&, const State& state, Seat seat) {
  const Player& player = state.player(seat);
  return single(player.objective, player.objective != 0xff, player.objective_face_down ? kDown : kNoMark);
}

Value won_by(const Lexicon&, const State& state, Seat seat) {
  Value value;
  for (const WonConflict& won : state.player(seat).won)
    value.entries.push_back({won.conflict, static_cast<std::uint8_t>(won.face_down ? kDown : kNoMark), 0});
  return value;
}

Value previewed_persuasion(const Lexicon& lexicon, const State& state, Seat seat) {
  return plain(preview_reveal(lexicon.content, state, seat).persuasion);
}
Value previewed_strength(const Lexicon& lexicon, const State& state, Seat seat) {
  return plain(preview_reveal(lexicon.content, state, seat).strength);
}

template <auto Member>
Value of_turn(const Lexicon&, const State& state, Seat seat) {
  return plain(state.turn.seat == seat ? static_cast<int>(state.turn.*Member) : 0);
}
Value visited_space(const Lexicon&, const State& state, Seat seat) {
  return single(state.turn.space, state.turn.seat == seat && state.turn.space != kNoSpace);
}
Value cost_option_of(const Lexicon&, const State& state, Seat seat) {
  return plain(state.turn.seat == seat ? state.turn.cost_option + 1 : 1);
}
Value played_card_of(const Lexicon& lexicon, const State& state, Seat seat) {
  const bool there = state.turn.seat == seat && state.turn.card != kNoCopy;
  return single(there ? lexicon.content.card_id(state.turn.card) : kNoCard, there);
}
Value acquired_by(const Lexicon&, const State& state, Seat seat) {
  Value value;
  if (state.turn.seat == seat)
    for (CardId card : state.turn.acquired) value.entries.push_back({card, kNoMark, 0});
  return value;
}
Value last_post_of(const Lexicon&, const State& state, Seat seat) {
  return single(state.turn.last_post, state.turn.seat == seat && state.turn.last_post != kNoPost);
}
Value last_discarded_of(const Lexicon&, const State& state, Seat seat) {
  return single(state.turn.last_discarded, state.turn.seat == seat && state.turn.last_discarded != kNoCard);
}

template <auto Member>
Value of_state(const Lexicon&, const State& state, Seat) {
  return plain(static_cast<int>(state.*Member));
}
Value turn_seat(const Lexicon&, const State& state, Seat) {
  return plain(state.turn.seat == kNoSeat ? -1 : state.turn.seat);
}
Value turn_kind(const Lexicon&, const State& state, Seat) { return plain(static_cast<int>(state.turn.kind)); }
Value wall(const Lexicon&, const State& state, Seat) { return plain(state.board.shield_wall ? 1 : 0); }

Value reserve(const Lexicon&, const State& state, Seat) {
  Value value;
  for (const ReserveStack& stack : state.board.reserve) {
    if (stack.card == kNoCard) continue;
    std::int16_t left = 0;
    for (std::uint32_t copies = stack.copies; copies != 0; copies &= copies - 1) ++left;
    value.entries.push_back({stack.card, kNoMark, left});
  }
  return value;
}

Value bonus_spice(const Lexicon& lexicon, const State& state, Seat) {
  Value value;
  for (std::size_t i = 0; i < lexicon.content.spaces.size(); ++i)
    if (const std::uint8_t spice = state.board.bonus_spice[i]; spice != 0)
      value.entries.push_back({static_cast<std::uint16_t>(i), kNoMark, spice});
  return value;
}

// ---- The table, in the order of FieldId -----------------------------------------------------------

using enum FieldKind;
constexpr Thing kNothing = Thing::none;

const std::array<Field, static_cast<std::size_t>(FieldId::count_)> kFields{{
    {FieldId::leader, "leader", "", one, Thing::leader, kNoMark, true, leader_of,
     "the leader; the side that lies up"},
    {FieldId::step, "step", "leader_step", word, kNothing, kNoMark, true, of_player<&Player::leader_step>,
     "where the token stands on the leader's own track"},
    {FieldId::vp, "vp", "points victory_points", number, kNothing, kNoMark, true,
     of_player<&Player::victory_points>, "victory points"},
    {FieldId::solari, "solari", "", number, kNothing, kNoMark, true, resource<Resource::solari>, "Solari"},
    {FieldId::spice, "spice", "", number, kNothing, kNoMark, true, resource<Resource::spice>, "spice"},
    {FieldId::water, "water", "", number, kNothing, kNoMark, true, resource<Resource::water>, "water"},
    {FieldId::emperor, "emperor", "", number, kNothing, kNoMark, true, influence<Faction::emperor>,
     "Influence"},
    {FieldId::guild, "guild", "", number, kNothing, kNoMark, true, influence<Faction::guild>, "Influence"},
    {FieldId::bene_gesserit, "bene_gesserit", "", number, kNothing, kNoMark, true,
     influence<Faction::bene_gesserit>, "Influence"},
    {FieldId::fremen, "fremen", "", number, kNothing, kNoMark, true, influence<Faction::fremen>, "Influence"},
    {FieldId::alliance, "alliance", "alliances", list, Thing::faction, kNoMark, true,
     what_seat_holds<&Board::alliance>, "Alliance tokens held"},
    {FieldId::hand, "hand", "", list, Thing::card, kKnown, true, own_cards<Zone::hand>, "cards in hand"},
    {FieldId::deck, "deck", "", pile, Thing::card, kNoMark, true, own_cards<Zone::deck>,
     "own deck, top first"},
    {FieldId::in_play, "in_play", "played play", list, Thing::card, kRevealed | kSword, true,
     own_cards<Zone::play>, "cards in play"},
    {FieldId::discard, "discard", "discard_pile", list, Thing::card, kNoMark, true, own_cards<Zone::discard>,
     "own discard pile"},
    {FieldId::intrigue, "intrigue", "intrigues", list, Thing::intrigue, kNoMark, true, intrigues_of,
     "Intrigue cards held"},
    {FieldId::set_aside, "set_aside", "", list, Thing::card, kNoMark, true, set_aside_of,
     "Imperium cards set aside for this seat"},
    {FieldId::garrison, "garrison", "", number, kNothing, kNoMark, true, of_player<&Player::garrison>,
     "troops in the garrison"},
    {FieldId::supply, "supply", "", number, kNothing, kNoMark, true, of_player<&Player::supply>,
     "troops in the supply"},
    {FieldId::troops, "troops", "conflict_troops in_conflict", number, kNothing, kNoMark, true,
     of_player<&Player::troops_in_conflict>, "troops in the Conflict"},
    {FieldId::sandworms, "sandworms", "worms", number, kNothing, kNoMark, true, of_player<&Player::sandworms>,
     "sandworms in the Conflict"},
    {FieldId::memories, "memories", "", number, kNothing, kNoMark, true, of_player<&Player::memories>,
     "troops in the leader's own zone"},
    {FieldId::swords, "swords", "", number, kNothing, kNoMark, true, of_player<&Player::swords>,
     "strength besides units"},
    {FieldId::persuasion, "persuasion", "", number, kNothing, kNoMark, true, of_player<&Player::persuasion>,
     "Persuasion not spent yet"},
    {FieldId::strength, "strength", "", number, kNothing, kNoMark, true, strength_of,
     "strength in the Conflict"},
    {FieldId::agents, "agents", "", list, Thing::space, kNoMark, true, where_seat_stands<&Board::agents>,
     "spaces with an own Agent"},
    {FieldId::agents_left, "agents_left", "", number, kNothing, kNoMark, true,
     of_player<&Player::agents_on_leader>, "Agents on the leader"},
    {FieldId::spies, "spies", "spy", list, Thing::post, kNoMark, true, where_seat_stands<&Board::spies>,
     "posts with an own Spy"},
    {FieldId::spies_left, "spies_left", "", number, kNothing, kNoMark, true,
     of_player<&Player::spies_in_supply>, "Spies in the supply"},
    {FieldId::control, "control", "controls", list, Thing::space, kNoMark, true,
     what_seat_holds<&Board::control>, "spaces under own Control"},
    {FieldId::high_council, "high_council", "council", flag, kNothing, kNoMark, true,
     of_player<&Player::high_council>, "has a High Council seat"},
    {FieldId::swordmaster, "swordmaster", "", flag, kNothing, kNoMark, true, of_player<&Player::swordmaster>,
     "has the third Agent"},
    {FieldId::hooks, "hooks", "maker_hooks", flag, kNothing, kNoMark, true, of_player<&Player::maker_hooks>,
     "has Maker Hooks"},
    {FieldId::objective, "objective", "", one, Thing::objective, kDown, true, objective_of, "the Objective"},
    {FieldId::won, "won", "", list, Thing::conflict, kDown, true, won_by, "Conflict cards won"},
    {FieldId::revealed, "revealed", "", flag, kNothing, kNoMark, true, of_player<&Player::revealed>,
     "has taken the Reveal turn of this round"},
    {FieldId::reveal_order, "reveal_order", "", number, kNothing, kNoMark, true,
     of_player<&Player::reveal_order>, "1 = first of this round to reveal"},
    {FieldId::place, "place", "", number, kNothing, kNoMark, true, of_player<&Player::place>,
     "1 = winner; 0 before the end"},
    {FieldId::preview_persuasion, "preview_persuasion", "", number, kNothing, kNoMark, false,
     previewed_persuasion, "Persuasion of a Reveal turn taken now"},
    {FieldId::preview_strength, "preview_strength", "", number, kNothing, kNoMark, false, previewed_strength,
     "strength after a Reveal turn taken now"},

    {FieldId::recruited, "recruited", "", number, kNothing, kNoMark, true, of_turn<&Turn::recruited>,
     "troops recruited this turn"},
    {FieldId::deployed, "deployed", "", number, kNothing, kNoMark, true, of_turn<&Turn::deployed_by_limit>,
     "troops deployed this turn by a Combat space"},
    {FieldId::units_deployed, "units_deployed", "", number, kNothing, kNoMark, true,
     of_turn<&Turn::units_deployed>, "units deployed this turn by any means, less those that left"},
    {FieldId::spice_gained, "spice_gained", "", number, kNothing, kNoMark, true, of_turn<&Turn::spice_gained>,
     "spice gained this turn, spending not taken off"},
    {FieldId::recalled_spy, "recalled_spy", "", flag, kNothing, kNoMark, true, of_turn<&Turn::recalled_spy>,
     "a Spy was recalled this turn"},
    {FieldId::visited, "visited", "", one, Thing::space, kNoMark, true, visited_space,
     "space visited this turn"},
    {FieldId::cost_option, "cost_option", "", number, kNothing, kNoMark, true, cost_option_of,
     "cost of the visited space that was paid, from 1"},
    {FieldId::played_card, "played_card", "", one, Thing::card, kNoMark, true, played_card_of,
     "card played with the Agent this turn"},
    {FieldId::acquired, "acquired", "", list, Thing::card, kNoMark, true, acquired_by,
     "cards acquired this turn"},
    {FieldId::visit_influence, "visit_influence", "", number, kNothing, kNoMark, true,
     of_turn<&Turn::visit_influence>, "Influence of the visit gained already"},
    {FieldId::memories_returned, "memories_returned", "", number, kNothing, kNoMark, true,
     of_turn<&Turn::memories_returned>, "memories returned this turn"},
    {FieldId::looked, "looked", "", number, kNothing, kNoMark, true, of_turn<&Turn::looked>,
     "cards on top of the deck being looked at"},
    {FieldId::had_high_council, "had_high_council", "", flag, kNothing, kNoMark, true,
     of_turn<&Turn::had_high_council>, "had the seat before the visit"},
    {FieldId::ignore_requirements, "ignore_requirements", "", flag, kNothing, kNoMark, true,
     of_turn<&Turn::ignore_requirements>, "Influence requirements do not apply this turn"},
    {FieldId::deploy_recruited, "deploy_recruited", "", flag, kNothing, kNoMark, true,
     of_turn<&Turn::deploy_recruited>, "troops recruited this turn may be deployed anywhere"},
    {FieldId::last_post, "last_post", "", one, Thing::post, kNoMark, true, last_post_of,
     "post of the Spy placed last this turn"},
    {FieldId::last_discarded, "last_discarded", "", one, Thing::card, kNoMark, true, last_discarded_of,
     "card discarded last this turn"},
    {FieldId::last_trashed_cost, "last_trashed_cost", "", number, kNothing, kNoMark, true,
     of_turn<&Turn::last_trashed_cost>, "printed cost of the card trashed last; -1 = none"},

    {FieldId::round, "round", "", number, kNothing, kNoMark, true, of_state<&State::round>,
     "number of the round"},
    {FieldId::phase, "phase", "", word, kNothing, kNoMark, true, of_state<&State::phase>,
     "phase of the round"},
    {FieldId::turn, "turn", "", seat, kNothing, kNoMark, true, turn_seat, "whose turn it is"},
    {FieldId::turn_kind, "turn_kind", "", word, kNothing, kNoMark, true, turn_kind,
     "kind of the present turn"},
    {FieldId::first_player, "first_player", "first", seat, kNothing, kNoMark, true,
     of_state<&State::first_player>, "who has the First Player marker"},
    {FieldId::wall, "wall", "shield_wall", word, kNothing, kNoMark, true, wall, "the Shield Wall"},
    {FieldId::conflict, "conflict", "conflicts", pile, Thing::conflict, kNoMark, true,
     conflicts_of_board<&Board::conflicts>, "on the Conflict space, the current one first"},
    {FieldId::conflict_deck, "conflict_deck", "", pile, Thing::conflict, kNoMark, true,
     conflicts_of_board<&Board::conflict_deck>, "Conflict deck, top first"},
    {FieldId::row, "row", "imperium_row", list, Thing::card, kNoMark, true, of_board<&Board::row, false>,
     "the Imperium Row"},
    {FieldId::imperium_deck, "imperium_deck", "", pile, Thing::card, kNoMark, true,
     of_board<&Board::imperium_deck, true>, "Imperium deck, top first"},
    {FieldId::reserve, "reserve", "", counts, Thing::card, kNoMark, true, reserve,
     "cards left in the Reserve"},
    {FieldId::intrigue_deck, "intrigue_deck", "", pile, Thing::intrigue, kNoMark, true,
     of_board<&Board::intrigue_deck, true>, "Intrigue deck, top first"},
    {FieldId::intrigue_discard, "intrigue_discard", "", list, Thing::intrigue, kNoMark, true,
     of_board<&Board::intrigue_discard, false>, "Intrigue discard pile"},
    {FieldId::trashed, "trashed", "", list, Thing::card, kNoMark, true, of_board<&Board::trashed, false>,
     "cards out of the game"},
    {FieldId::intrigue_trashed, "intrigue_trashed", "", list, Thing::intrigue, kNoMark, true,
     of_board<&Board::intrigue_trashed, false>, "Intrigue cards out of the game"},
    {FieldId::bonus_spice, "bonus_spice", "bonus", counts, Thing::space, kNoMark, true, bonus_spice,
     "bonus spice on spaces"},
    {FieldId::combat_passes, "combat_passes", "", number, kNothing, kNoMark, true,
     of_state<&State::combat_passes>, "passes in a row in the Combat phase"},
    {FieldId::reveals, "reveals", "", number, kNothing, kNoMark, true, of_state<&State::reveals>,
     "Reveal turns taken this round"},
    {FieldId::phase_step, "phase_step", "", number, kNothing, kNoMark, true, of_state<&State::step>,
     "how far the phase has gone; only dumps need it"},
}};

constexpr std::array<std::string_view, 8> kPhaseWords{"setup",  "round_start", "turns",   "combat",
                                                      "makers", "recall",      "endgame", "over"};
constexpr std::array<std::string_view, 4> kTurnWords{"none", "undecided", "agent", "reveal"};
constexpr std::array<std::string_view, 2> kWallWords{"down", "up"};

bool has_name(const Field& candidate, std::string_view name) {
  if (same_word(candidate.name, name)) return true;
  Words also(candidate.also);
  while (!also.at_end())
    if (same_word(also.next(), name)) return true;
  return false;
}

std::string entry_text(const Lexicon& lexicon, const Field& of, const Entry& entry) {
  std::string text(lexicon.names.text(of.thing, entry.id));
  if (of.kind == counts) text += " " + std::to_string(entry.number);
  if ((entry.marks & kKnown) != 0) text += " known";
  if ((entry.marks & kRevealed) != 0) text += " revealed";
  if ((entry.marks & kSword) != 0) text += " sword";
  if ((entry.marks & kDown) != 0) text += " down";
  return text;
}

}  // namespace

const Field& field(FieldId id) { return kFields[static_cast<std::size_t>(id)]; }
std::span<const Field> all_fields() { return kFields; }

const Field* find_field(std::string_view name, bool of_seat) {
  for (const Field& candidate : kFields)
    if ((is_of_seat(candidate.id) == of_seat || is_of_turn(candidate.id)) && has_name(candidate, name))
      return &candidate;
  return nullptr;
}

std::vector<std::string_view> field_names(bool of_seat) {
  std::vector<std::string_view> names;
  for (const Field& candidate : kFields)
    if (is_of_seat(candidate.id) == of_seat) names.push_back(candidate.name);
  return names;
}

std::span<const std::string_view> words_of(FieldId id) {
  switch (id) {
    case FieldId::phase:
      return kPhaseWords;
    case FieldId::turn_kind:
      return kTurnWords;
    case FieldId::wall:
      return kWallWords;
    default:
      return {};
  }
}

std::vector<std::string_view> steps_of(const Content& content, LeaderId leader) {
  std::vector<std::string_view> steps;
  if (leader < content.leaders.size())
    for (const TrackStep& step : content.leaders[leader].track) steps.emplace_back(step.id);
  return steps;
}

std::string value_text(const Lexicon& lexicon, const State& state, const Field& of, const Value& value,
                       Seat owner) {
  const auto n = static_cast<std::size_t>(value.number);
  switch (of.kind) {
    case number:
      return std::to_string(value.number);
    case flag:
      return value.number != 0 ? "yes" : "no";
    case seat:
      return value.number < 0 ? "nobody" : seat_name(static_cast<Seat>(value.number));
    case word: {
      if (of.id != FieldId::step) return std::string(words_of(of.id)[n]);
      const auto steps = steps_of(lexicon.content, state.player(owner).leader);
      return n < steps.size() ? std::string(steps[n]) : std::to_string(value.number);
    }
    default:
      break;
  }
  std::vector<std::string> parts;
  for (const Entry& entry : value.entries) parts.push_back(entry_text(lexicon, of, entry));
  return parts.empty() ? "none" : joined(parts, ", ");
}

}  // namespace landsraad::scenario
