#include "rules/wire/encode.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <functional>

#include "rules/wire/actions.h"
#include "rules/wire/words.h"

namespace landsraad::wire {

namespace {

using rules::Board;
using rules::CardId;
using rules::CardSlot;
using rules::Content;
using rules::Player;
using rules::Seat;
using rules::State;
using rules::Turn;
using rules::Zone;
using v1::GameView;
using v1::SeatView;

template <class T>
bool same_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

// A field that is always present has -1 for "nobody" and "none".
std::int32_t or_none(std::uint16_t id, std::uint16_t none) { return id == none ? -1 : id; }

// ---- Who may see what -----------------------------------------------------------------------------

// Hand, Intrigue cards, looked-at cards and what is in the deck are their owner's (INFO-2, INFO-8), until
// the game is over (INFO-12).
bool sees_secrets(const State& state, Viewer viewer, Seat owner) {
  return viewer.seat == owner || rules::is_over(state);
}

// ---- What differs ---------------------------------------------------------------------------------

// One part of the game as it was and as it is, and the message that takes what differs. With no `was`
// everything differs.
template <class Part, class Message>
class Difference {
 public:
  Difference(const Part* was, const Part& is, Message& out) : was_(was), is_(is), out_(out) {}

  const Part& is() const { return is_; }
  bool any() const { return any_; }  // whether something was written
  Message& out() {
    any_ = true;
    return out_;
  }

  // `read` is a member, a member function or a function of Part.
  template <class Read>
  bool differs(Read read) const {
    return was_ == nullptr || !(std::invoke(read, *was_) == std::invoke(read, is_));
  }
  template <class Field>
  bool bytes_differ(Field Part::*field) const {
    return was_ == nullptr || !same_bytes(was_->*field, is_.*field);
  }

  template <class Read, class Set>
  void number(Read read, Set set) {
    if (differs(read)) (out().*set)(std::invoke(read, is_));
  }

