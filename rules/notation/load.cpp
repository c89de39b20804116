#include "rules/notation/load.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "rules/notation/block.h"
#include "rules/notation/compiler.h"
#include "rules/notation/parser.h"
#include "rules/notation/vocabulary.h"

namespace landsraad::rules {

namespace {

using notation::Block;
using notation::BlockKind;
using notation::Compiler;
using notation::Field;
using notation::FieldWord;
using notation::find_word;
using notation::Layout;
using notation::Place;
using notation::Source;

constexpr std::size_t kMaxCopies = 1 << 12;  // CardSlot::copy has 12 bits
constexpr std::size_t kMaxLeaders = 250;
constexpr std::size_t kMaxObjectives = 60;
constexpr std::size_t kMaxConflictKinds = 250;
constexpr std::size_t kMaxLeaderSteps = 60;
constexpr int kMaxConflictLevel = 3;

// A block, the file it stands in and its index in the table of its kind.
struct Entry {
  std::string_view file;
  Block block;
  std::size_t index = 0;
};

// Reads in two passes: first every id, so that effects may name what comes later, then the rest.
class Loader {
 public:
  LoadResult load(std::string_view product, std::span<const ContentFile> files) {
    content_.product = std::string(product);
    content_.nodes.emplace_back();  // node 0 means "no effect"
    add_visit_influence();
    for (const ContentFile& file : files) read(file);
    for (Entry& entry : entries_) register_id(entry);
    if (errors_.empty()) check_sizes();
    if (errors_.empty())
      for (const Entry& entry : entries_) fill(entry);
    if (errors_.empty()) derive();
    return {std::move(content_), std::move(errors_)};
  }

 private:
  // The Influence of a visit is printed on no space (FACT-3), but waits among its effects like any other.
  void add_visit_influence() {
    content_.visit_influence = static_cast<NodeId>(content_.nodes.size());
    content_.nodes.emplace_back().op = Op::influence_visit;
  }

  // ---- First pass ---------------------------------------------------------------------------------
  void read(const ContentFile& file) {
    const Source source{file.path, errors_};
    if (file.text.size() > kMaxContentFileBytes) return source.error({}, "the file is larger than 1 MiB");
    for (Block& block : notation::read_blocks(file.text, source))
      entries_.push_back({file.path, std::move(block)});
  }

  template <class Thing>
  Thing& add(std::vector<Thing>& table, Entry& entry) {
    const Block& block = entry.block;
    const bool taken =
        std::any_of(table.begin(), table.end(), [&](const Thing& other) { return other.id == block.id; });
    if (taken) Source{entry.file, errors_}.error(block.place, "the id \"" + block.id + "\" is taken already");
    entry.index = table.size();
    Thing& thing = table.emplace_back();
    thing.id = block.id;
    if constexpr (requires { thing.name; }) thing.name = block.name;
    return thing;
  }

  void register_id(Entry& entry) {
    switch (entry.block.kind) {
      case BlockKind::starter:
        add(content_.cards, entry).deck = Deck::starter;
        break;
      case BlockKind::reserve:
        add(content_.cards, entry).deck = Deck::reserve;
        break;
      case BlockKind::card:
        add(content_.cards, entry).deck = Deck::imperium;
        break;
      case BlockKind::intrigue:
        add(content_.cards, entry).deck = Deck::intrigue;
        break;
      case BlockKind::conflict:
        add(content_.conflicts, entry);
        break;
      case BlockKind::leader:
        add(content_.leaders, entry);
        break;
      case BlockKind::space:
        add(content_.spaces, entry);
        break;
      case BlockKind::post:
        add(content_.posts, entry);
        break;
      case BlockKind::objective:
        add(content_.objectives, entry);
        break;
      case BlockKind::track:
        add(content_.tracks, entry);
        break;
    }
  }

  void check_sizes() {
    check_size("spaces", content_.spaces.size(), kMaxSpaces);
    check_size("posts", content_.posts.size(), kMaxPosts);
    check_size("leaders", content_.leaders.size(), kMaxLeaders);
    check_size("objectives", content_.objectives.size(), kMaxObjectives);
    check_size("conflicts", content_.conflicts.size(), kMaxConflictKinds);
    check_size("faction tracks", content_.tracks.size(), kMaxFactions);
    check_size("cards", content_.cards.size(), kMaxCopies);
  }

