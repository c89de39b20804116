// The notation of content files: what is read, how it is laid out as nodes, and what errors say.
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "rules/notation/load.h"
#include "rules/notation/parser.h"
#include "rules/notation/vocabulary.h"

namespace landsraad::rules::notation_test {
namespace {

// A file in which the effects under test can name a card and a space.
constexpr std::string_view kSurroundings = R"(
starter signet_ring "Signet Ring"
  copies 1  icons city
space arrakeen "Arrakeen"
  icon city  area "City"  flags combat critical
  effects draw(1)
)";

LoadResult load(std::string_view text) {
  const std::array files{ContentFile{"around.txt", kSurroundings}, ContentFile{"test.txt", text}};
  return load_content("test", files);
}

// The errors, without the name of the file.
std::string errors_of(std::string_view text) {
  std::string all = notation::to_text(load(text).errors);
  for (std::size_t at; (at = all.find("test.txt:")) != std::string::npos;) all.erase(at, 9);
  return all;
}

std::string card_with(std::string_view field, std::string_view effect) {
  return "card x \"X\"\n copies 1\n " + std::string(field) + " " + std::string(effect) + "\n";
}

std::string error_in_effect(std::string_view effect) { return errors_of(card_with("agent", effect)); }

// A short picture of a node and what hangs on it: op(child, child), `!` for a cost, `{}` for a unit.
std::string picture(const Content& content, NodeId id) {
  const Node& node = content.node(id);
  std::string text = std::string(row(node.op).name) + (node.is_cost ? "!" : "") + (node.unit ? "{}" : "");
  if (node.amount != 1 || node.amount_max != 1) text += std::to_string(node.amount);
  if (node.amount_max != node.amount) text += ".." + std::to_string(node.amount_max);
  if (node.child == kNoNode) return text;
  text += "(";
  for (NodeId child = node.child; child != kNoNode; child = content.node(child).next) {
    if (child != node.child) text += ", ";
    text += picture(content, child);
  }
  return text + ")";
}

struct Compiled {
  Content content;
  NodeId root;
  const Node& node() const { return content.node(root); }
  std::string shape() const { return picture(content, root); }
};

Compiled compile(std::string_view effect) {
  LoadResult result = load(card_with("agent", effect));
  REQUIRE_MESSAGE(result.errors.empty(), notation::to_text(result.errors));
  const NodeId root = result.content.cards.back().agent;
  return {std::move(result.content), root};
}

std::string shape(std::string_view effect) { return compile(effect).shape(); }

std::string intrigue_shape(std::string_view effect) {
  LoadResult result = load("intrigue x \"X\"\n copies 1\n plot " + std::string(effect));
  REQUIRE_MESSAGE(result.errors.empty(), notation::to_text(result.errors));
  return picture(result.content, result.content.cards.back().intrigue[0]);
}

// ---- Layout ---------------------------------------------------------------------------------------------

TEST_CASE("separate parts lie flat, whatever joins them; braces make a unit") {
  CHECK(shape("spice(2)") == "spice2");
  CHECK(shape("draw; spice(2) + water(1)") == "all(draw, spice2, water)");
  CHECK(shape("draw; {spice(2) + water}") == "all(draw, all{}(spice2, water))");
  CHECK(shape("{draw + spice}") == "all{}(draw, spice)");
  CHECK(shape("{spice}") == "spice");
}

TEST_CASE("tightest first: + and THEN, then ->, then a condition, then OR, then ;") {
  CHECK(shape("spice -> draw OR water") == "choice(arrow(spice!, draw), water)");
  CHECK(shape("if(high_council): spice -> draw OR water; vp") ==
        "all(choice(when(arrow(spice!, draw)), water), vp)");
  CHECK(shape("draw + if(high_council): spice + water") == "all(draw, when(all(spice, water)))");
  CHECK(shape("draw THEN spice + water") == "then(draw, all(spice, water))");
  CHECK(shape("{draw + spice} THEN water THEN vp") == "then(all{}(draw, spice), water, vp)");
  CHECK(shape("discard(2) & solari(5) -> vp + draw") == "arrow(all!(discard!2, solari!5), all(vp, draw))");
  CHECK(shape("spice -> water -> vp") == "arrow(spice!, arrow(water!, vp))");
  CHECK(shape("may({draw OR trash[hand]})") == "may(choice(draw, trash))");
  CHECK(shape("each_opponent(discard(1))") == "each_opponent(discard)");
}

TEST_CASE("an Intrigue card is a list of lines; the parts of a line belong together (INTR-5)") {
  CHECK(intrigue_shape("solari(2)") == "all(solari2)");
  CHECK(intrigue_shape("draw; if(high_council): spice") == "all(draw, when(spice))");
  CHECK(intrigue_shape("sword(2) + draw") == "all(all{}(sword2, draw))");
  CHECK(intrigue_shape("draw; sword(2) + draw") == "all(draw, all{}(sword2, draw))");
  CHECK(intrigue_shape("if(high_council): vp + spice") == "all(when(all{}(vp, spice)))");
  CHECK(intrigue_shape("draw OR {spice -> draw + trash}") ==
        "all(choice(draw, arrow(spice!, all(draw, trash))))");
}

TEST_CASE("plain figures of a Reveal box are taken out of it") {
  const auto revealed = [](std::string_view effect) {
    LoadResult result = load(card_with("reveal", effect));
    REQUIRE_MESSAGE(result.errors.empty(), notation::to_text(result.errors));
    const Card& card = result.content.cards.back();
    const std::string rest = card.reveal == kNoNode ? "" : picture(result.content, card.reveal);
    return std::to_string(card.reveal_persuasion) + "/" + std::to_string(card.reveal_swords) + " " + rest;
  };
  CHECK(revealed("persuasion(2)") == "2/0 ");
  CHECK(revealed("persuasion(1) + sword(3)") == "1/3 ");
  CHECK(revealed("persuasion(1) + sword(1); spice") == "1/1 spice");
  CHECK(revealed("sword(2); spice; water") == "0/2 all(spice, water)");
  CHECK(revealed("persuasion(1); {spice + water}") == "1/0 all(all{}(spice, water))");
  CHECK(revealed("persuasion(2) OR spice") == "0/0 choice(persuasion2, spice)");
  CHECK(revealed("persuasion(2)*per(cards_in_play[fremen])") == "0/0 persuasion2");
  CHECK(revealed("if(high_council): persuasion(2)") == "0/0 when(persuasion2)");
}

// ---- Words ----------------------------------------------------------------------------------------------

TEST_CASE("amounts: numbers, ranges, any and all") {
  CHECK(shape("retreat[=2]") == "retreat2");
  CHECK(compile("retreat[=2]").node().qualifiers.compare == Compare::exactly);
  CHECK(shape("retreat[1..2]") == "retreat1..2");
  CHECK(shape("retreat(3)") == "retreat0..3");
  CHECK(shape("deploy") == "deploy0..1");
  CHECK(shape("retreat(any)") == "retreat-1");
  CHECK(shape("return_memories(all)") == "return_memories-2");
}

TEST_CASE("qualifiers stand before or after the amount") {
  for (std::string_view text : {"trash[hand](2)", "trash(2)[hand]", "trash[hand,emperor](2)"}) {
    const Compiled effect = compile(text);
    CHECK(effect.node().qualifiers.has(Word::hand));
    CHECK(effect.node().amount == 2);
  }
  CHECK(compile("trash[hand,emperor|fremen]").node().qualifiers.factions ==
        (faction_bit(Faction::emperor) | faction_bit(Faction::fremen)));
}

TEST_CASE("qualifiers with values") {
  const Qualifiers acquire = compile("acquire[cost<=3,from=any,pay=none,to=hand]").node().qualifiers;
  CHECK(acquire.compare == Compare::at_most);
  CHECK(acquire.value == 3);
  CHECK(acquire.has(Word::from_any));
  CHECK(acquire.has(Word::pay_none));
  CHECK(acquire.has(Word::to_hand));
  CHECK(compile("acquire[removed,pay=persuasion,discount=1]").node().qualifiers.discount == 1);
  CHECK(compile("influence[any,diff=2](1)").node().qualifiers.value == 2);
  CHECK(compile("steal_intrigue[each_opponent_with>=4](1)").node().qualifiers.value == 4);
  CHECK(compile("spy[icons=city|emperor](1)").node().qualifiers.icons ==
        (icon_bit(AgentIcon::city) | icon_bit(AgentIcon::emperor)));
  CHECK(compile("flip_icon[crysknife|wild](1)").node().qualifiers.battle_icons ==
        (battle_icon_bit(BattleIcon::crysknife) | battle_icon_bit(BattleIcon::wild)));
  CHECK(compile("control[arrakeen]").node().qualifiers.ref == 0);
  CHECK(compile("on(acquire[signet_ring]): draw").node().qualifiers.ref == 0);
}

TEST_CASE("conditions: and, or, not, comparisons") {
  const Compiled both = compile("if(high_council and not influence[fremen]>=2): draw");
  REQUIRE(both.node().conditions.count == 2);
  CHECK_FALSE(both.node().conditions.any);
  const Condition& second = both.content.conditions[both.node().conditions.first + 1U];
  CHECK(second.predicate == Predicate::influence);
  CHECK(second.negated);
  CHECK(second.qualifiers.factions == faction_bit(Faction::fremen));
  CHECK(second.qualifiers.compare == Compare::at_least);
  CHECK(second.qualifiers.value == 2);
  CHECK(compile("if(high_council or swordmaster): draw").node().conditions.any);

  const Compiled copies = compile("if(cards_owned[signet_ring]>each_opponent): draw");
  CHECK(copies.content.conditions[copies.node().conditions.first].qualifiers.compare ==
        Compare::more_than_each_opponent);
  const Compiled kinds = compile("if(visited[maker]): draw + if(visited[city|spice_trade]): draw");
  CHECK(kinds.content.conditions[0].qualifiers.has(Word::maker));
  CHECK(kinds.content.conditions[1].qualifiers.icons ==
        (icon_bit(AgentIcon::city) | icon_bit(AgentIcon::spice_trade)));
}

TEST_CASE("what stands last behind a trigger belongs to the trigger") {
  const Compiled effect = compile("on(reveal_turn): if(agent_here): persuasion(1) limit(1/round) @round");
  CHECK(effect.shape() == "trigger(when(persuasion))");
  CHECK(effect.node().duration == Duration::round);
  CHECK(effect.node().limit == 1);
  CHECK(effect.node().limit_span == LimitSpan::round);
  CHECK(effect.content.node(effect.content.node(effect.node().child).child).duration == Duration::immediate);

  const Compiled inner = compile("on(reveal_turn): {draw @turn} + water");
  CHECK(inner.node().duration == Duration::immediate);
  CHECK(compile("deploy[recruited_this_turn](any) @turn").node().duration == Duration::turn);
}

TEST_CASE("counts") {
  const Node node = compile("sword(1)*per(revealed[sword,other])").node();
  CHECK(node.per == CountOf::revealed);
  CHECK(node.per_qualifiers.has(Word::sword));
  CHECK(node.per_qualifiers.has(Word::other));
}

// ---- Blocks ---------------------------------------------------------------------------------------------

TEST_CASE("fields share lines; comments and line ends do not matter") {
  const LoadResult result = load(
      "# a comment\r\n"
      "card x \"X # 1\"  # another\r\n"
      "\tcopies 2  cost 7 icons city spy factions emperor\r\n"
      "\r\n"
      "  passive on(trashed): draw\r\n"
      "  passive on(discarded): spice");
  REQUIRE_MESSAGE(result.errors.empty(), notation::to_text(result.errors));
  const Card& card = result.content.cards.back();
  CHECK(card.name == "X # 1");
  CHECK(card.copies == 2);
  CHECK(card.cost == 7);
  CHECK(card.icons == (icon_bit(AgentIcon::city) | icon_bit(AgentIcon::spy)));
  CHECK(card.passives.size() == 2);
}

TEST_CASE("costs of spaces are options of resources (COST-2)") {
  const auto costs = [](std::string_view cost) {
    const LoadResult result =
        load("space x \"X\"\n icon city  area \"A\"\n cost " + std::string(cost) + "\n effects draw");
    REQUIRE_MESSAGE(result.errors.empty(), notation::to_text(result.errors));
    return result.content.spaces.back().costs;
  };
  CHECK(costs("solari(5)").size() == 1);
  CHECK(costs("solari(5)")[0].pays == std::array<std::uint8_t, 3>{5, 0, 0});
  CHECK(costs("spice(1) + water(2)")[0].pays == std::array<std::uint8_t, 3>{0, 1, 2});
  REQUIRE(costs("none OR water(2)").size() == 2);
  CHECK(costs("none OR water(2)")[0].pays == std::array<std::uint8_t, 3>{});
  const auto conditional =
      costs("{if(not swordmaster_taken): solari(8)} OR {if(swordmaster_taken): solari(6)}");
  REQUIRE(conditional.size() == 2);
  CHECK(conditional[1].conditions.count == 1);
  CHECK(conditional[1].pays[0] == 6);
}

// ---- Errors ---------------------------------------------------------------------------------------------

TEST_CASE("errors say where, what was expected and what is near") {
  CHECK(error_in_effect("spize(1)") == "3:8: unknown operation \"spize\" (nearest: spice)\n");
  CHECK(error_in_effect("draw(1) + ") == "3:17: expected an effect, found the end\n");
  CHECK(error_in_effect("draw(1 + water") == "3:15: expected \")\", found \"+\"\n");
  CHECK(error_in_effect("draw) water") ==
        "3:12: expected the end of the effect, or \";\", \"+\", \"->\", \"OR\", \"THEN\", found \")\"\n");
  CHECK(error_in_effect("if(influense[fremen]>=2): draw") ==
        "3:11: unknown condition \"influense\" (nearest: influence)\n");
  CHECK(error_in_effect("draw ? water") == "3:13: expected a word, a number or a sign of the notation\n");
  CHECK(error_in_effect("on(dicarded): draw") == "3:11: unknown trigger \"dicarded\" (nearest: discarded)\n");
  CHECK(error_in_effect("draw*per(memories)").find("unknown count \"memories\"") != std::string::npos);
  CHECK(error_in_effect("draw @trun") == "3:13: unknown duration \"trun\" (nearest: turn)\n");
}

TEST_CASE("a word is rejected where it does not belong") {
  CHECK(error_in_effect("draw[hand]") ==
        "3:13: \"draw\" does not take \"hand\" in its brackets; it takes nothing there\n");
  CHECK(error_in_effect("blow_wall(2)") == "3:18: \"blow_wall\" takes no number\n");
  CHECK(error_in_effect("draw(0)") == "3:13: an amount is at least 1\n");
  CHECK(error_in_effect("draw(251)") == "3:13: numbers go up to 250\n");
  CHECK(error_in_effect("draw(any)") == "3:13: \"draw\" does not take (any)\n");
  CHECK(error_in_effect("draw[1..2]").find("does not take \"a range\"") != std::string::npos);
  CHECK(error_in_effect("retreat[2..1]") == "3:16: the range ends below its beginning\n");
  CHECK(error_in_effect("control[draw]").find("it takes there: a board space") != std::string::npos);
  CHECK(error_in_effect("draw & water") == "3:8: \"&\" joins only parts of a cost; use \"+\"\n");
  CHECK(error_in_effect("draw(water)") == "3:13: \"draw\" takes an amount in parentheses, not an effect\n");
  CHECK(error_in_effect("may") == "3:8: \"may\" needs an effect in parentheses\n");
  CHECK(error_in_effect("if(high_council>=2): draw") ==
        "3:11: \"high_council\" is not compared with a number\n");
  CHECK(error_in_effect("if(influence[fremen]): draw").find("needs >=n") != std::string::npos);
  CHECK(error_in_effect("if(high_council and swordmaster or maker_hooks): draw").find("cannot be mixed") !=
        std::string::npos);
  CHECK(error_in_effect("all(draw)").find("unknown operation \"all\"") != std::string::npos);
  CHECK(error_in_effect("draw limit(0/turn)") == "3:13: a limit is at least 1\n");
  CHECK(error_in_effect("draw limit(1/day)").find("unknown span of a limit \"day\"") != std::string::npos);
}

TEST_CASE("errors in blocks") {
  CHECK(errors_of("cart x \"X\"") == "1:1: expected a kind of block, found \"cart\" (nearest: card)\n");
  CHECK(errors_of("card x") == "1:7: expected the printed name in quotes\n");
  CHECK(errors_of("card x \"X\" cost 2") ==
        "1:12: expected the end of the line: fields stand indented below\n");
  CHECK(errors_of("  cost 2") == "1:3: a field stands before the first block\n");
  CHECK(errors_of("card x \"X\"\n cost 2") == "1:1: card x has no \"copies\"\n");
  CHECK(errors_of("card x \"X\"\n copies 1 cots 2") ==
        "2:11: \"cots\" is no field of a card (nearest: cost, icons)\n");
  CHECK(errors_of("card x \"X\"\n copies 1 copies 2") == "2:11: \"copies\" stands twice in this block\n");
  CHECK(errors_of("card x \"X\"\n copies 1 cost many") == "2:16: expected a number up to 250\n");
  CHECK(errors_of("card x \"X\"\n copies 1 icons towns").find("unknown word \"towns\" for \"icons\"") !=
        std::string::npos);
  CHECK(errors_of("card signet_ring \"X\"\n copies 1") == "1:1: the id \"signet_ring\" is taken already\n");
  CHECK(errors_of("card x \"X\"\n copies 1\n passive draw") ==
        "3:10: a passive begins with on(...): what it waits for\n");
  CHECK(errors_of("post A\n spaces arakeen") == "2:9: unknown space \"arakeen\"\n");
  CHECK(errors_of("track guilds \"G\"\n bonus spy").find("the id of a track is its faction") !=
        std::string::npos);
  CHECK(errors_of("space x \"X\"\n icon city area \"A\"\n cost draw(1)\n effects draw")
            .find("a cost of a space is") != std::string::npos);
  CHECK(errors_of("leader x \"X\"\n signet \"S\" track_advance(1)\n step a => b : draw") ==
        "3:12: this leader has no step \"b\"\n");
}

TEST_CASE("every wrong effect of a file is reported, not only the first") {
  const LoadResult result = load(card_with("agent", "spize") + " reveal watter\n");
  CHECK(result.errors.size() == 2);
}

TEST_CASE("nesting is bounded, by an error and not by the stack") {
  const std::string deep(100'000, '{');
  CHECK(error_in_effect(deep).find("nested deeper than 24 levels") != std::string::npos);
  std::string arrows = "draw";
  for (int i = 0; i < 10'000; ++i) arrows += " -> draw";
  CHECK(error_in_effect(arrows).find("nested deeper than") != std::string::npos);
  std::string conditions;
  for (int i = 0; i < 10'000; ++i) conditions += "if(high_council): ";
  CHECK(error_in_effect(conditions + "draw").find("nested deeper than") != std::string::npos);
}

TEST_CASE("the version covers the text and the order of the files, not where they lie") {
  const ContentFile a{"a.txt", kSurroundings};
  const ContentFile b{"b.txt", "# nothing"};
  const ContentFile c{"c.txt", "# nothing"};
  const auto version = [](std::vector<ContentFile> files) {
    return load_content("test", files).content.version;
  };
  CHECK(version({a, b}) == version({a, b}));
  CHECK(version({a, b}) != version({b, a}));
  CHECK(version({a, b}) == version({a, c}));
  CHECK(version({a, b}) != version({a}));
  CHECK(version({a, b}).size() == 64);
}

}  // namespace
}  // namespace landsraad::rules::notation_test
