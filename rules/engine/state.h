// The whole game as one value. Copying it copies the game; it holds no pointers and no padding, so it
// can be saved, hashed and compared as bytes, between any two decisions.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "rules/engine/content.h"
#include "rules/engine/fixed_list.h"
#include "rules/engine/random.h"
#include "rules/engine/types.h"

namespace landsraad::rules {

enum class LeaderSelection : std::uint8_t { random, pick };  // SETUP-6

struct Options {
  std::uint8_t seats = 4;  // 3 or 4
  LeaderSelection leaders = LeaderSelection::random;
  bool operator==(const Options&) const = default;
};

// One card of a seat where it lies, with what the table knows or needs to know about it there.
struct CardSlot {
  CardCopy copy : 12;
  CardCopy known : 1;     // in hand: everybody knows it (INFO-7)
  CardCopy revealed : 1;  // in play: turned up in the Reveal turn, not played with an Agent
  CardCopy sword : 1;     // in play: has given at least one sword this turn
  CardCopy unused : 1;
};
static_assert(sizeof(CardSlot) == 2);

// A seat's own cards in one row: deck (bottom first, top last), hand, in play, discard pile. The moves
// of the game mostly move the borders.
class OwnedCards {
 public:
  std::size_t size(Zone zone) const { return counts_[static_cast<std::size_t>(zone)]; }
  std::size_t total() const;
  CardSlot* begin(Zone zone) { return slots_.data() + offset(zone); }
  CardSlot* end(Zone zone) { return begin(zone) + size(zone); }
  const CardSlot* begin(Zone zone) const { return slots_.data() + offset(zone); }
  const CardSlot* end(Zone zone) const { return begin(zone) + size(zone); }

  void put(Zone zone, CardCopy copy, bool known = false);  // at the end: top of the deck
  void insert(Zone zone, std::size_t i, CardCopy copy, bool known = false);
  CardCopy take(Zone zone, std::size_t i);               // removes it; flags are gone
  void reveal_hand();                                    // whole hand -> in play, revealed
  void clean_up();                                       // in play -> discard pile
  void shuffle_discard_into_deck(RandomStream& random);  // deck must be empty (SUPPLY-11)
  void shuffle_deck(RandomStream& random);

 private:
  std::size_t offset(Zone zone) const;
  std::array<CardSlot, kMaxOwnedCards> slots_{};
  std::array<std::uint8_t, kZones> counts_{};
};

struct WonConflict {
  ConflictId conflict = kNoConflict;
  bool face_down = false;
  bool operator==(const WonConflict&) const = default;
};

struct Player {
  OwnedCards cards;
  FixedList<CardCopy, kMaxIntrigueHand> intrigues;
  std::array<std::int16_t, kResources> resources{};
  std::int16_t victory_points = 0;
  std::int16_t persuasion = 0;  // of this round, unspent
  std::int16_t swords = 0;      // of this Conflict, units not included
  LeaderId leader = kNoLeader;  // the side that lies up
  std::array<std::int8_t, kMaxFactions> influence{};
  FixedList<WonConflict, kMaxConflicts> won;
  ObjectiveId objective = 0xff;
  bool objective_face_down = false;
  std::uint8_t supply = 0, garrison = 0, troops_in_conflict = 0, memories = 0;  // SUPPLY-6: 12 in all
  std::uint8_t sandworms = 0;                                                   // in the Conflict
  std::uint8_t spies_in_supply = 0;
  std::uint8_t agents_on_leader = 0;
  std::uint8_t leader_step = 0;  // on the leader's own track
  bool high_council = false;
  bool swordmaster = false;
  bool maker_hooks = false;
  bool revealed = false;          // has taken the Reveal turn of this round
  std::uint8_t reveal_order = 0;  // 1 = first of this round to reveal (END-5)
  std::uint8_t place = 0;         // 1 = winner, set when the game is over
  std::uint8_t padding = 0;

  std::int16_t& operator[](Resource r) { return resources[static_cast<std::size_t>(r)]; }
  std::int16_t operator[](Resource r) const { return resources[static_cast<std::size_t>(r)]; }
  int units() const { return troops_in_conflict + sandworms; }
  int strength() const {  // REVEAL-7
    const int sum = 2 * troops_in_conflict + 3 * sandworms + swords;
    return units() == 0 || sum < 0 ? 0 : sum;
  }
};

// An Imperium card set aside for one player (CLAR-6).
struct SetAside {
  CardCopy copy = kNoCopy;
  Seat seat = kNoSeat;
  std::uint8_t padding = 0;
  bool operator==(const SetAside&) const = default;
};

struct ReserveStack {
  CardId card = kNoCard;
  std::uint16_t padding = 0;
  std::uint32_t copies = 0;  // bit n = copy first_copy + n lies in the stack
};

struct Board {
  std::array<SeatMask, kMaxSpaces> agents{};  // whose Agents stand on the space
  std::array<std::uint8_t, kMaxSpaces> bonus_spice{};
  std::array<Seat, kMaxSpaces> control{};     // kNoSeat = nobody
  std::array<SeatMask, kMaxPosts> spies{};    // whose Spies lie on the post
  std::array<Seat, kMaxFactions> alliance{};  // kNoSeat = token on the board
  bool shield_wall = true;
  std::uint8_t padding = 0;

