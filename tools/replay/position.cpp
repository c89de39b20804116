#include "tools/replay/position.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tools/replay/hearsay.h"
#include "tools/words/effect.h"

namespace landsraad::replay {

namespace {

using rules::Seat;
using words::counted;
using words::Narrator;

// Where the members of an enum are few and what is asked is for people to read.
std::string_view what_is_asked(v1::DecisionKind kind) {
  switch (kind) {
    case v1::DECISION_KIND_PICK_LEADER:
      return "pick a leader";
    case v1::DECISION_KIND_DEFENSIVE_BONUS:
      return "defend with a troop or not";
    case v1::DECISION_KIND_TAKE_TURN:
      return "take a turn";
    case v1::DECISION_KIND_GATHER_INTELLIGENCE:
      return "gather intelligence or not";
    case v1::DECISION_KIND_AGENT_TURN:
      return "go on with the Agent turn";
    case v1::DECISION_KIND_REVEAL_TURN:
      return "go on with the Reveal turn";
    case v1::DECISION_KIND_EFFECTS:
      return "resolve the next part of an effect";
    case v1::DECISION_KIND_CHOOSE_FACTION:
      return "choose a faction";
    case v1::DECISION_KIND_CHOOSE_POST:
      return "choose a post for a Spy";
    case v1::DECISION_KIND_CHOOSE_SPY:
      return "choose a Spy";
    case v1::DECISION_KIND_CHOOSE_AGENT:
      return "choose an Agent";
    case v1::DECISION_KIND_CHOOSE_CARD:
      return "choose a card";
    case v1::DECISION_KIND_CHOOSE_AMOUNT:
      return "choose how many";
    case v1::DECISION_KIND_CHOOSE_STEP:
      return "choose a step of the leader's track";
    case v1::DECISION_KIND_CHOOSE_CONFLICT:
      return "choose a Conflict card";
    case v1::DECISION_KIND_CHOOSE_OPPONENT:
      return "choose an opponent";
    case v1::DECISION_KIND_COMBAT_INTRIGUE:
      return "play a Combat Intrigue card or pass";
    case v1::DECISION_KIND_ENDGAME:
      return "play an Endgame Intrigue card or pass";
    default:
      return "decide";
  }
}

std::string_view turn_name(v1::TurnKind kind) {
  switch (kind) {
    case v1::TURN_KIND_AGENT:
      return "in the Agent turn";
    case v1::TURN_KIND_REVEAL:
      return "in the Reveal turn";
    default:
      return "has yet to choose a turn";
  }
}

std::string joined(const std::vector<std::string>& parts, std::string_view nothing = "none") {
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : ", ") + part;
  return all.empty() ? std::string(nothing) : all;
}

class PositionTeller {
 public:
  PositionTeller(const rules::Content& content, const Narrator& narrator, std::ostream& out)
      : content_(content), narrator_(narrator), out_(out) {}

  void course(const v1::Snapshot& snapshot);
  void table(const v1::GameView& view);
  void board(const v1::GameView& view);
  void seat(const v1::SeatView& seat);

 private:
  std::string player(std::uint32_t seat) const { return narrator_.player(static_cast<Seat>(seat)); }
  std::string card(std::uint32_t id) const {
    return std::string(narrator_.card(static_cast<rules::CardId>(id)));
  }
  std::string in_order(const v1::CardList& list) const;
  std::string counted_up(const v1::CardList& list) const;
  std::string players_of(std::uint32_t mask) const;
  std::string effects(const v1::Effects& effects) const;
  std::string influence(const v1::FactionNumbers& numbers) const;
  std::string in_play(const v1::CardsInPlay& play) const;
  std::string won(const v1::SeatView& seat) const;
  void turn(const v1::Turn& turn);
  void cards(const v1::SeatView& seat);
  void line(std::string_view what, const std::string& words) {
    out_ << "  " << what << ": " << words << '\n';
  }