  void check_size(const std::string& what, std::size_t count, std::size_t limit) {
    if (count > limit)
      errors_.push_back({content_.product,
                         {},
                         std::to_string(count) + " " + what + "; the engine takes " + std::to_string(limit)});
  }

  // ---- Second pass --------------------------------------------------------------------------------
  void fill(const Entry& entry) {
    const Source source{entry.file, errors_};
    switch (entry.block.kind) {
      case BlockKind::starter:
      case BlockKind::reserve:
      case BlockKind::card:
        return fill_card(entry.block, content_.cards[entry.index], source);
      case BlockKind::intrigue:
        return fill_intrigue(entry.block, content_.cards[entry.index], source);
      case BlockKind::conflict:
        return fill_conflict(entry.block, content_.conflicts[entry.index], source);
      case BlockKind::leader:
        return fill_leader(entry.block, static_cast<LeaderId>(entry.index), source);
      case BlockKind::space:
        return fill_space(entry.block, content_.spaces[entry.index], source);
      case BlockKind::post:
        return fill_post(entry.block, static_cast<PostId>(entry.index), source);
      case BlockKind::objective:
        return fill_objective(entry.block, content_.objectives[entry.index], source);
      case BlockKind::track:
        return fill_track(entry.block, content_.tracks[entry.index], source);
    }
  }

  NodeId compile(const Field& field, const Source& source, Layout layout = Layout::separate) {
    const auto tree = notation::parse_effect(field.text, field.text_place, source);
    return tree ? Compiler(content_, source).effect(*tree, layout) : kNoNode;
  }

  NodeId compile(const Block& block, std::string_view name, const Source& source,
                 Layout layout = Layout::separate) {
    const Field* field = block.find(name);
    return field == nullptr ? kNoNode : compile(*field, source, layout);
  }

  // The value of every word of a field.
  template <class Enum>
  std::vector<Enum> words(const Block& block, std::string_view name, const Source& source) {
    std::vector<Enum> values;
    const Field* field = block.find(name);
    if (field == nullptr) return values;
    for (const FieldWord& word : field->words) {
      if (auto value = find_word<Enum>(word.text)) {
        values.push_back(*value);
      } else {
        source.error(word.place, "unknown word \"" + word.text + "\" for \"" + std::string(name) + "\"" +
                                     notation::nearest(word.text, notation::all_words<Enum>()));
      }
    }
    return values;
  }

  // The value of a field that holds one word.
  template <class Enum>
  std::optional<Enum> word(const Block& block, std::string_view name, const Source& source) {
    const std::vector<Enum> values = words<Enum>(block, name, source);
    if (values.size() > 1)
      source.error(block.find(name)->place, "\"" + std::string(name) + "\" takes one word");
    return values.empty() ? std::nullopt : std::optional(values.front());
  }

  // A field that holds one id, looked up with `find`; `missing` if the field is not there or wrong.
  template <class Id, class Find>
  Id reference(const Block& block, std::string_view name, Find find, Id missing, const Source& source) {
    const Field* field = block.find(name);
    if (field == nullptr) return missing;
    const Id id = find(content_, field->words.front().text);
    if (id == missing || field->words.size() != 1)
      source.error(field->words.front().place, "expected one known id for \"" + std::string(name) + "\"");
    return id;
  }

  void fill_copies(const Block& block, Card& card, const Source& source) {
    const Field* field = block.find("copies");
    if (field->number == 0) source.error(field->place, "at least one copy");
    card.copies = static_cast<std::uint8_t>(field->number);
  }

