// The core of the server: everyone who is connected, and the rooms of this hall.
//
// Pure and single-threaded: frames, disconnections, storage replies and the time go in; an Outbox comes
// out. A server on several threads has one hall for each; a room belongs to the hall its id says
// (hall_of), and whoever joins it goes there. Halls share nothing and tell each other only what lists show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "landsraad/v1/protocol.pb.h"
#include "server/room/directory.h"
#include "server/room/limits.h"
#include "server/room/outbox.h"
#include "server/room/rate.h"
#include "server/room/room.h"

namespace landsraad::room {

// The hall of `halls` that a room belongs to.
std::size_t hall_of(const RoomId& room, std::size_t halls);
// The hall that is waiting for a reply.
std::size_t hall_of(const StorageReply& reply, std::size_t halls);

// What the server knows of a connection; goes with it from hall to hall.
struct Visitor {
  bool greeted = false;  // has said Hello
  Caller caller;
  std::uint64_t last_request = 0;
  RoomId room;                // empty = in no room
  std::size_t inquiries = 0;  // not answered yet: until then they stay in this hall
  Conduct conduct;
};

// What somebody wants to know that only storage can tell.
struct Inquiry {
  Request from;
  TokenHash player{};
  std::optional<v1::ListRooms> list;  // none: to be forgotten
};

// A visitor who asked for a room of another hall: to be given to that hall's adopt().
struct Departure {
  std::size_t hall = 0;
  Visitor visitor;
};

class Hall {
 public:
  // `library` outlives the hall. This is hall number `index` of `halls`; limits of rooms are shared out
  // evenly among them. `began` is when the process began to serve.
  Hall(const Limits& limits, const Library& library, Entropy entropy, std::size_t index = 0,
       std::size_t halls = 1, Instant began = {});

  // ---- Connections. A session is in exactly one hall.
  void connect(SessionId session);
  void adopt(SessionId session, Visitor visitor, std::string_view frame, Instant now, Outbox& out);
  // One frame. If the visitor has to go to another hall, the request in the frame is answered there.
  std::optional<Departure> receive(SessionId session, std::string_view frame, Instant now, Outbox& out);
  void disconnect(SessionId session, Instant now, Outbox& out);

  // ---- Storage, time and the other halls.
  void stored(const StorageReply& reply, Instant now, Outbox& out);
  void tick(Instant now, Outbox& out);   // about once a second
  void learn(const RoomChange& change);  // of any hall
  // A sleeping game of this hall is due: it wakes, does what is due, and goes back to sleep if nobody comes.
  void rouse(const RoomId& game, Instant now, Outbox& out);
  void drain(Instant now, Outbox& out);  // the server stops: tells everyone; what was begun is still finished
  bool idle() const;                     // waits for nothing from storage

  std::size_t rooms_in_memory() const { return rooms_.size(); }
  const Room* room(const RoomId& id) const;

 private:
  void dispatch(Visitor& visitor, Request from, const v1::ClientMessage& message, Instant now, Outbox& out);
  void in_room(Visitor& visitor, Request from, const v1::ClientMessage& message, Instant now, Outbox& out);
  void hello(Visitor& visitor, Request from, const v1::Hello& request, Outbox& out);
  void create_room(Visitor& visitor, Request from, const v1::CreateRoom& request, Instant now, Outbox& out);
  void join_room(Visitor& visitor, Request from, const v1::JoinRoom& request, Instant now, Outbox& out);
  void leave_room(Visitor& visitor, Request from, Instant now, Outbox& out);
  void send_catalogue(const Visitor& visitor, Request from, const v1::GetCatalogue& request, Outbox& out);
  bool may_ask(Visitor& visitor, Request from, const v1::ClientMessage& message, Instant now, Outbox& out);
  void open_rematch(Room& room, Request from, v1::SeatOrder order, Instant now, Outbox& out);
  bool has_place_for_a_room(Request from, Outbox& out);
  std::optional<RoomId> dispensable_room() const;
  RoomId draw_free_id();
  void settle(Outbox& out);
  void forget(const RoomId& id, Outbox& out);

  // ---- hall_storage.cpp: games that are not in memory.
  void list_rooms(Visitor& visitor, Request from, const v1::ListRooms& request, Outbox& out);
  void forget_player(Visitor& visitor, Request from, Outbox& out);
  void inquire(Visitor& visitor, StorageRequest request, Inquiry inquiry, Outbox& out);
  void inquiry_answered(const StorageReply& reply, Outbox& out);
  void answer_list(const Inquiry& inquiry, const StorageReply& reply, Outbox& out);
  void fell_asleep(const StorageReply& reply, Outbox& out);
  void ask_again_for_sleep(Outbox& out);

  House house_;
  std::size_t index_, halls_;
  bool shutting_down_ = false;
  std::unordered_map<SessionId, Visitor> visitors_;
  std::unordered_map<RoomId, Room> rooms_;  // in memory
  Directory directory_;
  std::map<std::uint64_t, Inquiry> inquiries_;  // that storage has not answered, by ticket
  std::uint64_t last_ticket_ = 0;
  struct Bedtime {
    StorageRequest request;
    bool refused = false;  // to be asked again
  };
  std::map<RoomId, Bedtime> falling_asleep_;  // games out of memory, until storage has taken note
  v1::ClientMessage incoming_;                // reused from frame to frame
  std::map<std::string, Frame> catalogues_;   // by content version, made when first asked for
};

}  // namespace landsraad::room
