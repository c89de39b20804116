#include "rules/notation/fill.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/notation/compiler.h"
#include "rules/notation/parser.h"
#include "rules/notation/vocabulary.h"

namespace landsraad::rules::notation {

namespace {

constexpr std::size_t kMaxLeaderSteps = 60;
constexpr int kMaxConflictLevel = 3;
constexpr int kMaxCardCost = 99;
constexpr int kMaxFigure = 255;

class Filler {
 public:
  Filler(Content& content, const Source& source) : content_(content), source_(source) {}

  void fill(const Block& block, std::size_t index) {
    switch (block.kind) {
      case BlockKind::starter:
      case BlockKind::reserve:
      case BlockKind::card:
        return fill_card(block, content_.cards[index]);
      case BlockKind::intrigue:
        return fill_intrigue(block, content_.cards[index]);
      case BlockKind::conflict:
        return fill_conflict(block, content_.conflicts[index]);
      case BlockKind::leader:
        return fill_leader(block, static_cast<LeaderId>(index));
      case BlockKind::space:
        return fill_space(block, content_.spaces[index]);
      case BlockKind::post:
        return fill_post(block, static_cast<PostId>(index));
      case BlockKind::objective:
        return fill_objective(block, content_.objectives[index]);
      case BlockKind::track:
        return fill_track(block, content_.tracks[index]);
    }
  }

 private:
  NodeId compile(const Field& field, Layout layout = Layout::separate) {
    const auto tree = parse_effect(field.text, field.text_place, source_);
    return tree ? Compiler(content_, source_).effect(*tree, layout) : kNoNode;
  }

  NodeId compile(const Block& block, std::string_view name, Layout layout = Layout::separate) {
    const Field* field = block.find(name);
    return field == nullptr ? kNoNode : compile(*field, layout);
  }

  // The value of every word of a field.
  template <class Enum>
  std::vector<Enum> words(const Block& block, std::string_view name) {
    std::vector<Enum> values;
    const Field* field = block.find(name);
    if (field == nullptr) return values;
    for (const FieldWord& word : field->words) {
      if (auto value = find_word<Enum>(word.text)) {
        values.push_back(*value);
      } else {
        source_.error(word.place, "unknown word \"" + word.text + "\" for \"" + std::string(name) + "\"" +
                                      nearest(word.text, all_words<Enum>()));
      }
    }
    return values;
  }

  // The value of a field that holds one word.
  template <class Enum>
  std::optional<Enum> word(const Block& block, std::string_view name) {
    const std::vector<Enum> values = words<Enum>(block, name);
    if (values.size() > 1)
      source_.error(block.find(name)->place, "\"" + std::string(name) + "\" takes one word");
    return values.empty() ? std::nullopt : std::optional(values.front());
  }

  // A field that holds one id, looked up with `find`; `missing` if the field is not there or wrong.
  template <class Id, class Find>
  Id reference(const Block& block, std::string_view name, Find find, Id missing) {
    const Field* field = block.find(name);
    if (field == nullptr) return missing;
    const Id id = find(content_, field->words.front().text);
    if (id == missing || field->words.size() != 1)
      source_.error(field->words.front().place, "expected one known id for \"" + std::string(name) + "\"");
    return id;
  }

  void fill_copies(const Block& block, Card& card) {
    const Field* field = block.find("copies");
    if (field->number == 0) source_.error(field->place, "at least one copy");
    card.copies = static_cast<std::uint8_t>(field->number);
  }

  void fill_card(const Block& block, Card& card) {
    fill_copies(block, card);
    if (const Field* cost = block.find("cost")) {
      if (cost->number > kMaxCardCost)
        source_.error(cost->place, "a card costs up to " + std::to_string(kMaxCardCost));
      card.cost = static_cast<std::int8_t>(std::min(cost->number, kMaxCardCost));
    }
    for (AgentIcon icon : words<AgentIcon>(block, "icons"))
      card.icons = static_cast<IconMask>(card.icons | icon_bit(icon));
    for (Faction faction : words<Faction>(block, "factions"))
      card.factions = static_cast<FactionMask>(card.factions | faction_bit(faction));
    card.acquire = compile(block, "acquire");
    card.agent = compile(block, "agent");
    card.reveal = compile(block, "reveal");
    for (const Field& field : block.fields)
      if (field.name == "passive") card.passives.push_back(compile_passive(field));
    take_out_figures(card);
  }

