#include "rules/engine/spies.h"

#include "rules/engine/conditions.h"
#include "rules/engine/frames.h"
#include "rules/engine/rulings.h"

namespace landsraad::rules {

namespace {

constexpr PostMask kAllPosts = ~PostMask{0};

// The posts an effect allows, whether or not somebody is there (SPY-5).
bool post_fits(const Position& at, const Effect& effect, PostId post) {
  const Qualifiers& q = at.node(effect.node).qualifiers;
  const Post& printed = at.content.posts[post];
  if (q.icons != 0 && (printed.icons & q.icons) == 0) return false;
  if (!q.has(Word::visited)) return true;
  const Turn& turn = at.state.turn;
  return turn.seat == effect.seat && turn.space != kNoSpace && (printed.spaces & space_bit(turn.space)) != 0;
}

bool post_is_free(const Position& at, const Effect& effect, PostId post) {
  const SeatMask there = at.state.board.spies[post];
  if (at.node(effect.node).qualifiers.has(Word::may_share))
    return (there & seat_bit(effect.seat)) == 0;  // SPY-7
  return there == 0;
}

PostMask legal_posts(const Position& at, const Effect& effect) {
  PostMask mask = 0;
  for (PostId post = 0; post < at.content.posts.size(); ++post)
    if (post_fits(at, effect, post) && post_is_free(at, effect, post)) mask |= post_bit(post);
  return mask;
}

// SPY-4: own Spies whose recall leaves a legal post, the one just left included.
PostMask worth_recalling(const Position& at, const Effect& effect) {
  const PostMask own = own_posts(at, effect.seat);
  if (legal_posts(at, effect) != 0) return own;
  PostMask mask = 0;
  for (PostId post = 0; post < at.content.posts.size(); ++post) {
    const bool alone = at.state.board.spies[post] == seat_bit(effect.seat);
    const bool shared = at.node(effect.node).qualifiers.has(Word::may_share);
    if ((own & post_bit(post)) != 0 && post_fits(at, effect, post) && (alone || shared))
      mask |= post_bit(post);
  }
  return mask;
}

}  // namespace

void place_spy(Table& table, const Effect& effect, PostId post) {
  Board& board = table.state.board;
  board.spies[post] = static_cast<SeatMask>(board.spies[post] | seat_bit(effect.seat));
  --table.player(effect.seat).spies_in_supply;
  if (table.state.turn.seat == effect.seat) table.state.turn.last_post = post;
  Event event = change(EventKind::spy_placed, effect, 1);
  event.detail = post;
  table.tell(event);
}

void recall_spy(Table& table, const Effect& effect, PostId post) {
  Board& board = table.state.board;
  board.spies[post] = static_cast<SeatMask>(board.spies[post] & ~seat_bit(effect.seat));
  ++table.player(effect.seat).spies_in_supply;
  if (table.state.turn.seat == effect.seat) table.state.turn.recalled_spy = true;
  Event event = change(EventKind::spy_recalled, effect, 1);
  event.detail = post;
  table.tell(event);
}

void list_own_posts(const Position& at, Seat seat, PostMask among, ActionList& out) {
  const PostMask own = own_posts(at, seat) & among;
  for (PostId post = 0; post < at.content.posts.size(); ++post)
    if ((own & post_bit(post)) != 0) out.push_back({.kind = ActionKind::recall_spy, .post = post});
}

// ---- Operations ------------------------------------------------------------------------------------

// SPY-3: mandatory with a Spy in supply; SPY-4: without one the player may recall one first, or not.
Duty duty_of_spy(const Position& at, const Effect& effect, int) {
  if (at.player(effect.seat).spies_in_supply == 0)
    return worth_recalling(at, effect) != 0 ? Duty::may : Duty::none;
  if (legal_posts(at, effect) == 0) return Duty::none;
  return kMustPlaceSpy ? Duty::must : Duty::may;
}

void run_spy(Table& table, const Effect& effect, int amount) { push_choices(table, effect, amount); }

// frame.used = 1: a Spy was recalled for this placement and must be placed now.
void list_spy(const Position& at, const Frame& frame, ActionList& out) {
  const Effect effect{frame.node, frame.seat, frame.source};
  if (at.player(frame.seat).spies_in_supply == 0) {
    list_own_posts(at, frame.seat, worth_recalling(at, effect), out);
    if (!out.empty()) out.push_back(kDone);
    return;
  }
  const PostMask legal = legal_posts(at, effect);
  for (PostId post = 0; post < at.content.posts.size(); ++post)
    if ((legal & post_bit(post)) != 0) out.push_back({.kind = ActionKind::choose_post, .post = post});
}

void choose_spy(Table& table, Frame& frame, const Action& action) {
  const Effect effect{frame.node, frame.seat, frame.source};
  if (action.kind == ActionKind::recall_spy) {
    recall_spy(table, effect, action.post);
  } else if (action.kind == ActionKind::choose_post) {
    --frame.left;
    place_spy(table, effect, action.post);
  } else {
    frame.left = 0;
  }
}

Duty duty_of_recall_spy(const Position& at, const Effect& effect, int amount) {
  const int own = __builtin_popcount(own_posts(at, effect.seat));
  return own >= (at.node(effect.node).is_cost ? amount : 1) ? Duty::must : Duty::none;
}

void run_recall_spy(Table& table, const Effect& effect, int amount) { push_choices(table, effect, amount); }

void list_recall_spy(const Position& at, const Frame& frame, ActionList& out) {
  list_own_posts(at, frame.seat, kAllPosts, out);
}

void choose_recall_spy(Table& table, Frame& frame, const Action& action) {
  const Effect effect{frame.node, frame.seat, frame.source};
  --frame.left;
  recall_spy(table, effect, action.post);
}

}  // namespace landsraad::rules
