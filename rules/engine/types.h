// The words of the game as types: ids, enums, masks and the engine's limits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace landsraad::rules {

// ---- Limits. Each is checked where it is used; none can be reached by legal play. -----------------
inline constexpr std::size_t kMaxSeats = 6;
inline constexpr std::size_t kMaxFactions = 6;  // four, and two more on the six-player board
inline constexpr std::size_t kMaxSpaces = 40;
inline constexpr std::size_t kMaxPosts = 20;
inline constexpr std::size_t kMaxOwnedCards = 120;  // deck, hand, in play and discard pile of one seat
inline constexpr std::size_t kMaxIntrigueHand = 60;
inline constexpr std::size_t kMaxImperiumDeck = 250;
inline constexpr std::size_t kMaxIntrigueDeck = 150;
inline constexpr std::size_t kMaxConflicts = 12;  // Conflict cards of one game
inline constexpr std::size_t kRowSize = 5;        // SETUP-4
inline constexpr std::size_t kMaxReserveStacks = 4;
inline constexpr std::size_t kMaxFrames = 32;    // depth of half-resolved effects
inline constexpr std::size_t kMaxItems = 120;    // open effects, all frames together
inline constexpr std::size_t kMaxEntries = 24;   // parts of one open effect that can be picked
inline constexpr std::size_t kMaxWaiting = 24;   // effects that wait for a trigger
inline constexpr std::size_t kMaxActions = 640;  // legal actions of one decision
inline constexpr int kMaxSteps = 4000;           // interpreter steps caused by one action
inline constexpr int kMaxRounds = 10;            // ROUND-2

// ---- Ids: indices into the tables of Content. ----------------------------------------------------
using Seat = std::uint8_t;       // 0 .. seats-1, clockwise
using SeatMask = std::uint8_t;   // bit s = seat s
using CardId = std::uint16_t;    // a kind of card: Imperium, starting, Reserve or Intrigue
using CardCopy = std::uint16_t;  // one physical copy of a card; Content::card_of gives its kind
using LeaderId = std::uint16_t;
using SpaceId = std::uint8_t;
using PostId = std::uint8_t;
using ConflictId = std::uint8_t;
using ObjectiveId = std::uint8_t;
using NodeId = std::uint16_t;  // a node of a compiled effect; 0 = no effect
using SpaceMask = std::uint64_t;
using PostMask = std::uint32_t;

inline constexpr Seat kNoSeat = 0xff;
inline constexpr CardId kNoCard = 0xffff;
inline constexpr CardCopy kNoCopy = 0xffff;
inline constexpr SpaceId kNoSpace = 0xff;
inline constexpr PostId kNoPost = 0xff;
inline constexpr ConflictId kNoConflict = 0xff;
inline constexpr LeaderId kNoLeader = 0xffff;
inline constexpr NodeId kNoNode = 0;

constexpr SeatMask seat_bit(Seat seat) { return static_cast<SeatMask>(1U << seat); }
constexpr SpaceMask space_bit(SpaceId space) { return SpaceMask{1} << space; }
constexpr PostMask post_bit(PostId post) { return PostMask{1} << post; }

// ---- Words of the game. The order of each enum is the order of the names in types.cpp. ------------
enum class Resource : std::uint8_t { solari, spice, water };
inline constexpr std::size_t kResources = 3;

enum class Faction : std::uint8_t { emperor, guild, bene_gesserit, fremen, great_houses, fringe_worlds };
inline constexpr std::uint8_t kNoFaction = 0xff;
using FactionMask = std::uint8_t;
constexpr FactionMask faction_bit(Faction f) {
  return static_cast<FactionMask>(1U << static_cast<unsigned>(f));
}

// The eight Agent icons (AGENT-7); `spy` is never printed on a space (SPY-14).
enum class AgentIcon : std::uint8_t {
  emperor,
  guild,
  bene_gesserit,
  fremen,
  great_houses,
  fringe_worlds,
  landsraad,
  city,
  spice_trade,
  spy
};
using IconMask = std::uint16_t;
constexpr IconMask icon_bit(AgentIcon icon) {
  return static_cast<IconMask>(1U << static_cast<unsigned>(icon));
}

enum class BattleIcon : std::uint8_t { crysknife, desert_mouse, ornithopter, wild };
using BattleIconMask = std::uint8_t;
constexpr BattleIconMask battle_icon_bit(BattleIcon icon) {
  return static_cast<BattleIconMask>(1U << static_cast<unsigned>(icon));
}

// The four zones of a seat's own cards, in the order in which they lie in OwnedCards.
enum class Zone : std::uint8_t { deck, hand, play, discard };
inline constexpr std::size_t kZones = 4;

enum class Deck : std::uint8_t { starter, imperium, reserve, intrigue };

// When an Intrigue card may be played (INTR-1).
enum class IntrigueType : std::uint8_t { plot, combat, endgame };

enum class Phase : std::uint8_t { setup, round_start, turns, combat, makers, recall, endgame, over };

enum class TurnKind : std::uint8_t { none, undecided, agent, reveal };

// Where an effect comes from: shown as the cause of every change.
enum class SourceKind : std::uint8_t {
  rule,
  card,
  intrigue,
  space,
  leader,
  conflict,
  faction_track,
  control,
  high_council,
  objective
};
struct Source {
  SourceKind kind = SourceKind::rule;
  std::uint8_t unused = 0;
  std::uint16_t id = 0;  // CardCopy for card and intrigue; else the id of that table (faction for a track)
  bool operator==(const Source&) const = default;
};

}  // namespace landsraad::rules
