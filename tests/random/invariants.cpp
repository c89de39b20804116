#include "tests/random/invariants.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace landsraad::testing {

using namespace rules;

namespace {

constexpr int kTroops = 12;           // SUPPLY-1
constexpr int kSpies = 3;             // SUPPLY-1
constexpr int kControlMarkers = 3;    // SUPPLY-1
constexpr int kTopInfluence = 6;      // FACT-1
constexpr int kConflictsOfGame = 10;  // SETUP-3

std::string of_seat(Seat seat, const std::string& what) {
  return "seat " + std::to_string(seat) + ": " + what;
}

std::string differs(const std::string& what, int is, int should_be) {
  return what + " is " + std::to_string(is) + ", not " + std::to_string(should_be);
}

// ---- Cards ------------------------------------------------------------------------------------------

using CopyCounts = std::vector<std::uint8_t>;  // by CardCopy

void count_cards_of(const Player& player, CopyCounts& seen) {
  for (std::size_t zone = 0; zone < kZones; ++zone) {
    const auto* begin = player.cards.begin(static_cast<Zone>(zone));
    const auto* end = player.cards.end(static_cast<Zone>(zone));
    for (const CardSlot* slot = begin; slot != end; ++slot) ++seen[slot->copy];
  }
  for (const CardCopy copy : player.intrigues) ++seen[copy];
}

void count_cards_on(const Content& content, const Board& board, CopyCounts& seen) {
  const auto count = [&](const auto& pile) {
    for (const CardCopy copy : pile) ++seen[copy];
  };
  count(board.row);
  count(board.imperium_deck);
  count(board.intrigue_deck);
  count(board.intrigue_discard);
  count(board.intrigue_trashed);
  count(board.trashed);
  for (const SetAside& set_aside : board.set_aside) ++seen[set_aside.copy];
  for (const ReserveStack& stack : board.reserve) {
    if (stack.card == kNoCard) continue;
    const Card& card = content.cards[stack.card];
    for (unsigned n = 0; n < 32; ++n) {
      if ((stack.copies >> n & 1U) != 0) ++seen[card.first_copy + n];
    }
  }
}

// A played Intrigue card is on no pile until its effects are done, and lies in front of its player while one
// of them waits (INTR-6).
void count_cards_being_played(const State& state, CopyCounts& seen) {
  std::vector<CardCopy> copies;
  const auto add = [&](const Source& source) {
    const bool known = std::find(copies.begin(), copies.end(), source.id) != copies.end();
    if (source.kind == SourceKind::intrigue && !known) copies.push_back(source.id);
  };
  for (const Frame& frame : state.stack) {
    if (frame.kind == FrameKind::intrigue_played) add(frame.source);
  }
  for (const Waiting& waiting : state.waiting) add(waiting.source);
  for (const CardCopy copy : copies) ++seen[copy];
}

bool is_starter_of(const Card& card, CardCopy copy, Seat seat) {
  return card.deck == Deck::starter && (copy - card.first_copy) / card.copies == seat;
}

// Cards that a leader removes at the start lie among the trashed ones.
int copies_expected(const Content& content, const State& state, CardCopy copy) {
  const Card& card = content.card_of(copy);
  if (card.deck != Deck::starter) return 1;
  for (Seat seat = 0; seat < state.options.seats; ++seat) {
    if (is_starter_of(card, copy, seat)) return 1;
  }
  return 0;
}

std::string broken_cards(const Content& content, const State& state) {
  CopyCounts seen(content.card_of_copy.size(), 0);
  for (Seat seat = 0; seat < state.options.seats; ++seat) count_cards_of(state.player(seat), seen);
  count_cards_on(content, state.board, seen);
  count_cards_being_played(state, seen);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const auto copy = static_cast<CardCopy>(i);
    const int expected = copies_expected(content, state, copy);
    if (seen[copy] != expected) {
      return differs(
          "number of places that hold copy " + std::to_string(copy) + " of " + content.card_of(copy).id,
          seen[copy], expected);
    }
  }
  return {};
}

std::string broken_conflicts(const Content& content, const State& state) {
  std::vector<std::uint8_t> seen(content.conflicts.size(), 0);
  for (const ConflictId id : state.board.conflict_deck) ++seen[id];
  for (const ConflictId id : state.board.conflicts) ++seen[id];
  for (Seat seat = 0; seat < state.options.seats; ++seat) {
    for (const WonConflict& won : state.player(seat).won) ++seen[won.conflict];
  }
  int total = 0;
  for (std::size_t id = 0; id < seen.size(); ++id) {
    if (seen[id] > 1) return "Conflict " + content.conflicts[id].id + " lies in two places";
    total += seen[id];
  }
  return total == kConflictsOfGame ? "" : differs("number of Conflict cards", total, kConflictsOfGame);
}

