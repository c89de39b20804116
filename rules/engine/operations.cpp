#include "rules/engine/operations.h"

#include <array>
#include <cstddef>

#include "rules/engine/acquiring.h"
#include "rules/engine/board.h"
#include "rules/engine/cards.h"
#include "rules/engine/effects.h"
#include "rules/engine/factions.h"
#include "rules/engine/intrigue.h"
#include "rules/engine/leaders.h"
#include "rules/engine/resources.h"
#include "rules/engine/spies.h"
#include "rules/engine/units.h"

namespace landsraad::rules {

namespace {

constexpr WordMask words(std::initializer_list<Word> list) {
  WordMask mask = 0;
  for (Word word : list) mask |= word_bit(word);
  return mask;
}

template <class Enum>
constexpr std::size_t index(Enum value) {
  return static_cast<std::size_t>(value);
}

// Tables, a row a line.
// clang-format off

// In the order of `enum class Op`: words (see WordRow), then code (see Operation). The structure words are
// carried out by effects.cpp itself.
constexpr std::array<Operation, index(Op::count_)> kOperations{{
    {{"all", kTakesNothing, 0, "parts in any order"}},
    {{"then", kTakesNothing, 0, "parts in the order given"}},
    {{"arrow", kTakesNothing, 0, "pay the first part to get the second"}},
    {{"choice", kTakesNothing, 0, "exactly one of the parts"}},
    {{"when", kTakesNothing, 0, "only if the conditions hold"}},
    {{"trigger", kTakesNothing, 0, "when something happens"}},
    {{"may", kTakesNothing, 0, "optional as a whole"}},
    {{"each_opponent", kTakesNothing, 0, "every opponent carries it out, clockwise"}},
    {{"none", kTakesNothing, 0, "nothing"}, true, nullptr, run_none},
    {{"solari", kTakesAmount, 0, "gain or pay Solari"}, true, duty_of_solari, run_solari},
    {{"spice", kTakesAmount, 0, "gain or pay spice"}, true, duty_of_spice, run_spice},
    {{"water", kTakesAmount, 0, "gain or pay water"}, true, duty_of_water, run_water},
    {{"troop", kTakesAmount, 0, "recruit troops from supply to garrison"}, false, duty_of_troop, run_troop},
    {{"intrigue", kTakesAmount, 0, "draw Intrigue cards"}, false, nullptr, draw_intrigues},
    {{"draw", kTakesAmount, 0, "draw cards from the own deck"}, false, duty_of_draw, run_draw},
    {{"persuasion", kTakesAmount, 0, "Persuasion for this Reveal turn"}, true, nullptr, gain_persuasion},
    {{"sword", kTakesAmount, 0, "strength in this Conflict"}, true, nullptr, gain_swords},
    {{"vp", kTakesAmount, 0, "victory points"}, true, nullptr, change_victory_points},
    {{"discard", kTakesAmount, 0, "discard cards from hand"}, false, duty_of_discard, run_discard, DecisionKind::choose_card, list_discard, choose_discard},
    {{"trash", kTakesAmount | kTakesFactions, words({Word::self, Word::other, Word::hand, Word::discard, Word::in_play}), "trash own cards"}, false, duty_of_trash, run_trash, DecisionKind::choose_card, list_trash, choose_trash},
    {{"trash_intrigue", kTakesAmount, 0, "trash own Intrigue cards"}, false, duty_of_trash_intrigue, run_trash_intrigue, DecisionKind::choose_card, list_trash_intrigue, choose_trash_intrigue},
    {{"acquire", kTakesCost | kTakesDiscount, words({Word::removed, Word::from_row, Word::from_any, Word::to_discard, Word::to_hand, Word::to_top, Word::pay_none, Word::pay_solari, Word::pay_persuasion}), "acquire a card"}, false, duty_of_acquire, run_acquire, DecisionKind::choose_card, list_acquire, choose_acquire},
    {{"remove_row", kTakesAmount, 0, "set aside cards of the Imperium Row"}, false, duty_of_remove_row, run_remove_row, DecisionKind::choose_card, list_remove_row, choose_remove_row},
    {{"look_top", kTakesAmount, 0, "look at the top cards of the own deck"}, true, duty_of_look_top, run_look_top},
    {{"to_hand", kTakesAmount, words({Word::self}), "put looked-at cards, or this card, into the hand"}, true, duty_of_to_hand, run_to_hand, DecisionKind::choose_card, list_looked, choose_looked},
    {{"to_discard", kTakesAmount, 0, "put looked-at cards on the discard pile"}, true, duty_of_looked, run_looked, DecisionKind::choose_card, list_looked, choose_looked},
    {{"trash_looked", kTakesAmount, 0, "trash looked-at cards"}, true, duty_of_looked, run_looked, DecisionKind::choose_card, list_looked, choose_looked},
    {{"influence", kTakesAmount | kTakesFactions | kTakesDifferent, words({Word::any, Word::each_spied}), "gain Influence"}, false, duty_of_influence, run_influence, DecisionKind::choose_faction, list_influence, choose_influence},
    {{"influence_visit", kTakesAmount, 0, "the Influence of this visit becomes this much"}, false, duty_of_influence_visit, run_influence_visit},
    {{"lose_influence", kTakesAmount | kTakesFactions, words({Word::any}), "lose Influence"}, false, duty_of_lose_influence, run_lose_influence, DecisionKind::choose_faction, list_lose_influence, choose_lose_influence},
    {{"spy", kTakesAmount | kTakesAgentIcons, words({Word::visited, Word::may_share}), "place Spies"}, false, duty_of_spy, run_spy, DecisionKind::choose_post, list_spy, choose_spy},
    {{"recall_spy", kTakesAmount, 0, "recall Spies"}, false, duty_of_recall_spy, run_recall_spy, DecisionKind::choose_spy, list_recall_spy, choose_recall_spy},
    {{"take_bonus_spice", kTakesAll, words({Word::visited}), "take the bonus spice of the visited space"}, true, duty_of_bonus_spice, run_take_bonus_spice},
    {{"steal_intrigue", kTakesAmount | kTakesOpponents, 0, "take Intrigue cards at random"}, false, nullptr, run_steal_intrigue},
    {{"recall_agent", kTakesAmount, 0, "recall another own Agent"}, false, duty_of_recall_agent, run_recall_agent, DecisionKind::choose_agent, list_recall_agent, choose_recall_agent},
    {{"contract", kTakesAmount, 0, "take contracts; without the CHOAM module 2 Solari each"}, true, nullptr, run_contract},
    {{"high_council", kTakesNothing, 0, "take a High Council seat"}, true, duty_of_high_council, run_high_council},
    {{"swordmaster", kTakesNothing, 0, "take the third Agent"}, true, duty_of_swordmaster, run_swordmaster},
    {{"maker_hooks", kTakesNothing, 0, "gain Maker Hooks"}, true, nullptr, run_maker_hooks},
    {{"sandworm", kTakesAmount, words({Word::no_hooks}), "summon sandworms to the Conflict"}, false, duty_of_sandworm, run_sandworm},
    {{"blow_wall", kTakesNothing, 0, "may remove the Shield Wall"}, false, duty_of_blow_wall, run_blow_wall},
    {{"deploy", kTakesAmount | kTakesRange, words({Word::garrison, Word::recruited_this_turn}), "may deploy troops from the garrison"}, false, duty_of_deploy, run_deploy, DecisionKind::choose_amount, list_deploy, choose_deploy},
    {{"retreat", kTakesAmount | kTakesRange, 0, "retreat troops from the Conflict to the garrison"}, false, duty_of_retreat, run_retreat, DecisionKind::choose_amount, list_retreat, choose_retreat},
    {{"control", kTakesSpace, 0, "take control of a location"}, true, nullptr, run_control},
    {{"flip_icon", kTakesAmount | kTakesBattleIcons, words({Word::any}), "turn won Conflict cards face down"}, false, duty_of_flip_icon, run_flip_icon, DecisionKind::choose_conflict, list_flip_icon, choose_flip_icon},
    {{"signet", kTakesNothing, 0, "the Signet ability of the own leader"}, false},
    {{"ignore_influence_requirements", kTakesNothing, 0, "Influence requirements of spaces do not apply"}, true, nullptr, run_ignore_requirements},
    {{"memory", kTakesAmount, 0, "troops from supply to the leader's own zone"}, true, nullptr, run_memory},
    {{"return_memories", kTakesAll, 0, "all troops of the leader's own zone back to supply"}, true, nullptr, run_return_memories},
    {{"flip_leader", kTakesNothing, 0, "turn the leader over"}, false, duty_of_flip_leader, run_flip_leader},
    {{"repeat_space", kTakesNothing, 0, "the printed effects of the visited space again"}, true, duty_of_repeat_space, run_repeat_space},
    {{"track_advance", kTakesAmount, 0, "move on the leader's own track and take the reward"}, false, duty_of_track_advance, run_track_advance, DecisionKind::choose_step, list_track_advance, choose_track_advance},
}};

// In the order of `enum class Predicate`.
constexpr std::array<WordRow, index(Predicate::count_)> kPredicates{{
    {"bond", kTakesFactions, 0, "another card of the faction in play"},
    {"influence", kTakesFactions | kTakesCompare, 0, "own Influence"},
    {"alliance", kTakesFactions, 0, "own Alliance token"},
    {"any_alliance", kTakesNothing, 0, "own Alliance token of any faction"},
    {"influence_on_opponent_alliance", kTakesCompare, 0, "own Influence where an opponent has the Alliance"},
    {"high_council", kTakesNothing, 0, "own High Council seat"},
    {"had_high_council", kTakesNothing, 0, "own High Council seat before this visit"},
    {"swordmaster", kTakesNothing, 0, "own third Agent"},
    {"swordmaster_taken", kTakesNothing, 0, "somebody has a Swordmaster"},
    {"cost_option", kTakesCompare, 0, "the cost option chosen when sending, from 1"},
    {"agent_here", kTakesNothing, 0, "own Agent on the space of this effect"},
    {"units_in_conflict", kTakesCompare, 0, "own units in the Conflict"},
    {"sandworms_in_conflict", kTakesCompare, 0, "own sandworms in the Conflict"},
    {"strength", kTakesCompare, 0, "own strength"},
    {"spies_on_board", kTakesCompare, 0, "own Spies on posts"},
    {"spying_on", kTakesNothing, words({Word::maker}), "own Spy on a post of a Maker space"},
    {"spy_placed_on", kTakesAgentIcons, 0, "the Spy just placed watches a space with such an icon"},
    {"visited", kTakesAgentIcons, words({Word::maker, Word::faction}), "kind of the space visited this turn"},
    {"recalled_spy_this_turn", kTakesNothing, 0, "an own Spy was recalled this turn"},
    {"maker_hooks", kTakesNothing, 0, "own Maker Hooks"},
    {"spice", kTakesCompare, 0, "own spice"},
    {"water", kTakesCompare, 0, "own water"},
    {"solari", kTakesCompare, 0, "own Solari"},
    {"gained_spice_this_turn", kTakesCompare, 0, "spice gained this turn, from any source"},
    {"discarded", kTakesFactions, 0, "faction of the card just discarded"},
    {"trashed_cost", kTakesCompare, 0, "printed cost of the card just trashed"},
    {"cards_owned", kTakesCard | kTakesCompare, 0, "own copies in deck, hand, play and discard pile"},
    {"deck", kTakesCompare, 0, "cards in the own deck"},
}};

// In the order of `enum class CountOf`.
constexpr std::array<WordRow, index(CountOf::count_)> kCounts{{
    {"", kTakesNothing, 0, ""},
    {"cards_in_play", kTakesFactions, 0, "own cards of the faction in play"},
    {"revealed", kTakesFactions, words({Word::sword, Word::other}), "cards revealed this turn"},
    {"sandworms_in_conflict", kTakesNothing, 0, "own sandworms in the Conflict"},
    {"memories_returned", kTakesNothing, 0, "troops just returned from the leader's own zone"},
}};

// In the order of `enum class TriggerOn`.
constexpr std::array<WordRow, index(TriggerOn::count_)> kTriggers{{
    {"", kTakesNothing, 0, ""},
    {"discarded", kTakesNothing, 0, "this card is discarded from hand"},
    {"trashed", kTakesNothing, 0, "this card is trashed"},
    {"acquire", kTakesCard, words({Word::any, Word::this_turn}), "own acquisition of a card"},
    {"send_agent", kTakesNothing, 0, "this card is played to send an Agent"},
    {"visit", kTakesFactions | kTakesSpace, 0, "own Agent sent to a space or faction"},
    {"opponent_visit", kTakesSpace, words({Word::spied_maker}), "an opponent's Agent sent to a space"},
    {"units_deployed_this_turn", kTakesCompare, 0, "own net deployment of one turn reaches the number"},
    {"reach_influence", kTakesFactions | kTakesCompare, words({Word::any}), "moving up to or past a level"},
    {"reveal_turn", kTakesNothing, 0, "at any moment of the own Reveal turn"},
}};

// In the order of `enum class Word`.
constexpr std::array<std::string_view, index(Word::count_)> kWords{
    "any", "each_spied", "visited", "may_share", "self", "other", "hand", "discard", "in_play", "removed",
    "garrison", "recruited_this_turn", "no_hooks", "to=discard", "to=hand", "to=top", "from=row", "from=any",
    "pay=none", "pay=solari", "pay=persuasion", "spied_maker", "maker", "faction", "sword", "this_turn"};

// In the order of `enum class Duration`.
constexpr std::array<std::string_view, index(Duration::count_)> kDurations{
    "", "turn", "round", "reveal_turn", "combat", "game"};

// clang-format on

}  // namespace

const Operation& operation(Op op) { return kOperations[index(op)]; }
const WordRow& row(Op op) { return kOperations[index(op)].word; }
const WordRow& row(Predicate predicate) { return kPredicates[index(predicate)]; }
const WordRow& row(CountOf count) { return kCounts[index(count)]; }
const WordRow& row(TriggerOn trigger) { return kTriggers[index(trigger)]; }
std::string_view name(Word word) { return kWords[index(word)]; }
std::string_view name(Duration duration) { return kDurations[index(duration)]; }

}  // namespace landsraad::rules
