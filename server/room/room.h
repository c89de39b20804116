// One room: its seats, those connected to it, and its game.
//
// Pure and single-threaded: requests, disconnections, storage replies and the time go in; frames, storage
// requests and list changes come out. The hall calls it and keeps it.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "landsraad/v1/protocol.pb.h"
#include "server/room/chat.h"
#include "server/room/delay.h"
#include "server/room/frames.h"
#include "server/room/game.h"
#include "server/room/library.h"
#include "server/room/limits.h"
#include "server/room/options.h"
#include "server/room/outbox.h"
#include "server/room/plan.h"
#include "server/room/players.h"
#include "server/room/proposal.h"
#include "server/room/scratch.h"
#include "server/room/secrets.h"
#include "server/room/spares.h"

namespace landsraad::room {

// An entry that is being stored.
struct PendingStep {
  Request from;
  Step step;
};

// What the rooms of one hall share. Outlives them.
struct House {
  Limits limits;
  const Library* library = nullptr;
  Entropy entropy;
  Instant began{};  // when this process began to serve
  Scratch scratch{};
  Spares<PendingStep> steps{};
};

// Who asks, as their Hello said.
struct Caller {
  std::string name;
  TokenHash player{};
};

// What a room is opened with. The options have been checked.
struct Founding {
  v1::RoomOptions options;
  Door door;
  TokenHash owner{};
  std::vector<OpeningSeat> seats{};  // already given away; empty: none
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
  // A new room in its lobby.
  Room(House& house, RoomId id, Founding founding, Instant now);

  // A room whose game lies in storage: it asks for it and keeps whoever joins waiting until it is there. With
  // `idle` it goes back to sleep as soon as nothing is due and nobody has come.
  static Room wake(House& house, RoomId id, Instant now, Outbox& out, bool idle = false);

  const RoomId& id() const { return id_; }
  Stage stage() const { return stage_; }
  const Game* game() const { return game_ ? &*game_ : nullptr; }

  // ---- Requests. Each is answered once: at once, or when storage has replied.
  // The session is in the room from now on, unless the request was refused at once (false).
  bool join(Request from, const Caller& caller, const v1::JoinRoom& request, Instant now, Outbox& out);
  bool leave(Request from, Instant now, Outbox& out);  // false: refused
  // Any other request of somebody in the room.
  void handle(Request from, const v1::ClientMessage& message, Instant now, Outbox& out);

  // A rematch in two steps, for the hall opens the room. Nothing: the request has been answered.
  std::optional<Founding> found_rematch(Request from, v1::SeatOrder order, Outbox& out);
  void rematch_opened(const RoomId& room, Request from, Outbox& out);

  // ---- What else happens.
  void disconnect(SessionId session, Instant now, Outbox& out);
  // The server stops: clocks are written down as they are. What was begun is still finished.
  void server_stops(Instant now, Outbox& out);
  void stored(const StorageReply& reply, Instant now, Outbox& out);
  void tick(Instant now, Outbox& out);

  // Whether the hall may forget the room now. A started one then lives on in storage.
  bool may_go(Instant now) const;
  // When it is nobody's loss to forget the room before that, because its place is needed: nobody is here and
  // nothing under way. Since when that is so.
  std::optional<Instant> deserted_since() const;
  // A started game goes to sleep, to be woken when somebody's time is up: that request is given back, for it
  // must be repeated if it is refused. Leaves a snapshot to whoever wakes it, unless the stored one is as
  // new.
  StorageRequest go_to_sleep(Outbox& out);
  bool is_lost() const { return lost_; }  // it is no longer this room's game
  bool waits_for_storage() const { return waits_for_storage_; }

  RoomChange line() const;  // in lists

 private:
  // Somebody who is here or has a seat. The same player is one person, with however many connections.
  struct Person {
    std::uint32_t id = 0;
    TokenHash player{};
    std::string name;
  };
  struct SeatHolder {
    bool taken = false;
    bool ready = false;
    std::string name;
    TokenHash token{};
    TokenHash player{};
    std::string nonce;
    Instant absent_since{};  // meaningful while nobody is connected to it
  };
  struct Occupant {
    SessionId session = 0;
    std::uint32_t person = 0;
    rules::Seat seat = rules::kNoSeat;  // kNoSeat = spectator
  };
  struct WaitingJoin {
    Request from;
    Caller caller;
    v1::JoinRoom request;
  };
  struct HeldRequest {
    Request from;
    v1::ClientMessage message;
    Instant arrived;  // up to which its player is charged
  };
  struct PendingStart {
    Request from;
    Game game;
  };

  // ---- room.cpp: who is here.
  void dispatch(Request from, const v1::ClientMessage& message, Instant now, Outbox& out);
  Occupant* find(SessionId session);
  const Occupant* find(SessionId session) const { return const_cast<Room*>(this)->find(session); }
  Occupant* seated(Request from, Outbox& out);  // null: it has been refused
  std::size_t connections(rules::Seat seat) const;
  Person& person_of(const Caller& caller);
  Person& person(std::uint32_t id);
  void forget_strangers();
  bool owes_answer(SessionId session) const;
  void remove(SessionId session, Instant now);
  void put_out(SessionId session, v1::RoomLeft::Reason reason, Instant now, Outbox& out);
  void put_all_out(Outbox& out);