  FixedList<ConflictId, kMaxConflicts> conflict_deck;  // top last
  FixedList<ConflictId, kMaxConflicts> conflicts;      // on the Conflict space, current one last (COMBAT-16)
  FixedList<CardCopy, kRowSize> row;
  FixedList<CardCopy, kMaxImperiumDeck> imperium_deck;  // top last
  FixedList<CardCopy, kMaxIntrigueDeck> intrigue_deck;  // top last
  FixedList<CardCopy, kMaxIntrigueDeck> intrigue_discard;
  FixedList<CardCopy, kMaxIntrigueDeck> intrigue_trashed;
  FixedList<CardCopy, kMaxImperiumDeck> trashed;  // not the Reserve cards: they go back (TRASH-3)
  FixedList<SetAside, 4> set_aside;
  std::uint16_t padding_too = 0;
  std::array<ReserveStack, kMaxReserveStacks> reserve{};
};

// What the player whose turn it is has done in it. Zeroed when a turn begins.
struct Turn {
  Seat seat = kNoSeat;
  TurnKind kind = TurnKind::none;
  SpaceId space = kNoSpace;       // visited
  std::uint8_t cost_option = 0;   // 0-based
  CardCopy card = kNoCopy;        // played with the Agent
  bool had_high_council = false;  // when the Agent was sent
  bool ignore_requirements = false;
  bool deploy_recruited = false;       // troops recruited this turn may be deployed anywhere (UNIT-11)
  bool recalled_spy = false;           // SPY-17
  std::uint8_t recruited = 0;          // troops, from any source (UNIT-7)
  std::uint8_t deployed_by_limit = 0;  // of the allowance of UNIT-7
  std::uint8_t units_deployed = 0;     // net (UNIT-14)
  std::uint8_t visit_influence = 0;    // of the visit, already gained (FACT-3)
  std::uint8_t spice_gained = 0;       // gross
  std::uint8_t memories_returned = 0;
  std::uint8_t looked = 0;     // cards on top of the deck being looked at
  PostId last_post = kNoPost;  // of the Spy placed last
  CardId last_discarded = kNoCard;
  std::int16_t last_trashed_cost = -1;  // -1 = no printed cost
  FixedList<NodeId, 24> arrows_used;    // EFF-3
  FixedList<CardId, 40> acquired;
};

// What a frame of the effect stack does when it is on top; frames.cpp has a row for each.
enum class FrameKind : std::uint8_t {
  none,
  // what a phase asks
  pick_leader,
  defensive_bonus,
  take_turn,
  gather_intelligence,
  agent_turn,
  reveal_turn,
  combat_turn,
  combat_reward,
  combat_end,
  endgame_window,
  // half-resolved effects
  menu,             // open parts of a unit, a card or a reward, in any order
  intrigue_lines,   // lines of an Intrigue card being played: at least one must be used (INTR-5)
  intrigue_played,  // puts the Intrigue card away once its effects are done (INTR-6)
  sequence,         // parts joined by THEN
  arrow,            // the cost is being paid, the result follows
  opponents,        // every opponent in turn
  operation,        // an operation that needs choices
  alliance_passes,  // the holder chooses who gets the token (ALLY-3)
  count_
};

struct Frame {
  FrameKind kind = FrameKind::none;
  Seat seat = kNoSeat;  // who decides
  std::uint8_t step = 0;
  std::uint8_t used = 0;  // lines or cards used so far, or what was chosen so far
  NodeId node = kNoNode;
  std::int16_t left = 0;  // how many choices are still to be made
  Source source;
};

// One open effect of a menu.
struct Item {
  NodeId node = kNoNode;
  std::uint8_t menu = 0;  // index of its frame
  std::uint8_t padding = 0;
  Source source;
};

// An effect in force or waiting for its trigger: `on(...)` with a duration.
struct Waiting {
  NodeId node = kNoNode;  // the trigger node
  Seat seat = kNoSeat;
  bool used = false;  // limit(1/turn) reached
  Source source;
  bool operator==(const Waiting&) const = default;
};

struct State {
  RandomStream random;
  Options options;
  Phase phase = Phase::setup;
  std::uint8_t round = 0;  // 1.. after the first Round Start
  Seat first_player = 0;
  std::uint8_t reveals = 0;        // Reveal turns taken this round
  std::uint8_t combat_passes = 0;  // consecutive (COMBAT-3)
  std::uint8_t step = 0;           // of the phase
  std::uint32_t version = 0;       // applied actions
  std::array<Player, kMaxSeats> players{};
  Board board;
  Turn turn;
  FixedList<Frame, kMaxFrames> stack;
  FixedList<Item, kMaxItems> items;
  FixedList<Waiting, kMaxWaiting> waiting;

  Player& player(Seat seat) { return players[seat]; }
  const Player& player(Seat seat) const { return players[seat]; }
  Seat next_seat(Seat seat) const { return static_cast<Seat>((seat + 1) % options.seats); }
};

static_assert(std::is_trivially_copyable_v<State>);
static_assert(std::has_unique_object_representations_v<State>,
              "padding would let equal states hash differently; the fields named padding fill the gaps");
static_assert(sizeof(State) <= 8192);

}  // namespace landsraad::rules
