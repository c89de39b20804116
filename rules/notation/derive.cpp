#include "rules/notation/derive.h"

#include <algorithm>
#include <cstddef>

namespace landsraad::rules::notation {

namespace {

constexpr std::size_t kMaxCopies = 1 << 12;    // CardSlot::copy has 12 bits
constexpr std::size_t kMaxReserveCopies = 32;  // bits of ReserveStack::copies
constexpr std::size_t kMaxLeaders = 250;       // the next three are bytes on the wire and in State
constexpr std::size_t kMaxObjectives = 60;
constexpr std::size_t kMaxConflictKinds = 250;

struct DeckSize {
  std::size_t copies = 0;
  std::size_t kinds = 0;
  std::size_t largest = 0;  // copies of one kind
};

DeckSize size_of(const Content& content, Deck deck) {
  DeckSize size;
  for (const Card& card : content.cards) {
    if (card.deck != deck) continue;
    size.copies += card.copies;
    size.kinds += 1;
    size.largest = std::max(size.largest, std::size_t{card.copies});
  }
  return size;
}

}  // namespace

void number_copies(Content& content) {
  content.card_of_copy.clear();
  for (std::size_t id = 0; id < content.cards.size(); ++id) {
    Card& card = content.cards[id];
    const std::size_t sets = card.deck == Deck::starter ? kMaxSeats : 1;
    card.first_copy = static_cast<CardCopy>(content.card_of_copy.size());
    card.all_copies = static_cast<std::uint16_t>(card.copies * sets);
    content.card_of_copy.insert(content.card_of_copy.end(), card.all_copies, static_cast<CardId>(id));
  }
}

void mark_board(Content& content) {
  for (std::size_t id = 0; id < content.spaces.size(); ++id) {
    const Space& space = content.spaces[id];
    const SpaceMask bit = space_bit(static_cast<SpaceId>(id));
    content.spaces_with_icon[static_cast<std::size_t>(space.icon)] |= bit;
    if (space.maker) content.maker_spaces |= bit;
    if (space.faction != kNoFaction) content.faction_spaces |= bit;
    for (Post& post : content.posts)
      if ((post.spaces & bit) != 0) post.icons = static_cast<IconMask>(post.icons | icon_bit(space.icon));
  }
}

std::vector<std::string> exceeded_limits(const Content& content) {
  std::vector<std::string> exceeded;
  auto check = [&](const std::string& what, std::size_t count, std::size_t limit) {
    if (count > limit)
      exceeded.push_back(std::to_string(count) + " " + what + "; the engine takes " + std::to_string(limit));
  };
  check("spaces", content.spaces.size(), kMaxSpaces);
  check("posts", content.posts.size(), kMaxPosts);
  check("leaders", content.leaders.size(), kMaxLeaders);
  check("objectives", content.objectives.size(), kMaxObjectives);
  check("conflicts", content.conflicts.size(), kMaxConflictKinds);
  check("faction tracks", content.tracks.size(), kMaxFactions);
  check("cards", content.cards.size(), kMaxCopies);
  check("copies of cards", content.card_of_copy.size(), kMaxCopies);
  check("Imperium cards", size_of(content, Deck::imperium).copies, kMaxImperiumDeck);
  check("Intrigue cards", size_of(content, Deck::intrigue).copies, kMaxIntrigueDeck);
  check("starting cards of one player", size_of(content, Deck::starter).copies, kMaxOwnedCards);
  check("Reserve stacks", size_of(content, Deck::reserve).kinds, kMaxReserveStacks);
  check("copies in a Reserve stack", size_of(content, Deck::reserve).largest, kMaxReserveCopies);
  return exceeded;
}

}  // namespace landsraad::rules::notation
