// The compiled content of the game: every card, leader, space, ... as the engine plays with it.
//
// Built once at start-up from the embedded text (rules/notation) and never changed afterwards; many
// games share one Content. The engine reads it and names nothing in it.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "rules/engine/operations.h"
#include "rules/engine/types.h"

namespace landsraad::rules {

inline constexpr std::int16_t kAmountAll = -2;  // (all)
inline constexpr std::int16_t kAmountAny = -1;  // (any)

struct Condition {
  Predicate predicate = Predicate::bond;
  bool negated = false;
  Qualifiers qualifiers;
};

// One or more conditions joined by `and` or by `or`; none = always true.
struct Conditions {
  std::uint16_t first = 0;  // into Content::conditions
  std::uint8_t count = 0;
  bool any = false;  // joined by `or`
};

// One node of an effect tree. Children of a node are a list: child, then next of each.
//   all           children in any order            then      children in order
//   arrow         child 1 = cost, child 2 = result  choice    exactly one child
//   when          conditions: child                 trigger   on(...): child
//   may           child is optional as a whole      each_opponent  child, for every opponent
struct Node {
  Op op = Op::none;
  bool is_cost = false;  // stands left of an arrow or in a cost: paid, not gained
  bool unit = false;     // `all` in braces: once begun, finished before anything else (NOTATION 1a)
  Duration duration = Duration::immediate;
  LimitSpan limit_span = LimitSpan::none;
  std::uint8_t limit = 0;       // limit(limit/limit_span)
  CountOf per = CountOf::none;  // amount times this count
  TriggerOn trigger = TriggerOn::none;
  std::int16_t amount = 1;      // n, kAmountAny or kAmountAll; lower end of n..m
  std::int16_t amount_max = 1;  // upper end of n..m, else = amount
  NodeId child = kNoNode;
  NodeId next = kNoNode;
  Conditions conditions;      // of `when`
  Qualifiers qualifiers;      // of the operation, or of the trigger
  Qualifiers per_qualifiers;  // of `per`
};

struct Card {
  std::string id, name;
  Deck deck = Deck::imperium;
  std::uint8_t copies = 1;  // in the deck; starter: per player
  std::int8_t cost = -1;    // Persuasion; -1 = no printed cost (ACQ-8)
  IconMask icons = 0;
  FactionMask factions = 0;
  NodeId acquire = kNoNode, agent = kNoNode, reveal = kNoNode;
  std::uint8_t reveal_persuasion = 0;  // the plain printed figures, taken out of `reveal`
  std::uint8_t reveal_swords = 0;
  std::vector<NodeId> passives;      // trigger nodes
  std::array<NodeId, 3> intrigue{};  // by IntrigueType; kNoNode = not of that type
  CardCopy first_copy = 0;           // copies of this kind are first_copy .. first_copy + all_copies - 1
  std::uint16_t all_copies = 0;      // starter: copies x kMaxSeats, by seat
};

struct TrackStep {  // one space of a leader's own track
  std::string id;
  NodeId reward = kNoNode;
  std::vector<std::uint8_t> next;  // steps that can be reached; empty = end of the track
};

struct Leader {
  std::string id, name;
  std::string house;
  bool back_side = false;  // comes only by flipping another one
  LeaderId other_side = kNoLeader;
  std::vector<NodeId> passives;            // trigger nodes
  std::vector<std::string> passive_names;  // printed, one for each of passives
  NodeId signet = kNoNode;
  std::string signet_name;
  std::vector<TrackStep> track;  // step 0 is the start
  std::vector<CardId> removed_starters;
  std::string removal_name;  // of the ability that removes them
};

struct CostOption {
  Conditions conditions;
  std::array<std::uint8_t, kResources> pays{};
};

struct Space {
  std::string id, name, area;
  AgentIcon icon = AgentIcon::city;
  std::uint8_t faction = kNoFaction;                     // FACT-3
  bool combat = false, maker = false, critical = false;  // critical: WALL-2, CTRL-1
  bool once_per_game = false;                            // AGENT-9: closed to a player who has what it gives
  NodeId control_bonus = kNoNode;
  Conditions requirement;         // AGENT-6
  std::vector<CostOption> costs;  // COST-2; one free option if nothing is printed
  NodeId effects = kNoNode;
  PostMask posts = 0;
};

struct Post {
  std::string id;
  SpaceMask spaces = 0;
  IconMask icons = 0;  // icons of the connected spaces
};

struct Conflict {
  std::string id, name;
  std::uint8_t level = 1;
  SpaceId location = kNoSpace;  // START-2, WALL-2
  BattleIcon icon = BattleIcon::wild;
  std::array<NodeId, 3> rewards{};
};

struct Objective {
  std::string id, name;
  BattleIcon icon = BattleIcon::wild;
  std::uint8_t player_counts = 0;  // bit n = used with n players
  bool first_player = false;
};

struct FactionTrack {  // one Influence track
  std::string id, name;
  Faction faction = Faction::emperor;
  NodeId bonus = kNoNode;  // at 4 Influence (FACT-7)
};

struct Content {
  std::string product;  // "uprising"
  std::string version;  // hex BLAKE2b of all content text: same text, same rules

  std::vector<Node> nodes;  // nodes[0] is unused
  std::vector<Condition> conditions;
  std::vector<Card> cards;
  std::vector<Leader> leaders;
  std::vector<Space> spaces;
  std::vector<Post> posts;
  std::vector<Conflict> conflicts;
  std::vector<Objective> objectives;
  std::vector<FactionTrack> tracks;

  // Derived when loading.
  std::vector<CardId> card_of_copy;              // by CardCopy
  std::array<SpaceMask, 16> spaces_with_icon{};  // by AgentIcon
  SpaceMask maker_spaces = 0, faction_spaces = 0;
  NodeId visit_influence = kNoNode;  // influence_visit(1): FACT-3

  const Node& node(NodeId id) const { return nodes[id]; }
  CardId card_id(CardCopy copy) const { return card_of_copy[copy]; }
  const Card& card_of(CardCopy copy) const { return cards[card_of_copy[copy]]; }
};

// Ids by their text, for tools and tests; kNo... if there is none.
CardId find_card(const Content&, std::string_view id);
LeaderId find_leader(const Content&, std::string_view id);
SpaceId find_space(const Content&, std::string_view id);
PostId find_post(const Content&, std::string_view id);
ConflictId find_conflict(const Content&, std::string_view id);
ObjectiveId find_objective(const Content&, std::string_view id);  // 0xff if none

}  // namespace landsraad::rules
