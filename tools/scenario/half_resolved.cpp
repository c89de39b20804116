#include "tools/scenario/half_resolved.h"

#include <algorithm>
#include <array>

#include "tools/scenario/moves.h"
#include "tools/scenario/placing.h"
#include "tools/scenario/position.h"
#include "tools/scenario/text.h"

namespace landsraad::scenario {

using namespace rules;

namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(FrameKind::count_)> kFrameNames{
    "none",           "pick_leader", "defensive_bonus", "take_turn",       "gather_intelligence",
    "agent_turn",     "reveal_turn", "combat_turn",     "combat_reward",   "combat_end",
    "endgame_window", "menu",        "intrigue_lines",  "intrigue_played", "sequence",
    "arrow",          "opponents",   "operation",       "alliance_passes"};

class HalfResolved : Placing {
 public:
  HalfResolved(Given& given, State& state, const EffectCopies& copies)
      : Placing(given, state), copies_(copies) {}

  void place_waiting() {
    for (const SaidEffect& effect : given_.effects())
      if (effect.what == SaidEffect::What::waiting) add_waiting(effect);
  }

  void place_stack() {
    for (const SaidEffect& effect : given_.effects()) {
      if (effect.what == SaidEffect::What::frame) add_frame(effect);
      if (effect.what == SaidEffect::What::open) add_open(effect);
      if (effect.what == SaidEffect::What::used_arrow) add_used_arrow(effect);
    }
  }

 private:
  // The copy that a dump calls the n-th.
  CardCopy nth_copy(CardId id, Seat seat, std::size_t n) const {
    if (n == 0) return copy_meant(content_, state_, id, seat, copies_);
    if (const auto place = copies_.find({id, n}); place != copies_.end()) return place->second;
    const auto copies = copies_in_order(content_, state_, id);
    return n <= copies.size() ? copies[n - 1] : copy_meant(content_, state_, id, seat, copies_);
  }

  Source source_of(const Named& named, Seat seat, std::size_t copy) const {
    switch (named.thing) {
      case Thing::card:
        return {SourceKind::card, 0, nth_copy(named.id, seat, copy)};
      case Thing::intrigue:
        return {SourceKind::intrigue, 0, nth_copy(named.id, seat, copy)};
      case Thing::leader:
        return {SourceKind::leader, 0, named.id};
      case Thing::space:
        return {SourceKind::space, 0, named.id};
      case Thing::conflict:
        return {SourceKind::conflict, 0, named.id};
      case Thing::objective:
        return {SourceKind::objective, 0, named.id};
      case Thing::faction:
        return {SourceKind::faction_track, 0, named.id};
      default:
        return {};
    }
  }

  // An empty effect is no node. False after a problem.
  bool read_effect(const SaidEffect& effect, const EffectWords& said, NodeId& node, Source& source) {
    if (!said.name.empty() && !find_source(effect, said, source)) return false;
    if (said.kind == "high_council") source = {SourceKind::high_council, 0, 0};
    if (said.effect.empty()) return true;
    const auto nodes = lexicon_.effects.nodes_with(said.effect, source);
    if (said.nth > nodes.size()) {
      problem(effect.line, "no effect of the game reads " + quoted(said.effect));
      return false;
    }
    node = nodes[said.nth - 1];
    return true;
  }

  bool find_source(const SaidEffect& effect, const EffectWords& said, Source& source) {
    const auto named = lexicon_.names.find_any(said.name);
    if (named.empty()) {
      problem(effect.line, "nothing is called " + quoted(said.name));
      return false;
    }
    for (const Named& candidate : named) {
      const Source found = source_of(candidate, effect.seat, said.copy);
      const bool control = said.kind == "control" && found.kind == SourceKind::space;
      if (!said.kind.empty() && kSourceKinds[static_cast<std::size_t>(found.kind)] != said.kind && !control)
        continue;
      source = found;
      if (control) source.kind = SourceKind::control;
      return true;
    }
    problem(effect.line, quoted(said.name) + " is no " + std::string(said.kind));
    return false;
  }

  // `waiting call_to_arms` or `waiting on(acquire[any]): ... of call_to_arms [used]`
  void add_waiting(const SaidEffect& effect) {
    std::string_view text = trimmed(effect.text);
    Waiting waiting;
    waiting.seat = effect.seat;
    if (effect.seat == kNoSeat) {
      problem(effect.line, "say whose effect waits: 'P1 waiting call_to_arms'");
      return;
    }
    if (text.ends_with(" used")) {
      waiting.used = true;
      text = trimmed(text.substr(0, text.size() - 5));
    }
    if (text.rfind(" of ") == std::string_view::npos) {
      const auto named = lexicon_.names.find_any(text);
      for (const Named& candidate : named) {
        waiting.source = source_of(candidate, effect.seat, 0);
        waiting.node = first_trigger(waiting.source);
        if (waiting.node != kNoNode) break;
      }
      if (waiting.node == kNoNode) {
        problem(effect.line, named.empty() ? "nothing is called " + quoted(text)
                                           : quoted(text) + " has no effect that waits");
        return;
      }
    } else if (!read_effect(effect, effect_words(text), waiting.node, waiting.source)) {
      return;
    }
    state_.waiting.push_back(waiting);
  }

