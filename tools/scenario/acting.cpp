// Carrying out what players do.
#include <algorithm>

#include "tools/scenario/table_play.h"
#include "tools/scenario/text.h"

namespace landsraad::scenario {

using namespace rules;

namespace {

constexpr int kMaxConvenienceSteps = 400;  // actions of one "finishes turn", "all pass", ...
constexpr std::size_t kMaxLegalLines = 40;

const Action kDoneAction{.kind = ActionKind::done};

bool contains_signet(const Content& content, NodeId node) {
  if (node == kNoNode) return false;
  if (content.node(node).op == Op::signet) return true;
  for (NodeId child = content.node(node).child; child != kNoNode; child = content.node(child).next)
    if (contains_signet(content, child)) return true;
  return false;
}

Done carry_out(InPlay& game, Seat seat, const Action& action) {
  const Content& content = game.lexicon.content;
  const bool rings =
      action.kind == ActionKind::send_agent && contains_signet(content, content.cards[action.subject].agent);
  if (rings && game.state.player(seat).leader == kNoLeader)
    return Fault{"the Signet ability needs a leader: say 'leader ...' for " + seat_name(seat) + " above"};
  game.actor = seat;
  apply(content, game.state, seat, action, &game.log);
  return std::monostate{};
}

bool may(const InPlay& game, Seat seat, const Action& action) {
  return is_legal(game.lexicon.content, game.state, seat, action);
}

DecisionKind asked(const InPlay& game) { return game.decision().kind; }

// What a player does who wants the turn to be over: end it, else the only thing possible; with `freely`
// the first thing possible.
Done one_step_to_the_end(InPlay& game, bool freely) {
  const Seat seat = game.decider();
  if (may(game, seat, kDoneAction)) return carry_out(game, seat, kDoneAction);
  const ActionList legal = legal_actions(game.lexicon.content, game.state, seat);
  if (legal.size() == 1 || (freely && !legal.empty())) return carry_out(game, seat, legal[0]);
  return Fault{"the turn cannot be finished yet: " + seat_name(seat) + " must choose"};
}

// Until the seat's turn is over.
Done finish_turn(InPlay& game, Seat seat, bool freely) {
  if (game.state.turn.seat != seat || asked(game) == DecisionKind::take_turn)
    return Fault{seat_name(seat) + " has no turn to finish"};
  for (int step = 0; step < kMaxConvenienceSteps; ++step) {
    if (game.state.phase != Phase::turns || game.state.turn.seat != seat ||
        asked(game) == DecisionKind::take_turn)
      break;
    if (!freely && game.decider() != seat)
      return Fault{"the turn cannot be finished yet: " + seat_name(game.decider()) + " must choose"};
    if (const Done done = one_step_to_the_end(game, freely); !done.ok()) return done;
  }
  game.actor = seat;
  return std::monostate{};
}

Done all_pass(InPlay& game) {
  const DecisionKind kind = asked(game);
  if (kind != DecisionKind::combat_intrigue && kind != DecisionKind::endgame)
    return Fault{"nobody is asked to pass; " + asked_text(game)};
  for (int step = 0; step < kMaxConvenienceSteps && asked(game) == kind; ++step)
    if (const Done done = carry_out(game, game.decider(), kDoneAction); !done.ok()) return done;
  return std::monostate{};
}

// Everybody but `spared` takes the Reveal turn when it is their turn, and buys nothing.
Done all_reveal(InPlay& game, Seat spared) {
  bool any = false;
  for (int step = 0; step < kMaxConvenienceSteps; ++step) {
    const Seat seat = game.decider();
    if (asked(game) != DecisionKind::take_turn || seat == spared) break;
    any = true;
    if (const Done done = carry_out(game, seat, {.kind = ActionKind::reveal}); !done.ok()) return done;
    if (const Done done = finish_turn(game, seat, true); !done.ok()) return done;
  }
  if (!any) return Fault{"nobody else is to take a turn now; " + asked_text(game)};
  return std::monostate{};
}

Done act_together(InPlay& game, const Clause& clause) {
  Words words(clause.text);
  const bool others = words.take("else") || clause.subject.who == Subject::Who::others;
  if (words.take_any({"pass", "passes"})) return all_pass(game);
  if (words.take_any({"reveal", "reveals"})) {
    const Seat actor = game.actor;
    const Done done = all_reveal(game, others ? actor : kNoSeat);
    if (others) game.actor = actor;
    return done;
  }
  return Fault{"expected 'all pass', 'all reveal' or 'everyone else reveals'"};
}

std::string choose_from(const InPlay& game, Seat seat, const std::vector<Action>& actions) {
  std::string text;
  for (const Action& action : actions)
    text += (text.empty() ? "'" : ", '") + move_text(game.lexicon, game.state, seat, action) + "'";
  return text;
}

// "finishes turn", "settles": several actions at once. Nothing if the words say something else.
std::optional<Done> act_on(InPlay& game, Seat seat, std::string_view text) {
  Words words(text);
  if (words.take_any({"finishes", "finish"})) return finish_turn(game, seat, false);
  if (words.take_any({"settles", "settle"})) return finish_turn(game, seat, true);
  return std::nullopt;
}

}  // namespace

Done act(InPlay& game, const Clause& clause) {
  if (clause.subject.who == Subject::Who::all || clause.subject.who == Subject::Who::others)
    return act_together(game, clause);
  if (clause.subject.who == Subject::Who::spectator) return Fault{"a spectator does not act"};
  const Seat seat = clause.subject.who == Subject::Who::seat ? clause.subject.seat : game.decider();
  if (seat >= game.state.options.seats) return Fault{"there is no such seat in this game"};
  if (auto several = act_on(game, seat, clause.text)) return *several;
  if (seat != game.decider())
    return Fault{seat_name(seat) + " is not asked anything now; " + asked_text(game)};

  const auto move = read_move(game.lexicon, game.state, seat, clause.text);
  if (!move.ok()) return move.fault();
  const std::vector<Action> found = best_fits(game.lexicon, game.state, seat, *move);
  if (found.empty()) {
    const std::string reason = reason_against(game, seat, *move);
    return Fault{"this is not legal now" + (reason.empty() ? "" : ": " + reason)};
  }
  if (found.size() > 1) return Fault{"several legal actions fit: " + choose_from(game, seat, found)};
  return carry_out(game, seat, found.front());
}

std::string asked_text(const InPlay& game) {
  if (is_over(game.state)) return "the game is over";
  const Seat seat = game.decider();
  if (seat == kNoSeat) return "nobody is asked anything";
  return seat_name(seat) + " is asked " + decision_text(game.lexicon, game.decision());
}

std::string legal_text(const InPlay& game) {
  const Seat seat = game.decider();
  if (seat == kNoSeat) return {};
  std::string text;
  std::size_t lines = 0;
  const ActionList legal = legal_actions(game.lexicon.content, game.state, seat);
  for (const Action& action : legal) {
    if (++lines > kMaxLegalLines) {
      text += "    ... and " + std::to_string(legal.size() - kMaxLegalLines) + " more\n";
      break;
    }
    text += "    " + seat_name(seat) + " " + move_text(game.lexicon, game.state, seat, action) + "\n";
  }
  return text;
}

}  // namespace landsraad::scenario
