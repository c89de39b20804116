#include "server/room/directory.h"

#include <utility>

namespace landsraad::room {

namespace {

bool is_lobby(const v1::RoomSummary& summary) { return summary.status() == v1::ROOM_STATUS_LOBBY; }

bool is_open(const v1::RoomSummary& summary) {
  return is_lobby(summary) && summary.seats_taken() < summary.options().players();
}

template <class RoomsOfPlayer>
void erase(RoomsOfPlayer& index, const TokenHash& player, const RoomId& room) {
  const auto it = index.find(player);
  if (it == index.end()) return;
  it->second.erase(room);
  if (it->second.empty()) index.erase(it);
}

}  // namespace

void Directory::learn(const RoomChange& change) {
  const auto known = lines_.find(change.summary.room());
  if (known != lines_.end()) {
    strike_out(known->second);
    if (change.gone) lines_.erase(known);
  }
  if (change.gone) return;
  enter(change);
  lines_[change.summary.room()] = change;
}

void Directory::enter(const RoomChange& line) {
  const RoomId& room = line.summary.room();
  if (!line.summary.options().unlisted()) {
    listed_.insert(room);
    if (is_open(line.summary)) open_.insert(room);
  }
  for (const TokenHash& player : line.players) seats_[player].insert(room);
  if (is_lobby(line.summary)) lobbies_[line.founder].insert(room);
}

void Directory::strike_out(const RoomChange& line) {
  const RoomId& room = line.summary.room();
  listed_.erase(room);
  open_.erase(room);
  for (const TokenHash& player : line.players) erase(seats_, player, room);
  erase(lobbies_, line.founder, room);
}

const Directory::Rooms& Directory::rooms_for(const v1::ListRooms& request, const TokenHash& player) const {
  static const Rooms none;
  if (!request.mine()) return request.open_only() ? open_ : listed_;
  const auto it = seats_.find(player);
  return it == seats_.end() ? none : it->second;
}

void Directory::list(const v1::ListRooms& request, const TokenHash& player, std::size_t limit,
                     v1::RoomList& out) const {
  const Rooms& rooms = rooms_for(request, player);
  for (auto it = rooms.upper_bound(request.after()); it != rooms.end(); ++it) {
    if (static_cast<std::size_t>(out.rooms_size()) == limit) return out.set_more(true);
    *out.add_rooms() = lines_.at(*it).summary;
  }
}

std::size_t Directory::lobbies_of(const TokenHash& founder) const {
  const auto it = lobbies_.find(founder);
  return it == lobbies_.end() ? 0 : it->second.size();
}

}  // namespace landsraad::room
