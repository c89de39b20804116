// The catalogue says what the content says, with the numbers the engine uses.
#include "rules/wire/catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include "rules/notation/load.h"

namespace landsraad::wire::catalogue_test {
namespace {

using rules::uprising_content;
using EffectNode = v1::Catalogue::EffectNode;

const v1::Catalogue& catalogue() {
  static const v1::Catalogue written = [] {
    v1::Catalogue out;
    write_catalogue(uprising_content(), out);
    return out;
  }();
  return written;
}

const v1::Catalogue::Card& card(const std::string& key) {
  const auto& cards = catalogue().cards();
  const auto found =
      std::find_if(cards.begin(), cards.end(), [&](const auto& each) { return each.key() == key; });
  REQUIRE(found != cards.end());
  return *found;
}

void visit(const EffectNode& effect, const std::function<void(const EffectNode&)>& see) {
  see(effect);
  for (const EffectNode& child : effect.children()) visit(child, see);
}

void visit_all(const std::function<void(const EffectNode&)>& see) {
  for (const auto& each : catalogue().cards()) {
    for (const EffectNode* box :
         {&each.acquire(), &each.agent(), &each.reveal(), &each.plot(), &each.combat(), &each.endgame()})
      if (box->node() != 0) visit(*box, see);
    for (const EffectNode& passive : each.passives()) visit(passive, see);
  }
  for (const auto& leader : catalogue().leaders()) {
    visit(leader.signet().effect(), see);
    for (const auto& passive : leader.passives()) visit(passive.effect(), see);
    for (const auto& step : leader.track())
      if (step.has_reward()) visit(step.reward(), see);
  }
  for (const auto& space : catalogue().spaces()) {
    visit(space.effects(), see);
    if (space.has_control_bonus()) visit(space.control_bonus(), see);
  }
  for (const auto& conflict : catalogue().conflicts())
    for (const EffectNode& reward : conflict.rewards())
      if (reward.node() != 0) visit(reward, see);
  for (const auto& track : catalogue().tracks()) visit(track.bonus(), see);
  visit(catalogue().visit_influence(), see);
}

TEST_CASE("everything of the content is there, under its number") {
  const rules::Content& content = uprising_content();
  CHECK(catalogue().product() == "uprising");
  CHECK(catalogue().content_version() == content.version);
  REQUIRE(catalogue().cards_size() == static_cast<int>(content.cards.size()));
  REQUIRE(catalogue().leaders_size() == static_cast<int>(content.leaders.size()));
  CHECK(catalogue().spaces_size() == 22);
  CHECK(catalogue().posts_size() == 13);
  CHECK(catalogue().conflicts_size() == 16);
  CHECK(catalogue().objectives_size() == 5);
  CHECK(catalogue().tracks_size() == 4);
  for (int i = 0; i < catalogue().cards_size(); ++i) {
    CHECK(catalogue().cards(i).id() == static_cast<std::uint32_t>(i));
    CHECK(catalogue().cards(i).key() == content.cards[static_cast<std::size_t>(i)].id);
    CHECK(catalogue().cards(i).name() == content.cards[static_cast<std::size_t>(i)].name);
  }
}

TEST_CASE("effects are the engine's own trees: same nodes, each once, only words of the vocabulary") {
  std::set<std::string> words;
  for (const auto& row : catalogue().vocabulary()) words.insert(std::to_string(row.kind()) + row.word());
  std::set<std::uint32_t> nodes;
  visit_all([&](const EffectNode& effect) {
    CHECK(nodes.insert(effect.node()).second);
    const rules::Node& node = uprising_content().node(static_cast<rules::NodeId>(effect.node()));
    CHECK(rules::row(node.op).name == effect.operation().word());
    CHECK(node.amount == effect.amount());
    CHECK(words.contains(std::to_string(v1::Catalogue::WORD_OPERATION) + effect.operation().word()));
    for (const auto& condition : effect.conditions().conditions())
      CHECK(words.contains(std::to_string(v1::Catalogue::WORD_CONDITION) + condition.predicate().word()));
    if (effect.has_trigger())
      CHECK(words.contains(std::to_string(v1::Catalogue::WORD_TRIGGER) + effect.trigger().word()));
    if (effect.has_per())
      CHECK(words.contains(std::to_string(v1::Catalogue::WORD_COUNT) + effect.per().word()));
  });
  CHECK(nodes.size() > 600);
}

TEST_CASE("qualifiers, values and references are written as in the notation") {
  const EffectNode& lines = card("maker_keeper").agent();
  REQUIRE(lines.children_size() == 2);
  CHECK(lines.operation().word() == "all");
  const auto& condition = lines.children(0).conditions().conditions(0).predicate();
  CHECK(condition.word() == "influence");
  CHECK(condition.qualifiers(0) == "bene_gesserit");
  CHECK(condition.compare() == ">=");
  CHECK(condition.value() == 2);

  const EffectNode& spy = card("reliable_informant").agent();
  CHECK(spy.operation().qualifiers_size() == 3);
  CHECK(spy.operation().qualifiers(0) == "icons=emperor");

  const EffectNode& trigger = card("guild_spy").reveal();
  CHECK(trigger.trigger().word() == "acquire");
  CHECK(trigger.trigger().card() == card("the_spice_must_flow").id());
  CHECK(trigger.operation().qualifiers_size() == 0);
  CHECK(trigger.duration() == "reveal_turn");
  CHECK(trigger.limit() == 1);
  CHECK(trigger.limit_span() == "turn");

  const auto& free_card = card("impress").combat().children(0).children(1).operation().qualifiers();
  CHECK(std::find(free_card.begin(), free_card.end(), "cost<=3") != free_card.end());
  CHECK(card("leadership").reveal().per().qualifiers_size() == 2);
}

TEST_CASE("what is not printed is absent") {
  CHECK_FALSE(card("dagger").has_cost());
  CHECK_FALSE(card("dagger").has_agent());
  CHECK(card("prepare_the_way").cost() == 2);
  CHECK_FALSE(card("dagger").has_plot());
  CHECK(card("contingency_plan").has_plot());
  CHECK(card("contingency_plan").has_combat());
  CHECK_FALSE(card("contingency_plan").has_endgame());
}

TEST_CASE("writing replaces what was there") {
  v1::Catalogue out = catalogue();
  write_catalogue(uprising_content(), out);
  CHECK(out.SerializeAsString() == catalogue().SerializeAsString());
  CHECK(out.ByteSizeLong() < 128 * 1024);
}

}  // namespace
}  // namespace landsraad::wire::catalogue_test
