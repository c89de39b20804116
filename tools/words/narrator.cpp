#include "tools/words/narrator.h"

#include <algorithm>
#include <cstdlib>

#include "tools/words/effect.h"

namespace landsraad::words {

using namespace rules;

namespace {

constexpr std::string_view kUnknown = "?";

std::string_view name(Resource resource) {
  switch (resource) {
    case Resource::solari:
      return "Solari";
    case Resource::spice:
      return "spice";
    case Resource::water:
      return "water";
  }
  return kUnknown;
}

std::string_view name(BattleIcon icon) {
  switch (icon) {
    case BattleIcon::crysknife:
      return "crysknife";
    case BattleIcon::desert_mouse:
      return "desert mouse";
    case BattleIcon::ornithopter:
      return "ornithopter";
    case BattleIcon::wild:
      return "wild";
  }
  return kUnknown;
}

std::string_view name(AcquireFrom from) {
  switch (from) {
    case AcquireFrom::row:
      return "the Imperium Row";
    case AcquireFrom::reserve:
      return "the Reserve";
    case AcquireFrom::set_aside:
      return "the cards set aside";
  }
  return kUnknown;
}

std::string_view name(Zone zone) {
  switch (zone) {
    case Zone::deck:
      return "the deck";
    case Zone::hand:
      return "the hand";
    case Zone::play:
      return "the cards in play";
    case Zone::discard:
      return "the discard pile";
  }
  return kUnknown;
}

// "gains 2 spice" or "loses 2 spice".
std::string change(const Event& event, const std::string& what) {
  return (event.amount < 0 ? "loses " : "gains ") + what;
}

// What it means to be done with a decision.
std::string_view ending(DecisionKind kind) {
  switch (kind) {
    case DecisionKind::agent_turn:
    case DecisionKind::reveal_turn:
      return " ends the turn";
    case DecisionKind::combat_intrigue:
    case DecisionKind::endgame:
      return " passes";
    case DecisionKind::effects:
      return " leaves it at that";
    default:
      return " declines";
  }
}

template <class Table, class Id>
std::string_view name_in(const Table& table, Id id) {
  return id < table.size() ? std::string_view(table[id].name) : kUnknown;
}

std::string text(std::string_view view) { return std::string(view); }

}  // namespace

std::string_view name(Phase phase) {
  switch (phase) {
    case Phase::setup:
      return "Set-up";
    case Phase::round_start:
      return "Round start";
    case Phase::turns:
      return "Player turns";
    case Phase::combat:
      return "Combat";
    case Phase::makers:
      return "Makers";
    case Phase::recall:
      return "Recall";
    case Phase::endgame:
      return "Endgame";
    case Phase::over:
      return "Over";
  }
  return kUnknown;
}

// ---- Names -----------------------------------------------------------------------------------------

std::string Narrator::player(Seat seat) const {
  if (seat == kNoSeat) return "The table";
  if (seat < players_.size() && !players_[seat].empty()) return players_[seat];
  return "Seat " + std::to_string(seat + 1);
}

std::string_view Narrator::card(CardId card) const {
  return card == kNoCard ? std::string_view("a card") : name_in(content_.cards, card);
}
std::string_view Narrator::leader(LeaderId leader) const { return name_in(content_.leaders, leader); }
std::string_view Narrator::space(SpaceId space) const { return name_in(content_.spaces, space); }
std::string_view Narrator::conflict(ConflictId conflict) const {
  return name_in(content_.conflicts, conflict);
}
std::string_view Narrator::objective(ObjectiveId objective) const {
  return name_in(content_.objectives, objective);
}

std::string_view Narrator::post(PostId post) const {
  return post < content_.posts.size() ? std::string_view(content_.posts[post].id) : kUnknown;
}

std::string_view Narrator::faction(std::uint8_t faction) const { return faction_name(content_, faction); }

std::string Narrator::step(LeaderId leader, std::uint8_t step) const {
  if (leader >= content_.leaders.size() || step >= content_.leaders[leader].track.size())
    return text(kUnknown);
  std::string name = content_.leaders[leader].track[step].id;
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string Narrator::source(Source source) const {
  switch (source.kind) {
    case SourceKind::rule:
      return "";
    case SourceKind::card:
    case SourceKind::intrigue:
      return source.id < content_.card_of_copy.size() ? text(card(content_.card_id(source.id))) : "";
    case SourceKind::space:
      return text(space(static_cast<SpaceId>(source.id)));
    case SourceKind::control:
      return "control of " + text(space(static_cast<SpaceId>(source.id)));
    case SourceKind::leader:
      return text(leader(source.id));
    case SourceKind::conflict:
      return text(conflict(static_cast<ConflictId>(source.id)));
    case SourceKind::faction_track:
      return text(faction(static_cast<std::uint8_t>(source.id))) + " track";
    case SourceKind::high_council:
      return "High Council";
    case SourceKind::objective:
      return text(objective(static_cast<ObjectiveId>(source.id)));
  }
  return "";
}

// ---- Actions ---------------------------------------------------------------------------------------

std::string Narrator::action(const State& before, Seat seat, const Action& action) const {
  const std::string who = player(seat);
  switch (action.kind) {
    case ActionKind::none:
    case ActionKind::count_:
      break;
    case ActionKind::pick_leader:
      return who + " picks " + text(leader(action.subject));
    case ActionKind::defend:
      return who + " defends with a troop";
    case ActionKind::send_agent:
      return sending(seat, action);
    case ActionKind::reveal:
      return who + " takes the Reveal turn";
    case ActionKind::play_intrigue:
      return who + " plays " + text(card(action.subject));
    case ActionKind::resolve:
      return resolving(before, seat, action);
    case ActionKind::deploy:
      return who + " deploys " + counted(action.option, "troop") + " from the garrison";
    case ActionKind::acquire:
      return who + " acquires " + text(card(action.subject)) + " from " +
             text(name(static_cast<AcquireFrom>(action.option)));
    case ActionKind::choose_faction:
      return who + " chooses " + text(faction(action.option));
    case ActionKind::choose_post:
      return who + " chooses post " + text(post(action.post));
    case ActionKind::recall_spy:
      return who + " recalls the Spy from post " + text(post(action.post));
    case ActionKind::recall_agent:
      return who + " recalls the Agent from " + text(space(static_cast<SpaceId>(action.target)));
    case ActionKind::choose_card:
      return card_choice(before, seat, action);
    case ActionKind::choose_amount:
      return who + " chooses " + std::to_string(action.option);
    case ActionKind::choose_step:
      return who + " moves to " + step(before.player(seat).leader, action.option);
    case ActionKind::choose_seat:
      return who + " chooses " + player(action.option);
    case ActionKind::choose_conflict:
      return who + " turns over " + won_card(action.subject, action.option == 1);
    case ActionKind::match_wild:
      return who + " matches " + won_card(action.subject, false) + " with " +
             won_card(action.target, action.option == 1);
    case ActionKind::done:
      return who + text(ending(pending(content_, before, seat).kind));
  }
  return who + " does nothing";
}

std::string Narrator::sending(Seat seat, const Action& action) const {
  const auto to = static_cast<SpaceId>(action.target);
  std::string sentence =
      player(seat) + " sends an Agent to " + text(space(to)) + " with " + text(card(action.subject));
  if (content_.spaces[to].costs.size() > 1)
    sentence += ", paying option " + std::to_string(action.option + 1);
  if (action.post != kNoPost) sentence += ", infiltrating from post " + text(post(action.post));
  return sentence;
}

std::string Narrator::resolving(const State& before, Seat seat, const Action& action) const {
  std::string sentence = player(seat) + " resolves '" + effect(content_, action.subject) + "'";
  if (action.target >= before.items.size()) return sentence;
  const std::string from = source(before.items[action.target].source);
  return from.empty() ? sentence : sentence + " of " + from;
}

std::string Narrator::card_choice(const State& before, Seat seat, const Action& action) const {
  const std::string sentence = player(seat) + " chooses " + text(card(action.subject)) + " from ";
  switch (content_.node(pending(content_, before, seat).node).op) {
    case Op::acquire:
    case Op::remove_row:
      return sentence + text(name(static_cast<AcquireFrom>(action.option)));
    case Op::trash_intrigue:
      return sentence + "the Intrigue cards";
    default:
      return sentence + text(name(static_cast<Zone>(action.option)));
  }
}

std::string Narrator::won_card(std::uint16_t id, bool is_objective) const {
  return text(is_objective ? objective(static_cast<ObjectiveId>(id)) : conflict(static_cast<ConflictId>(id)));
}

// ---- Events ----------------------------------------------------------------------------------------

std::string Narrator::event(const Event& event) const {
  std::string sentence = subject_and_verb(event);
  const std::string cause = source(event.cause);
  if (!sentence.empty() && !cause.empty()) sentence += " (" + cause + ")";
  return sentence;
}

// Cards that one may not know are drawn several at a time.
std::string Narrator::drawn(const Event& event) const {
  return event.subject == kNoCard && event.amount > 1 ? counted(event.amount, "card")
                                                      : text(card(event.subject));
}

std::string Narrator::subject_and_verb(const Event& event) const {
  const std::string who = player(event.seat) + " ";
  const auto at = static_cast<SpaceId>(event.detail);
  const auto conflict_id = static_cast<ConflictId>(event.subject);
  const int amount = event.amount;
  const int size = std::abs(amount);
  switch (event.kind) {
    case EventKind::none:
    case EventKind::count_:
    case EventKind::turn_ended:
    case EventKind::effect_waits:
    case EventKind::effect_expired:
      return "";

    case EventKind::game_began:
      return "The game begins";
    case EventKind::round_began:
      return "Round " + std::to_string(amount) + " begins";
    case EventKind::phase_began:
      return text(name(static_cast<Phase>(amount)));
    case EventKind::game_over:
      return "The game is over";
    case EventKind::first_player:
      return who + "is the First Player";
    case EventKind::objective_dealt:
      return who + "is dealt " + text(objective(static_cast<ObjectiveId>(event.subject)));
    case EventKind::leader_picked:
      return who + "plays " + text(leader(event.subject));

    case EventKind::conflict_revealed:
      return "The Conflict is " + text(conflict(conflict_id));
    case EventKind::conflict_won:
      return who + "wins " + text(conflict(conflict_id));
    case EventKind::conflict_unclaimed:
      return "Nobody wins " + text(conflict(conflict_id));
    case EventKind::reward:
      return who + "gets reward " + std::to_string(amount) + " of " + text(conflict(conflict_id));
    case EventKind::battle_icons_matched:
      return who + "matches the " + text(name(static_cast<BattleIcon>(event.detail))) + " icon of " +
             text(conflict(conflict_id));

    case EventKind::turn_began:
      return who + "is to move";
    case EventKind::passed:
      return who + "passes";
    case EventKind::agent_sent:
      return who + "places an Agent on " + text(space(at));
    case EventKind::agent_recalled:
      return who + "takes back the Agent from " + text(space(at));
    case EventKind::revealed:
      return who + "reveals " + counted(amount, "card");

    case EventKind::card_drawn:
      return who + "draws " + drawn(event);
    case EventKind::card_discarded:
      return who + "discards " + text(card(event.subject));
    case EventKind::card_trashed:
      return who + "trashes " + text(card(event.subject));
    case EventKind::card_to_hand:
      return who + "takes " + text(card(event.subject)) + " into the hand";
    case EventKind::deck_shuffled:
      return who + "shuffles the discard pile into a new deck";
    case EventKind::card_acquired:
      return who + "gets " + text(card(event.subject)) + " from " +
             text(name(static_cast<AcquireFrom>(event.detail)));
    case EventKind::row_refilled:
      return text(card(event.subject)) + " comes into the Imperium Row";
    case EventKind::row_card_removed:
      return text(card(event.subject)) + " leaves the Imperium Row";

    case EventKind::intrigue_drawn:
      return who + "draws Intrigue: " + drawn(event);
    case EventKind::intrigue_stolen:
      return who + "takes Intrigue from " + player(event.other) + ": " + text(card(event.subject));
    case EventKind::intrigue_played:
      return who + "plays Intrigue: " + text(card(event.subject));
    case EventKind::intrigue_trashed:
      return who + "trashes Intrigue: " + text(card(event.subject));
    case EventKind::intrigue_discarded:
      return who + "has played out " + text(card(event.subject));

    case EventKind::resource:
      return who +
             change(event, std::to_string(size) + " " + text(name(static_cast<Resource>(event.detail))));
    case EventKind::persuasion:
      return who + change(event, std::to_string(size) + " Persuasion");
    case EventKind::swords:
      return who + change(event, counted(size, "sword"));
    case EventKind::victory_points:
      return who + change(event, counted(size, "victory point"));
    case EventKind::influence:
      return who + change(event, std::to_string(size) + " Influence with " + text(faction(event.detail)));
    case EventKind::alliance_taken:
      return who + "takes the Alliance with " + text(faction(event.detail));
    case EventKind::alliance_returned:
      return who + "gives back the Alliance with " + text(faction(event.detail));

    case EventKind::troops_recruited:
      return who + "recruits " + counted(amount, "troop");
    case EventKind::troops_deployed:
      return who + "deploys " + counted(amount, "troop");
    case EventKind::troops_retreated:
      return who + "retreats " + counted(amount, "troop");
    case EventKind::troops_lost:
      return who + "loses " + counted(amount, "troop");
    case EventKind::sandworms_summoned:
      return who + "summons " + counted(amount, "sandworm");

    case EventKind::spy_placed:
      return who + "places a Spy on post " + text(post(event.detail));
    case EventKind::spy_recalled:
      return who + "takes back the Spy from post " + text(post(event.detail));
    case EventKind::bonus_spice:
      return amount > 0 ? std::to_string(amount) + " bonus spice appears on " + text(space(at))
                        : who + "takes " + std::to_string(size) + " bonus spice from " + text(space(at));
    case EventKind::control_taken:
      return who + "takes control of " + text(space(at));
    case EventKind::shield_wall_removed:
      return who + "blows up the Shield Wall";
    case EventKind::high_council_seat:
      return who + "takes a seat in the High Council";
    case EventKind::swordmaster_taken:
      return who + "hires a Swordmaster";
    case EventKind::maker_hooks_taken:
      return who + "takes Maker Hooks";

    case EventKind::leader_flipped:
      return who + "becomes " + text(leader(event.subject));
    case EventKind::leader_track:
      return who + "moves to " +
             (event.cause.kind == SourceKind::leader ? step(event.cause.id, event.detail) : "a step");
    case EventKind::memories:
      return who + (amount > 0 ? "puts " : "takes back ") + counted(size, "memory", "memories");
  }
  return "";
}

}  // namespace landsraad::words
