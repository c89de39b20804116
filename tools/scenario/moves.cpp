#include "tools/scenario/moves.h"

#include <algorithm>
#include <array>

#include "tools/scenario/text.h"
#include "tools/scenario/values.h"

namespace landsraad::scenario {

using namespace rules;

namespace {

constexpr std::uint8_t kIntrigueZone = 0;  // choose_card among Intrigue cards: option is 0

// ---- Pieces of a statement ------------------------------------------------------------------------

// What "from X" means as the option of choose_card or acquire.
std::optional<std::uint8_t> zone_option(std::string_view word) {
  if (same_word(word, "play") || same_word(word, "in_play")) return static_cast<std::uint8_t>(Zone::play);
  if (same_word(word, "hand")) return static_cast<std::uint8_t>(Zone::hand);
  if (same_word(word, "deck")) return static_cast<std::uint8_t>(Zone::deck);
  if (same_word(word, "discard")) return static_cast<std::uint8_t>(Zone::discard);
  if (same_word(word, "row")) return static_cast<std::uint8_t>(AcquireFrom::row);
  if (same_word(word, "reserve")) return static_cast<std::uint8_t>(AcquireFrom::reserve);
  if (same_word(word, "set_aside")) return static_cast<std::uint8_t>(AcquireFrom::set_aside);
  if (same_word(word, "intrigue")) return kIntrigueZone;
  return std::nullopt;
}

// "x" or "x from hand": the card and the options that may be meant.
struct CardFrom {
  std::uint16_t card = kNoCard;
  std::vector<std::uint8_t> options;
};

Outcome<CardFrom> read_card_from(const Lexicon& lexicon, std::string_view text) {
  Words words(text);
  const std::string_view name = words.until({"from"});
  CardFrom result;
  if (words.take("from")) {
    const auto option = zone_option(words.rest());
    if (!option)
      return Fault{
          "expected hand, discard, in_play, deck, row, reserve, set_aside or intrigue after 'from', not " +
          quoted(words.rest())};
    result.options = {*option};
    if (same_word(words.rest(), "intrigue")) {
      const auto intrigue = lexicon.names.find(Thing::intrigue, name);
      if (!intrigue.ok()) return intrigue.fault();
      result.card = *intrigue;
      return result;
    }
  }
  const auto card = lexicon.names.find(Thing::card, name);
  const auto intrigue = lexicon.names.find(Thing::intrigue, name);
  if (!card.ok() && !intrigue.ok()) return card.fault();
  result.card = card.ok() ? *card : *intrigue;
  return result;
}

std::optional<int> step_by_name(const Lexicon& lexicon, const State& state, Seat seat,
                                std::string_view name) {
  if (seat >= kMaxSeats) return std::nullopt;
  const auto steps = steps_of(lexicon.content, state.player(seat).leader);
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (same_word(steps[i], name)) return static_cast<int>(i);
  return std::nullopt;
}

Outcome<Move> nothing_after(Words& words, Form form) {
  if (!words.at_end()) return Fault{"did not expect " + quoted(words.rest()) + " here"};
  return Move{{std::move(form)}};
}

Form plain(ActionKind kind) {
  Form form;
  form.kind = kind;
  return form;
}

// "A of B": what is written of the effect, and where it is printed.
Outcome<Move> read_resolve(const Lexicon& lexicon, std::string_view text) {
  Words words(text);
  Form form = plain(ActionKind::resolve);
  form.exact = words.take("exactly");
  text = words.rest();
  const std::size_t of = text.rfind(" of ");
  if (of != std::string_view::npos) {
    const std::string_view name = trimmed(text.substr(of + 4));
    form.sources = lexicon.names.find_any(name);
    if (form.sources.empty()) return Fault{"nothing is called " + quoted(name)};
    text = trimmed(text.substr(0, of));
  }
  if (text.empty())
    return Fault{"expected an effect, as in 'resolves spy(1)' or 'resolves spy(1) of espionage'"};
  Move move;
  form.effect = effect_key(text);
  const bool known = lexicon.effects.occurs(form.effect);
  if (known) move.forms.push_back(form);
  if (of == std::string_view::npos && !form.exact) {
    Form by_source = plain(ActionKind::resolve);
    by_source.sources = lexicon.names.find_any(text);
    if (!by_source.sources.empty()) move.forms.push_back(by_source);
  }
  if (move.forms.empty())
    return Fault{"no effect of the game reads " + quoted(text) +
                 " and no card, space or leader is called so"};
  return move;
}

Outcome<Move> read_send(const Lexicon& lexicon, Words words) {
  Form form = plain(ActionKind::send_agent);
  words.take("agent");
  words.take("with");
  const auto card = lexicon.names.find(Thing::card, words.until({"to"}));
  if (!card.ok()) return card.fault();
  if (!words.take("to")) return Fault{"expected 'to' and a space: 'sends dagger to arrakeen'"};
  const auto space = lexicon.names.find(Thing::space, words.until({"paying", "recalling"}));
  if (!space.ok()) return space.fault();
  form.subject = *card;
  form.target = *space;
  form.post = kNoPost;
  const auto& costs = lexicon.content.spaces[*space].costs;
  while (!words.at_end()) {
    if (words.take("recalling")) {
      words.take("spy");
      const auto post = lexicon.names.find(Thing::post, words.next());
      if (!post.ok()) return post.fault();
      form.post = *post;
    } else if (words.take("paying")) {
      words.take("option");
      const std::string_view what = words.next();
      if (same_word(what, "nothing")) {
        for (std::size_t i = 0; i < costs.size(); ++i)
          if (costs[i].pays == decltype(costs[i].pays){}) form.option = static_cast<int>(i);
        if (!form.option) return Fault{"this space has no free option"};
        continue;
      }
      const auto number = whole_number(what);
      if (!number) return Fault{"expected 'paying option 1', 'paying 2 solari' or 'paying nothing'"};
      std::optional<std::size_t> resource;
      for (std::size_t r = 0; r < kResources; ++r)
        if (words.take(name(static_cast<Resource>(r)))) resource = r;
      if (!resource) {
        form.option = *number - 1;
        continue;
      }
      for (std::size_t i = 0; i < costs.size(); ++i)
        if (costs[i].pays[*resource] == *number) form.option = static_cast<int>(i);
      if (!form.option)
        return Fault{"this space has no cost of " + std::string(what) + " " +
                     std::string(name(static_cast<Resource>(*resource)))};
    } else {
      return Fault{"expected 'paying' or 'recalling', not " + quoted(words.rest())};
    }
  }
  return Move{{form}};
}

Outcome<Move> read_card_choice(const Lexicon& lexicon, std::string_view text) {
  const auto card = read_card_from(lexicon, text);
  if (!card.ok()) return card.fault();
  Form form = plain(ActionKind::choose_card);
  form.subject = card->card;
  form.zones = card->options;
  return Move{{form}};
}

Outcome<Move> read_acquire(const Lexicon& lexicon, std::string_view text) {
  auto move = read_card_choice(lexicon, text);
  if (!move.ok()) return move;
  move->forms.push_back(move->forms.front());
  move->forms.back().kind = ActionKind::acquire;
  return move;
}

// The wild card and its partner.
Outcome<Form> read_won(const Lexicon& lexicon, std::string_view text, ActionKind kind) {
  Form form = plain(kind);
  std::optional<int>& id = kind == ActionKind::match_wild ? form.target : form.subject;
  if (const auto conflict = lexicon.names.find(Thing::conflict, text); conflict.ok()) {
    id = *conflict;
    form.option = 0;
    return form;
  }
  const auto objective = read_thing(lexicon, Thing::objective, text);
  if (!objective.ok()) return Fault{"no Conflict card or Objective is called " + quoted(text)};
  id = *objective;
  form.option = 1;
  return form;
}

Outcome<Move> read_match(const Lexicon& lexicon, Words words) {
  words.take("wild");
  const auto wild = lexicon.names.find(Thing::conflict, words.until({"with"}));
  if (!wild.ok()) return wild.fault();
  if (!words.take("with"))
    return Fault{"expected 'with' and a Conflict card: 'matches propaganda with skirmish_crysknife'"};
  auto partner = read_won(lexicon, words.rest(), ActionKind::match_wild);
  if (!partner.ok()) return partner.fault();
  partner->subject = *wild;
  return Move{{*partner}};
}

// "chooses ...": whatever a name or number can mean as an answer.
Outcome<Move> read_choice(const Lexicon& lexicon, const State& state, Seat seat, Words words) {
  Move move;
  const auto add = [&move](Form form) { move.forms.push_back(std::move(form)); };
  const auto number_form = [](ActionKind kind, int option) {
    Form form = plain(kind);
    form.option = option;
    return form;
  };
  if (words.take("card")) return read_card_choice(lexicon, words.rest());
  if (words.take("post")) {
    const auto post = lexicon.names.find(Thing::post, words.rest());
    if (!post.ok()) return post.fault();
    Form form = plain(ActionKind::choose_post);
    form.post = *post;
    return Move{{form}};
  }
  if (words.take("step")) {
    const auto step = step_by_name(lexicon, state, seat, words.rest());
    if (!step) return Fault{"the leader's track has no step " + quoted(words.rest())};
    return Move{{number_form(ActionKind::choose_step, *step)}};
  }
  const std::string_view text = words.rest();
  if (text.empty()) return Fault{"expected what is chosen: a Faction, post, card, number, ..."};
  if (same_word(text, "nothing") || same_word(text, "none")) {
    add(plain(ActionKind::done));
    add(number_form(ActionKind::choose_amount, 0));
    return move;
  }
  if (const auto number = whole_number(text)) return Move{{number_form(ActionKind::choose_amount, *number)}};
  if (const auto other = read_seat(text); other.ok())
    return Move{{number_form(ActionKind::choose_seat, *other)}};
  if (const auto faction = lexicon.names.find(Thing::faction, text); faction.ok())
    add(number_form(ActionKind::choose_faction, *faction));
  if (const auto post = lexicon.names.find(Thing::post, text); post.ok()) {
    Form form = plain(ActionKind::choose_post);
    form.post = *post;
    add(form);
    form.kind = ActionKind::recall_spy;
    add(form);
  }
  if (const auto step = step_by_name(lexicon, state, seat, text))
    add(number_form(ActionKind::choose_step, *step));
  if (const auto leader = lexicon.names.find(Thing::leader, text); leader.ok()) {
    Form form = plain(ActionKind::pick_leader);
    form.subject = *leader;
    add(form);
  }
  if (const auto space = lexicon.names.find(Thing::space, text); space.ok()) {
    Form form = plain(ActionKind::recall_agent);
    form.target = *space;
    add(form);
  }
  if (const auto won = read_won(lexicon, text, ActionKind::choose_conflict); won.ok()) add(*won);
  if (const auto card = read_card_choice(lexicon, text); card.ok()) add(card->forms.front());
  if (const auto intrigue = lexicon.names.find(Thing::intrigue, text); intrigue.ok()) {
    Form form = plain(ActionKind::choose_card);
    form.subject = *intrigue;
    add(form);
  }
  if (const auto effect = read_resolve(lexicon, text); effect.ok())
    move.forms.insert(move.forms.end(), effect->forms.begin(), effect->forms.end());
  if (move.forms.empty()) return Fault{"nothing that can be chosen is called " + quoted(text)};
  return move;
}

Outcome<Move> read_recall(const Lexicon& lexicon, Words words) {
  if (words.take("agent")) {
    words.take("from");
    const auto space = lexicon.names.find(Thing::space, words.rest());
    if (!space.ok()) return space.fault();
    Form form = plain(ActionKind::recall_agent);
    form.target = *space;
    return Move{{form}};
  }
  words.take("spy");
  words.take_any({"from", "at"});
  const auto post = lexicon.names.find(Thing::post, words.rest());
  if (!post.ok()) return Fault{"expected 'recalls spy B' or 'recalls agent from arrakeen'"};
  Form form = plain(ActionKind::recall_spy);
  form.post = *post;
  return Move{{form}};
}

Outcome<Move> read_post(const Lexicon& lexicon, Words words, ActionKind kind) {
  words.take("spy");
  words.take_any({"at", "on", "from", "intelligence"});
  words.take_any({"at", "with"});
  const auto post = lexicon.names.find(Thing::post, words.rest());
  if (!post.ok()) return post.fault();
  Form form = plain(kind);
  form.post = *post;
  return Move{{form}};
}

Outcome<Move> read_named(const Lexicon& lexicon, Words words, Thing thing, ActionKind kind) {
  const auto id = lexicon.names.find(thing, words.rest());
  if (!id.ok()) return id.fault();
  Form form = plain(kind);
  form.subject = *id;
  return Move{{form}};
}

Outcome<Move> read_number(Words words, ActionKind kind) {
  const auto number = whole_number(words.next());
  words.take_any({"troops", "troop", "units", "unit"});
  if (!number || !words.at_end()) return Fault{"expected a number"};
  Form form = plain(kind);
  form.option = *number;
  return Move{{form}};
}

enum class Verb : std::uint8_t {
  send,
  reveal,
  play,
  resolve,
  deploy,
  acquire,
  choose,
  place,
  trash,
  discard,
  pick,
  gather,
  recall,
  retreat,
  done,
  end,
  defend,
  match
};

struct VerbRow {
  std::string_view word;
  Verb verb;
};

constexpr auto kVerbs = std::to_array<VerbRow>({
    {"sends", Verb::send},       {"reveals", Verb::reveal},   {"plays", Verb::play},
    {"resolves", Verb::resolve}, {"uses", Verb::resolve},     {"deploys", Verb::deploy},
    {"acquires", Verb::acquire}, {"buys", Verb::acquire},     {"chooses", Verb::choose},
    {"places", Verb::place},     {"trashes", Verb::trash},    {"discards", Verb::discard},
    {"removes", Verb::trash},    {"picks", Verb::pick},       {"gathers", Verb::gather},
    {"recalls", Verb::recall},   {"retreats", Verb::retreat}, {"declines", Verb::done},
    {"passes", Verb::done},      {"pass", Verb::done},        {"done", Verb::done},
    {"skips", Verb::done},       {"ends", Verb::end},         {"defends", Verb::defend},
    {"matches", Verb::match},    {"match", Verb::match},      {"pass", Verb::done},
    {"finishes", Verb::end},     {"settles", Verb::end},
});

// "sends" and "send" are the same verb.
const VerbRow* find_verb(std::string_view word) {
  for (const VerbRow& row : kVerbs) {
    if (same_word(row.word, word)) return &row;
    const bool third_person = row.word.back() == 's' && row.word.size() == word.size() + 1;
    if (third_person && same_word(row.word.substr(0, word.size()), word)) {
      // "discard", "play" and "place" are fields of a seat, too; as verbs they need their "s".
      if (find_field(word, true) == nullptr) return &row;
    }
  }
  return nullptr;
}

}  // namespace

bool is_verb(std::string_view word) { return find_verb(word) != nullptr; }

bool is_action(std::string_view text) {
  Words words(text);
  words.take("is");
  return is_verb(words.peek());
}

std::vector<std::string_view> verbs() {
  std::vector<std::string_view> words;
  for (const VerbRow& row : kVerbs) words.push_back(row.word);
  return words;
}

Outcome<Move> read_move(const Lexicon& lexicon, const State& state, Seat seat, std::string_view text) {
  Words words(text);
  words.take("is");
  const std::string_view word = words.next();
  const VerbRow* row = find_verb(word);
  if (row == nullptr) {
    const std::string near = nearest(word, verbs());
    return Fault{quoted(word) + " is no action" + (near.empty() ? "" : "; nearest: " + near)};
  }
  switch (row->verb) {
    case Verb::send:
      return read_send(lexicon, words);
    case Verb::reveal:
      return nothing_after(words, plain(ActionKind::reveal));
    case Verb::play:
      return read_named(lexicon, words, Thing::intrigue, ActionKind::play_intrigue);
    case Verb::resolve:
      return read_resolve(lexicon, words.rest());
    case Verb::deploy: {
      auto move = read_number(words, ActionKind::deploy);
      if (!move.ok()) return move;
      move->forms.push_back(move->forms.front());
      move->forms.back().kind = ActionKind::choose_amount;
      return move;
    }
    case Verb::acquire:
      return read_acquire(lexicon, words.rest());
    case Verb::choose:
      return read_choice(lexicon, state, seat, words);
    case Verb::place:
      return read_post(lexicon, words, ActionKind::choose_post);
    case Verb::trash:
    case Verb::discard:
      return read_card_choice(lexicon, words.rest());
    case Verb::pick:
      return read_named(lexicon, words, Thing::leader, ActionKind::pick_leader);
    case Verb::gather:
      return read_post(lexicon, words, ActionKind::recall_spy);
    case Verb::recall:
      return read_recall(lexicon, words);
    case Verb::retreat:
      return read_number(words, ActionKind::choose_amount);
    case Verb::end:
      words.take_any({"turn", "the"});
      words.take("turn");
      [[fallthrough]];
    case Verb::done:
      return nothing_after(words, plain(ActionKind::done));
    case Verb::defend:
      return nothing_after(words, plain(ActionKind::defend));
    case Verb::match:
      return read_match(lexicon, words);
  }
  return Fault{"cannot be read"};
}

}  // namespace landsraad::scenario
