// The names of everything in the content, and of the words of the game, to ids and back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rules/engine/action.h"
#include "rules/engine/content.h"
#include "rules/engine/event.h"
#include "rules/engine/types.h"
#include "tools/scenario/outcome.h"

namespace landsraad::scenario {

// What a name may stand for. `card` is every card but Intrigue.
enum class Thing : std::uint8_t {
  none,
  card,
  intrigue,
  leader,
  space,
  post,
  conflict,
  objective,
  faction,
  count_
};

struct Named {
  Thing thing = Thing::none;
  std::uint16_t id = 0;
};

class Names {
 public:
  explicit Names(const rules::Content& content);

  // By id or printed name, in upper or lower case, or by the beginning of an id up to an underscore if
  // only one begins so. The fault names the nearest known names.
  Outcome<std::uint16_t> find(Thing thing, std::string_view text) const;
  // Everything that may be meant.
  std::vector<Named> find_any(std::string_view text) const;
  std::string_view text(Thing thing, std::uint16_t id) const;

 private:
  struct Table {
    std::vector<std::string> ids;                           // by id
    std::unordered_map<std::string, std::uint16_t> by_key;  // key_of(id) and key_of(name)
  };
  void add(Thing thing, std::size_t id, std::string_view text, std::string_view name);
  const Table& table(Thing thing) const { return tables_[static_cast<std::size_t>(thing)]; }

  std::vector<Table> tables_;
};

std::string_view kind_name(Thing thing);  // "card", "Intrigue card", ...

std::string_view name(rules::Faction faction);
std::string_view name(rules::Resource resource);
std::string_view name(rules::AgentIcon icon);
std::string_view name(rules::BattleIcon icon);
std::string_view name(rules::Zone zone);
std::string_view name(rules::Phase phase);
std::string_view name(rules::AcquireFrom from);
std::string_view name(rules::DecisionKind kind);
std::string_view name(rules::EventKind kind);

// Every name of an enumeration that ends with count_ or has a known size, in order.
template <class Enum>
std::vector<std::string_view> all_names(std::size_t count) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(name(static_cast<Enum>(i)));
  return names;
}

std::string seat_name(rules::Seat seat);  // "P1" is seat 0

}  // namespace landsraad::scenario
