// The language of scenarios: what it understands, what it says about mistakes, and that any position of
// any game can be written in it and read back.
#include <doctest/doctest.h>

#include <cstring>
#include <map>
#include <string>

#include "rules/engine/engine.h"
#include "rules/notation/load.h"
#include "tools/scenario/dump.h"
#include "tools/scenario/effect_text.h"
#include "tools/scenario/moves.h"
#include "tools/scenario/play.h"
#include "tools/scenario/position.h"
#include "tools/scenario/text.h"

namespace landsraad::scenario::scenario_test {
namespace {

using namespace rules;

const Lexicon& lexicon() {
  static const Lexicon made(uprising_content());
  return made;
}

FileReport report_of(const std::string& text) { return play_text(lexicon(), "test", text); }

void check_holds(const std::string& text) {
  const FileReport report = report_of(text);
  CHECK_MESSAGE(report.text.empty(), report.text);
  CHECK_FALSE(report.unreadable);
  CHECK(report.failed == 0);
}

// The report must begin at this line of the scenario and contain these words.
void check_fails(const std::string& text, int line, const std::string& words) {
  const FileReport report = report_of(text);
  INFO(report.text);
  CHECK((report.unreadable || report.failed > 0));
  CHECK(report.text.find("test:" + std::to_string(line) + ": ") != std::string::npos);
  CHECK(report.text.find(words) != std::string::npos);
}

// ---- Round trip -----------------------------------------------------------------------------------

// Copies of one kind are alike: numbers them anew in the order in which they lie, so that two positions
// that look alike are equal byte for byte. Random stream and version are left out.
class Canonical {
 public:
  Canonical(const Content& content, State state) : content_(content), state_(state) {}

  State state() {
    number_copies();
    for (Player& player : state_.players) {
      for (std::size_t zone = 0; zone < kZones; ++zone)
        for (CardSlot* slot = player.cards.begin(static_cast<Zone>(zone));
             slot != player.cards.end(static_cast<Zone>(zone)); ++slot)
          slot->copy = renamed(slot->copy) & 0xfff;
      rename_all(player.intrigues);
    }
    Board& board = state_.board;
    for (SetAside& card : board.set_aside) card.copy = renamed(card.copy);
    rename_all(board.row);
    rename_all(board.imperium_deck);
    rename_all(board.intrigue_deck);
    rename_all(board.intrigue_discard);
    rename_all(board.intrigue_trashed);
    rename_all(board.trashed);
    for (ReserveStack& stack : board.reserve) {
      const auto left = static_cast<unsigned>(__builtin_popcount(stack.copies));
      stack.copies = (1U << left) - 1;
    }
    if (state_.turn.card != kNoCopy) state_.turn.card = renamed(state_.turn.card);
    for (Frame& frame : state_.stack) rename(frame.source);
    for (Item& item : state_.items) rename(item.source);
    for (Waiting& waiting : state_.waiting) rename(waiting.source);
    state_.random = {};
    state_.version = 0;
    if (state_.phase != Phase::combat) state_.combat_passes = 0;  // begins anew with each Combat
    return state_;
  }

 private:
  void number_copies() {
    for (std::size_t id = 0; id < content_.cards.size(); ++id) {
      CardCopy next = content_.cards[id].first_copy;
      for (CardCopy copy : copies_in_order(content_, state_, static_cast<CardId>(id)))
        if (!names_.contains(copy)) names_[copy] = next++;
    }
  }
  CardCopy renamed(CardCopy copy) const {
    const auto place = names_.find(copy);
    return place == names_.end() ? copy : place->second;
  }
  template <class Pile>
  void rename_all(Pile& pile) {
    for (CardCopy& copy : pile) copy = renamed(copy);
  }
  void rename(Source& source) {
    const bool card = source.kind == SourceKind::card || source.kind == SourceKind::intrigue;
    if (card && source.id != kNoCopy) source.id = renamed(source.id);
  }