  // ---- room_people.cpp: who may come in, and what the owner may do about it.
  const TokenHash& owner() const { return game_ ? game_->owner() : owner_; }
  const Door& door() const { return game_ ? game_->door() : door_; }
  bool is_owner(std::uint32_t person) const;
  bool is_here(std::uint32_t person) const;
  bool owns(Request from, Outbox& out);                            // false: it has been refused
  Person* named(Request from, std::uint32_t person, Outbox& out);  // null: likewise
  std::size_t places_to_watch() const;
  // Code UNSPECIFIED: nothing speaks against it. `owned` is the seat that is theirs.
  Refusal why_not_in(const Caller& caller, const v1::JoinRoom& request,
                     std::optional<rules::Seat> owned) const;
  void put_surplus_out(Instant now, Outbox& out);
  bool inherit();  // whether the room has a new owner
  void kick(Request from, const v1::Kick& request, Instant now, Outbox& out);
  void transfer(Request from, const v1::Transfer& request, Instant now, Outbox& out);
  void mute(Request from, const v1::Mute& request, Outbox& out);
  void invite(Request from, Instant now, Outbox& out);
  void send_invitation(Request to, Outbox& out);

  // ---- room_talk.cpp: what is said, and what is told beside the game.
  void chat(Request from, const v1::Chat& request, Instant now, Outbox& out);
  void plan(Request from, const v1::Plan& request, Outbox& out);
  void tell_plan(rules::Seat seat, Request asked, Outbox& out);
  void end_plans(const Entry& entry, Outbox& out);  // those which the entry, just committed, has ended
  std::optional<Entry> plan_due(Instant now) const;
  void preview_reveal(Request from, Outbox& out);
  void get_log(Request from, const v1::GetLog& request, Outbox& out);
  void write_log(rules::Seat viewer, std::uint32_t after, std::uint32_t limit, v1::LogPage& out) const;
  void get_record(Request from, Instant now, Outbox& out);
  void record_loaded(const StorageReply& reply, Outbox& out);

  // ---- room_seats.cpp: who has which seat.
  std::optional<rules::Seat> seat_of_token(std::string_view text) const;
  std::optional<rules::Seat> seat_of_player(const TokenHash& player) const;
  void take_seat(Request from, const v1::TakeSeat& request, Instant now, Outbox& out);
  void reclaim_seat(Request from, Occupant& occupant, const std::string& token, Instant now, Outbox& out);
  void leave_seat(Request from, Outbox& out);
  void set_ready(Request from, const v1::Ready& request, Outbox& out);
  void free_seat(rules::Seat seat);

  // ---- room_play.cpp: the game.
  void request(StorageVerb verb, Instant now, Outbox& out, std::string record = {});
  // Holds a request that would write to the log while something else is being written.
  bool hold(Request from, const v1::ClientMessage& message, Instant now, Outbox& out);
  // The one way to write to the log; on success apply_step() follows, and only then is anything shown.
  void write(Request from, const Entry& entry, Outbox& out);
  void start(Request from, Instant now, Outbox& out);
  void create_done(const StorageReply& reply, Instant now, Outbox& out);
  // The seat of somebody who has one in a started game, over or not; none: refused.
  std::optional<rules::Seat> seat_in_game(Request from, Outbox& out);
  // The seat of somebody who may move the game on from this version; nothing: it has been refused.
  std::optional<rules::Seat> mover(Request from, std::uint32_t version, Outbox& out);
  void act(Request from, const v1::Act& act, Instant now, Outbox& out);
  void undo(Request from, const v1::Undo& request, Instant now, Outbox& out);
  std::optional<std::uint32_t> free_undo_to(rules::Seat seat) const;
  // The seat of somebody who plays it in a game that goes on; none: refused.
  std::optional<rules::Seat> player_of(Request from, Outbox& out);
  void append_done(const StorageReply& reply, Instant now, Outbox& out);
  void apply_step(const PendingStep& pending, Instant now, Outbox& out);
  void take_held_requests(Outbox& out);
  void storage_is_away(const PendingStep& pending, const StorageReply& reply, Instant now, Outbox& out);
  void finish(Instant now, Outbox& out);
  void keep_snapshot(Outbox& out);
  void lose_game(Request from, const StorageReply& reply, Outbox& out);
  void claim_done(const StorageReply& reply, Instant now, Outbox& out);
  void load_done(const StorageReply& reply, Instant now, Outbox& out);
  void wake_failed(StorageError error, std::string_view why, Outbox& out);