  NodeId compile_passive(const Field& field) {
    const NodeId node = compile(field);
    if (node != kNoNode && content_.node(node).op != Op::trigger)
      source_.error(field.text_place, "a passive begins with on(...): what it waits for");
    return node;
  }

  // Plain printed Persuasion and swords: the top-level amounts that nothing else belongs to.
  void take_out_figures(Card& card) {
    if (is_figure(card.reveal)) {
      add_figure(card, card.reveal);
      card.reveal = kNoNode;
    }
    if (content_.node(card.reveal).op != Op::all || content_.node(card.reveal).unit) return;
    NodeId* link = &content_.nodes[card.reveal].child;
    while (*link != kNoNode) {
      const NodeId next = content_.node(*link).next;
      if (is_figure(*link)) {
        add_figure(card, *link);
        content_.nodes[*link].next = kNoNode;
        *link = next;
      } else {
        link = &content_.nodes[*link].next;
      }
    }
    unwrap_single(card.reveal);
  }

  bool is_figure(NodeId id) const {
    const Node& node = content_.node(id);
    return (node.op == Op::persuasion || node.op == Op::sword) && node.per == CountOf::none &&
           node.duration == Duration::immediate && node.limit_span == LimitSpan::none;
  }

  void add_figure(Card& card, NodeId id) {
    const Node& node = content_.node(id);
    auto& figure = node.op == Op::persuasion ? card.reveal_persuasion : card.reveal_swords;
    figure = static_cast<std::uint8_t>(std::min(figure + node.amount, kMaxFigure));
  }

  // An `all` with no child is nothing, with one child that child; but a unit keeps its `all`.
  void unwrap_single(NodeId& root) {
    Node& all = content_.nodes[root];
    if (all.child == kNoNode) {
      root = kNoNode;
    } else if (content_.node(all.child).next == kNoNode && !content_.node(all.child).unit) {
      root = std::exchange(all.child, kNoNode);
    }
  }

  void fill_intrigue(const Block& block, Card& card) {
    fill_copies(block, card);
    card.intrigue[0] = compile(block, "plot", Layout::lines);
    card.intrigue[1] = compile(block, "combat", Layout::lines);
    card.intrigue[2] = compile(block, "endgame", Layout::lines);
    if (card.intrigue == std::array<NodeId, 3>{})
      source_.error(block.place, "an Intrigue card needs plot, combat or endgame");
  }

  void fill_conflict(const Block& block, Conflict& conflict) {
    const Field* level = block.find("level");
    if (level->number < 1 || level->number > kMaxConflictLevel)
      source_.error(level->place, "a level is 1, 2 or 3");
    conflict.level = static_cast<std::uint8_t>(level->number);
    conflict.icon = word<BattleIcon>(block, "icon").value_or(BattleIcon::wild);
    conflict.location = reference(block, "location", find_space, kNoSpace);
    conflict.rewards = {compile(block, "first"), compile(block, "second"), compile(block, "third")};
  }

  void fill_space(const Block& block, Space& space) {
    if (const Field* area = block.find("area")) space.area = area->title;
    space.icon = word<AgentIcon>(block, "icon").value_or(AgentIcon::city);
    if (auto faction = word<Faction>(block, "faction")) space.faction = static_cast<std::uint8_t>(*faction);
    if (const Field* flags = block.find("flags"))
      for (const FieldWord& flag : flags->words) set_flag(space, flag);
    space.control_bonus = compile(block, "control");
    if (const Field* field = block.find("requires"))
      if (auto tree = parse_conditions(field->text, field->text_place, source_))
        space.requirement = Compiler(content_, source_).conditions(*tree);
    space.costs = {CostOption{}};
    if (const Field* field = block.find("cost"))
      if (auto tree = parse_effect(field->text, field->text_place, source_))
        space.costs = Compiler(content_, source_).cost(*tree);
    space.effects = compile(block, "effects");
    space.once_per_game = has_game_limit(space.effects);
  }