  const rules::Content& content_;
  const Narrator& narrator_;
  std::ostream& out_;
};

// ---- Lists -----------------------------------------------------------------------------------------

std::string PositionTeller::in_order(const v1::CardList& list) const {
  std::vector<std::string> names;
  for (const std::uint32_t id : list.cards()) names.push_back(card(id));
  return joined(names);
}

// "Dagger x2, Seek Allies", in the order in which the kinds first come.
std::string PositionTeller::counted_up(const v1::CardList& list) const {
  std::vector<std::pair<std::uint32_t, int>> kinds;
  for (const std::uint32_t id : list.cards()) {
    const auto known =
        std::find_if(kinds.begin(), kinds.end(), [id](auto& kind) { return kind.first == id; });
    if (known == kinds.end())
      kinds.emplace_back(id, 1);
    else
      ++known->second;
  }
  std::vector<std::string> names;
  for (const auto& [id, count] : kinds)
    names.push_back(card(id) + (count > 1 ? " x" + std::to_string(count) : ""));
  return joined(names);
}

std::string PositionTeller::players_of(std::uint32_t mask) const {
  std::vector<std::string> names;
  for (std::uint32_t seat = 0; seat < rules::kMaxSeats; ++seat)
    if ((mask >> seat & 1U) != 0) names.push_back(player(seat));
  return joined(names);
}

std::string PositionTeller::effects(const v1::Effects& effects) const {
  std::vector<std::string> all;
  for (const v1::Effect& effect : effects.effects()) {
    std::string words = "'" + words::effect(content_, static_cast<rules::NodeId>(effect.node())) + "'";
    const std::string source =
        narrator_.source(source_of(content_, effect.source_kind(), effect.source_id()));
    if (!source.empty()) words += " of " + source;
    if (effect.has_seat()) words += " for " + player(effect.seat());
    if (effect.used()) words += " (used this turn)";
    all.push_back(std::move(words));
  }
  return joined(all);
}

std::string PositionTeller::influence(const v1::FactionNumbers& numbers) const {
  std::vector<std::string> all;
  for (int faction = 0; faction < numbers.values_size(); ++faction)
    all.push_back(std::string(narrator_.faction(static_cast<std::uint8_t>(faction))) + " " +
                  std::to_string(numbers.values(faction)));
  return joined(all);
}

std::string PositionTeller::in_play(const v1::CardsInPlay& play) const {
  std::vector<std::string> names;
  for (int i = 0; i < play.cards_size(); ++i)
    names.push_back(card(play.cards(i)) + ((play.flags(i) & 1U) != 0 ? " (revealed)" : ""));
  return joined(names);
}

std::string PositionTeller::won(const v1::SeatView& seat) const {
  const auto face = [](bool down) { return down ? " (face down)" : ""; };
  std::vector<std::string> names;
  for (int i = 0; i < seat.won().conflicts_size(); ++i)
    names.push_back(std::string(narrator_.conflict(static_cast<rules::ConflictId>(seat.won().conflicts(i)))) +
                    face(seat.won().face_down(i)));
  if (seat.objective() >= 0)
    names.push_back(std::string(narrator_.objective(static_cast<rules::ObjectiveId>(seat.objective()))) +
                    face(seat.objective_face_down()));
  return joined(names);
}

// ---- The game --------------------------------------------------------------------------------------

void PositionTeller::course(const v1::Snapshot& snapshot) {
  const v1::GameView& view = snapshot.view();
  out_ << "After " << snapshot.version() << " actions: round " << view.round() << ", "
       << words::name(phase_of(view.phase())) << "; "
       << player(static_cast<std::uint32_t>(view.first_player())) << " is the First Player\n";
  for (const v1::Decision& decision : snapshot.waiting()) {
    out_ << player(decision.seat()) << " is to " << what_is_asked(decision.kind());
    const std::string source =
        narrator_.source(source_of(content_, decision.source_kind(), decision.source_id()));
    out_ << (source.empty() ? "" : " (" + source + ")") << '\n';
  }
  turn(view.turn());
  if (view.open_effects().effects_size() > 0) out_ << "Open: " << effects(view.open_effects()) << '\n';
  if (view.in_force().effects_size() > 0) out_ << "In force: " << effects(view.in_force()) << '\n';
}

void PositionTeller::turn(const v1::Turn& turn) {
  if (!turn.has_seat()) return;
  out_ << player(turn.seat()) << ' ' << turn_name(turn.kind());
  if (turn.has_space()) out_ << " on " << narrator_.space(static_cast<rules::SpaceId>(turn.space()));
  if (turn.has_card()) out_ << " with " << card(turn.card());
  out_ << '\n';
}

void PositionTeller::table(const v1::GameView& view) {
  out_ << "\nThe table\n";
  std::vector<std::string> conflicts;
  for (const std::uint32_t id : view.conflicts().conflicts())
    conflicts.emplace_back(narrator_.conflict(static_cast<rules::ConflictId>(id)));
  line("Conflict", joined(conflicts) + "; " + std::to_string(view.conflict_deck_size()) + " in the deck");
  line("Imperium Row",
       in_order(view.row()) + "; " + std::to_string(view.imperium_deck_size()) + " in the deck");
  std::vector<std::string> stacks;
  for (const v1::ReserveStack& stack : view.reserve().stacks())
    stacks.push_back(card(stack.card()) + " x" + std::to_string(stack.copies()));
  line("Reserve", joined(stacks));
  for (const v1::SetAsideCard& aside : view.set_aside().cards())
    line("Set aside for " + player(aside.seat()), card(aside.card()));
  line("Intrigue", std::to_string(view.intrigue_deck_size()) + " in the deck; discarded " +
                       counted_up(view.intrigue_discard()) + "; trashed " +
                       counted_up(view.intrigue_trashed()));
  line("Trashed", counted_up(view.trashed()));
  board(view);
}

void PositionTeller::board(const v1::GameView& view) {
  line("Shield Wall", view.shield_wall() ? "stands" : "blown up");
  for (int faction = 0; faction < view.alliances().values_size(); ++faction) {
    const std::int32_t holder = view.alliances().values(faction);
    if (holder >= 0)
      line("Alliance with " + std::string(narrator_.faction(static_cast<std::uint8_t>(faction))),
           player(static_cast<std::uint32_t>(holder)));
  }
  for (const v1::SpaceView& space : view.spaces()) {
    std::vector<std::string> there;
    if (space.agents() != 0) there.push_back("Agents of " + players_of(space.agents()));
    if (space.bonus_spice() > 0) there.push_back(std::to_string(space.bonus_spice()) + " bonus spice");
    if (space.control() >= 0)
      there.push_back("controlled by " + player(static_cast<std::uint32_t>(space.control())));
    if (!there.empty()) line(narrator_.space(static_cast<rules::SpaceId>(space.id())), joined(there));
  }
  for (const v1::PostView& post : view.posts())
    if (post.spies() != 0)
      line("Post " + std::string(narrator_.post(static_cast<rules::PostId>(post.id()))),
           "Spies of " + players_of(post.spies()));
}

// ---- Seats -----------------------------------------------------------------------------------------

void PositionTeller::seat(const v1::SeatView& seat) {
  out_ << '\n' << player(seat.id()) << " (seat " << seat.id();
  if (seat.leader() >= 0) out_ << ", " << narrator_.leader(static_cast<rules::LeaderId>(seat.leader()));
  out_ << "): " << counted(seat.victory_points(), "victory point");
  if (seat.place() > 0) out_ << ", place " << seat.place();
  out_ << '\n';
  line("Goods", std::to_string(seat.solari()) + " Solari, " + std::to_string(seat.spice()) + " spice, " +
                    std::to_string(seat.water()) + " water; " + std::to_string(seat.persuasion()) +
                    " Persuasion");
  line("Influence", influence(seat.influence()));
  line("Troops", std::to_string(seat.garrison()) + " in the garrison, " + std::to_string(seat.supply()) +
                     " in the supply; in the Conflict " + counted(seat.troops_in_conflict(), "troop") + ", " +
                     counted(seat.sandworms(), "sandworm") + ", strength " + std::to_string(seat.strength()));
  line("Ready", counted(seat.agents_on_leader(), "Agent") + ", " +
                    counted(seat.spies_in_supply(), "Spy", "Spies") +
                    (seat.revealed() ? "; has revealed" : ""));
  std::vector<std::string> has;
  if (seat.high_council()) has.emplace_back("a seat in the High Council");
  if (seat.swordmaster()) has.emplace_back("a Swordmaster");
  if (seat.maker_hooks()) has.emplace_back("Maker Hooks");
  if (seat.memories() > 0) has.push_back(counted(seat.memories(), "memory", "memories"));
  if (!has.empty()) line("Has", joined(has));
  line("Won", won(seat));
  cards(seat);
}

// What the viewer may not know is not there; then the number of cards is said.
void PositionTeller::cards(const v1::SeatView& seat) {
  const std::string known =
      seat.hand_known().cards_size() == 0 ? "" : "; known to all: " + counted_up(seat.hand_known());
  line("Hand", seat.has_hand() ? counted_up(seat.hand()) : counted(seat.hand_size(), "card") + known);
  line("Intrigue",
       seat.has_intrigues() ? counted_up(seat.intrigues()) : counted(seat.intrigue_size(), "card"));
  line("In play", in_play(seat.play()));
  line("Discard pile", counted_up(seat.discard()));
  line("Deck",
       counted(seat.deck_size(), "card") +
           (seat.has_deck() && seat.deck_size() > 0 ? ", in no order: " + counted_up(seat.deck()) : ""));
  if (seat.looked_at().cards_size() > 0) line("Looks at", in_order(seat.looked_at()) + " (top last)");
}

// ---- Decks -----------------------------------------------------------------------------------------

using Deck = std::pair<std::string, std::vector<std::string>>;

// All decks lie with their next card last.
template <class Cards, class Name>
Deck deck(std::string what, const Cards& cards, Name name) {
  std::vector<std::string> names;
  for (auto it = cards.end(); it != cards.begin();) names.emplace_back(name(*--it));
  return {std::move(what), std::move(names)};
}

std::vector<Deck> decks_of(const rules::Content& content, const Narrator& narrator,
                           const rules::State& state) {
  const auto copy = [&](rules::CardCopy card) { return narrator.card(content.card_id(card)); };
  std::vector<Deck> decks{deck("Imperium", state.board.imperium_deck, copy),
                          deck("Intrigue", state.board.intrigue_deck, copy),
                          deck("Conflict", state.board.conflict_deck,
                               [&](rules::ConflictId id) { return narrator.conflict(id); })};
  for (Seat seat = 0; seat < state.options.seats; ++seat) {
    const rules::OwnedCards& own = state.player(seat).cards;
    const std::vector<rules::CardSlot> slots(own.begin(rules::Zone::deck), own.end(rules::Zone::deck));
    decks.push_back(
        deck(narrator.player(seat), slots, [&](rules::CardSlot slot) { return copy(slot.copy); }));
  }
  return decks;
}

}  // namespace

void tell_position(const rules::Content& content, const Narrator& narrator, const v1::Snapshot& snapshot,
                   std::ostream& out) {
  PositionTeller teller(content, narrator, out);
  teller.course(snapshot);
  teller.table(snapshot.view());
  for (const v1::SeatView& seat : snapshot.view().seats()) teller.seat(seat);
}

void tell_decks(const rules::Content& content, const Narrator& narrator, const rules::State& state,
                std::ostream& out) {
  out << "\nDecks, the next card first\n";
  for (const auto& [what, cards] : decks_of(content, narrator, state))
    out << "  " << what << ": " << joined(cards) << '\n';
}

void write_decks(const rules::Content& content, const Narrator& narrator, const rules::State& state,
                 JsonWriter& json) {
  json.begin_object();
  for (const auto& [what, cards] : decks_of(content, narrator, state)) {
    json.key(what).begin_list();
    for (const std::string& card : cards) json.text(card);
    json.end_list();
  }
  json.end_object();
}

}  // namespace landsraad::replay
