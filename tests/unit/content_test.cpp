// The embedded content of Uprising: totals, board and what is derived from it.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <string>

#include "rules/notation/load.h"

namespace landsraad::rules::content_test {
namespace {

const Content& content() { return uprising_content(); }

int copies_in(Deck deck) {
  int copies = 0;
  for (const Card& card : content().cards)
    if (card.deck == deck) copies += card.copies;
  return copies;
}

const Card& card(std::string_view id) {
  const CardId found = find_card(content(), id);
  REQUIRE_MESSAGE(found != kNoCard, std::string(id));
  return content().cards[found];
}

const Space& space(std::string_view id) {
  const SpaceId found = find_space(content(), id);
  REQUIRE_MESSAGE(found != kNoSpace, std::string(id));
  return content().spaces[found];
}

TEST_CASE("the embedded files load without an error") {
  const LoadResult result = load_content("uprising", embedded_files());
  CHECK_MESSAGE(result.errors.empty(), notation::to_text(result.errors));
  CHECK(result.content.version == content().version);
}

TEST_CASE("a starting deck has the ten cards of SUPPLY-2") {
  CHECK(copies_in(Deck::starter) == 10);
  CHECK(card("convincing_argument").copies == 2);
  CHECK(card("dagger").copies == 2);
  CHECK(card("diplomacy").copies == 1);
  CHECK(card("dune_the_desert_planet").copies == 2);
  CHECK(card("reconnaissance").copies == 1);
  CHECK(card("seek_allies").copies == 1);
  CHECK(card("signet_ring").copies == 1);
}

TEST_CASE("deck totals are those of SUPPLY-3 without the CHOAM module") {
  CHECK(copies_in(Deck::imperium) == 69 - 4);
  CHECK(copies_in(Deck::intrigue) == 44 - 4);
  CHECK(card("prepare_the_way").copies == 8);
  CHECK(card("the_spice_must_flow").copies == 10);
  CHECK(copies_in(Deck::reserve) == 18);

  const auto conflicts = [](int level) {
    return std::count_if(content().conflicts.begin(), content().conflicts.end(),
                         [&](const Conflict& conflict) { return conflict.level == level; });
  };
  CHECK(conflicts(1) == 3);
  CHECK(conflicts(2) == 9);
  CHECK(conflicts(3) == 4);
  CHECK(content().objectives.size() == 5);

  const auto fronts = std::count_if(content().leaders.begin(), content().leaders.end(),
                                    [](const Leader& leader) { return !leader.back_side; });
  CHECK(fronts == 9 - 1);
  CHECK(content().leaders.size() == 9);
}

TEST_CASE("the board has the spaces of BOARD-1 and the icons of BOARD-2") {
  CHECK(content().spaces.size() == 22);
  const auto with_icon = [](AgentIcon icon) {
    return std::popcount(content().spaces_with_icon[static_cast<std::size_t>(icon)]);
  };
  CHECK(with_icon(AgentIcon::emperor) == 2);
  CHECK(with_icon(AgentIcon::guild) == 2);
  CHECK(with_icon(AgentIcon::bene_gesserit) == 2);
  CHECK(with_icon(AgentIcon::fremen) == 2);
  CHECK(with_icon(AgentIcon::landsraad) == 5);
  CHECK(with_icon(AgentIcon::city) == 4);
  CHECK(with_icon(AgentIcon::spice_trade) == 5);
  CHECK(with_icon(AgentIcon::spy) == 0);  // SPY-14
  CHECK(std::popcount(content().maker_spaces) == 3);
  CHECK(std::popcount(content().faction_spaces) == 8);
}

TEST_CASE("13 posts and 24 connections, seen from both ends") {
  CHECK(content().posts.size() == 13);
  int connections = 0;
  for (PostId post = 0; post < content().posts.size(); ++post)
    for (SpaceId id = 0; id < content().spaces.size(); ++id) {
      const bool from_post = (content().posts[post].spaces & space_bit(id)) != 0;
      const bool from_space = (content().spaces[id].posts & post_bit(post)) != 0;
      CHECK(from_post == from_space);
      connections += from_post ? 1 : 0;
      if (from_post) CHECK((content().posts[post].icons & icon_bit(content().spaces[id].icon)) != 0);
    }
  CHECK(connections == 24);
  for (const Space& each : content().spaces) CHECK(each.posts != 0);
}

TEST_CASE("three critical spaces have a control bonus; six Conflicts are for them (WALL-2, CTRL-1)") {
  int critical = 0;
  for (const Space& each : content().spaces) {
    CHECK(each.critical == (each.control_bonus != kNoNode));
    critical += each.critical ? 1 : 0;
  }
  CHECK(critical == 3);
  const auto located = std::count_if(content().conflicts.begin(), content().conflicts.end(),
                                     [](const Conflict& conflict) { return conflict.location != kNoSpace; });
  CHECK(located == 6);
}

TEST_CASE("every copy of a card belongs to its kind, starting cards once for each seat") {
  std::size_t next = 0;
  for (CardId id = 0; id < content().cards.size(); ++id) {
    const Card& each = content().cards[id];
    CHECK(each.first_copy == next);
    CHECK(each.all_copies == each.copies * (each.deck == Deck::starter ? kMaxSeats : 1));
    for (std::size_t copy = 0; copy < each.all_copies; ++copy, ++next)
      CHECK(content().card_id(static_cast<CardCopy>(next)) == id);
  }
  CHECK(content().card_of_copy.size() == next);
}

TEST_CASE("ids are unique and found") {
  std::set<std::string> ids;
  for (const Card& each : content().cards) CHECK(ids.insert(each.id).second);
  CHECK(find_card(content(), "no_such_card") == kNoCard);
  CHECK(content().leaders[find_leader(content(), "staban_tuek")].name == "Staban Tuek");
  CHECK(content().posts[find_post(content(), "C")].id == "C");
  CHECK(content().conflicts[find_conflict(content(), "propaganda")].icon == BattleIcon::wild);
  CHECK(content().objectives[find_objective(content(), "objective_crysknife")].icon == BattleIcon::crysknife);
}

TEST_CASE("costs, requirements and limits of spaces") {
  CHECK(space("sardaukar").costs[0].pays == std::array<std::uint8_t, 3>{0, 4, 0});  // BOARD-U1
  CHECK(space("swordmaster").once_per_game);
  CHECK_FALSE(space("high_council").once_per_game);
  CHECK(space("swordmaster").costs.size() == 2);
  CHECK(space("gather_support").costs.size() == 2);
  CHECK(space("fremkit").costs.size() == 1);
  CHECK(space("sietch_tabr").requirement.count == 1);
  CHECK(space("shipping").requirement.count == 1);
  CHECK(space("arrakeen").requirement.count == 0);
}

TEST_CASE("leaders: sides, tracks, removed cards") {
  const Content& all = content();
  const LeaderId front = find_leader(all, "lady_jessica");
  const LeaderId back = find_leader(all, "reverend_mother_jessica");
  CHECK(all.leaders[front].other_side == back);
  CHECK(all.leaders[back].other_side == front);
  CHECK(all.leaders[back].back_side);

  const Leader& tracked = all.leaders[find_leader(all, "feyd_rautha_harkonnen")];
  REQUIRE(tracked.track.size() == 8);
  CHECK(tracked.track.front().next.size() == 2);
  CHECK(tracked.track.front().reward == kNoNode);
  CHECK(tracked.track.back().next.empty());

  const Leader& smuggler = all.leaders[find_leader(all, "staban_tuek")];
  CHECK(smuggler.removed_starters == std::vector{find_card(all, "diplomacy")});
  for (const Leader& leader : all.leaders) {
    CHECK(leader.signet != kNoNode);
    CHECK(leader.passives.size() == leader.passive_names.size());
    for (NodeId passive : leader.passives) CHECK(all.node(passive).op == Op::trigger);
  }
}

TEST_CASE("objectives fit the player counts: one for each of 3 and 4 players") {
  for (const int players : {3, 4}) {
    int used = 0, first = 0;
    for (const Objective& objective : content().objectives) {
      if ((objective.player_counts & (1U << players)) == 0) continue;
      ++used;
      first += objective.first_player ? 1 : 0;
    }
    CHECK(used == players);
    CHECK(first == 1);
  }
}

TEST_CASE("tracks give the bonuses of FACT-7") {
  REQUIRE(content().tracks.size() == 4);
  CHECK(content().node(content().tracks[0].bonus).op == Op::spy);
  CHECK(content().node(content().tracks[1].bonus).op == Op::solari);
  CHECK(content().node(content().tracks[1].bonus).amount == 3);
  CHECK(content().node(content().tracks[2].bonus).op == Op::intrigue);
  CHECK(content().node(content().tracks[3].bonus).op == Op::water);
}

TEST_CASE("nodes form trees: every node is the child of at most one other") {
  std::vector<int> parents(content().nodes.size());
  for (const Node& node : content().nodes) {
    if (node.child != kNoNode) ++parents[node.child];
    if (node.next != kNoNode) ++parents[node.next];
  }
  for (int count : parents) CHECK(count <= 1);
}

}  // namespace
}  // namespace landsraad::rules::content_test
