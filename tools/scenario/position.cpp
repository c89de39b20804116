#include "tools/scenario/position.h"

#include "rules/engine/position.h"
#include "tools/scenario/placing.h"

namespace landsraad::scenario {

using namespace rules;

namespace {

Seed seed_of(int number) {
  Seed seed{};
  seed[0] = static_cast<std::uint8_t>(number & 0xff);
  seed[1] = static_cast<std::uint8_t>(number >> 8 & 0xff);
  seed[31] = 1;
  return seed;
}

// What set-up has put on the table is taken away again, but for what no scenario says.
State cleared(const State& fresh) {
  State state;
  state.options = fresh.options;
  state.random = fresh.random;
  for (std::size_t i = 0; i < fresh.board.reserve.size(); ++i)
    state.board.reserve[i].card = fresh.board.reserve[i].card;
  state.board.control.fill(kNoSeat);
  state.board.alliance.fill(kNoSeat);
  return state;
}

// Whose turn, which phase: the last step of building a position.
class Entering : Placing {
 public:
  Entering(Given& given, State& state, const EffectCopies& copies) : Placing(given, state), copies_(copies) {}

  void enter() {
    place_waiting(given_, state_, copies_);
    if (!given_.is_sound()) return;
    const Phase phase = given_.phase();
    if (given_.is_half_resolved() || phase == Phase::over) {
      enter_middle(phase);
    } else if (phase == Phase::turns) {
      enter_turn();
    } else if (phase == Phase::setup) {
      problem(line_of(FieldId::phase, kNoSeat),
              "expected round_start, turns, combat, makers, recall or endgame; for set-up write 'new game'");
    } else if (phase != Phase::combat || has_conflict()) {
      start_phase(content_, state_, phase);
    }
  }

 private:
  bool has_conflict() {
    if (!state_.board.conflicts.empty()) return true;
    problem(line_of(FieldId::conflict, kNoSeat), "this phase needs a Conflict card on the Conflict space");
    return false;
  }

  void enter_turn() {
    const Seat seat = turn_seat(given_, state_);
    const int line = line_of(FieldId::turn, kNoSeat);
    if (seat >= options_.seats) {
      problem(line, "expected whose turn it is");
    } else if (state_.player(seat).revealed) {
      problem(line,
              seat_name(seat) +
                  " has taken the Reveal turn and has no turn any more; say 'turn P2' or 'phase combat'");
    } else if (has_conflict()) {
      start_turn(content_, state_, seat);
      place_turn(given_, state_, seat, copies_);
    }
  }

  // A position in the middle of something, as a dump writes it.
  void enter_middle(Phase phase) {
    state_.phase = phase;
    state_.step = byte(number(FieldId::phase_step, kNoSeat, 0));
    state_.combat_passes = byte(number(FieldId::combat_passes, kNoSeat, 0));
    state_.turn.seat = turn_seat(given_, state_);
    state_.turn.kind = static_cast<TurnKind>(number(FieldId::turn_kind, kNoSeat, 0));
    place_turn(given_, state_, state_.turn.seat, copies_);
    place_stack(given_, state_, copies_);
  }

  const EffectCopies& copies_;
};

}  // namespace

Built build_position(const Lexicon& lexicon, const Scenario& scenario) {
  Given given(lexicon, scenario);
  State state;
  if (given.is_sound()) state = new_game(lexicon.content, given.options(), seed_of(given.seed()));
  if (given.is_sound() && !given.new_game()) {
    state = cleared(state);
    EffectCopies copies;
    place_pieces(given, state);
    place_cards(given, state, copies);
    place_conflicts(given, state);
    if (given.is_sound()) Entering(given, state, copies).enter();
  }
  return {state, given.take_problems()};
}

}  // namespace landsraad::scenario
