#include "rules/engine/intrigue.h"

#include "rules/engine/frames.h"

namespace landsraad::rules {

namespace {

// INTR-5: a card can be played if at least one of its lines can be used now.
bool playable(const Position& at, Seat seat, NodeId lines, Source source) {
  return lines != kNoNode && duty(at, {lines, seat, source}) != Duty::none;
}

// SUPPLY-10
bool refill_intrigue_deck(Table& table) {
  Board& board = table.state.board;
  if (!board.intrigue_deck.empty()) return true;
  if (board.intrigue_discard.empty()) return false;
  for (CardCopy copy : board.intrigue_discard) board.intrigue_deck.push_back(copy);
  board.intrigue_discard.clear();
  table.state.random.shuffle(board.intrigue_deck.begin(), board.intrigue_deck.end());
  return true;
}

template <class Cards>
std::size_t position_of(const Content& content, const Cards& cards, CardId card) {
  std::size_t i = 0;
  while (content.card_id(cards[i]) != card) ++i;
  return i;
}

bool is_child(const Content& content, NodeId parent, NodeId node) {
  bool found = false;
  for_each_child(content, parent, [&](NodeId child) { found = found || child == node; });
  return found;
}

// INTR-5: a line that has not been begun may be left out; what is left of one that has may not.
bool must_go_on(const Position& at, std::size_t menu) {
  const Frame& frame = at.state.stack[menu];
  for (const Item& item : at.state.items) {
    if (item.menu != menu || is_child(at.content, frame.node, item.node)) continue;
    if (duty(at, {item.node, frame.seat, item.source}) == Duty::must) return true;
  }
  return false;
}

bool waits(const State& state, Source source) {
  for (const Waiting& waiting : state.waiting)
    if (waiting.source == source) return true;
  return false;
}

}  // namespace

void draw_intrigues(Table& table, const Effect& effect, int amount) {
  Player& player = table.player(effect.seat);
  for (int n = 0; n < amount && refill_intrigue_deck(table); ++n) {
    const CardCopy copy = table.state.board.intrigue_deck.pop_back();
    player.intrigues.push_back(copy);
    Event event = change(EventKind::intrigue_drawn, effect, 1);
    event.subject = table.content.card_id(copy);
    event.subject_known_to = seat_bit(effect.seat);
    table.tell(event);
  }
}

void list_playable(const Position& at, Seat seat, IntrigueType type, ActionList& out) {
  const std::size_t first = out.size();
  for (CardCopy copy : at.player(seat).intrigues) {
    const CardId card = at.content.card_id(copy);
    if (!playable(at, seat, at.content.cards[card].intrigue[static_cast<std::size_t>(type)],
                  intrigue_source(copy)))
      continue;
    const Action action{.kind = ActionKind::play_intrigue, .subject = card};
    bool listed = false;
    for (std::size_t i = first; i < out.size(); ++i) listed = listed || out[i] == action;
    if (!listed) out.push_back(action);
  }
}

void play_intrigue(Table& table, Seat seat, CardId card, IntrigueType type) {
  auto& hand = table.player(seat).intrigues;
  const CardCopy copy = hand.erase(position_of(table.content, hand, card));
  const Source source = intrigue_source(copy);
  table.tell({.kind = EventKind::intrigue_played, .seat = seat, .subject = card, .cause = source});
  const NodeId lines = table.content.cards[card].intrigue[static_cast<std::size_t>(type)];
  table.state.stack.push_back({.kind = FrameKind::intrigue_played, .seat = seat, .source = source});
  table.state.stack.push_back(
      {.kind = FrameKind::intrigue_lines, .seat = seat, .node = lines, .source = source});
  add_items(table, top_index(table.state), {lines, seat, source});
}

void put_away(Table& table, Seat seat, Source source) {
  if (source.kind != SourceKind::intrigue || waits(table.state, source)) return;
  for (const Frame& frame : table.state.stack)  // still being played: its own frame puts it away
    if (frame.kind == FrameKind::intrigue_played && frame.source == source) return;
  table.state.board.intrigue_discard.push_back(source.id);
  table.tell({.kind = EventKind::intrigue_discarded,
              .seat = seat,
              .subject = table.content.card_id(source.id),
              .cause = source});
}

bool step_intrigue_lines(Table& table) {
  const std::size_t menu = top_index(table.state);
  if (run_plain_items(table, menu)) {
    table.state.stack[menu].used = 1;
    return true;
  }
  ActionList entries;
  list_entries(table, menu, entries);
  if (entries.empty()) {
    drop_items(table, menu);
    pop(table);
    return true;
  }
  const bool forced = must_go_on(table, menu) || top(table).used == 0;
  if (entries.size() > 1 || !forced) return false;
  top(table).used = 1;
  resolve_entry(table, entries[0]);
  return true;
}

void list_intrigue_lines(const Position& at, ActionList& out) {
  const std::size_t menu = top_index(at.state);
  list_entries(at, menu, out);
  if (top(at).used != 0 && !must_go_on(at, menu)) out.push_back(kDone);  // INTR-3, INTR-5
}

void choose_intrigue_line(Table& table, const Action& action) {
  if (action.kind == ActionKind::resolve) {
    top(table).used = 1;
    resolve_entry(table, action);
    return;
  }
  drop_items(table, top_index(table.state));
  pop(table);
}

bool step_intrigue_played(Table& table) {
  const Frame frame = top(table);
  pop(table);
  put_away(table, frame.seat, frame.source);
  return true;
}

// ---- Operations ------------------------------------------------------------------------------------

Duty duty_of_trash_intrigue(const Position& at, const Effect& effect, int amount) {
  const auto held = static_cast<int>(at.player(effect.seat).intrigues.size());
  const int needed = at.node(effect.node).is_cost ? amount : 1;
  return held >= needed ? Duty::must : Duty::none;
}

void run_trash_intrigue(Table& table, const Effect& effect, int amount) {
  push_choices(table, effect, amount);
}

void list_trash_intrigue(const Position& at, const Frame& frame, ActionList& out) {
  for (CardCopy copy : at.player(frame.seat).intrigues) {
    const Action action{.kind = ActionKind::choose_card, .subject = at.content.card_id(copy)};
    if (!out.contains(action)) out.push_back(action);
  }
}

void choose_trash_intrigue(Table& table, Frame& frame, const Action& action) {
  auto& hand = table.player(frame.seat).intrigues;
  const CardCopy copy = hand.erase(position_of(table.content, hand, action.subject));
  --frame.left;
  table.state.board.intrigue_trashed.push_back(copy);
  table.tell({.kind = EventKind::intrigue_trashed,
              .seat = frame.seat,
              .subject = action.subject,
              .cause = frame.source});
}

// TERM-19
void run_steal_intrigue(Table& table, const Effect& effect, int amount) {
  const int threshold = table.node(effect.node).qualifiers.value;
  clockwise(table.state, table.state.next_seat(effect.seat), [&](Seat victim) {
    if (victim == effect.seat) return;
    auto& hand = table.player(victim).intrigues;
    if (static_cast<int>(hand.size()) < threshold) return;
    for (int n = 0; n < amount && !hand.empty(); ++n) {
      const CardCopy copy = hand.erase(table.state.random.below(static_cast<std::uint32_t>(hand.size())));
      table.player(effect.seat).intrigues.push_back(copy);
      Event event = change(EventKind::intrigue_stolen, effect, 1);
      event.other = victim;
      event.subject = table.content.card_id(copy);
      event.subject_known_to = static_cast<SeatMask>(seat_bit(effect.seat) | seat_bit(victim));  // INFO-9
      table.tell(event);
    }
  });
}

}  // namespace landsraad::rules