  // ---- room_absence.cpp: answers nobody has to ask for.
  // Called whenever something has happened: writes the one entry that is due now, if any is and nothing else
  // is being written.
  void go_on(Instant now, Outbox& out);
  std::optional<Entry> due(Instant now) const;
  std::optional<Entry> return_due(Instant now) const;
  std::optional<Entry> time_out_due(Instant now) const;
  std::optional<Entry> bot_due(Instant now) const;
  std::optional<Entry> resume_due(Instant now) const;
  std::optional<Entry> stop_due(Instant now) const;
  Deed giving_up() const;                                      // what becomes of a seat whose player resigns
  void note_absence(const Entry& entry);                       // what has just been written
  void come_back(rules::Seat seat, Instant now, Outbox& out);  // somebody sits down on it
  bool goes_to_bot(rules::Seat seat) const;                    // as soon as it is stored
  void resign(Request from, Instant now, Outbox& out);
  void autoplay(Request from, const v1::Autoplay& request, Instant now, Outbox& out);

  // ---- room_votes.cpp: what the table agrees on.
  Table table() const;
  bool makes_sense(const v1::Propose& what) const;
  void propose(Request from, const v1::Propose& request, Outbox& out);
  void vote(Request from, const v1::Vote& request, Outbox& out);
  void review_proposal(Outbox& out);  // drops one that has become pointless
  std::optional<Entry> agreed_due(Instant now) const;

  // ---- room_show.cpp: what is sent.
  void resync(Request from, const v1::Resync& request, Instant now, Outbox& out);
  void write_state(v1::RoomState& out) const;
  void write_people(v1::RoomState& out) const;
  void write_game(rules::Seat viewer, std::optional<std::uint32_t> held_version, Instant now,
                  v1::GameUpdate& out) const;
  // What goes with every update: the decision, the undo that is open, the clocks.
  void write_present(rules::Seat viewer, Instant now, v1::GameUpdate& out) const;
  void tell_all(const v1::ServerMessage& message, Request asked, Outbox& out,
                SessionId told_already = 0) const;
  // Sends the room's state to all and tells the lists. Whoever asked for it gets it as the answer.
  void show_state(Outbox& out, Request asked = {}, SessionId told_already = 0) const;
  void show_state_to(Request asked, Outbox& out) const;  // to one person, as the answer
  void show_step(const PendingStep& pending, const rules::State& before, Instant now, Outbox& out);
  void show_game(Instant now, Outbox& out) const;
  void show_present(Instant now, Outbox& out) const;  // of a game that has not moved
  template <class Write>                              // Write: (viewer's seat, GameUpdate& out)
  void show_each_viewer(Request asked, Outbox& out, Write write, bool spectators = true) const;

  // ---- room_watch.cpp: spectators who see the game with a delay.
  bool is_behind(rules::Seat viewer) const;
  std::uint32_t version_for(rules::Seat viewer) const;  // that the viewer may know
  void begin_delay();
  void show_later(const Step& step, const rules::State& before, Outbox& out);
  void tell_spectators(const Frame& update, Outbox& out) const;
  void catch_up(Outbox& out);

  House* house_;
  RoomId id_;
  v1::RoomOptions options_;
  Stage stage_ = Stage::lobby;
  std::vector<SeatHolder> seats_;
  std::vector<Occupant> occupants_;
  std::vector<Person> people_;
  std::uint32_t last_person_ = 0;
  TokenHash founder_{};
  TokenHash owner_{};     // before the start
  Instant owner_left_{};  // before the start; meaningful while none of the owner's connections is here
  Door door_;             // before the start
  std::string invite_;    // drawn, and not yet sent
  Players barred_, muted_;
  Chat chat_;
  std::array<SeatPlan, rules::kMaxSeats> plans_;
  Delay delay_;
  std::vector<Request> record_askers_;  // wait for storage
  RoomId rematch_;
  rules::Seed seed_{};
  Instant empty_since_{};  // meaningful while nobody is here
  bool idle_ = false;      // woken for nobody's sake

  std::optional<Game> game_;
  std::uint64_t epoch_ = 0;            // under which the game may be appended to
  std::uint64_t snapshot_covers_ = 1;  // records that the latest one stands for; the opening needs none
  bool waits_for_storage_ = false;
  std::unique_ptr<PendingStart> pending_start_;
  Spares<PendingStep>::Loan pending_step_;     // large, and not there most of the time
  std::vector<HeldRequest> held_requests_;     // arrived while a step was pending, in their order
  std::vector<WaitingJoin> waiting_joins_;     // arrived while the room was waking
  std::optional<Instant> clocks_stand_until_;  // storage is away; then they go on by themselves
  std::optional<Proposal> proposal_;
  std::uint32_t last_proposal_ = 0;
  rules::SeatMask returning_ = 0;  // owners who have come back to seats that bots play
  bool stopping_ = false;          // the server does
  bool stopped_ = false;           // and the clocks are written down
  bool lost_ = false;              // this object is no longer the game's owner
};

}  // namespace landsraad::room