  NodeId first_trigger(Source source) const {
    std::vector<NodeId> open = lexicon_.effects.roots_of(source);
    while (!open.empty()) {
      const NodeId node = open.front();
      open.erase(open.begin());
      if (content_.node(node).op == Op::trigger) return node;
      for (NodeId child = content_.node(node).child; child != kNoNode; child = content_.node(child).next)
        open.push_back(child);
    }
    return kNoNode;
  }

  // `frame agent_turn [step N] [used N] [left N] [: EFFECT]`
  void add_frame(const SaidEffect& effect) {
    const std::size_t colon = effect.text.find(" : ");
    Words words(std::string_view(effect.text).substr(0, colon));
    const std::string_view kind = words.next();
    Frame frame;
    frame.seat = effect.seat;
    const auto place = std::find_if(kFrameNames.begin(), kFrameNames.end(),
                                    [&](std::string_view n) { return same_word(n, kind); });
    if (place == kFrameNames.end()) {
      problem(effect.line, quoted(kind) + " is no frame of the stack");
      return;
    }
    frame.kind = static_cast<FrameKind>(place - kFrameNames.begin());
    while (!words.at_end()) {
      const std::string_view word = words.next();
      const int value = whole_number(words.next()).value_or(0);
      if (same_word(word, "step")) frame.step = byte(value);
      if (same_word(word, "used")) frame.used = byte(value);
      if (same_word(word, "left")) frame.left = word16(value);
    }
    if (colon != std::string::npos &&
        !read_effect(effect, effect_words(effect.text), frame.node, frame.source))
      return;
    state_.stack.push_back(frame);
  }

  // `open [in N] EFFECT`: in the menu of the N-th frame, else of the last one said.
  void add_open(const SaidEffect& effect) {
    Words words(effect.text);
    Item item;
    item.menu = byte(static_cast<int>(state_.stack.size()) - 1);
    if (words.take("in")) item.menu = byte(whole_number(words.next()).value_or(1) - 1);
    SaidEffect owner = effect;
    if (owner.seat == kNoSeat && item.menu < state_.stack.size()) owner.seat = state_.stack[item.menu].seat;
    if (item.menu >= state_.stack.size()) {
      problem(effect.line, "no frame of the stack was given before this effect");
      return;
    }
    if (read_effect(owner, effect_words(words.rest()), item.node, item.source)) state_.items.push_back(item);
  }

  void add_used_arrow(const SaidEffect& effect) {
    NodeId node = kNoNode;
    Source source;
    if (read_effect(effect, effect_words(effect.text), node, source) && node != kNoNode)
      state_.turn.arrows_used.push_back(node);
  }

  const EffectCopies& copies_;
};

}  // namespace

EffectWords effect_words(std::string_view text) {
  EffectWords said;
  // Behind the name of a frame the effect begins after a colon of its own.
  if (const std::size_t colon = text.find(" : "); colon != std::string_view::npos)
    text = trimmed(text.substr(colon + 3));
  std::string_view tail;
  if (text.starts_with("of ")) {
    tail = text.substr(3);
  } else if (const std::size_t of = text.rfind(" of "); of != std::string_view::npos) {
    said.effect = trimmed(text.substr(0, of));
    tail = text.substr(of + 4);
  } else {
    said.effect = text;
  }
  Words words(tail);
  said.name = words.until({"as", "copy", "nth", "used"});
  while (!words.at_end()) {
    const std::string_view word = words.next();
    if (same_word(word, "used")) continue;
    const std::string_view value = words.next();
    const auto number = static_cast<std::size_t>(std::max(0, whole_number(value).value_or(0)));
    if (same_word(word, "as")) said.kind = value;
    if (same_word(word, "copy")) said.copy = number;
    if (same_word(word, "nth")) said.nth = std::max<std::size_t>(1, number);
  }
  return said;
}

std::string_view name(FrameKind kind) { return kFrameNames[static_cast<std::size_t>(kind)]; }

void place_waiting(Given& given, State& state, const EffectCopies& copies) {
  HalfResolved(given, state, copies).place_waiting();
}

void place_stack(Given& given, State& state, const EffectCopies& copies) {
  HalfResolved(given, state, copies).place_stack();
}

CardCopy copy_meant(const Content& content, const State& state, CardId id, Seat seat,
                    const EffectCopies& copies) {
  if (const auto place = copies.find({id, 0}); place != copies.end()) return place->second;
  if (seat != kNoSeat) {
    const OwnedCards& cards = state.player(seat).cards;
    // Of two in play the one that came last is meant.
    for (const Zone zone : {Zone::play, Zone::hand, Zone::discard, Zone::deck})
      for (const CardSlot* slot = cards.end(zone); slot != cards.begin(zone);)
        if (content.card_id((--slot)->copy) == id) return slot->copy;
  }
  // A card that has left the seat was trashed last.
  for (std::size_t i = state.board.trashed.size(); i-- > 0;)
    if (content.card_id(state.board.trashed[i]) == id) return state.board.trashed[i];
  const auto all = copies_in_order(content, state, id);
  return all.empty() ? kNoCopy : all.front();
}

}  // namespace landsraad::scenario
