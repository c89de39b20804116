// One room: its seats, those connected to it, and its game.
//
// Pure and single-threaded: requests, disconnections, storage replies and the time go in; frames, storage
// requests and list changes come out. The hall calls it and keeps it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "landsraad/v1/protocol.pb.h"
#include "server/room/frames.h"
#include "server/room/game.h"
#include "server/room/limits.h"
#include "server/room/outbox.h"
#include "server/room/secrets.h"

namespace landsraad::room {

// What the rooms of one hall share. Outlives them.
struct House {
  Limits limits;
  const rules::Content* content = nullptr;
  Entropy entropy;
  v1::ServerMessage scratch;  // cleared before each use: keeps its memory from one message to the next
};

enum class Stage : std::uint8_t {
  waking,    // being loaded from storage
  lobby,     // players gather
  starting,  // the opening is being stored
  playing,
  over,
};

class Room {
 public:
  // A new room in its lobby. The options have been checked.
  Room(House& house, RoomId id, v1::RoomOptions options, Instant now);

  // A room whose game lies in storage: it asks for it and keeps whoever joins waiting until it is there.
  static Room wake(House& house, RoomId id, Instant now, Outbox& out);

  const RoomId& id() const { return id_; }
  Stage stage() const { return stage_; }
  const Game* game() const { return game_ ? &*game_ : nullptr; }

  // ---- Requests. Each is answered once: at once, or when storage has replied.
  // The session is in the room from now on, unless the request was refused at once (false).
  bool join(Request from, const std::string& name, const v1::JoinRoom& request, Outbox& out);
  bool leave(Request from, Instant now, Outbox& out);  // false: refused
  void take_seat(Request from, const v1::TakeSeat& request, Outbox& out);
  void leave_seat(Request from, Outbox& out);
  void set_ready(Request from, bool ready, Outbox& out);
  void start(Request from, Instant now, Outbox& out);
  void act(Request from, const v1::Act& act, Instant now, Outbox& out);
  void resync(Request from, const v1::Resync& request, Outbox& out);

  // ---- What else happens.
  void disconnect(SessionId session, Instant now, Outbox& out);
  void stored(const StorageReply& reply, Instant now, Outbox& out);
  void tick(Instant now, Outbox& out);

  // Whether the hall may forget the room now. A started one then lives on in storage.
  bool may_go(Instant now) const;
  bool waits_for_storage() const { return waits_for_storage_; }

  v1::RoomSummary summary() const;

 private:
  struct SeatHolder {
    bool taken = false;
    bool ready = false;
    std::string name;
    TokenHash token{};
    Instant absent_since{};  // meaningful while nobody is connected to it
  };
  struct Occupant {
    SessionId session = 0;
    std::string name;
    rules::Seat seat = rules::kNoSeat;  // kNoSeat = spectator
  };
  struct WaitingJoin {
    Request from;
    std::string name;
    v1::JoinRoom request;
  };
  struct HeldAct {
    Request from;
    v1::Act act;
  };
  struct PendingStep {
    Request from;
    Step step;
  };
  struct PendingStart {
    Request from;
    Game game;
  };

  // ---- room.cpp: who is here.
  Occupant* find(SessionId session);
  Occupant* seated(Request from, Outbox& out);  // null: it has been refused
  std::size_t connections(rules::Seat seat) const;
  std::optional<rules::Seat> seat_of_token(std::string_view text) const;
  bool owes_answer(SessionId session) const;
  void reclaim_seat(Request from, Occupant& occupant, const std::string& token, Outbox& out);
  void free_seat(rules::Seat seat);
  void remove(SessionId session, Instant now);
  void put_all_out(Outbox& out);

  // ---- room_play.cpp: the game.
  void request(StorageVerb verb, Outbox& out, std::string record = {});
  void create_done(const StorageReply& reply, Outbox& out);
  void carry_out(Request from, const v1::Act& act, Instant now, Outbox& out);
  void append_done(const StorageReply& reply, Instant now, Outbox& out);
  void take_held_acts(Instant now, Outbox& out);
  void finish(Outbox& out);
  void lose_game(Request from, const StorageReply& reply, Outbox& out);
  void claim_done(const StorageReply& reply, Outbox& out);
  void load_done(const StorageReply& reply, Instant now, Outbox& out);
  void wake_failed(StorageError error, std::string_view why, Outbox& out);

  // ---- room_show.cpp: what is sent.
  void write_state(v1::RoomState& out) const;
  void write_game(rules::Seat viewer, std::optional<std::uint32_t> held_version, v1::GameUpdate& out) const;
  void write_decision(const rules::State& state, rules::Seat viewer, v1::GameUpdate& out) const;
  // Sends the room's state to all and tells the lists. Whoever asked for it gets it as the answer.
  void show_state(Outbox& out, Request asked = {}, SessionId told_already = 0) const;
  void show_step(const PendingStep& pending, Outbox& out) const;
  void show_game(Outbox& out) const;
  template <class Write>  // Write: (viewer's seat, GameUpdate& out)
  void show_each_viewer(Request asked, Outbox& out, Write write) const;

  House* house_;
  RoomId id_;
  v1::RoomOptions options_;
  Stage stage_ = Stage::lobby;
  std::vector<SeatHolder> seats_;
  std::vector<Occupant> occupants_;
  Instant empty_since_{};  // meaningful while nobody is here

  std::optional<Game> game_;
  std::uint64_t epoch_ = 0;  // under which the game may be appended to
  bool waits_for_storage_ = false;
  std::optional<PendingStart> pending_start_;
  std::optional<PendingStep> pending_step_;
  std::vector<HeldAct> held_acts_;          // arrived while a step was pending, in their order
  std::vector<WaitingJoin> waiting_joins_;  // arrived while the room was waking
  bool lost_ = false;                       // this object is no longer the game's owner
};

}  // namespace landsraad::room