  void set_flag(Space& space, const FieldWord& flag) {
    if (flag.text == "combat") {
      space.combat = true;
    } else if (flag.text == "maker") {
      space.maker = true;
    } else if (flag.text == "critical") {
      space.critical = true;
    } else {
      source_.error(flag.place, "unknown flag \"" + flag.text + "\": combat, maker or critical");
    }
  }

  bool has_game_limit(NodeId id) const {
    if (content_.node(id).limit_span == LimitSpan::game) return true;
    for (NodeId child = content_.node(id).child; child != kNoNode; child = content_.node(child).next)
      if (has_game_limit(child)) return true;
    return false;
  }

  void fill_post(const Block& block, PostId id) {
    Post& post = content_.posts[id];
    for (const FieldWord& word : block.find("spaces")->words) {
      const SpaceId space = find_space(content_, word.text);
      if (space == kNoSpace) {
        source_.error(word.place, "unknown space \"" + word.text + "\"");
        continue;
      }
      post.spaces |= space_bit(space);
      content_.spaces[space].posts |= post_bit(id);
    }
  }

  void fill_leader(const Block& block, LeaderId id) {
    Leader& leader = content_.leaders[id];
    if (const Field* house = block.find("house")) leader.house = house->title;
    const LeaderId front = reference(block, "back_of", find_leader, kNoLeader);
    if (front != kNoLeader) {
      leader.back_side = true;
      leader.other_side = front;
      content_.leaders[front].other_side = id;
    }
    for (const Field& field : block.fields) {
      if (field.name == "passive") add_passive(leader, field);
      if (field.name == "removes") add_removed(leader, field);
      if (field.name == "step")
        leader.track.push_back({field.step.text, field.text.empty() ? kNoNode : compile(field), {}});
    }
    const Field* signet = block.find("signet");
    leader.signet_name = signet->title;
    if (!signet->text.empty()) leader.signet = compile(*signet);
    link_steps(block, leader);
  }

  void add_passive(Leader& leader, const Field& field) {
    leader.passive_names.push_back(field.title);
    leader.passives.push_back(compile_passive(field));
  }

  void add_removed(Leader& leader, const Field& field) {
    leader.removal_name = field.title;
    for (const FieldWord& word : field.words) {
      const CardId card = find_card(content_, word.text);
      if (card == kNoCard || content_.cards[card].deck != Deck::starter)
        source_.error(word.place, "expected a starting card, found \"" + word.text + "\"");
      leader.removed_starters.push_back(card);
    }
  }

  void link_steps(const Block& block, Leader& leader) {
    if (leader.track.size() > kMaxLeaderSteps) return source_.error(block.place, "too many steps");
    std::size_t step = 0;
    for (const Field& field : block.fields) {
      if (field.name != "step") continue;
      for (const FieldWord& word : field.words) {
        const auto next = std::find_if(leader.track.begin(), leader.track.end(),
                                       [&](const TrackStep& s) { return s.id == word.text; });
        if (next == leader.track.end()) {
          source_.error(word.place, "this leader has no step \"" + word.text + "\"");
        } else {
          leader.track[step].next.push_back(static_cast<std::uint8_t>(next - leader.track.begin()));
        }
      }
      ++step;
    }
  }

  void fill_objective(const Block& block, Objective& objective) {
    objective.icon = word<BattleIcon>(block, "icon").value_or(BattleIcon::wild);
    objective.first_player = block.find("first_player") != nullptr;
    for (const FieldWord& word : block.find("players")->words) {
      const int players = word.text.size() == 1 ? word.text[0] - '0' : 0;
      if (players < 1 || players > static_cast<int>(kMaxSeats)) {
        source_.error(word.place, "expected a number of players from 1 to 6");
      } else {
        objective.player_counts = static_cast<std::uint8_t>(objective.player_counts | (1U << players));
      }
    }
  }

  void fill_track(const Block& block, FactionTrack& track) {
    if (const auto faction = find_word<Faction>(block.id)) {
      track.faction = *faction;
    } else {
      source_.error(block.place,
                    "the id of a track is its faction" + nearest(block.id, all_words<Faction>()));
    }
    track.bonus = compile(block, "bonus");
  }

  Content& content_;
  const Source& source_;
};

}  // namespace

void fill(Content& content, const Block& block, std::size_t index, const Source& source) {
  Filler(content, source).fill(block, index);
}

}  // namespace landsraad::rules::notation
