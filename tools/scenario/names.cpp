#include "tools/scenario/names.h"

#include <array>

#include "tools/scenario/text.h"

namespace landsraad::scenario {

using namespace rules;

namespace {

constexpr std::array<std::string_view, 6> kFactions{"emperor", "guild",        "bene_gesserit",
                                                    "fremen",  "great_houses", "fringe_worlds"};
constexpr std::array<std::string_view, 3> kResourceNames{"solari", "spice", "water"};
constexpr std::array<std::string_view, 10> kAgentIcons{
    "emperor",       "guild",     "bene_gesserit", "fremen",      "great_houses",
    "fringe_worlds", "landsraad", "city",          "spice_trade", "spy"};
constexpr std::array<std::string_view, 4> kBattleIcons{"crysknife", "desert_mouse", "ornithopter", "wild"};
constexpr std::array<std::string_view, 4> kZoneNames{"deck", "hand", "in_play", "discard"};
constexpr std::array<std::string_view, 8> kPhases{"setup",  "round_start", "turns",   "combat",
                                                  "makers", "recall",      "endgame", "over"};
constexpr std::array<std::string_view, 3> kSources{"row", "reserve", "set_aside"};

constexpr std::array kDecisions = std::to_array<std::string_view>(
    {"none", "pick_leader", "defensive_bonus", "take_turn", "gather_intelligence", "agent_turn",
     "reveal_turn", "effects", "choose_faction", "choose_post", "choose_spy", "choose_agent", "choose_card",
     "choose_amount", "choose_step", "choose_conflict", "choose_opponent", "combat_intrigue", "endgame"});
static_assert(kDecisions.size() == static_cast<std::size_t>(DecisionKind::count_));

constexpr std::array kEvents = std::to_array<std::string_view>({"none",
                                                                "game_began",
                                                                "round_began",
                                                                "phase_began",
                                                                "game_over",
                                                                "first_player",
                                                                "objective_dealt",
                                                                "leader_picked",
                                                                "conflict_revealed",
                                                                "conflict_won",
                                                                "conflict_unclaimed",
                                                                "reward",
                                                                "battle_icons_matched",
                                                                "turn_began",
                                                                "turn_ended",
                                                                "passed",
                                                                "agent_sent",
                                                                "agent_recalled",
                                                                "revealed",
                                                                "card_drawn",
                                                                "card_discarded",
                                                                "card_trashed",
                                                                "card_to_hand",
                                                                "deck_shuffled",
                                                                "card_acquired",
                                                                "row_refilled",
                                                                "row_card_removed",
                                                                "intrigue_drawn",
                                                                "intrigue_stolen",
                                                                "intrigue_played",
                                                                "intrigue_trashed",
                                                                "intrigue_discarded",
                                                                "resource",
                                                                "persuasion",
                                                                "swords",
                                                                "victory_points",
                                                                "influence",
                                                                "alliance_taken",
                                                                "alliance_returned",
                                                                "troops_recruited",
                                                                "troops_deployed",
                                                                "troops_retreated",
                                                                "troops_lost",
                                                                "sandworms_summoned",
                                                                "spy_placed",
                                                                "spy_recalled",
                                                                "bonus_spice",
                                                                "control_taken",
                                                                "shield_wall_removed",
                                                                "high_council_seat",
                                                                "swordmaster_taken",
                                                                "maker_hooks_taken",
                                                                "leader_flipped",
                                                                "leader_track",
                                                                "memories",
                                                                "effect_waits",
                                                                "effect_expired"});
static_assert(kEvents.size() == static_cast<std::size_t>(EventKind::count_));

constexpr std::array<std::string_view, 9> kThings{"thing",         "card",      "Intrigue card",
                                                  "leader",        "space",     "observation post",
                                                  "Conflict card", "Objective", "Faction"};
static_assert(kThings.size() == static_cast<std::size_t>(Thing::count_));

}  // namespace

std::string_view kind_name(Thing thing) { return kThings[static_cast<std::size_t>(thing)]; }
std::string_view name(Faction faction) { return kFactions[static_cast<std::size_t>(faction)]; }
std::string_view name(Resource resource) { return kResourceNames[static_cast<std::size_t>(resource)]; }
std::string_view name(AgentIcon icon) { return kAgentIcons[static_cast<std::size_t>(icon)]; }
std::string_view name(BattleIcon icon) { return kBattleIcons[static_cast<std::size_t>(icon)]; }
std::string_view name(Zone zone) { return kZoneNames[static_cast<std::size_t>(zone)]; }
std::string_view name(Phase phase) { return kPhases[static_cast<std::size_t>(phase)]; }
std::string_view name(AcquireFrom from) { return kSources[static_cast<std::size_t>(from)]; }
std::string_view name(DecisionKind kind) { return kDecisions[static_cast<std::size_t>(kind)]; }
std::string_view name(EventKind kind) { return kEvents[static_cast<std::size_t>(kind)]; }

std::string seat_name(Seat seat) { return "P" + std::to_string(seat + 1); }

Names::Names(const Content& content) : tables_(static_cast<std::size_t>(Thing::count_)) {
  for (std::size_t i = 0; i < content.cards.size(); ++i) {
    const Card& card = content.cards[i];
    add(card.deck == Deck::intrigue ? Thing::intrigue : Thing::card, i, card.id, card.name);
  }
  for (std::size_t i = 0; i < content.leaders.size(); ++i)
    add(Thing::leader, i, content.leaders[i].id, content.leaders[i].name);
  for (std::size_t i = 0; i < content.spaces.size(); ++i)
    add(Thing::space, i, content.spaces[i].id, content.spaces[i].name);
  for (std::size_t i = 0; i < content.posts.size(); ++i) add(Thing::post, i, content.posts[i].id, "");
  for (std::size_t i = 0; i < content.conflicts.size(); ++i)
    add(Thing::conflict, i, content.conflicts[i].id, content.conflicts[i].name);
  for (std::size_t i = 0; i < content.objectives.size(); ++i)
    add(Thing::objective, i, content.objectives[i].id, content.objectives[i].name);
  for (const FactionTrack& track : content.tracks)
    add(Thing::faction, static_cast<std::size_t>(track.faction), name(track.faction), track.name);
}

void Names::add(Thing thing, std::size_t id, std::string_view text, std::string_view printed) {
  Table& table = tables_[static_cast<std::size_t>(thing)];
  if (table.ids.size() <= id) table.ids.resize(id + 1);
  table.ids[id] = text;
  const auto value = static_cast<std::uint16_t>(id);
  table.by_key.insert_or_assign(key_of(text), value);
  if (printed.empty()) return;
  // A printed name that two things share (Skirmish) names neither; ids are never hidden by it.
  const auto [place, fresh] = table.by_key.emplace(key_of(printed), value);
  if (!fresh && key_of(table.ids[place->second]) != place->first) table.by_key.erase(place);
}

std::string_view Names::text(Thing thing, std::uint16_t id) const {
  const Table& known = table(thing);
  return id < known.ids.size() ? std::string_view(known.ids[id]) : std::string_view("nothing");
}

Outcome<std::uint16_t> Names::find(Thing thing, std::string_view text) const {
  const Table& known = table(thing);
  const std::string key = key_of(text);
  if (const auto found = known.by_key.find(key); found != known.by_key.end()) return found->second;

  std::vector<std::string_view> ids(known.ids.begin(), known.ids.end());
  std::vector<std::size_t> begins;
  const std::string beginning = std::string(text) + "_";
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (ids[i].size() > beginning.size() && same_word(ids[i].substr(0, beginning.size()), beginning))
      begins.push_back(i);
  if (begins.size() == 1) return static_cast<std::uint16_t>(begins.front());

  const std::string kind(kind_name(thing));
  for (const Named& other : find_any(text)) {
    if (other.thing == thing) continue;
    return Fault{"'" + std::string(text) + "' is no " + kind + " but a " +
                 std::string(kind_name(other.thing))};
  }
  std::string near = nearest(text, ids);
  if (begins.size() > 1) {
    near.clear();
    for (std::size_t i : begins) near += (near.empty() ? "" : ", ") + std::string(ids[i]);
  }
  return Fault{"no " + kind + " is called '" + std::string(text) + "'" +
               (near.empty() ? "" : "; nearest: " + near)};
}

std::vector<Named> Names::find_any(std::string_view text) const {
  std::vector<Named> found;
  const std::string key = key_of(text);
  for (std::size_t thing = 1; thing < tables_.size(); ++thing) {
    const auto& by_key = tables_[thing].by_key;
    if (const auto place = by_key.find(key); place != by_key.end())
      found.push_back({static_cast<Thing>(thing), place->second});
  }
  return found;
}

}  // namespace landsraad::scenario