// ---- Pieces of a seat -------------------------------------------------------------------------------

int agents_on_board(const Board& board, Seat seat) {
  return static_cast<int>(std::count_if(board.agents.begin(), board.agents.end(),
                                        [&](SeatMask seats) { return (seats & seat_bit(seat)) != 0; }));
}

int spies_on_board(const Board& board, Seat seat) {
  return static_cast<int>(std::count_if(board.spies.begin(), board.spies.end(),
                                        [&](SeatMask seats) { return (seats & seat_bit(seat)) != 0; }));
}

std::string broken_pieces(const State& state, Seat seat) {
  const Player& player = state.player(seat);
  const int troops = player.supply + player.garrison + player.troops_in_conflict + player.memories;
  if (troops != kTroops) return differs("number of troops", troops, kTroops);

  const int spies = player.spies_in_supply + spies_on_board(state.board, seat);
  if (spies != kSpies) return differs("number of Spies", spies, kSpies);

  const int agents = player.agents_on_leader + agents_on_board(state.board, seat);
  const int agents_owned = player.swordmaster ? 3 : 2;
  if (agents != agents_owned) return differs("number of Agents", agents, agents_owned);

  const auto control = std::count(state.board.control.begin(), state.board.control.end(), seat);
  if (control > kControlMarkers)
    return differs("Control markers", static_cast<int>(control), kControlMarkers);
  return {};
}

// Points that can be read off the table are there; others (rewards, cards) only add to them.
int points_on_table(const State& state, Seat seat) {
  const Player& player = state.player(seat);
  int points = state.options.seats == 4 ? 1 : 0;                                          // SETUP-10
  for (const std::int8_t influence : player.influence) points += influence >= 2 ? 1 : 0;  // FACT-5
  for (const Seat holder : state.board.alliance) points += holder == seat ? 1 : 0;        // ALLY-1
  return points;
}

std::string broken_figures(const State& state, Seat seat) {
  const Player& player = state.player(seat);
  for (const std::int16_t amount : player.resources) {
    if (amount < 0) return "a resource is negative: " + std::to_string(amount);
  }
  for (const std::int8_t influence : player.influence) {
    if (influence < 0 || influence > kTopInfluence) return "Influence is " + std::to_string(influence);
  }
  if (player.persuasion < 0) return "Persuasion is " + std::to_string(player.persuasion);
  const int least = points_on_table(state, seat);
  if (player.victory_points < least) return differs("victory points", player.victory_points, least);
  return {};
}

// While the holder chooses who takes the token over, the track is as it was left (ALLY-3).
bool alliance_is_in_question(const Content& content, const State& state) {
  const Decision asked = pending(content, state, first_seat(deciders(state)));
  return asked.kind == DecisionKind::choose_opponent;
}

std::string broken_alliance(const State& state, std::size_t faction) {
  const Seat holder = state.board.alliance[faction];
  int highest = 0;
  for (Seat seat = 0; seat < state.options.seats; ++seat) {
    highest = std::max<int>(highest, state.player(seat).influence[faction]);
  }
  if (holder == kNoSeat) return highest < 4 ? "" : "somebody has 4 Influence and nobody the Alliance";
  const int held = state.player(holder).influence[faction];
  if (held < 4) return of_seat(holder, "has an Alliance with " + std::to_string(held) + " Influence");
  return held == highest ? "" : of_seat(holder, "has an Alliance and is not highest on its track");
}

std::string broken_course(const State& state) {
  if (state.round > kMaxRounds) return "round " + std::to_string(state.round);
  const SeatMask seats = deciders(state);
  if (is_over(state)) return seats == 0 ? "" : "the game is over and somebody is asked";
  if (seats == 0) return "nobody is asked and the game is not over";
  return seats >> state.options.seats == 0 ? "" : "a seat is asked that does not play";
}

}  // namespace

std::string broken_invariant(const Content& content, const State& state) {
  if (std::string broken = broken_course(state); !broken.empty()) return broken;
  if (std::string broken = broken_cards(content, state); !broken.empty()) return broken;
  if (std::string broken = broken_conflicts(content, state); !broken.empty()) return broken;
  for (Seat seat = 0; seat < state.options.seats; ++seat) {
    if (std::string broken = broken_pieces(state, seat); !broken.empty()) return of_seat(seat, broken);
    if (std::string broken = broken_figures(state, seat); !broken.empty()) return of_seat(seat, broken);
  }
  if (!is_over(state) && alliance_is_in_question(content, state)) return {};
  for (std::size_t faction = 0; faction < kMaxFactions; ++faction) {
    if (std::string broken = broken_alliance(state, faction); !broken.empty()) {
      return "faction " + std::to_string(faction) + ": " + broken;
    }
  }
  return {};
}

