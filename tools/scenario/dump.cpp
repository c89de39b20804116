#include "tools/scenario/dump.h"

#include <algorithm>

#include "tools/scenario/half_resolved.h"
#include "tools/scenario/moves.h"
#include "tools/scenario/position.h"

namespace landsraad::scenario {

using namespace rules;

namespace {

enum class Detail { everything, outline };

class Dump {
 public:
  Dump(const Lexicon& lexicon, const State& state, Detail detail)
      : lexicon_(lexicon), state_(state), detail_(detail) {}

  std::string text() {
    write_table();
    for (Seat seat = 0; seat < state_.options.seats; ++seat) write_seat(seat);
    if (state_.turn.seat == kNoSeat) write_turn(kNoSeat);
    if (detail_ == Detail::everything) write_effects();
    return text_;
  }

 private:
  // A position is an ordinary one if nothing but the next turn is open.
  bool at_turn_start() const {
    return state_.phase == Phase::turns && state_.stack.size() == 1 &&
           state_.stack[0].kind == FrameKind::take_turn && state_.items.empty() &&
           state_.turn.arrows_used.empty();
  }

  void line(const std::string& content) { text_ += content + "\n"; }

  // Several short fields on one line.
  void add(std::string& row, Seat seat, FieldId id) {
    const Field& of = field(id);
    const Value value = of.read(lexicon_, state_, seat);
    if (!row.empty()) row += "; ";
    row += std::string(of.name) + " " + value_text(lexicon_, state_, of, value, seat);
  }

  // Left out where it has the value it has anyway.
  void add_unless(std::string& row, Seat seat, FieldId id, int usual) {
    if (field(id).read(lexicon_, state_, seat).number != usual) add(row, seat, id);
  }

  void add_things(const std::string& start, Seat seat, FieldId id, bool only = false) {
    const Field& of = field(id);
    const Value value = of.read(lexicon_, state_, seat);
    if (value.entries.empty() && !only) return;
    const bool says_only = only && of.kind != FieldKind::one && !value.entries.empty();
    line(start + std::string(of.name) + (says_only ? " only " : " ") +
         value_text(lexicon_, state_, of, value, seat));
  }

  void write_table() {
    line("players " + std::to_string(state_.options.seats));
    if (state_.options.leaders == LeaderSelection::pick) line("leaders pick");
    std::string row;
    add(row, 0, FieldId::round);
    if (state_.phase != Phase::turns) add(row, 0, FieldId::phase);
    add(row, 0, FieldId::first_player);
    add(row, 0, FieldId::turn);
    if (!state_.board.shield_wall) add(row, 0, FieldId::wall);
    if (!at_turn_start() && detail_ == Detail::everything) {
      add(row, 0, FieldId::turn_kind);
      add_unless(row, 0, FieldId::phase_step, 0);
      add_unless(row, 0, FieldId::combat_passes, 0);
    }
    add_unless(row, 0, FieldId::reveals, revealed_seats());
    line(row);
    const bool all = detail_ == Detail::everything;
    add_things("", 0, FieldId::conflict, all);
    if (all) add_things("", 0, FieldId::conflict_deck, true);
    add_things("", 0, FieldId::row, all);
    if (all) add_things("", 0, FieldId::imperium_deck, true);
    add_things("", 0, FieldId::reserve);
    if (all) add_things("", 0, FieldId::intrigue_deck, true);
    add_things("", 0, FieldId::intrigue_discard);
    add_things("", 0, FieldId::trashed);
    add_things("", 0, FieldId::intrigue_trashed);
    add_things("", 0, FieldId::bonus_spice);
  }

  int revealed_seats() const {
    int last = 0;
    for (Seat seat = 0; seat < state_.options.seats; ++seat)
      last = std::max<int>(last, state_.player(seat).reveal_order);
    return last;
  }

