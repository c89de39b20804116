// Checking what is expected.
#include <algorithm>

#include "tools/scenario/table_play.h"
#include "tools/scenario/text.h"
#include "tools/scenario/values.h"

namespace landsraad::scenario {

using namespace rules;

namespace {

using Checked = Outcome<std::string>;

const std::string kHolds;

std::string because(const std::string& reason) { return reason.empty() ? "" : ": " + reason; }

// ---- What is legal --------------------------------------------------------------------------------

// A statement about an action and the seat that would take it.
struct SeatMove {
  Seat seat = kNoSeat;
  Move move;
  std::string text;
};

Outcome<SeatMove> read_seat_move(const InPlay& game, std::string_view text) {
  SeatMove said;
  said.text = text;
  Subject subject;
  const bool named = take_subject(text, subject);
  said.seat = named && subject.who == Subject::Who::seat ? subject.seat : game.decider();
  if (named && subject.who != Subject::Who::seat)
    return Fault{"expected a seat before the action: 'expect legal: P1 reveals'"};
  if (said.seat >= game.state.options.seats)
    return Fault{"there is no such seat in this game, or nobody is asked anything"};
  auto move = read_move(game.lexicon, game.state, said.seat, text);
  if (!move.ok()) return move.fault();
  said.move = *move;
  return said;
}

Checked check_legal(const InPlay& game, std::string_view text) {
  const auto said = read_seat_move(game, text);
  if (!said.ok()) return said.fault();
  if (said->seat != game.decider())
    return seat_name(said->seat) + " is not asked anything; " + asked_text(game);
  if (!best_fits(game.lexicon, game.state, said->seat, said->move).empty()) return kHolds;
  return quoted(text) + " is not legal" + because(reason_against(game, said->seat, said->move));
}

// A proof that something is forbidden is worth nothing if the seat is not asked or holds no such card.
Checked check_not_legal(const InPlay& game, std::string_view text) {
  const auto said = read_seat_move(game, text);
  if (!said.ok()) return said.fault();
  if (said->seat != game.decider())
    return seat_name(said->seat) + " is not asked anything, so nothing is legal for it (write 'expect " +
           seat_name(said->seat) + " not asked' if that is meant); " + asked_text(game);
  for (const Form& form : said->move.forms)
    if (form.subject && !holds_card(game, said->seat, form.kind, static_cast<CardId>(*form.subject)))
      return seat_name(said->seat) + " does not hold this card, so this proves nothing";
  const auto found = best_fits(game.lexicon, game.state, said->seat, said->move);
  if (!found.empty())
    return quoted(move_text(game.lexicon, game.state, said->seat, found.front())) + " is legal";
  for (const Action& action : actions_described(said->move))
    if (is_legal(game.lexicon.content, game.state, said->seat, action)) return quoted(text) + " is accepted";
  return kHolds;
}

Checked check_only_legal(const InPlay& game, std::string_view text) {
  const Seat seat = game.decider();
  if (seat == kNoSeat) return asked_text(game);
  ActionList left = legal_actions(game.lexicon.content, game.state, seat);
  for (std::string_view part : split(text, '|')) {
    const auto said = read_seat_move(game, part);
    if (!said.ok()) return said.fault();
    if (said->seat != seat) return seat_name(said->seat) + " is not asked anything; " + asked_text(game);
    const auto found = best_fits(game.lexicon, game.state, seat, said->move);
    if (found.empty()) return quoted(part) + " is not legal";
    for (std::size_t i = left.size(); i-- > 0;)
      if (fit(game.lexicon, game.state, left[i], said->move) >=
          fit(game.lexicon, game.state, found.front(), said->move))
        left.erase(i);
  }
  if (left.empty()) return kHolds;
  return quoted(seat_name(seat) + " " + move_text(game.lexicon, game.state, seat, left[0])) +
         " is legal, too";
}

// `can send dagger to arrakeen, research_station`, `can send dagger only to ...`, `cannot send dagger to ...`
Checked check_reach(const InPlay& game, Seat seat, Words words, bool can) {
  if (seat != game.decider() || game.decision().kind != DecisionKind::take_turn)
    return seat_name(seat) + " is not asked to take a turn; " + asked_text(game);
  words.take_any({"send", "sends"});
  const std::string_view name = words.until({"to", "only", "anywhere"});
  const auto card = game.lexicon.names.find(Thing::card, name);
  if (!card.ok()) return card.fault();
  if (!holds_card(game, seat, ActionKind::send_agent, *card))
    return seat_name(seat) + " does not hold this card, so this proves nothing";
  bool only = words.take("only");
  SpaceMask wanted = 0;
  if (words.take("anywhere")) {
    only = true;
  } else {
    if (!words.take("to"))
      return Fault{"expected 'to' and spaces: 'can send dagger only to arrakeen, research_station'"};
    only = words.take("only") || only;
    const auto reading = read_value(game.lexicon, field(FieldId::agents), words.rest(), kNoLeader);
    if (!reading.ok()) return reading.fault();
    for (const Part& part : reading->parts) wanted |= space_bit(static_cast<SpaceId>(part.entry.id));
  }
  SpaceMask legal = 0;
  for (const Action& action : legal_actions(game.lexicon.content, game.state, seat))
    if (action.kind == ActionKind::send_agent && action.subject == *card)
      legal |= space_bit(static_cast<SpaceId>(action.target));
  const SpaceMask wrong = !can && only && wanted == 0 ? legal
                          : can                       ? (only ? legal ^ wanted : wanted & ~legal)
                                                      : wanted & legal;
  if (wrong == 0) return kHolds;
  std::string text =
      seat_name(seat) + " can send " + std::string(game.lexicon.names.text(Thing::card, *card)) + " to";
  if (legal == 0) text += " no space";
  for (SpaceMask spaces = legal; spaces != 0; spaces &= spaces - 1)
    text += (spaces == legal ? " " : ", ") +
            std::string(
                game.lexicon.names.text(Thing::space, static_cast<std::uint16_t>(__builtin_ctzll(spaces))));
  return text;
}

// ---- Who is asked ---------------------------------------------------------------------------------

std::vector<std::string_view> decision_names() {
  return all_names<DecisionKind>(static_cast<std::size_t>(DecisionKind::count_));
}

// `asked`, `asked choose_post`, `asked choose_post for spy(1) of espionage`
Checked check_asked(const InPlay& game, Seat seat, Words words) {
  const Decision decision = game.decision();
  const std::string otherwise = asked_text(game);
  if (seat != game.decider()) return otherwise;
  if (words.at_end()) return kHolds;
  const std::string_view kind = words.next();
  const auto known = decision_names();
  if (std::find(known.begin(), known.end(), kind) == known.end()) {
    const std::string near = nearest(kind, known);
    return Fault{quoted(kind) + " is no kind of decision" + (near.empty() ? "" : "; nearest: " + near)};
  }
  if (name(decision.kind) != kind) return otherwise;
  std::string_view effect;
  if (words.take("for")) effect = words.until({"of"});
  if (!effect.empty()) {
    const std::string key = effect_key(effect);
    if (!game.lexicon.effects.occurs(key)) return Fault{"no effect of the game reads " + quoted(effect)};
    if (game.lexicon.effects.key(decision.node).find(key) == std::string::npos) return otherwise;
  }
  if (words.take_any({"of", "by"})) {
    const auto named = game.lexicon.names.find_any(words.rest());
    if (named.empty()) return Fault{"nothing is called " + quoted(words.rest())};
    if (std::none_of(named.begin(), named.end(),
                     [&](const Named& n) { return is_named(game.lexicon, decision.source, n); }))
      return otherwise;
  }
  return kHolds;
}

// ---- Events ---------------------------------------------------------------------------------------

bool is_about(const InPlay& game, const Event& event, const Named& named) {
  switch (named.thing) {
    case Thing::card:
    case Thing::intrigue:
    case Thing::leader:
    case Thing::conflict:
    case Thing::objective:
      return event.subject == named.id;
    case Thing::space:
    case Thing::post:
    case Thing::faction:
      return event.detail == named.id;
    case Thing::none:
    case Thing::count_:
      break;
  }
  (void)game;
  return false;
}

// `event resource P1 solari +1 of arrakeen`: words in any order.
Checked check_event(const InPlay& game, Seat seat, Words words, bool there) {
  const auto known = all_names<EventKind>(static_cast<std::size_t>(EventKind::count_));
  const std::string_view kind = words.next();
  if (std::find(known.begin(), known.end(), kind) == known.end()) {
    const std::string near = nearest(kind, known);
    return Fault{quoted(kind) + " is no kind of event" + (near.empty() ? "" : "; nearest: " + near)};
  }
  std::optional<int> amount;
  std::optional<std::uint8_t> resource;
  std::vector<Named> about;
  std::vector<Named> cause;
  while (!words.at_end()) {
    const bool is_cause = words.take_any({"of", "by"});
    const std::string_view word = words.next();
    if (const auto other = read_seat(word); other.ok()) {
      seat = *other;
    } else if (const auto number = whole_number(word)) {
      amount = *number;
    } else {
      for (std::size_t r = 0; r < kResources; ++r)
        if (!is_cause && word == name(static_cast<Resource>(r))) resource = static_cast<std::uint8_t>(r);
      const auto named = game.lexicon.names.find_any(word);
      if (named.empty() && !resource) return Fault{"nothing is called " + quoted(word)};
      if (!resource || is_cause) (is_cause ? cause : about) = named;
    }
  }
  const bool found = std::any_of(game.log.events.begin(), game.log.events.end(), [&](const Event& event) {
    if (name(event.kind) != kind || (seat != kNoSeat && event.seat != seat)) return false;
    if (amount && event.amount != *amount) return false;
    if (resource && event.detail != *resource) return false;
    const auto named = [&](const Named& n) { return is_about(game, event, n); };
    const auto causes = [&](const Named& n) { return is_named(game.lexicon, event.cause, n); };
    return (about.empty() || std::any_of(about.begin(), about.end(), named)) &&
           (cause.empty() || std::any_of(cause.begin(), cause.end(), causes));
  });
  if (found == there) return kHolds;
  return std::string(found ? "such an event happened" : "no such event happened") +
         " since the last expectations";
}

// ---- Fields ---------------------------------------------------------------------------------------

std::string unknown_field(std::string_view word, bool of_seat) {
  std::vector<std::string_view> known = field_names(of_seat);
  if (of_seat)
    known.insert(known.end(), {"asked", "waiting", "sees", "can send", "cannot send"});
  else
    known.insert(known.end(), {"legal:", "not legal:", "only legal:", "event", "game over"});
  const std::string near = nearest(word, known);
  if (find_field(word, !of_seat) != nullptr)
    return quoted(word) + (of_seat ? " belongs to the table: write 'expect " + std::string(word) + " ...'"
                                   : " belongs to a seat: write 'expect P1 " + std::string(word) + " ...'");
  return quoted(word) + " is nothing that can be expected" + (near.empty() ? "" : "; nearest: " + near);
}

Checked check_field(const InPlay& game, Seat seat, Words words) {
  const bool of_seat = seat != kNoSeat;
  const bool negated = words.take_any({"no", "not"});
  const std::string_view word = words.next();
  const Field* of = find_field(word, of_seat);
  if (of == nullptr) return Fault{unknown_field(word, of_seat)};
  std::string text(words.rest());
  if (negated) text = text.empty() ? std::string(absence(*of)) : "lacks " + text;
  const LeaderId leader = of_seat ? game.state.player(seat).leader : kNoLeader;
  const auto reading = read_value(game.lexicon, *of, text, leader);
  if (!reading.ok()) return reading.fault();
  const Seat whose = of_seat ? seat : is_of_turn(of->id) ? game.state.turn.seat : Seat{0};
  const std::string differs = difference(game.lexicon, *of, *reading, game.state, game.before, whose);
  if (differs.empty()) return kHolds;
  return (of_seat ? seat_name(seat) + " " : "") + std::string(of->name) + " is " + differs;
}

// `waiting call_to_arms`, `waiting none`, `not waiting call_to_arms`
Checked check_waiting(const InPlay& game, Seat seat, Words words, bool there) {
  std::vector<std::string> waiting;
  const std::string_view text = words.rest();
  const bool nothing = same_word(text, "none") || text.empty();
  const auto named = game.lexicon.names.find_any(text);
  if (!nothing && named.empty()) return Fault{"nothing is called " + quoted(text)};
  bool found = false;
  for (const Waiting& effect : game.state.waiting) {
    if (effect.seat != seat) continue;
    waiting.push_back(source_text(game.lexicon, effect.source));
    found = found || nothing || std::any_of(named.begin(), named.end(), [&](const Named& n) {
              return is_named(game.lexicon, effect.source, n);
            });
  }
  if (found == (same_word(text, "none") ? false : there)) return kHolds;
  return "waiting for " + seat_name(seat) + ": " + (waiting.empty() ? "nothing" : joined(waiting, ", "));
}

Checked check_seat(InPlay& game, Seat seat, std::string_view text) {
  if (seat >= game.state.options.seats) return Fault{"there is no " + seat_name(seat) + " in this game"};
  Words words(text);
  if (words.take("asked")) return check_asked(game, seat, words);
  if (words.take("event")) return check_event(game, seat, words, true);
  if (words.take("waiting")) return check_waiting(game, seat, words, true);
  if (words.take("can")) return check_reach(game, seat, words, true);
  if (words.take("cannot")) return check_reach(game, seat, words, false);
  if (words.take("sees")) return check_sees(game, seat, words.rest(), true);
  if (Words negated = words; negated.take_any({"not", "no"})) {
    if (negated.take("asked")) return seat == game.decider() ? asked_text(game) : kHolds;
    if (negated.take("event")) return check_event(game, seat, negated, false);
    if (negated.take("waiting")) return check_waiting(game, seat, negated, false);
  }
  if (words.take("does")) {
    if (words.take("not") && words.take("see")) return check_sees(game, seat, words.rest(), false);
    return Fault{"expected 'does not see CARD in P1 hand'"};
  }
  if (words.take("influence")) {
    for (std::string_view part : split(words.rest(), ',')) {
      const auto checked = check_field(game, seat, Words(part));
      if (!checked.ok() || !checked->empty()) return checked;
    }
    return kHolds;
  }
  return check_field(game, seat, words);
}

Checked check_table(const InPlay& game, std::string_view text) {
  Words words(text);
  if (words.take("game")) {
    const bool wanted = !words.take("not");
    if (!words.take("over")) return Fault{"expected 'game over' or 'game not over'"};
    return is_over(game.state) == wanted ? kHolds : asked_text(game);
  }
  if (words.take("nobody")) {
    if (!words.take("asked")) return Fault{"expected 'nobody asked'"};
    return game.decider() == kNoSeat ? kHolds : asked_text(game);
  }
  if (words.take("event")) return check_event(game, kNoSeat, words, true);
  if (Words negated = words; negated.take_any({"not", "no"}) && negated.take("event"))
    return check_event(game, kNoSeat, negated, false);
  return check_field(game, kNoSeat, words);
}

Checked check_legality(const InPlay& game, std::string_view text) {
  const std::size_t colon = text.find(':');
  Words words(text.substr(0, colon));
  const std::string_view rest = trimmed(text.substr(colon + 1));
  const bool negated = words.take("not");
  const bool only = words.take("only");
  const bool illegal = words.take("illegal");
  if (!illegal && !words.take("legal")) return Fault{"expected 'legal:', 'not legal:' or 'only legal:'"};
  if (only) return check_only_legal(game, rest);
  return negated != illegal ? check_not_legal(game, rest) : check_legal(game, rest);
}

bool is_legality(std::string_view text) {
  Words words(text);
  words.take_any({"not", "only"});
  return words.peek().starts_with("legal") || words.peek().starts_with("illegal");
}

}  // namespace

Outcome<std::string> check(InPlay& game, const Clause& clause) {
  if (is_legality(clause.text)) return check_legality(game, clause.text);
  switch (clause.subject.who) {
    case Subject::Who::table:
      return check_table(game, clause.text);
    case Subject::Who::seat:
      return check_seat(game, clause.subject.seat, clause.text);
    case Subject::Who::spectator: {
      Words words(clause.text);
      const bool sees = words.take("sees");
      if (!sees && !(words.take("does") && words.take("not") && words.take("see")))
        return Fault{"expected 'sees' or 'does not see'"};
      return check_sees(game, kNoSeat, words.rest(), sees);
    }
    case Subject::Who::all:
    case Subject::Who::others:
      break;
  }
  for (Seat seat = 0; seat < game.state.options.seats; ++seat) {
    if (clause.subject.who == Subject::Who::others && seat == game.actor) continue;
    const auto checked = check_seat(game, seat, clause.text);
    if (!checked.ok() || !checked->empty()) return checked;
  }
  return kHolds;
}

}  // namespace landsraad::scenario
