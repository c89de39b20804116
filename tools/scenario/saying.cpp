// Actions, decisions and sources in the words of a scenario.
#include "tools/scenario/moves.h"

namespace landsraad::scenario {

using namespace rules;

namespace {

std::string zone_text(const Lexicon& lexicon, const State& state, Seat seat, const Action& action) {
  const Op op = lexicon.content.node(pending(lexicon.content, state, seat).node).op;
  if (op == Op::acquire || op == Op::remove_row)
    return std::string(name(static_cast<AcquireFrom>(action.option)));
  if (op == Op::trash_intrigue) return "intrigue";
  return std::string(name(static_cast<Zone>(action.option)));
}

}  // namespace

std::string source_text(const Lexicon& lexicon, Source source) {
  const Names& names = lexicon.names;
  switch (source.kind) {
    case SourceKind::card:
    case SourceKind::intrigue: {
      const bool intrigue = source.kind == SourceKind::intrigue;
      if (source.id == kNoCopy) return "";
      return std::string(
          names.text(intrigue ? Thing::intrigue : Thing::card, lexicon.content.card_id(source.id)));
    }
    case SourceKind::space:
    case SourceKind::control:
      return std::string(names.text(Thing::space, source.id));
    case SourceKind::leader:
      return std::string(names.text(Thing::leader, source.id));
    case SourceKind::conflict:
      return std::string(names.text(Thing::conflict, source.id));
    case SourceKind::faction_track:
      return std::string(names.text(Thing::faction, source.id));
    case SourceKind::objective:
      return std::string(names.text(Thing::objective, source.id));
    case SourceKind::high_council:
      return "";
    case SourceKind::rule:
      return "";
  }
  return "";
}

std::string decision_text(const Lexicon& lexicon, const Decision& decision) {
  std::string text(name(decision.kind));
  if (decision.node != kNoNode) text += " for " + lexicon.effects.text(decision.node);
  if (const std::string source = source_text(lexicon, decision.source); !source.empty())
    text += " of " + source;
  return text;
}

std::string move_text(const Lexicon& lexicon, const State& state, Seat seat, const Action& action) {
  const Names& names = lexicon.names;
  const auto card = [&](std::uint16_t id) {
    const Thing thing = lexicon.content.cards[id].deck == Deck::intrigue ? Thing::intrigue : Thing::card;
    return std::string(names.text(thing, id));
  };
  const auto post = [&] { return std::string(names.text(Thing::post, action.post)); };
  const auto space = [&] { return std::string(names.text(Thing::space, action.target)); };
  switch (action.kind) {
    case ActionKind::none:
      return "does nothing";
    case ActionKind::pick_leader:
      return "picks " + std::string(names.text(Thing::leader, action.subject));
    case ActionKind::defend:
      return "defends";
    case ActionKind::send_agent: {
      std::string text = "sends " + card(action.subject) + " to " + space();
      if (lexicon.content.spaces[action.target].costs.size() > 1)
        text += " paying option " + std::to_string(action.option + 1);
      return action.post == kNoPost ? text : text + " recalling " + post();
    }
    case ActionKind::reveal:
      return "reveals";
    case ActionKind::play_intrigue:
      return "plays " + card(action.subject);
    case ActionKind::resolve: {
      const std::string source =
          action.target < state.items.size() ? source_text(lexicon, state.items[action.target].source) : "";
      return "resolves exactly " + lexicon.effects.text(action.subject) +
             (source.empty() ? "" : " of " + source);
    }
    case ActionKind::deploy:
      return "deploys " + std::to_string(action.option);
    case ActionKind::acquire:
      return "acquires " + card(action.subject) + " from " +
             std::string(name(static_cast<AcquireFrom>(action.option)));
    case ActionKind::choose_faction:
      return "chooses " + std::string(name(static_cast<Faction>(action.option)));
    case ActionKind::choose_post:
      return "chooses post " + post();
    case ActionKind::recall_spy:
      return "recalls spy " + post();
    case ActionKind::recall_agent:
      return "recalls agent from " + space();
    case ActionKind::choose_card:
      return "chooses card " + card(action.subject) + " from " + zone_text(lexicon, state, seat, action);
    case ActionKind::choose_amount:
      return "chooses " + std::to_string(action.option);
    case ActionKind::choose_step: {
      const auto steps = steps_of(lexicon.content, state.player(seat).leader);
      return "chooses step " + (action.option < steps.size() ? std::string(steps[action.option])
                                                             : std::to_string(action.option));
    }
    case ActionKind::choose_seat:
      return "chooses " + seat_name(action.option);
    case ActionKind::choose_conflict:
      return "chooses " +
             std::string(names.text(action.option == 1 ? Thing::objective : Thing::conflict, action.subject));
    case ActionKind::match_wild:
      return "matches " + std::string(names.text(Thing::conflict, action.subject)) + " with " +
             std::string(names.text(action.option == 1 ? Thing::objective : Thing::conflict, action.target));
    case ActionKind::done:
      return "is done";
    case ActionKind::count_:
      break;
  }
  return "?";
}

}  // namespace landsraad::scenario