  const Content& content_;
  State state_;
  std::map<CardCopy, CardCopy> names_;
};

// The offset of the first byte that differs, or -1.
std::ptrdiff_t first_difference(const State& a, const State& b) {
  const Content& content = uprising_content();
  const State x = Canonical(content, a).state();
  const State y = Canonical(content, b).state();
  const auto* p = reinterpret_cast<const unsigned char*>(&x);
  const auto* q = reinterpret_cast<const unsigned char*>(&y);
  for (std::size_t i = 0; i < sizeof x; ++i)
    if (p[i] != q[i]) return static_cast<std::ptrdiff_t>(i);
  return -1;
}

State read_back(const std::string& dumped) {
  const Script script = read_script(dumped + "expect nobody asked\n");
  REQUIRE_MESSAGE(script.problems.empty(), script.problems.front().text);
  const Built built = build_position(lexicon(), script.scenarios.front());
  for (const Problem& problem : built.problems)
    FAIL_CHECK(script.lines[static_cast<std::size_t>(problem.line - 1)] << ": " << problem.text);
  return built.state;
}

Seed seed_of(int game) {
  Seed seed{};
  seed[0] = static_cast<std::uint8_t>(game);
  seed[1] = 0x5c;
  return seed;
}

// Calls visit(state, seat) before every decision of a random game.
template <class Visit>
void play_at_random(int game, Visit visit) {
  const Content& content = uprising_content();
  Options options;
  options.seats = game % 2 == 0 ? 4 : 3;
  options.leaders = game % 5 == 0 ? LeaderSelection::pick : LeaderSelection::random;
  State state = new_game(content, options, seed_of(game));
  RandomStream choice;
  choice.key = seed_of(game + 100);
  while (const SeatMask seats = deciders(state)) {
    const Seat seat = first_seat(seats);
    visit(state, seat);
    const ActionList legal = legal_actions(content, state, seat);
    apply(content, state, seat, legal[choice.below(static_cast<std::uint32_t>(legal.size()))]);
  }
  visit(state, kNoSeat);
}

constexpr int kGames = 8;

TEST_CASE("every position of random games can be dumped and read back") {
  int number = 0;
  for (int game = 0; game < kGames; ++game) {
    play_at_random(game, [&](const State& state, Seat) {
      if (++number % 3 != 0 && state.phase == Phase::turns && state.stack.size() == 1) return;
      const std::string dumped = dump_position(lexicon(), state);
      const State again = read_back(dumped);
      const std::string dumped_again = dump_position(lexicon(), again);
      REQUIRE(dumped_again == dumped);
      INFO(dumped);
      REQUIRE(first_difference(state, again) == -1);
    });
  }
}

TEST_CASE("every legal action of random games can be said, and means that action") {
  for (int game = 0; game < kGames; ++game) {
    play_at_random(game, [&](const State& state, Seat seat) {
      if (seat == kNoSeat) return;
      for (const Action& action : legal_actions(lexicon().content, state, seat)) {
        const std::string text = move_text(lexicon(), state, seat, action);
        const auto move = read_move(lexicon(), state, seat, text);
        REQUIRE_MESSAGE(move.ok(), text << ": " << move.fault().text);
        const auto found = best_fits(lexicon(), state, seat, *move);
        REQUIRE_MESSAGE(found.size() == 1, text << " fits " << found.size());
        CHECK_MESSAGE(move_text(lexicon(), state, seat, found.front()) == text, text);
      }
    });
  }
}

TEST_CASE("every effect of the content can be found by its text") {
  const Content& content = uprising_content();
  for (std::size_t i = 1; i < content.nodes.size(); ++i) {
    const auto node = static_cast<NodeId>(i);
    const EffectPlace place = lexicon().effects.place_of(node, {});
    const auto nodes = lexicon().effects.nodes_with(place.text, {});
    REQUIRE(place.nth < nodes.size());
    CHECK(nodes[place.nth] == node);
  }
}

// ---- The language ---------------------------------------------------------------------------------

TEST_CASE("an Agent turn") {
  check_holds(R"(
# title
P1 hand maula_pistol, diplomacy
   deck dagger, seek_allies
P1 sends maula_pistol to arrakeen
expect P1 garrison 4; troops 0
P1 deploys 3
expect P1 troops +3; garrison 1; strength 6; P2 troops unchanged
expect legal: P1 resolves draw of arrakeen; P1 resolves draw of maula_pistol
expect not legal: P1 ends turn
P1 resolves draw of arrakeen
expect P1 hand has dagger
P1 finishes turn
expect P1 hand has dagger, seek_allies
expect P2 asked take_turn
)");
}

TEST_CASE("names: ids, printed names, beginnings, several of one") {
  check_holds(R"(
P1 hand 2 Dune
P1 intrigue Contingency Plan x2
P1 discard Convincing Argument, signet
expect P1 hand dune_the_desert_planet, dune_the_desert_planet; intrigue 2; discard 2; deck 6
)");
  check_fails("P1 hand daggr\nexpect P1 hand 1\n", 1, "nearest: dagger");
  check_fails("P1 hand contingency_plan\nexpect P1 hand 1\n", 1, "is no card but a Intrigue card");
  check_fails("P1 hand 3 dagger\nexpect P1 hand 3\n", 1, "only 2 of dagger");
}

TEST_CASE("mistakes are named with their line") {
  check_fails("P1 solri 3\nexpect P1 solari 3\n", 1, "nearest: solari");
  check_fails("solari 3\nexpect P1 solari 3\n", 1, "belongs to a seat");
  check_fails("P1 row dagger\nexpect P1 solari 3\n", 1, "belongs to the table");
  check_fails("P1 solari 3\n\nexpect P1 solari 4\n", 3, "P1 solari is 3, expected 4");
  check_fails("P1 reveals\nP1 solari 3\n", 2, "play has begun");
  check_fails("P1 reveals\nP1 flies\n", 2, "is no action");
  check_fails("P1 garrison 5; supply 9\nexpect P1 solari 4\n", 1, "has 12 troops");
  check_fails("P1 spies A, A\nexpect P1 solari 4\n", 1, "two Spies");
  check_fails("P1 reveals\nexpect P1 sends dagger to arrakeen\n", 2, "expect legal:");
  check_fails("P5 solari 3\nexpect P1 solari 3\n", 1, "no P5");
  check_fails("P1 solari 3\nP1 solari 4\nexpect P1 solari 3\n", 2, "given before, in line 1");
  check_fails("P1 hand dagger\n", 1, "plays and expects nothing");
}

TEST_CASE("what is forbidden must have been possible to say") {
  check_fails("P1 hand dagger\nexpect not legal: P1 sends diplomacy to secrets\n", 2, "proves nothing");
  check_fails("P1 hand dagger\nexpect not legal: P2 reveals\n", 2, "is not asked");
  check_fails("P1 hand dagger\nexpect not legal: P1 reveals\n", 2, "is legal");
  check_holds("P1 hand dagger\nexpect not legal: P1 sends dagger to arrakeen\n");
  check_holds("P1 hand dagger\nexpect P1 can send dagger only to assembly_hall, gather_support\n");
}

TEST_CASE("what a viewer sees") {
  check_holds(R"(
P1 hand dagger, diplomacy known; intrigue contingency_plan
expect P1 sees dagger in P1 hand; P1 sees contingency_plan in P1 intrigue
expect P2 does not see dagger in P1 hand; P2 sees diplomacy in P1 hand
expect P2 sees P1 hand 2; spectator sees diplomacy in P1 hand
expect spectator does not see contingency_plan in P1 intrigue
)");
}

TEST_CASE("a Combat by strength alone") {
  check_holds(R"(
phase combat
P1 strength 9; P2 strength 7; P3 strength 5
conflict skirmish_desert_mouse
all pass
expect P1 solari +2; P2 solari +3; P3 solari +2; P4 solari +0
expect P1 won skirmish_desert_mouse; conflict 1
)");
}

TEST_CASE("deltas count from the last expectations, or from a mark") {
  check_holds(R"(
P1 hand 2 dune; solari 2
P1 sends dune to imperial_basin
expect P1 spice +1; P1 hand -1
P1 finishes turn
all reveal
mark
expect P1 spice unchanged
)");
  check_fails("P1 hand dune\nP1 sends dune to imperial_basin\nexpect P1 spice +2\n", 3,
              "expected +2 (2, was 0)");
}

TEST_CASE("several seats at once, the table among them, lines that go on") {
  check_holds(R"(
all hand dagger; first P2; turn P3
others hand diplomacy
P1 solari 4; bonus_spice deep_desert 2
   water 3
expect all hand 1; P3 hand dagger; P4 hand diplomacy; turn P3; first P2
       P1 water 3; bonus_spice deep_desert 2; P2 no swordmaster
)");
}

TEST_CASE("a game from its set-up") {
  check_holds(R"(
players 3; leaders pick; new game
expect round 0; row 5; conflict_deck 10; all deck 10
expect reserve prepare_the_way 8, the_spice_must_flow 10
expect all vp 0; all water 1; all leader none
expect legal: picks lady_jessica
)");
}

TEST_CASE("more than there is room for is refused") {
  check_fails("row 6 maula_pistol\nexpect P1 hand 0\n", 1, "room for 5");
  check_fails("players 3; first P4\nexpect P1 hand 0\n", 1, "no such seat");
  check_fails("P1 solari 40000\nexpect P1 hand 0\n", 1, "expected a number");
  check_fails("P1 garrison 300\nexpect P1 hand 0\n", 1, "up to 250");
}

TEST_CASE("no text breaks the reader") {
  const std::string whole = R"(scenario a; players 3
P1 hand dagger, 2 dune known; deck only none; won propaganda down; agents arrakeen; spies A
P2 waiting call_to_arms; frame menu : {a; b} of dagger as card copy 2 nth 9; strength 9
phase combat; conflict siege_of_arrakeen; no wall; reserve prepare_the_way 3; turn P2; round 9
P1 sends dagger to arrakeen paying option 2 recalling B; P1 resolves spy(1) of espionage; all pass
expect P1 solari +3; hand has dagger; legal: P1 deploys 3 | P2 passes; P2 sees dagger in P1 hand
expect event resource P1 +1 of arrakeen; P1 can send dagger only to arrakeen; asked choose_post for spy(1)
)";
  RandomStream random;
  random.key[0] = 9;
  const auto size = static_cast<std::uint32_t>(whole.size());
  for (int n = 0; n < 3000; ++n) {
    std::string text = whole;
    for (std::uint32_t change = random.below(6) + 1; change > 0; --change) {
      const std::uint32_t at = random.below(size);
      if (random.below(2) == 0)
        text[at] = whole[random.below(size)];
      else
        text.insert(at, whole.substr(random.below(size), random.below(12)));
    }
    CHECK_FALSE(report_of(text).text.empty());
  }
}

TEST_CASE("a file of several scenarios, in order") {
  const FileReport report = report_of(
      "scenario one\nexpect P1 water 1\nscenario two\nexpect P1 water 2\nscenario three\nexpect P1 water "
      "3\n");
  CHECK(report.scenarios == 3);
  CHECK(report.failed == 2);
  CHECK(report.text.find("FAILED two") < report.text.find("FAILED three"));
}

}  // namespace
}  // namespace landsraad::scenario::scenario_test
