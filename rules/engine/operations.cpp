#include "rules/engine/operations.h"

#include <array>
#include <cstddef>

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

// In the order of `enum class Op`.
constexpr std::array<WordRow, index(Op::count_)> kOperations{{
    {"all", kTakesNothing, 0, "parts in any order"},
    {"then", kTakesNothing, 0, "parts in the order given"},
    {"arrow", kTakesNothing, 0, "pay the first part to get the second"},
    {"choice", kTakesNothing, 0, "exactly one of the parts"},
    {"when", kTakesNothing, 0, "only if the conditions hold"},
    {"trigger", kTakesNothing, 0, "when something happens"},
    {"may", kTakesNothing, 0, "optional as a whole"},
    {"each_opponent", kTakesNothing, 0, "every opponent carries it out, clockwise"},

    {"none", kTakesNothing, 0, "nothing"},
    {"solari", kTakesAmount, 0, "gain or pay Solari"},
    {"spice", kTakesAmount, 0, "gain or pay spice"},
    {"water", kTakesAmount, 0, "gain or pay water"},
    {"troop", kTakesAmount, 0, "recruit troops from supply to garrison"},
    {"intrigue", kTakesAmount, 0, "draw Intrigue cards"},
    {"draw", kTakesAmount, 0, "draw cards from the own deck"},
    {"persuasion", kTakesAmount, 0, "Persuasion for this Reveal turn"},
    {"sword", kTakesAmount, 0, "strength in this Conflict"},
    {"vp", kTakesAmount, 0, "victory points"},
    {"discard", kTakesAmount, 0, "discard cards from hand"},
    {"trash", kTakesAmount | kTakesFactions,
     words({Word::self, Word::other, Word::hand, Word::discard, Word::in_play}), "trash own cards"},
    {"trash_intrigue", kTakesAmount, 0, "trash own Intrigue cards"},
    {"acquire", kTakesCost | kTakesDiscount,
     words({Word::removed, Word::from_row, Word::from_any, Word::to_discard, Word::to_hand, Word::to_top,
            Word::pay_none, Word::pay_solari, Word::pay_persuasion}),
     "acquire a card"},
    {"remove_row", kTakesAmount, 0, "set aside cards of the Imperium Row"},
    {"look_top", kTakesAmount, 0, "look at the top cards of the own deck"},
    {"to_hand", kTakesAmount, words({Word::self}), "put looked-at cards, or this card, into the hand"},
    {"to_discard", kTakesAmount, 0, "put looked-at cards on the discard pile"},
    {"trash_looked", kTakesAmount, 0, "trash looked-at cards"},

    {"influence", kTakesAmount | kTakesFactions | kTakesDifferent, words({Word::any, Word::each_spied}),
     "gain Influence"},
    {"influence_visit", kTakesAmount, 0, "the Influence of this visit becomes this much"},
    {"lose_influence", kTakesAmount | kTakesFactions, words({Word::any}), "lose Influence"},
    {"spy", kTakesAmount | kTakesAgentIcons, words({Word::visited, Word::may_share}), "place Spies"},
    {"recall_spy", kTakesAmount, 0, "recall Spies"},
    {"take_bonus_spice", kTakesAll, words({Word::visited}), "take the bonus spice of the visited space"},
    {"steal_intrigue", kTakesAmount | kTakesOpponents, 0, "take Intrigue cards at random"},
    {"recall_agent", kTakesAmount, 0, "recall another own Agent"},
    {"contract", kTakesAmount, 0, "take contracts; without the CHOAM module 2 Solari each"},
    {"high_council", kTakesNothing, 0, "take a High Council seat"},
    {"swordmaster", kTakesNothing, 0, "take the third Agent"},
    {"maker_hooks", kTakesNothing, 0, "gain Maker Hooks"},
    {"sandworm", kTakesAmount, words({Word::no_hooks}), "summon sandworms to the Conflict"},
    {"blow_wall", kTakesNothing, 0, "may remove the Shield Wall"},
    {"deploy", kTakesAmount | kTakesRange, words({Word::garrison, Word::recruited_this_turn}),
     "may deploy troops from the garrison"},
    {"retreat", kTakesAmount | kTakesRange, 0, "retreat troops from the Conflict to the garrison"},
    {"control", kTakesSpace, 0, "take control of a location"},
    {"flip_icon", kTakesAmount | kTakesBattleIcons, words({Word::any}), "turn won Conflict cards face down"},
    {"signet", kTakesNothing, 0, "the Signet ability of the own leader"},
    {"ignore_influence_requirements", kTakesNothing, 0, "Influence requirements of spaces do not apply"},

    {"memory", kTakesAmount, 0, "troops from supply to the leader's own zone"},
    {"return_memories", kTakesAll, 0, "all troops of the leader's own zone back to supply"},
    {"flip_leader", kTakesNothing, 0, "turn the leader over"},
    {"repeat_space", kTakesNothing, 0, "the printed effects of the visited space again"},
    {"track_advance", kTakesAmount, 0, "move on the leader's own track and take the reward"},
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

}  // namespace

const WordRow& row(Op op) { return kOperations[index(op)]; }
const WordRow& row(Predicate predicate) { return kPredicates[index(predicate)]; }
const WordRow& row(CountOf count) { return kCounts[index(count)]; }
const WordRow& row(TriggerOn trigger) { return kTriggers[index(trigger)]; }
std::string_view name(Word word) { return kWords[index(word)]; }
std::string_view name(Duration duration) { return kDurations[index(duration)]; }

}  // namespace landsraad::rules