namespace {

bool less(const Action& a, const Action& b) {
  const auto key = [](const Action& action) {
    return std::uint64_t{static_cast<std::uint8_t>(action.kind)} << 48 | std::uint64_t{action.option} << 40 |
           std::uint64_t{action.subject} << 24 | std::uint64_t{action.target} << 8 | action.post;
  };
  return key(a) < key(b);
}

bool has_duplicate(const ActionList& actions) {
  std::vector<Action> sorted(actions.begin(), actions.end());
  std::sort(sorted.begin(), sorted.end(), less);
  return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

}  // namespace

std::string broken_legality(const Content& content, const State& state, Seat seat,
                            const ActionList& actions) {
  const bool asked = (deciders(state) & seat_bit(seat)) != 0;
  if (asked != !actions.empty())
    return of_seat(seat, asked ? "is asked and may do nothing" : "may act unasked");
  if (has_duplicate(actions)) return of_seat(seat, "has the same action twice");
  const ActionList again = legal_actions(content, state, seat);
  if (!std::equal(actions.begin(), actions.end(), again.begin(), again.end())) {
    return of_seat(seat, "gets another list when asked again");
  }
  const bool kind_asked = pending(content, state, seat).kind != DecisionKind::none;
  return kind_asked == asked ? "" : of_seat(seat, "pending() and deciders() disagree");
}

// ---- Ledger -----------------------------------------------------------------------------------------

namespace {

using KindMask = std::uint64_t;
static_assert(static_cast<unsigned>(EventKind::count_) <= 64);

constexpr KindMask bit(EventKind kind) { return KindMask{1} << static_cast<unsigned>(kind); }
template <class... Kinds>
constexpr KindMask any_of(Kinds... kinds) {
  return (bit(kinds) | ...);
}

enum class Counts : std::uint8_t { any_change, increase };

// A figure of a seat and the kinds of events one of which must go with its change.
struct Witnessed {
  const char* name;
  int (*figure)(const Player&);
  Counts counts;
  KindMask of_seat;
  KindMask of_table;  // instead: events of the whole table that say it for everybody
};

using enum EventKind;

constexpr Witnessed kWitnessed[] = {
    {"cards in hand", [](const Player& p) { return static_cast<int>(p.cards.size(Zone::hand)); },
     Counts::any_change,
     any_of(card_drawn, card_discarded, card_trashed, card_to_hand, card_acquired, agent_sent, revealed), 0},
    {"cards in play", [](const Player& p) { return static_cast<int>(p.cards.size(Zone::play)); },
     Counts::any_change,
     any_of(agent_sent, revealed, card_trashed, card_to_hand, card_discarded, card_drawn, turn_ended), 0},
    {"discard pile", [](const Player& p) { return static_cast<int>(p.cards.size(Zone::discard)); },
     Counts::any_change,
     any_of(card_discarded, card_acquired, card_trashed, card_to_hand, deck_shuffled, turn_ended), 0},
    {"deck", [](const Player& p) { return static_cast<int>(p.cards.size(Zone::deck)); }, Counts::any_change,
     any_of(card_drawn, deck_shuffled, card_acquired, card_discarded, card_trashed, card_to_hand,
            leader_picked),
     0},
    {"supply", [](const Player& p) { return int{p.supply}; }, Counts::any_change,
     any_of(troops_recruited, troops_deployed, troops_lost, memories), 0},
    {"garrison", [](const Player& p) { return int{p.garrison}; }, Counts::any_change,
     any_of(troops_recruited, troops_deployed, troops_retreated, troops_lost), 0},
    {"troops in the Conflict", [](const Player& p) { return int{p.troops_in_conflict}; }, Counts::any_change,
     any_of(troops_deployed, troops_retreated, troops_lost), 0},
    {"sandworms", [](const Player& p) { return int{p.sandworms}; }, Counts::increase,
     any_of(sandworms_summoned), 0},
    {"Agents on the Leader", [](const Player& p) { return int{p.agents_on_leader}; }, Counts::any_change,
     any_of(agent_sent, agent_recalled, swordmaster_taken), any_of(phase_began)},
    {"Persuasion", [](const Player& p) { return int{p.persuasion}; }, Counts::increase, any_of(persuasion),
     0},
    {"swords", [](const Player& p) { return int{p.swords}; }, Counts::increase, any_of(swords),
     any_of(phase_began)},
    {"memories", [](const Player& p) { return int{p.memories}; }, Counts::any_change, any_of(memories), 0},
    {"High Council seat", [](const Player& p) { return p.high_council ? 1 : 0; }, Counts::any_change,
     any_of(high_council_seat), 0},
    {"Maker Hooks", [](const Player& p) { return p.maker_hooks ? 1 : 0; }, Counts::any_change,
     any_of(maker_hooks_taken), 0},
    {"leader", [](const Player& p) { return int{p.leader}; }, Counts::any_change,
     any_of(leader_picked, leader_flipped), 0},
    {"leader's step", [](const Player& p) { return int{p.leader_step}; }, Counts::any_change,
     any_of(leader_track), 0},
    {"won Conflicts", [](const Player& p) { return static_cast<int>(p.won.size()); }, Counts::any_change,
     any_of(conflict_won), 0},
};

}  // namespace

void Ledger::on(const Event& event) {
  if (event.kind == bonus_spice) bonus_spice_[event.detail] += event.amount;
  if (event.seat >= kMaxSeats) {
    kinds_of_table_ |= bit(event.kind);
    return;
  }
  Account& account = accounts_[event.seat];
  account.kinds |= bit(event.kind);
  switch (event.kind) {
    case resource:
      account.resources[event.detail] += event.amount;
      break;
    case influence:
      account.influence[event.detail] += event.amount;
      break;
    case victory_points:
      account.victory_points += event.amount;
      break;
    case spy_placed:
      ++account.spies_on_board;
      break;
    case spy_recalled:
      --account.spies_on_board;
      break;
    case intrigue_drawn:
      ++account.intrigues;
      break;
    case intrigue_played:
    case intrigue_trashed:
      --account.intrigues;
      break;
    case intrigue_stolen:
      ++account.intrigues;
      --accounts_[event.other].intrigues;
      break;
    default:
      break;
  }
}

void Ledger::open(const State& state) {
  before_ = state;
  kinds_of_table_ = 0;
  std::copy(state.board.bonus_spice.begin(), state.board.bonus_spice.end(), bonus_spice_.begin());
  for (Seat seat = 0; seat < kMaxSeats; ++seat) {
    const Player& player = state.player(seat);
    Account& account = accounts_[seat];
    account.kinds = 0;
    std::copy(player.resources.begin(), player.resources.end(), account.resources.begin());
    std::copy(player.influence.begin(), player.influence.end(), account.influence.begin());
    account.victory_points = player.victory_points;
    account.spies_on_board = spies_on_board(state.board, seat);
    account.intrigues = static_cast<int>(player.intrigues.size());
  }
}

std::string Ledger::difference_of_sums(const State& after, Seat seat) const {
  const Player& player = after.player(seat);
  const Account& account = accounts_[seat];
  for (std::size_t i = 0; i < kResources; ++i) {
    if (player.resources[i] != account.resources[i]) {
      return differs("resource " + std::to_string(i), player.resources[i], account.resources[i]);
    }
  }
  for (std::size_t i = 0; i < kMaxFactions; ++i) {
    if (player.influence[i] != account.influence[i]) {
      return differs("Influence " + std::to_string(i), player.influence[i], account.influence[i]);
    }
  }
  if (player.victory_points != account.victory_points) {
    return differs("victory points", player.victory_points, account.victory_points);
  }
  const int spies = spies_on_board(after.board, seat);
  if (spies != account.spies_on_board) return differs("Spies on posts", spies, account.spies_on_board);
  const auto intrigues = static_cast<int>(player.intrigues.size());
  return intrigues == account.intrigues ? "" : differs("Intrigue cards", intrigues, account.intrigues);
}

std::string Ledger::silent_change(const State& after, Seat seat) const {
  for (const Witnessed& row : kWitnessed) {
    const int was = row.figure(before_.player(seat));
    const int is = row.figure(after.player(seat));
    const bool changed = row.counts == Counts::increase ? is > was : is != was;
    const bool told = (accounts_[seat].kinds & row.of_seat) != 0 || (kinds_of_table_ & row.of_table) != 0;
    if (changed && !told) return std::string("no event tells that ") + differs(row.name, is, was);
  }
  return {};
}

std::string Ledger::difference(const State& after) const {
  for (Seat seat = 0; seat < after.options.seats; ++seat) {
    if (std::string broken = difference_of_sums(after, seat); !broken.empty()) return of_seat(seat, broken);
    if (std::string broken = silent_change(after, seat); !broken.empty()) return of_seat(seat, broken);
  }
  for (std::size_t space = 0; space < kMaxSpaces; ++space) {
    if (after.board.bonus_spice[space] != bonus_spice_[space]) {
      return differs("bonus spice of space " + std::to_string(space), after.board.bonus_spice[space],
                     bonus_spice_[space]);
    }
  }
  return {};
}

}  // namespace landsraad::testing
