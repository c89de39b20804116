// Games that are not in memory: in lists, forgotten players, falling asleep and being woken.
#include <algorithm>
#include <utility>

#include "server/room/hall.h"

namespace landsraad::room {

// ---- What only storage can tell.

std::size_t hall_of(const StorageReply& reply, std::size_t halls) {
  const bool by_ticket = reply.verb == StorageVerb::list || reply.verb == StorageVerb::forget;
  return by_ticket ? static_cast<std::size_t>(reply.ticket % halls) : hall_of(reply.game, halls);
}

void Hall::list_rooms(Visitor& visitor, Request from, const v1::ListRooms& request, Outbox& out) {
  const std::size_t most = house_.limits.list_page;
  const std::size_t limit = request.limit() == 0 ? most : std::min<std::size_t>(request.limit(), most);
  Inquiry inquiry{from, visitor.caller.player, request};
  inquiry.list->set_limit(static_cast<std::uint32_t>(limit));
  // A room with a free seat has not started, and so is in memory.
  if (request.open_only() && !request.mine()) return answer_list(inquiry, {}, out);
  StorageRequest question;
  question.verb = StorageVerb::list;
  question.game = request.after();
  if (request.mine()) question.player = visitor.caller.player;
  question.limit = limit;
  inquire(visitor, std::move(question), std::move(inquiry), out);
}

void Hall::forget_player(Visitor& visitor, Request from, Outbox& out) {
  StorageRequest wish;
  wish.verb = StorageVerb::forget;
  wish.player = visitor.caller.player;
  inquire(visitor, std::move(wish), {from, visitor.caller.player, std::nullopt}, out);
}

void Hall::inquire(Visitor& visitor, StorageRequest request, Inquiry inquiry, Outbox& out) {
  ++visitor.inquiries;
  request.ticket = ++last_ticket_ * halls_ + index_;
  inquiries_.emplace(request.ticket, std::move(inquiry));
  out.storage.push_back(std::move(request));
}

void Hall::inquiry_answered(const StorageReply& reply, Outbox& out) {
  const auto it = inquiries_.find(reply.ticket);
  if (it == inquiries_.end()) return;
  const Inquiry inquiry = std::move(it->second);
  inquiries_.erase(it);
  const auto visitor = visitors_.find(inquiry.from.session);
  if (visitor == visitors_.end()) return;  // they have left meanwhile
  --visitor->second.inquiries;
  if (reply.error != StorageError::none) {
    out.note(Note::Level::warning, {}, "cannot look into the stored games: " + reply.why);
    return refuse(out, inquiry.from, v1::ERROR_CODE_STORAGE_UNAVAILABLE);
  }
  if (inquiry.list) return answer_list(inquiry, reply, out);
  v1::ServerMessage message;
  message.mutable_forgotten()->set_games(reply.forgotten);
  message.mutable_forgotten()->set_going_on(reply.kept);
  answer(out, inquiry.from, message);
}

// What is in memory and what is stored, both in the order of ids; of a game in both, memory knows better.
void Hall::answer_list(const Inquiry& inquiry, const StorageReply& reply, Outbox& out) {
  const std::size_t limit = inquiry.list->limit();
  v1::RoomList here;
  directory_.list(*inquiry.list, inquiry.player, limit, here);
  v1::ServerMessage message;
  v1::RoomList& page = *message.mutable_room_list();
  auto room = here.mutable_rooms()->begin();
  auto game = reply.games.begin();
  while (static_cast<std::size_t>(page.rooms_size()) < limit) {
    const bool no_room = room == here.mutable_rooms()->end(), no_game = game == reply.games.end();
    if (no_room && no_game) break;
    if (no_room || (!no_game && game->room() < room->room())) {
      *page.add_rooms() = *game++;
      continue;
    }
    if (!no_game && game->room() == room->room()) ++game;
    page.add_rooms()->Swap(&*room++);
  }
  const bool left = room != here.mutable_rooms()->end() || game != reply.games.end();
  page.set_more(left || here.more() || reply.more);
  answer(out, inquiry.from, message);
}

// ---- Falling asleep and being woken.

void Hall::fell_asleep(const StorageReply& reply, Outbox& out) {
  const auto it = falling_asleep_.find(reply.game);
  if (it == falling_asleep_.end()) return;
  // Whoever owns the game now will put it to sleep; and where nothing is stored, nothing wakes.
  if (reply.error != StorageError::unavailable) {
    falling_asleep_.erase(it);
    return;
  }
  out.note(Note::Level::warning, reply.game, "cannot note that the game sleeps: " + reply.why);
  it->second.refused = true;
}

void Hall::ask_again_for_sleep(Outbox& out) {
  for (auto& [game, bedtime] : falling_asleep_)
    if (std::exchange(bedtime.refused, false)) out.storage.push_back(bedtime.request);
}

void Hall::rouse(const RoomId& game, Instant now, Outbox& out) {
  // No limit of rooms keeps it out: it goes again at once.
  if (shutting_down_ || rooms_.count(game) != 0 || falling_asleep_.count(game) != 0) return;
  rooms_.emplace(game, Room::wake(house_, game, now, out, true));
}

}  // namespace landsraad::room