  void fill_card(const Block& block, Card& card, const Source& source) {
    fill_copies(block, card, source);
    if (const Field* cost = block.find("cost")) {
      if (cost->number > kMaxCardCost)
        source.error(cost->place, "a card costs up to " + std::to_string(kMaxCardCost));
      card.cost = static_cast<std::int8_t>(std::min(cost->number, kMaxCardCost));
    }
    for (AgentIcon icon : words<AgentIcon>(block, "icons", source))
      card.icons = static_cast<IconMask>(card.icons | icon_bit(icon));
    for (Faction faction : words<Faction>(block, "factions", source))
      card.factions = static_cast<FactionMask>(card.factions | faction_bit(faction));
    card.acquire = compile(block, "acquire", source);
    card.agent = compile(block, "agent", source);
    card.reveal = compile(block, "reveal", source);
    for (const Field& field : block.fields)
      if (field.name == "passive") card.passives.push_back(compile_passive(field, source));
    take_out_figures(card);
  }

  NodeId compile_passive(const Field& field, const Source& source) {
    const NodeId node = compile(field, source);
    if (node != kNoNode && content_.node(node).op != Op::trigger)
      source.error(field.text_place, "a passive begins with on(...): what it waits for");
    return node;
  }

  // Plain printed Persuasion and swords: the top-level amounts that nothing else belongs to.
  void take_out_figures(Card& card) {
    if (is_figure(card.reveal)) {
      add_figure(card, card.reveal);
      card.reveal = kNoNode;
    }
    if (content_.node(card.reveal).op != Op::all) return;
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
    figure = static_cast<std::uint8_t>(figure + node.amount);
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

  void fill_intrigue(const Block& block, Card& card, const Source& source) {
    fill_copies(block, card, source);
    card.intrigue[0] = compile(block, "plot", source, Layout::lines);
    card.intrigue[1] = compile(block, "combat", source, Layout::lines);
    card.intrigue[2] = compile(block, "endgame", source, Layout::lines);
    if (card.intrigue == std::array<NodeId, 3>{})
      source.error(block.place, "an Intrigue card needs plot, combat or endgame");
  }

  void fill_conflict(const Block& block, Conflict& conflict, const Source& source) {
    const Field* level = block.find("level");
    if (level->number < 1 || level->number > kMaxConflictLevel)
      source.error(level->place, "a level is 1, 2 or 3");
    conflict.level = static_cast<std::uint8_t>(level->number);
    conflict.icon = word<BattleIcon>(block, "icon", source).value_or(BattleIcon::wild);
    conflict.location = reference(block, "location", find_space, kNoSpace, source);
    conflict.rewards = {compile(block, "first", source), compile(block, "second", source),
                        compile(block, "third", source)};
  }

  void fill_space(const Block& block, Space& space, const Source& source) {
    if (const Field* area = block.find("area")) space.area = area->title;
    space.icon = word<AgentIcon>(block, "icon", source).value_or(AgentIcon::city);
    if (auto faction = word<Faction>(block, "faction", source))
      space.faction = static_cast<std::uint8_t>(*faction);
    if (const Field* flags = block.find("flags"))
      for (const FieldWord& flag : flags->words) set_flag(space, flag, source);
    space.control_bonus = compile(block, "control", source);
    if (const Field* field = block.find("requires"))
      if (auto tree = notation::parse_conditions(field->text, field->text_place, source))
        space.requirement = Compiler(content_, source).conditions(*tree);
    space.costs = {CostOption{}};
    if (const Field* field = block.find("cost"))
      if (auto tree = notation::parse_effect(field->text, field->text_place, source))
        space.costs = Compiler(content_, source).cost(*tree);
    space.effects = compile(block, "effects", source);
    space.once_per_game = has_game_limit(space.effects);
  }

  void set_flag(Space& space, const FieldWord& flag, const Source& source) {
    if (flag.text == "combat") {
      space.combat = true;
    } else if (flag.text == "maker") {
      space.maker = true;
    } else if (flag.text == "critical") {
      space.critical = true;
    } else {
      source.error(flag.place, "unknown flag \"" + flag.text + "\": combat, maker or critical");
    }
  }

  bool has_game_limit(NodeId id) const {
    if (content_.node(id).limit_span == LimitSpan::game) return true;
    for (NodeId child = content_.node(id).child; child != kNoNode; child = content_.node(child).next)
      if (has_game_limit(child)) return true;
    return false;
  }

  void fill_post(const Block& block, PostId id, const Source& source) {
    Post& post = content_.posts[id];
    for (const FieldWord& word : block.find("spaces")->words) {
      const SpaceId space = find_space(content_, word.text);
      if (space == kNoSpace) {
        source.error(word.place, "unknown space \"" + word.text + "\"");
        continue;
      }
      post.spaces |= space_bit(space);
      content_.spaces[space].posts |= post_bit(id);
    }
  }

  void fill_leader(const Block& block, LeaderId id, const Source& source) {
    Leader& leader = content_.leaders[id];
    if (const Field* house = block.find("house")) leader.house = house->title;
    const LeaderId front = reference(block, "back_of", find_leader, kNoLeader, source);
    if (front != kNoLeader) {
      leader.back_side = true;
      leader.other_side = front;
      content_.leaders[front].other_side = id;
    }
    for (const Field& field : block.fields) {
      if (field.name == "passive") add_passive(leader, field, source);
      if (field.name == "removes") add_removed(leader, field, source);
      if (field.name == "step")
        leader.track.push_back({field.step.text, field.text.empty() ? kNoNode : compile(field, source), {}});
    }
    const Field* signet = block.find("signet");
    leader.signet_name = signet->title;
    if (!signet->text.empty()) leader.signet = compile(*signet, source);
    link_steps(block, leader, source);
  }

  void add_passive(Leader& leader, const Field& field, const Source& source) {
    leader.passive_names.push_back(field.title);
    leader.passives.push_back(compile_passive(field, source));
  }

  void add_removed(Leader& leader, const Field& field, const Source& source) {
    leader.removal_name = field.title;
    for (const FieldWord& word : field.words) {
      const CardId card = find_card(content_, word.text);
      if (card == kNoCard || content_.cards[card].deck != Deck::starter)
        source.error(word.place, "expected a starting card, found \"" + word.text + "\"");
      leader.removed_starters.push_back(card);
    }
  }

  void link_steps(const Block& block, Leader& leader, const Source& source) {
    if (leader.track.size() > kMaxLeaderSteps) return source.error(block.place, "too many steps");
    std::size_t step = 0;
    for (const Field& field : block.fields) {
      if (field.name != "step") continue;
      for (const FieldWord& word : field.words) {
        const auto next = std::find_if(leader.track.begin(), leader.track.end(),
                                       [&](const TrackStep& s) { return s.id == word.text; });
        if (next == leader.track.end()) {
          source.error(word.place, "this leader has no step \"" + word.text + "\"");
        } else {
          leader.track[step].next.push_back(static_cast<std::uint8_t>(next - leader.track.begin()));
        }
      }
      ++step;
    }
  }

  void fill_objective(const Block& block, Objective& objective, const Source& source) {
    objective.icon = word<BattleIcon>(block, "icon", source).value_or(BattleIcon::wild);
    objective.first_player = block.find("first_player") != nullptr;
    for (const FieldWord& word : block.find("players")->words) {
      const int players = word.text.size() == 1 ? word.text[0] - '0' : 0;
      if (players < 1 || players > static_cast<int>(kMaxSeats)) {
        source.error(word.place, "expected a number of players from 1 to 6");
      } else {
        objective.player_counts = static_cast<std::uint8_t>(objective.player_counts | (1U << players));
      }
    }
  }

  void fill_track(const Block& block, FactionTrack& track, const Source& source) {
    if (const auto faction = find_word<Faction>(block.id)) {
      track.faction = *faction;
    } else {
      source.error(block.place, "the id of a track is its faction" +
                                    notation::nearest(block.id, notation::all_words<Faction>()));
    }
    track.bonus = compile(block, "bonus", source);
  }

  // ---- What follows from the rest -----------------------------------------------------------------
  void derive() {
    number_copies();
    for (SpaceId id = 0; id < content_.spaces.size(); ++id) {
      const Space& space = content_.spaces[id];
      content_.spaces_with_icon[static_cast<std::size_t>(space.icon)] |= space_bit(id);
      if (space.maker) content_.maker_spaces |= space_bit(id);
      if (space.faction != kNoFaction) content_.faction_spaces |= space_bit(id);
      for (Post& post : content_.posts)
        if ((post.spaces & space_bit(id)) != 0)
          post.icons = static_cast<IconMask>(post.icons | icon_bit(space.icon));
    }
    check_decks();
    check_conflicts();
  }

  void number_copies() {
    for (CardId id = 0; id < content_.cards.size(); ++id) {
      Card& card = content_.cards[id];
      const std::size_t sets = card.deck == Deck::starter ? kMaxSeats : 1;
      card.first_copy = static_cast<CardCopy>(content_.card_of_copy.size());
      card.all_copies = static_cast<std::uint16_t>(card.copies * sets);
      content_.card_of_copy.insert(content_.card_of_copy.end(), card.all_copies, id);
      if (content_.card_of_copy.size() > kMaxCopies)
        return check_size("copies of cards", content_.card_of_copy.size(), kMaxCopies);
    }
  }

  void check_decks() {
    std::array<std::size_t, 4> copies{};
    std::array<std::size_t, 4> kinds{};
    for (const Card& card : content_.cards) {
      copies[static_cast<std::size_t>(card.deck)] += card.copies;
      kinds[static_cast<std::size_t>(card.deck)] += 1;
    }
    auto count = [](const std::array<std::size_t, 4>& of, Deck deck) {
      return of[static_cast<std::size_t>(deck)];
    };
    check_size("Imperium cards", count(copies, Deck::imperium), kMaxImperiumDeck);
    check_size("Intrigue cards", count(copies, Deck::intrigue), kMaxIntrigueDeck);
    check_size("starting cards of one player", count(copies, Deck::starter), kMaxOwnedCards);
    check_size("Reserve stacks", count(kinds, Deck::reserve), kMaxReserveStacks);
    for (const Card& card : content_.cards)
      if (card.deck == Deck::reserve) check_size("copies in a Reserve stack", card.copies, kMaxReserveCopies);
  }

  // The Shield Wall protects the Conflicts for critical locations and no others (WALL-2), so a Conflict
  // for any other location is a slip.
  void check_conflicts() {
    for (const Entry& entry : entries_) {
      if (entry.block.kind != BlockKind::conflict) continue;
      const SpaceId location = content_.conflicts[entry.index].location;
      if (location != kNoSpace && !content_.spaces[location].critical)
        Source{entry.file, errors_}.error(entry.block.place,
                                          "the location of a Conflict must be a critical space");
    }
  }

  static constexpr int kMaxCardCost = 99;
  static constexpr std::size_t kMaxReserveCopies = 32;  // bits of ReserveStack::copies

  Content content_;
  std::vector<notation::Error> errors_;
  std::vector<Entry> entries_;
};

void add_text(crypto_generichash_state& hash, std::string_view text) {
  crypto_generichash_update(&hash, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  const unsigned char end = 0;  // so that moving text from one file to the next changes the version
  crypto_generichash_update(&hash, &end, 1);
}

std::string version_of(std::string_view product, std::span<const ContentFile> files) {
  crypto_generichash_state hash;
  std::array<unsigned char, crypto_generichash_BYTES> digest{};
  crypto_generichash_init(&hash, nullptr, 0, digest.size());
  add_text(hash, product);
  for (const ContentFile& file : files) add_text(hash, file.text);
  crypto_generichash_final(&hash, digest.data(), digest.size());
  std::array<char, 2 * crypto_generichash_BYTES + 1> hex{};
  sodium_bin2hex(hex.data(), hex.size(), digest.data(), digest.size());
  return hex.data();
}

Content load_or_abort() {
  LoadResult result = load_content("uprising", embedded_files());
  if (result.errors.empty()) return std::move(result.content);
  std::fputs("The embedded content does not load:\n", stderr);
  std::fputs(notation::to_text(result.errors).c_str(), stderr);
  std::abort();
}

}  // namespace

LoadResult load_content(std::string_view product, std::span<const ContentFile> files) {
  LoadResult result = Loader().load(product, files);
  result.content.version = version_of(product, files);
  return result;
}

const Content& uprising_content() {
  static const Content content = load_or_abort();
  return content;
}

}  // namespace landsraad::rules
