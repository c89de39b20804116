// What a viewer is sent depends on nothing the viewer may not know.
//
// Two games are made that differ only there ("forged" is the second one), and what the viewer is sent of
// both is compared byte for byte: of positions, for the encoder (INFO-1..12); and after the same action
// in both, for the engine, whose questions, events and automatic steps must not tell either (INFO-10).
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "rules/notation/load.h"
#include "rules/wire/encode.h"
#include "tests/random/forging.h"

namespace landsraad::testing {
namespace {

using namespace rules;
using wire::Viewer;

constexpr std::uint64_t kGames = 30;

struct Recorder : EventSink {
  std::vector<Event> events;
  void on(const Event& event) override { events.push_back(event); }
};

std::vector<Viewer> viewers(const State& state) {
  std::vector<Viewer> all{wire::kSpectator};
  for (Seat seat = 0; seat < state.options.seats; ++seat) all.push_back(Viewer{seat});
  return all;
}

// ---- Positions ------------------------------------------------------------------------------------

std::string diff_bytes(const Content& content, const State& before, const State& after, Viewer viewer) {
  v1::GameView changes;
  wire::encode(content, &before, after, viewer, changes);
  return changes.SerializeAsString();
}

std::string snapshot_bytes(const Content& content, const State& state, Viewer viewer) {
  v1::Snapshot snapshot;
  wire::encode_snapshot(content, state, viewer, snapshot);
  return snapshot.SerializeAsString();
}

// More cards that everybody knows than random play brings into a hand (INFO-7).
State with_known_cards(const State& real, Chance& chance) {
  State state = real;
  for (Player& player : state.players)
    for (CardSlot* slot = player.cards.begin(Zone::hand); slot != player.cards.end(Zone::hand); ++slot)
      slot->known = (slot->known | chance.below(2)) & 1U;
  return state;
}

// Before and after are forged each for itself: nothing hidden may decide what counts as different.
void check_encoder(const Content& content, const State& before, const State& after, Viewer viewer,
                   Chance& chance) {
  const std::string sent = diff_bytes(content, before, after, viewer);
  const std::string snapshot = snapshot_bytes(content, after, viewer);

  State forged_before = forged_position(content, before, viewer.seat, chance);
  State forged_after = forged_position(content, after, viewer.seat, chance);
  REQUIRE(diff_bytes(content, forged_before, forged_after, viewer) == sent);
  REQUIRE(snapshot_bytes(content, forged_after, viewer) == snapshot);

  const Renaming to = renamed_copies(content, chance);
  rename(content, to, forged_before);
  rename(content, to, forged_after);
  REQUIRE(diff_bytes(content, forged_before, forged_after, viewer) == sent);
  REQUIRE(snapshot_bytes(content, forged_after, viewer) == snapshot);
}

TEST_CASE("a viewer is sent the same whatever the hidden cards, decks and numbers are") {
  const Content& content = uprising_content();
  const std::uint64_t first = first_game();
  const std::uint64_t games = games_to_play(kGames);
  for (std::uint64_t number = first; number < first + games; ++number) {
    INFO("game " << number);
    Chance chance{number};
    Playout game = begin_playout(content, number);
    while (const auto move = next_move(game)) {
      INFO("decision " << game.log.size());
      const State before = game.state;
      play(game, *move);
      for (const Viewer viewer : viewers(game.state)) {
        INFO("viewer " << int{viewer.seat});
        check_encoder(content, before, game.state, viewer, chance);
        if (chance.below(8) == 0)
          check_encoder(content, with_known_cards(before, chance), with_known_cards(game.state, chance),
                        viewer, chance);
      }
    }
  }
}

// ---- Actions --------------------------------------------------------------------------------------

// A card that an action turned up.
struct TurnedUp {
  EventKind how;
  Seat seat;
  bool operator==(const TurnedUp&) const = default;
};

// Hidden cards that the action turned up beyond the one it names: their last cards, for instance, players
// discard without being asked. Which cards they are may differ between the games; how many may not.
std::vector<TurnedUp> turned_up(const std::vector<Event>& events, const Move& move, Viewer viewer) {
  std::vector<TurnedUp> cards;
  bool named = false;
  for (const Event& event : events) {
    const bool turns_up = event.kind == EventKind::card_discarded || event.kind == EventKind::card_trashed ||
                          event.kind == EventKind::intrigue_trashed;
    if (!turns_up || event.seat == viewer.seat) continue;
    const bool is_named = event.seat == move.seat && event.subject == move.action.subject && !named;
    named = named || is_named;
    if (!is_named) cards.push_back({event.kind, event.seat});
  }
  return cards;
}

struct Tally {
  std::uint64_t compared = 0, not_legal = 0, turned_up = 0;
};

void check_engine(const Content& content, const State& before, const State& after,
                  const std::vector<Event>& events, const Move& move, Viewer viewer, Chance& chance,
                  Tally& tally) {
  const State forged_before = forged_for(content, before, viewer.seat, move, chance);
  if (!is_legal(content, forged_before, move.seat, move.action)) {
    ++tally.not_legal;
    return;
  }
  if (is_over(after)) return;  // INFO-12
  State forged_after = forged_before;
  Recorder forged;
  apply(content, forged_after, move.seat, move.action, &forged);
  const auto cards = turned_up(events, move, viewer);
  REQUIRE(turned_up(forged.events, move, viewer) == cards);
  if (!cards.empty()) {
    ++tally.turned_up;
    return;
  }

  v1::Diff sent, forged_sent;
  wire::encode_diff(content, before, after, events, viewer, sent);
  wire::encode_diff(content, forged_before, forged_after, forged.events, viewer, forged_sent);
  if (sent.SerializeAsString() != forged_sent.SerializeAsString())
    FAIL("sent: " << sent.ShortDebugString() << "\nforged: " << forged_sent.ShortDebugString());
  REQUIRE(snapshot_bytes(content, forged_after, viewer) == snapshot_bytes(content, after, viewer));
  ++tally.compared;
}

TEST_CASE("an action tells a viewer the same whatever stays hidden") {
  const Content& content = uprising_content();
  Tally tally;
  const std::uint64_t first = first_game();
  const std::uint64_t games = games_to_play(kGames);
  for (std::uint64_t number = first; number < first + games; ++number) {
    INFO("game " << number);
    Chance chance{number};
    Playout game = begin_playout(content, number);
    while (const auto move = next_move(game)) {
      INFO("decision " << game.log.size() << ", action " << int(move->action.kind) << " of seat "
                       << int{move->seat});
      const State before = game.state;
      Recorder recorder;
      play(game, *move, &recorder);
      for (const Viewer viewer : viewers(game.state)) {
        INFO("viewer " << int{viewer.seat});
        check_engine(content, before, game.state, recorder.events, *move, viewer, chance, tally);
      }
    }
  }
  MESSAGE(tally.compared << " compared, " << tally.not_legal << " not legal in the other game, "
                         << tally.turned_up << " turned up hidden cards");
  CHECK(tally.compared > 20 * (tally.not_legal + tally.turned_up));
}

}  // namespace
}  // namespace landsraad::testing