 private:
  const Part* was_;
  const Part& is_;
  Message& out_;
  bool any_ = false;
};

using SeatDifference = Difference<Player, SeatView>;
using BoardDifference = Difference<Board, GameView>;
using StateDifference = Difference<State, GameView>;

// ---- Cards ----------------------------------------------------------------------------------------

// A list of cards by kind: which copy of a card lies where must show nowhere, so lists are compared in
// this form too. Not zeroed, because a diff fills and reads many of them.
class Kinds {
 public:
  void add(CardId card) {
    assert(size_ < cards_.size());
    cards_[size_++] = card;
  }
  void sort() { std::sort(cards_.begin(), cards_.begin() + size_); }
  const CardId* begin() const { return cards_.data(); }
  const CardId* end() const { return cards_.data() + size_; }
  bool operator==(const Kinds& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

 private:
  std::array<CardId, rules::kMaxImperiumDeck> cards_;
  std::uint16_t size_ = 0;
};

void write(const Kinds& kinds, v1::CardList& out) {
  for (const CardId card : kinds) out.add_cards(card);
}

template <class Copies>
Kinds kinds_of(const Content& content, const Copies& copies) {
  Kinds kinds;
  for (const rules::CardCopy copy : copies) kinds.add(content.card_id(copy));
  return kinds;
}

std::span<const CardSlot> cards_in(const Player& player, Zone zone) {
  return {player.cards.begin(zone), player.cards.end(zone)};
}

Kinds zone_kinds(const Content& content, const Player& player, Zone zone) {
  Kinds kinds;
  for (const CardSlot slot : cards_in(player, zone)) kinds.add(content.card_id(slot.copy));
  return kinds;
}

// INFO-7. Sorted, since where in the hand they are held is the owner's affair.
Kinds known_hand(const Content& content, const Player& player) {
  Kinds kinds;
  for (const CardSlot slot : cards_in(player, Zone::hand))
    if (slot.known) kinds.add(content.card_id(slot.copy));
  kinds.sort();
  return kinds;
}

// INFO-8: what is in the deck, not its order (INFO-3).
Kinds deck_composition(const Content& content, const Player& player) {
  Kinds kinds = zone_kinds(content, player, Zone::deck);
  kinds.sort();
  return kinds;
}

// The cards a seat is looking at on top of its deck.
Kinds looked_at(const Content& content, const State& state, Seat seat) {
  Kinds kinds;
  if (state.turn.seat != seat || state.turn.looked == 0) return kinds;
  const auto deck = cards_in(state.player(seat), Zone::deck);
  for (const CardSlot slot : deck.last(std::min<std::size_t>(state.turn.looked, deck.size())))
    kinds.add(content.card_id(slot.copy));
  return kinds;
}

struct InPlay {
  Kinds cards, flags;
  bool operator==(const InPlay&) const = default;
};

InPlay in_play(const Content& content, const Player& player) {
  InPlay play;
  for (const CardSlot slot : cards_in(player, Zone::play)) {
    play.cards.add(content.card_id(slot.copy));
    play.flags.add(static_cast<CardId>(slot.revealed | slot.sword << 1));
  }
  return play;
}

// ---- A seat ---------------------------------------------------------------------------------------

template <rules::Resource resource>
int amount_of(const Player& player) {
  return player[resource];
}

template <Zone zone>
int cards_count(const Player& player) {
  return static_cast<int>(player.cards.size(zone));
}

// What is one public number (INFO-1, INFO-4).
void encode_numbers(SeatDifference& seat) {
  seat.number(amount_of<rules::Resource::solari>, &SeatView::set_solari);
  seat.number(amount_of<rules::Resource::spice>, &SeatView::set_spice);
  seat.number(amount_of<rules::Resource::water>, &SeatView::set_water);
  seat.number(cards_count<Zone::hand>, &SeatView::set_hand_size);
  seat.number(cards_count<Zone::deck>, &SeatView::set_deck_size);
  seat.number([](const Player& p) { return static_cast<int>(p.intrigues.size()); },
              &SeatView::set_intrigue_size);
  seat.number(&Player::garrison, &SeatView::set_garrison);
  seat.number(&Player::supply, &SeatView::set_supply);
  seat.number(&Player::troops_in_conflict, &SeatView::set_troops_in_conflict);
  seat.number(&Player::sandworms, &SeatView::set_sandworms);
  seat.number(&Player::strength, &SeatView::set_strength);
  seat.number(&Player::swords, &SeatView::set_swords);
  seat.number(&Player::persuasion, &SeatView::set_persuasion);
  seat.number(&Player::victory_points, &SeatView::set_victory_points);
  seat.number(&Player::agents_on_leader, &SeatView::set_agents_on_leader);
  seat.number(&Player::spies_in_supply, &SeatView::set_spies_in_supply);
  seat.number(&Player::revealed, &SeatView::set_revealed);
  seat.number(&Player::reveal_order, &SeatView::set_reveal_order);
  seat.number(&Player::high_council, &SeatView::set_high_council);
  seat.number(&Player::swordmaster, &SeatView::set_swordmaster);
  seat.number(&Player::maker_hooks, &SeatView::set_maker_hooks);
  seat.number([](const Player& p) { return or_none(p.objective, 0xff); }, &SeatView::set_objective);
  seat.number(&Player::objective_face_down, &SeatView::set_objective_face_down);
  seat.number([](const Player& p) { return or_none(p.leader, rules::kNoLeader); }, &SeatView::set_leader);
  seat.number(&Player::leader_step, &SeatView::set_leader_step);
  seat.number(&Player::memories, &SeatView::set_memories);
  seat.number(&Player::place, &SeatView::set_place);
}

void write_influence(const Content& content, const Player& player, v1::FactionNumbers& out) {
  for (std::size_t f = 0; f < content.tracks.size(); ++f) out.add_values(player.influence[f]);
}

void write_won(const Player& player, v1::WonConflicts& out) {
  for (const rules::WonConflict& card : player.won) {
    out.add_conflicts(card.conflict);
    out.add_face_down(card.face_down);  // INFO-6: its identity stays public
  }
}

void encode_public_cards(const Content& content, SeatDifference& seat) {
  const auto known = [&](const Player& p) { return known_hand(content, p); };
  const auto discard = [&](const Player& p) { return zone_kinds(content, p, Zone::discard); };  // INFO-5
  const auto play = [&](const Player& p) { return in_play(content, p); };

  if (seat.differs(known)) write(known(seat.is()), *seat.out().mutable_hand_known());
  if (seat.differs(discard)) write(discard(seat.is()), *seat.out().mutable_discard());
  if (seat.differs(play)) {
    const InPlay now = play(seat.is());
    v1::CardsInPlay& out = *seat.out().mutable_play();
    for (const CardId card : now.cards) out.add_cards(card);
    for (const CardId flags : now.flags) out.add_flags(flags);
  }
}

void encode_secret_cards(const Content& content, SeatDifference& seat) {
  const auto hand = [&](const Player& p) { return zone_kinds(content, p, Zone::hand); };
  const auto deck = [&](const Player& p) { return deck_composition(content, p); };
  const auto intrigues = [&](const Player& p) { return kinds_of(content, p.intrigues); };

  if (seat.bytes_differ(&Player::cards)) {
    if (seat.differs(hand)) write(hand(seat.is()), *seat.out().mutable_hand());
    if (seat.differs(deck)) write(deck(seat.is()), *seat.out().mutable_deck());
  }
  if (seat.differs(intrigues)) write(intrigues(seat.is()), *seat.out().mutable_intrigues());
}

// Whether anything was written to `out`.
bool encode_seat(const Content& content, const State* before, const State& after, Viewer viewer, Seat seat,
                 SeatView& out) {
  const Player* was = before == nullptr ? nullptr : &before->player(seat);
  SeatDifference open(was, after.player(seat), out);
  encode_numbers(open);
  if (open.bytes_differ(&Player::influence))
    write_influence(content, open.is(), *open.out().mutable_influence());
  if (open.bytes_differ(&Player::won)) write_won(open.is(), *open.out().mutable_won());
  if (open.bytes_differ(&Player::cards)) encode_public_cards(content, open);
  if (!sees_secrets(after, viewer, seat)) return open.any();

  // Secrets seen for the first time, at the end of the game, are written whole.
  const bool saw = before != nullptr && sees_secrets(*before, viewer, seat);
  SeatDifference secret(saw ? was : nullptr, after.player(seat), out);
  encode_secret_cards(content, secret);
  Difference<State, SeatView> look(saw ? before : nullptr, after, out);
  const auto looked = [&](const State& s) { return looked_at(content, s, seat); };
  if (look.differs(looked)) write(looked(after), *look.out().mutable_looked_at());
  return open.any() || secret.any() || look.any();
}

// The cheap test that most seats pass: nothing at all can differ.
bool seat_is_unchanged(const State& before, const State& after, Viewer viewer, Seat seat) {
  return same_bytes(before.player(seat), after.player(seat)) &&
         sees_secrets(before, viewer, seat) == sees_secrets(after, viewer, seat) &&
         (before.turn.seat == seat ? before.turn.looked : 0) ==
             (after.turn.seat == seat ? after.turn.looked : 0);
}

void encode_seats(const Content& content, const State* before, const State& after, Viewer viewer,
                  GameView& out) {
  for (Seat seat = 0; seat < after.options.seats; ++seat) {
    if (before != nullptr && seat_is_unchanged(*before, after, viewer, seat)) continue;
    SeatView& view = *out.add_seats();
    view.set_id(seat);
    if (!encode_seat(content, before, after, viewer, seat, view)) out.mutable_seats()->RemoveLast();
  }
}

// ---- The board ------------------------------------------------------------------------------------

void encode_spaces(const Content& content, const Board* was, const Board& is, GameView& out) {
  for (std::size_t s = 0; s < content.spaces.size(); ++s) {
    const bool agents = was == nullptr || was->agents[s] != is.agents[s];
    const bool bonus = was == nullptr || was->bonus_spice[s] != is.bonus_spice[s];
    const bool control = was == nullptr || was->control[s] != is.control[s];
    if (!agents && !bonus && !control) continue;
    v1::SpaceView& space = *out.add_spaces();
    space.set_id(static_cast<std::uint32_t>(s));
    if (agents) space.set_agents(is.agents[s]);
    if (bonus) space.set_bonus_spice(is.bonus_spice[s]);
    if (control) space.set_control(or_none(is.control[s], rules::kNoSeat));
  }
}

void encode_posts(const Content& content, const Board* was, const Board& is, GameView& out) {
  for (std::size_t p = 0; p < content.posts.size(); ++p) {
    if (was != nullptr && was->spies[p] == is.spies[p]) continue;
    v1::PostView& post = *out.add_posts();
    post.set_id(static_cast<std::uint32_t>(p));
    post.set_spies(is.spies[p]);
  }
}

void write_alliances(const Content& content, const Board& board, v1::FactionNumbers& out) {
  for (std::size_t f = 0; f < content.tracks.size(); ++f)
    out.add_values(or_none(board.alliance[f], rules::kNoSeat));
}

void write_reserve(const Board& board, v1::Reserve& out) {
  for (const rules::ReserveStack& stack : board.reserve) {
    if (stack.card == rules::kNoCard) continue;
    v1::ReserveStack& written = *out.add_stacks();
    written.set_card(stack.card);
    written.set_copies(static_cast<std::uint32_t>(std::popcount(stack.copies)));
  }
}

using Stacks = std::array<std::pair<CardId, int>, rules::kMaxReserveStacks>;

Stacks stacks(const Board& board) {
  Stacks stacks;
  for (std::size_t i = 0; i < stacks.size(); ++i)
    stacks[i] = {board.reserve[i].card, std::popcount(board.reserve[i].copies)};
  return stacks;
}

void write_set_aside(const Content& content, const Board& board, v1::SetAsideCards& out) {
  for (const rules::SetAside& aside : board.set_aside) {
    v1::SetAsideCard& written = *out.add_cards();
    written.set_card(content.card_id(aside.copy));
    written.set_seat(aside.seat);
  }
}

void encode_piles(const Content& content, BoardDifference& board) {
  const auto pile = [&](auto field, auto mutable_field) {
    if (!board.bytes_differ(field)) return;
    const auto kinds = [&](const Board& b) { return kinds_of(content, b.*field); };
    if (board.differs(kinds)) write(kinds(board.is()), *(board.out().*mutable_field)());
  };
  pile(&Board::row, &GameView::mutable_row);
  pile(&Board::intrigue_discard, &GameView::mutable_intrigue_discard);
  pile(&Board::intrigue_trashed, &GameView::mutable_intrigue_trashed);
  pile(&Board::trashed, &GameView::mutable_trashed);

  // Of face-down decks only the size (INFO-3, INFO-4).
  const auto size = [&](auto field, auto set) {
    board.number([field](const Board& b) { return static_cast<int>((b.*field).size()); }, set);
  };
  size(&Board::imperium_deck, &GameView::set_imperium_deck_size);
  size(&Board::intrigue_deck, &GameView::set_intrigue_deck_size);
  size(&Board::conflict_deck, &GameView::set_conflict_deck_size);
}

void encode_board(const Content& content, const Board* was, const Board& is, GameView& out) {
  if (was != nullptr && same_bytes(*was, is)) return;
  encode_spaces(content, was, is, out);
  encode_posts(content, was, is, out);
  BoardDifference board(was, is, out);
  encode_piles(content, board);
  board.number(&Board::shield_wall, &GameView::set_shield_wall);
  if (board.differs(&Board::alliance)) write_alliances(content, is, *board.out().mutable_alliances());
  if (board.differs(stacks)) write_reserve(is, *board.out().mutable_reserve());
  if (board.bytes_differ(&Board::set_aside)) write_set_aside(content, is, *board.out().mutable_set_aside());
  if (board.bytes_differ(&Board::conflicts))
    out.mutable_conflicts()->mutable_conflicts()->Assign(is.conflicts.begin(), is.conflicts.end());
}

// ---- The turn and its effects ---------------------------------------------------------------------

void write_turn(const Content& content, const Turn& turn, v1::Turn& out) {
  if (turn.seat != rules::kNoSeat) out.set_seat(turn.seat);
  out.set_kind(to_wire(turn.kind));
  if (turn.space != rules::kNoSpace) out.set_space(turn.space);
  if (turn.card != rules::kNoCopy) out.set_card(content.card_id(turn.card));
  out.set_cost_option(turn.cost_option);
  out.set_recruited(turn.recruited);
  out.set_deployed_by_limit(turn.deployed_by_limit);
  out.set_units_deployed(turn.units_deployed);
  out.set_spice_gained(turn.spice_gained);
  out.set_recalled_spy(turn.recalled_spy);
  out.set_deploy_recruited(turn.deploy_recruited);
  out.set_ignore_requirements(turn.ignore_requirements);
  out.set_looked(turn.looked);
  out.mutable_acquired()->Assign(turn.acquired.begin(), turn.acquired.end());
}

void write_open_effects(const Content& content, const State& state, v1::Effects& out) {
  for (const rules::Item& item : state.items) {
    v1::Effect& effect = *out.add_effects();
    const WireSource source = to_wire(content, item.source);
    effect.set_node(item.node);
    effect.set_source_kind(source.kind);
    effect.set_source_id(source.id);
  }
}

void write_effects_in_force(const Content& content, const State& state, v1::Effects& out) {
  for (const rules::Waiting& waiting : state.waiting) {
    v1::Effect& effect = *out.add_effects();
    const WireSource source = to_wire(content, waiting.source);
    effect.set_node(waiting.node);
    effect.set_source_kind(source.kind);
    effect.set_source_id(source.id);
    effect.set_seat(waiting.seat);
    effect.set_used(waiting.used);
  }
}

// Turn, open effects and effects in force are public: they come from cards in play and from what their
// seat did in the open, and change only with a public action. So their bytes may be compared.
void encode_course(const Content& content, StateDifference& state) {
  state.number([](const State& s) { return to_wire(s.phase); }, &GameView::set_phase);
  state.number(&State::round, &GameView::set_round);
  state.number(&State::first_player, &GameView::set_first_player);
  if (state.bytes_differ(&State::turn)) write_turn(content, state.is().turn, *state.out().mutable_turn());
  if (state.bytes_differ(&State::items))
    write_open_effects(content, state.is(), *state.out().mutable_open_effects());
  if (state.bytes_differ(&State::waiting))
    write_effects_in_force(content, state.is(), *state.out().mutable_in_force());
}

// ---- Events ---------------------------------------------------------------------------------------

bool knows_subject(Viewer viewer, const rules::Event& event) {
  if (event.subject_known_to == 0xff) return true;
  return viewer.seat != rules::kNoSeat && (event.subject_known_to & rules::seat_bit(viewer.seat)) != 0;
}

// Whether two hidden subjects stand for one event: "drew a card", "drew a card".
bool adds_up(const rules::Event& a, const rules::Event& b) {
  return a.kind == b.kind && a.seat == b.seat && a.other == b.other && a.detail == b.detail &&
         a.cause == b.cause && a.subject_known_to == b.subject_known_to;
}

void write_event(const Content& content, const rules::Event& event, bool subject_known, v1::Event& out) {
  const WireSource cause = to_wire(content, event.cause);
  out.set_kind(to_wire(event.kind));
  if (event.seat != rules::kNoSeat) out.set_seat(event.seat);
  if (event.other != rules::kNoSeat) out.set_other(event.other);
  out.set_detail(event.detail);
  if (subject_known && event.subject != 0xffff) out.set_subject(event.subject);
  out.set_amount(event.amount);
  out.set_cause_kind(cause.kind);
  out.set_cause_id(cause.id);
}

}  // namespace

void encode(const Content& content, const State* before, const State& after, Viewer viewer, GameView& out) {
  out.Clear();
  encode_seats(content, before, after, viewer, out);
  encode_board(content, before == nullptr ? nullptr : &before->board, after.board, out);
  StateDifference state(before, after, out);
  encode_course(content, state);
}

void encode_events(const Content& content, std::span<const rules::Event> events, Viewer viewer,
                   google::protobuf::RepeatedPtrField<v1::Event>& out) {
  out.Clear();
  const rules::Event* hidden = nullptr;  // the event before, if its subject is hidden
  for (const rules::Event& event : events) {
    const bool known = knows_subject(viewer, event);
    if (!known && hidden != nullptr && adds_up(*hidden, event)) {
      v1::Event& last = *out.Mutable(out.size() - 1);
      last.set_amount(last.amount() + event.amount);
      continue;
    }
    write_event(content, event, known, *out.Add());
    hidden = known ? nullptr : &event;
  }
}

void encode_diff(const Content& content, const State& before, const State& after,
                 std::span<const rules::Event> events, Viewer viewer, v1::Diff& out) {
  out.set_version(after.version);
  encode_events(content, events, viewer, *out.mutable_events());
  encode(content, &before, after, viewer, *out.mutable_changes());
  encode_waiting(content, after, *out.mutable_waiting());
}

void encode_snapshot(const Content& content, const State& state, Viewer viewer, v1::Snapshot& out) {
  out.set_version(state.version);
  encode(content, nullptr, state, viewer, *out.mutable_view());
  encode_waiting(content, state, *out.mutable_waiting());
}

}  // namespace landsraad::wire
