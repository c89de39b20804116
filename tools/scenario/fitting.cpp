// Which legal actions are meant by what was said.
#include <algorithm>

#include "tools/scenario/moves.h"

namespace landsraad::scenario {

using namespace rules;

namespace {

constexpr int kExactFit = 100;  // the whole effect as written
constexpr int kInnerFit = 95;   // the same without its condition
constexpr int kSourceFit = 90;  // by its source alone
constexpr int kWordFit = 80;    // the operation's name without its amount
constexpr int kPartFit = 50;    // a part of the effect as written

bool same_source(const Lexicon& lexicon, const State& state, const Action& action, const Form& form) {
  if (form.sources.empty()) return true;
  if (action.target >= state.items.size()) return false;
  const Source source = state.items[action.target].source;
  return std::any_of(form.sources.begin(), form.sources.end(),
                     [&](const Named& n) { return is_named(lexicon, source, n); });
}

int fit_of_effect(const Lexicon& lexicon, const State& state, const Action& action, const Form& form) {
  if (!same_source(lexicon, state, action, form)) return 0;
  if (form.effect.empty()) return kSourceFit;
  const std::string& key = lexicon.effects.key(action.subject);
  if (key == form.effect) return kExactFit;
  if (form.exact) return 0;
  NodeId inner = action.subject;
  while (lexicon.content.node(inner).op == Op::when || lexicon.content.node(inner).op == Op::may)
    inner = lexicon.content.node(inner).child;
  if (lexicon.effects.key(inner) == form.effect) return kInnerFit;
  if (row(lexicon.content.node(inner).op).name == form.effect) return kWordFit;
  return key.find(form.effect) != std::string::npos ? kPartFit : 0;
}

bool fits(const std::optional<int>& wanted, int is) { return !wanted || *wanted == is; }

int fit_of_form(const Lexicon& lexicon, const State& state, const Action& action, const Form& form) {
  if (action.kind != form.kind) return 0;
  if (form.kind == ActionKind::resolve) return fit_of_effect(lexicon, state, action, form);
  const bool zone_fits = form.zones.empty() ||
                         std::find(form.zones.begin(), form.zones.end(), action.option) != form.zones.end();
  const bool all = fits(form.option, action.option) && fits(form.subject, action.subject) &&
                   fits(form.target, action.target) && fits(form.post, action.post) && zone_fits;
  return all ? kExactFit : 0;
}

// Two actions that do the same to the position: equal effects of equal sources.
bool alike(const Lexicon& lexicon, const State& state, const Action& a, const Action& b) {
  if (a.kind != ActionKind::resolve || b.kind != ActionKind::resolve) return a == b;
  if (lexicon.effects.key(a.subject) != lexicon.effects.key(b.subject)) return false;
  return source_text(lexicon, state.items[a.target].source) ==
         source_text(lexicon, state.items[b.target].source);
}

}  // namespace

int fit(const Lexicon& lexicon, const State& state, const Action& action, const Move& move) {
  int best = 0;
  for (const Form& form : move.forms) best = std::max(best, fit_of_form(lexicon, state, action, form));
  return best;
}

std::vector<Action> best_fits(const Lexicon& lexicon, const State& state, Seat seat, const Move& move) {
  std::vector<Action> best;
  int best_fit = 1;
  for (const Action& action : legal_actions(lexicon.content, state, seat)) {
    const int this_fit = fit(lexicon, state, action, move);
    if (this_fit < best_fit) continue;
    if (this_fit > best_fit) best.clear();
    best_fit = this_fit;
    if (std::none_of(best.begin(), best.end(),
                     [&](const Action& other) { return alike(lexicon, state, action, other); }))
      best.push_back(action);
  }
  return best;
}

std::vector<Action> actions_described(const Move& move) {
  std::vector<Action> actions;
  for (const Form& form : move.forms) {
    if (form.kind == ActionKind::resolve) continue;  // names an effect, not one of those that are open
    Action action{.kind = form.kind};
    action.option =
        static_cast<std::uint8_t>(form.option.value_or(form.zones.empty() ? 0 : form.zones.front()));
    action.subject = static_cast<std::uint16_t>(form.subject.value_or(0));
    action.target = static_cast<std::uint16_t>(form.target.value_or(0));
    action.post = static_cast<std::uint8_t>(form.post.value_or(kNoPost));
    actions.push_back(action);
  }
  return actions;
}

bool is_named(const Lexicon& lexicon, Source source, Named wanted) {
  switch (source.kind) {
    case SourceKind::card:
      return wanted.thing == Thing::card && lexicon.content.card_id(source.id) == wanted.id;
    case SourceKind::intrigue:
      return wanted.thing == Thing::intrigue && lexicon.content.card_id(source.id) == wanted.id;
    case SourceKind::space:
    case SourceKind::control:
      return wanted.thing == Thing::space && wanted.id == source.id;
    case SourceKind::leader:
      return wanted.thing == Thing::leader && wanted.id == source.id;
    case SourceKind::conflict:
      return wanted.thing == Thing::conflict && wanted.id == source.id;
    case SourceKind::faction_track:
      return wanted.thing == Thing::faction && wanted.id == source.id;
    case SourceKind::objective:
      return wanted.thing == Thing::objective && wanted.id == source.id;
    case SourceKind::rule:
    case SourceKind::high_council:
      return false;
  }
  return false;
}

}  // namespace landsraad::scenario
