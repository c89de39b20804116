#include "rules/engine/content.h"

#include <cstddef>

namespace landsraad::rules {

namespace {

template <class Id, class Thing>
Id find(const std::vector<Thing>& table, std::string_view id, Id missing) {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i].id == id) return static_cast<Id>(i);
  return missing;
}

}  // namespace

CardId find_card(const Content& content, std::string_view id) { return find(content.cards, id, kNoCard); }
LeaderId find_leader(const Content& content, std::string_view id) {
  return find(content.leaders, id, kNoLeader);
}
SpaceId find_space(const Content& content, std::string_view id) { return find(content.spaces, id, kNoSpace); }
PostId find_post(const Content& content, std::string_view id) { return find(content.posts, id, kNoPost); }
ConflictId find_conflict(const Content& content, std::string_view id) {
  return find(content.conflicts, id, kNoConflict);
}
ObjectiveId find_objective(const Content& content, std::string_view id) {
  return find(content.objectives, id, ObjectiveId{0xff});
}

}  // namespace landsraad::rules
