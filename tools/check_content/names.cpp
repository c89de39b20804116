#include "tools/check_content/names.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "rules/notation/lexer.h"
#include "rules/notation/vocabulary.h"

namespace landsraad::check_content {

namespace {

using namespace landsraad::rules;

bool is_snake_case(std::string_view id) {
  return !id.empty() && notation::is_name_start(id.front()) &&
         std::all_of(id.begin(), id.end(), notation::is_name_part);
}

void check(const std::string& kind, const std::string& id, const std::string& name,
           std::set<std::string>& taken, std::vector<std::string>& problems) {
  if (!is_snake_case(id)) problems.push_back(kind + " " + id + ": the id is not lower_snake_case");
  if (name.empty() || name.front() == ' ' || name.back() == ' ')
    problems.push_back(kind + " " + id + ": blanks around the printed name, or none there");
  if (!taken.insert(kind + " " + name).second)
    problems.push_back(kind + " " + id + ": another " + kind + " has the printed name \"" + name + "\"");
}

}  // namespace

std::vector<std::string> name_problems(const Content& content) {
  std::vector<std::string> problems;
  std::set<std::string> taken;
  for (const Card& card : content.cards)
    check(card.deck == Deck::intrigue ? "intrigue" : "card", card.id, card.name, taken, problems);
  for (const Leader& leader : content.leaders) check("leader", leader.id, leader.name, taken, problems);
  for (const Space& space : content.spaces) check("space", space.id, space.name, taken, problems);
  for (const FactionTrack& track : content.tracks) check("track", track.id, track.name, taken, problems);
  for (const Conflict& conflict : content.conflicts)
    if (!is_snake_case(conflict.id))
      problems.push_back("conflict " + conflict.id + ": the id is not lower_snake_case");
  for (const Post& post : content.posts)
    if (post.id.size() != 1 || post.id[0] < 'A' || post.id[0] > 'Z')
      problems.push_back("post " + post.id + ": the id is not one capital letter");
  return problems;
}

std::vector<std::string> unused_operations(const Content& content) {
  std::set<Op> used;
  for (const Node& node : content.nodes) used.insert(node.op);
  std::vector<std::string> unused;
  for (std::size_t i = 0; i < notation::kValues<Op>; ++i)
    if (const auto op = static_cast<Op>(i); !used.contains(op)) unused.emplace_back(row(op).name);
  return unused;
}

}  // namespace landsraad::check_content