  void write_seat(Seat seat) {
    const std::string start = seat_name(seat) + " ";
    std::string row;
    if (state_.player(seat).leader != kNoLeader) add(row, seat, FieldId::leader);
    for (const FieldId id : {FieldId::vp, FieldId::solari, FieldId::spice, FieldId::water})
      add(row, seat, id);
    add_unless(row, seat, FieldId::step, 0);
    line(start + row);
    row.clear();
    for (const FieldId id : {FieldId::emperor, FieldId::guild, FieldId::bene_gesserit, FieldId::fremen,
                             FieldId::swords, FieldId::persuasion, FieldId::sandworms, FieldId::memories})
      add_unless(row, seat, id, 0);
    for (const FieldId id : {FieldId::high_council, FieldId::swordmaster, FieldId::hooks, FieldId::revealed,
                             FieldId::reveal_order, FieldId::place})
      add_unless(row, seat, id, 0);
    const Player& player = state_.player(seat);
    if (player.garrison != 3 || player.supply != 9)
      for (const FieldId id : {FieldId::garrison, FieldId::supply, FieldId::troops}) add(row, seat, id);
    if (!row.empty()) line(start + row);
    for (const FieldId id : {FieldId::alliance, FieldId::agents, FieldId::spies, FieldId::control,
                             FieldId::won, FieldId::set_aside})
      add_things(start, seat, id);
    add_things(start, seat, FieldId::objective, true);
    add_things(start, seat, FieldId::hand);
    if (detail_ == Detail::everything) add_things(start, seat, FieldId::deck, true);
    add_things(start, seat, FieldId::in_play);
    add_things(start, seat, FieldId::discard);
    add_things(start, seat, FieldId::intrigue);
    if (state_.turn.seat == seat) write_turn(seat);
  }

  void write_turn(Seat seat) {
    std::string row;
    for (const Field& of : all_fields()) {
      if (!is_of_turn(of.id)) continue;
      const bool listing = of.kind == FieldKind::one || of.kind == FieldKind::list;
      const int usual = of.id == FieldId::cost_option ? 1 : of.id == FieldId::last_trashed_cost ? -1 : 0;
      if (listing && !of.read(lexicon_, state_, seat).entries.empty()) add(row, seat, of.id);
      // Units deployed follow those deployed by a Combat space unless said otherwise.
      const bool follows =
          of.id == FieldId::units_deployed && state_.turn.units_deployed == state_.turn.deployed_by_limit;
      if (of.id == FieldId::units_deployed && !follows)
        add(row, seat, of.id);
      else if (!listing && !follows)
        add_unless(row, seat, of.id, usual);
    }
    if (!row.empty()) line((seat == kNoSeat ? "" : seat_name(seat) + " ") + row);
  }

  // ---- Half-resolved effects ------------------------------------------------------------------------

  std::string with_source(NodeId node, Source source) const {
    std::string text;
    std::string tail;
    if (node != kNoNode) {
      const EffectPlace place = lexicon_.effects.place_of(node, source);
      text = place.text;
      if (place.nth > 0) tail = " nth " + std::to_string(place.nth + 1);
    }
    if (source == Source{}) return text + (tail.empty() ? "" : " of" + tail);
    text += (text.empty() ? "of " : " of ") + source_text(lexicon_, source);
    text += " as " + std::string(kSourceKinds[static_cast<std::size_t>(source.kind)]);
    if (source.kind == SourceKind::card || source.kind == SourceKind::intrigue) {
      const auto copies = copies_in_order(lexicon_.content, state_, lexicon_.content.card_id(source.id));
      const auto place = std::find(copies.begin(), copies.end(), source.id);
      if (place != copies.end()) text += " copy " + std::to_string(place - copies.begin() + 1);
    }
    return text + tail;
  }

  void write_effects() {
    for (const Waiting& waiting : state_.waiting)
      line(seat_name(waiting.seat) + " waiting " + with_source(waiting.node, waiting.source) +
           (waiting.used ? " used" : ""));
    if (at_turn_start()) return;
    for (const Frame& frame : state_.stack) {
      std::string row = (frame.seat == kNoSeat ? "" : seat_name(frame.seat) + " ") + "frame " +
                        std::string(name(frame.kind));
      if (frame.step != 0) row += " step " + std::to_string(frame.step);
      if (frame.used != 0) row += " used " + std::to_string(frame.used);
      if (frame.left != 0) row += " left " + std::to_string(frame.left);
      const std::string effect = with_source(frame.node, frame.source);
      line(row + (effect.empty() ? "" : " : " + effect));
    }
    for (const Item& item : state_.items)
      line("open in " + std::to_string(item.menu + 1) + " " + with_source(item.node, item.source));
    for (NodeId arrow : state_.turn.arrows_used) line("used_arrow " + with_source(arrow, {}));
  }

  const Lexicon& lexicon_;
  const State& state_;
  Detail detail_;
  std::string text_;
};

}  // namespace

std::string dump_position(const Lexicon& lexicon, const State& state) {
  return Dump(lexicon, state, Detail::everything).text();
}

std::string dump_position(const Content& content, const State& state) {
  return dump_position(Lexicon(content), state);
}

std::string outline_of(const Lexicon& lexicon, const State& state) {
  return Dump(lexicon, state, Detail::outline).text();
}

}  // namespace landsraad::scenario
