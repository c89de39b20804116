// The rooms that lists show: those of all halls, asleep or not.
//
// Every hall has one and keeps it by the changes that all halls tell each other, so that a list is made
// without asking anybody.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "landsraad/v1/protocol.pb.h"
#include "server/room/outbox.h"

namespace landsraad::room {

class Directory {
 public:
  void learn(const RoomChange& change);
  bool has(const RoomId& room) const { return lines_.count(room) != 0; }

  // The page that was asked for, of at most `limit` rooms. Looks at no room that does not belong to it.
  void list(const v1::ListRooms& request, const TokenHash& player, std::size_t limit,
            v1::RoomList& out) const;

  // How many rooms the player has opened that have not started.
  std::size_t lobbies_of(const TokenHash& founder) const;

 private:
  using Rooms = std::set<RoomId>;
  using RoomsOfPlayer = std::map<TokenHash, Rooms>;

  const Rooms& rooms_for(const v1::ListRooms& request, const TokenHash& player) const;
  void enter(const RoomChange& line);
  void strike_out(const RoomChange& line);

  std::map<RoomId, RoomChange> lines_;
  // ---- Indexes of it.
  Rooms listed_;
  Rooms open_;  // of the listed ones: with a free seat before their start
  RoomsOfPlayer seats_, lobbies_;
};

}  // namespace landsraad::room
