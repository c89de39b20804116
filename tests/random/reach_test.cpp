// Random games reach the whole game: every kind of decision, action and event, every card, space, post,
// leader, Conflict and Objective. What they never reach, their invariants would say nothing about.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "rules/notation/load.h"
#include "tests/random/playout.h"

namespace landsraad::testing {
namespace {

using namespace rules;

constexpr std::uint64_t kGames = 3000;  // a fixed number: the games are the same every time

class Reached : public EventSink {
 public:
  explicit Reached(const Content& content) : content_(content) {}

  void on(const Event& event) override { kinds.insert(event.kind); }

  void see_decision(const Decision& decision) { decisions.insert(decision.kind); }

  void see_action(const Action& action) {
    actions.insert(action.kind);
    if (action.kind == ActionKind::send_agent) {
      spaces.insert(static_cast<SpaceId>(action.target));
      sent.insert(action.subject);
    }
    if (action.kind == ActionKind::choose_post) posts.insert(action.post);
    if (action.kind == ActionKind::play_intrigue) played.insert(action.subject);
    if (action.kind == ActionKind::acquire) acquired.insert(action.subject);
  }

  void see_end(const State& state) {
    for (Seat seat = 0; seat < state.options.seats; ++seat) {
      const Player& player = state.player(seat);
      leaders.insert(player.leader);
      objectives.insert(player.objective);
      for (const WonConflict& won : player.won) conflicts.insert(won.conflict);
    }
  }

  const Content& content_;
  std::set<EventKind> kinds;
  std::set<DecisionKind> decisions;
  std::set<ActionKind> actions;
  std::set<SpaceId> spaces;
  std::set<PostId> posts;
  std::set<CardId> sent, played, acquired;
  std::set<LeaderId> leaders;
  std::set<ConflictId> conflicts;
  std::set<ObjectiveId> objectives;
};

Reached play_all() {
  const Content& content = uprising_content();
  Reached reached(content);
  for (std::uint64_t number = 0; number < kGames; ++number) {
    Playout game = begin_playout(content, number, &reached);
    while (const auto move = next_move(game)) {
      reached.see_decision(pending(content, game.state, move->seat));
      reached.see_action(move->action);
      play(game, *move, &reached);
    }
    reached.see_end(game.state);
  }
  return reached;
}

const Reached& reached() {
  static const Reached all = play_all();
  return all;
}

// Numbers of the enumerators from 1 (0 is `none`) that are not in the set.
template <class Enum>
std::vector<int> missing(const std::set<Enum>& seen) {
  std::vector<int> out;
  for (int value = 1; value < static_cast<int>(Enum::count_); ++value) {
    if (!seen.contains(static_cast<Enum>(value))) out.push_back(value);
  }
  return out;
}

// Text ids of the things of a table that are not in the set.
template <class Thing, class Id>
std::string missing(const std::vector<Thing>& table, const std::set<Id>& seen,
                    bool (*expected)(const Thing&)) {
  std::string out;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (expected(table[i]) && !seen.contains(static_cast<Id>(i))) out += table[i].id + " ";
  }
  return out;
}

template <class Thing>
bool any(const Thing&) {
  return true;
}

TEST_CASE("random games ask every decision, take every kind of action and tell every kind of event") {
  for (const int value : missing(reached().decisions)) FAIL_CHECK("DecisionKind " << value);
  for (const int value : missing(reached().actions)) FAIL_CHECK("ActionKind " << value);
  for (const int value : missing(reached().kinds)) FAIL_CHECK("EventKind " << value);
}

TEST_CASE("random games visit every space and post and meet every leader, Conflict and Objective") {
  const Content& content = reached().content_;
  CHECK(missing(content.spaces, reached().spaces, any<Space>) == "");
  CHECK(missing(content.posts, reached().posts, any<Post>) == "");
  CHECK(missing(content.leaders, reached().leaders, any<Leader>) == "");
  CHECK(missing(content.conflicts, reached().conflicts, any<Conflict>) == "");
  CHECK(missing(content.objectives, reached().objectives, any<Objective>) == "");
}

TEST_CASE("random games acquire, send and play every card") {
  const Content& content = reached().content_;
  const auto is_bought = [](const Card& card) {
    return card.deck == Deck::imperium || card.deck == Deck::reserve;
  };
  const auto is_sent = [](const Card& card) { return card.deck != Deck::intrigue && card.icons != 0; };
  const auto is_intrigue = [](const Card& card) { return card.deck == Deck::intrigue; };
  CHECK(missing<Card, CardId>(content.cards, reached().acquired, is_bought) == "");
  CHECK(missing<Card, CardId>(content.cards, reached().sent, is_sent) == "");
  CHECK(missing<Card, CardId>(content.cards, reached().played, is_intrigue) == "");
}

}  // namespace
}  // namespace landsraad::testing
