// A client in the simulation: a closed loop that goes for a seat, plays, and comes back when it is cut off.
//
// What it does next follows from what it knows, so that after any loss it finds its way by itself. It also
// checks what only a client can: that every request is answered once, that diffs fit on, that a listed
// action is accepted.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "landsraad/v1/protocol.pb.h"
#include "tests/simulation/network.h"
#include "tests/simulation/oracle.h"

namespace landsraad::simulation {

// What the players of one room tell each other outside the server.
struct Table {
  v1::RoomOptions options;
  room::RoomId room;         // empty: not opened yet
  std::uint32_t target = 0;  // nobody acts from this version on
};

// What one person remembers, in all their windows.
struct Person {
  std::string name;
  std::string player_token;           // empty: not yet known to the server
  std::string token;                  // of the seat; empty: none, or lost on its way
  room::RoomId room;                  // in which the seat is
  rules::Seat seat = rules::kNoSeat;  // kNoSeat: has none
};

enum class Role : std::uint8_t { host, player, second_tab, spectator };

// How odd clients are. One in so many.
struct Manners {
  std::uint32_t undoes = 8, raises_matters = 50, sends_twice = 12, wrong_version = 40, forges = 40,
                resyncs = 30, leaves = 60, odd_request = 60;
  Span longest_thought = 150ms;
  bool calm = false;  // no oddities at all
};

class Bot final : public ClientEnd {
 public:
  Bot(Clockwork& clock, Chance& chance, Network& network, Oracle& oracle, const Manners& manners,
      Table& table, Person& person, Role role);

  void connect();
  SessionId session() const { return session_; }
  const Table& table() const { return table_; }

  // When everything is still: in the room, nothing unanswered, the newest view and one's decision.
  void check_at_rest();

  // ---- Of the network.
  void arrived(SessionId session, const std::string& frame) override;
  void cut(SessionId session) override;

 private:
  struct Sent {
    v1::ClientMessage message;
    std::uint32_t times = 1;  // the same frame
    std::uint32_t answers = 0, refused_as_repeated = 0;
    bool honest = true;  // a listed action for the version held
  };

  // ---- What to do.
  void look_around();  // every second: tries again what has failed
  void go_on();        // after a while of thought
  void next_request();
  void enter();
  void ask_for_seat();
  void play();
  void undo();
  bool answer_the_table();  // a vote, a pause, one's seat played by a bot; true: has sent something
  void raise_a_matter();
  v1::SeatControl control() const;
  void do_something_odd();
  void send(v1::ClientMessage message, bool honest = true, std::uint32_t times = 1);

  // ---- What has come.
  void take_answer(const v1::ServerMessage& message);
  void take_error(const Sent& sent, v1::ErrorCode code);
  void take(const v1::RoomJoined& joined, const Sent& sent);
  void take(const v1::SeatTaken& taken);
  void take(const v1::GameUpdate& update, bool overlaps = false);
  void take(const v1::RoomState& room);
  void room_is_gone(const room::RoomId& room);
  void token_is_worthless(const room::RoomId& room);
  void fail(const std::string& what);
  std::string who() const;

  Clockwork& clock_;
  Chance& chance_;
  Network& network_;
  Oracle& oracle_;
  const Manners& manners_;
  Table& table_;
  Person& person_;
  Role role_;

  // ---- The connection.
  SessionId session_ = 0;
  bool connected_ = false, greeted_ = false, in_room_ = false, thinking_ = false;
  std::uint64_t last_request_ = 0;
  std::map<std::uint64_t, Sent> open_;  // not answered as often as they were sent
  Instant quiet_until_{};               // after an error: not at once again

  // ---- What it holds, also over connections.
  room::RoomId held_room_;
  rules::Seat seat_ = rules::kNoSeat;  // the view is seen from here
  v1::RoomState room_;
  std::optional<std::uint32_t> version_;
  v1::GameView view_;
  std::uint32_t person_number_ = 0;
  std::optional<std::uint32_t> undo_to_;
  std::optional<v1::LegalActions> decision_;
};

}  // namespace landsraad::simulation
