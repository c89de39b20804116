// One seat as a client of the protocol: server messages in, client messages out. No socket, no clock.
//
// The player creates or joins the room, takes its seat, keeps its view by folding diffs, and answers every
// decision. After a lost connection it says what it still holds and goes on from there.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <string>

#include "landsraad/v1/game.pb.h"
#include "landsraad/v1/protocol.pb.h"
#include "tools/bot/options.h"
#include "tools/bot/seat_tokens.h"

namespace landsraad::bot {

// A message to send, not before `after` has passed.
struct Outgoing {
  v1::ClientMessage message;
  std::chrono::milliseconds after{0};
};

enum class Status : std::uint8_t {
  playing,
  connection_is_useless,  // close it, come back in a moment
  over,                   // the game is over and the final view is complete
  failed,                 // see failure()
};

class Player {
 public:
  // `seats` is shared by all players of the process and outlives them; index = which of its tokens is ours.
  Player(const Options& options, SeatTokens& seats, std::uint32_t index);

  // Whether the room is known, or this player is the one that opens it.
  bool may_connect() const;

  void connected();
  void receive(const v1::ServerMessage& message);
  std::optional<Outgoing> next_message();

  Status status() const { return status_; }
  const std::string& failure() const { return failure_; }

  // The game as this seat sees it, and the room around it.
  const v1::GameView& view() const { return view_; }
  std::uint32_t version() const { return version_; }
  const v1::RoomState& room() const { return room_; }
  std::optional<std::uint32_t> seat() const { return seat_; }
  std::uint32_t index() const { return index_; }
  bool in_game() const { return holds_view_; }
  // What the server committed to when this player first came into the room: SHA-256 of its seed.
  const std::string& commitment() const { return commitment_; }
  // Of the finished game, if options ask for it; the first player gets it for all.
  const std::optional<v1::GameRecord>& record() const { return record_; }

 private:
  v1::ClientMessage& ask(std::chrono::milliseconds after = {});
  void enter_room();
  void take_part();
  void give_ready();
  void take_free_seat();
  void start_when_all_are_ready();
  void resync();
  void answer(const v1::LegalActions& decision);
  void fail(const std::string& why);

  void on_room(const v1::RoomState& room);
  void on_welcome(const v1::Welcome& welcome);
  void on_joined(const v1::RoomJoined& joined);
  void on_seat(const v1::SeatTaken& taken);
  void on_update(const v1::GameUpdate& update);
  void on_error(const v1::Error& error);
  void save_seats();
  void check_whether_over();

  const Options& options_;
  SeatTokens& seats_;
  std::uint32_t index_;
  std::mt19937_64 chance_;

  std::uint64_t last_request_ = 0;
  std::deque<Outgoing> outgoing_;
  Status status_ = Status::playing;
  std::string failure_;

  v1::RoomState room_;
  std::optional<std::uint32_t> seat_;
  bool in_room_ = false;         // on this connection
  bool waits_for_seat_ = false;  // none was free
  bool start_asked_ = false;
  bool record_asked_ = false;
  std::string commitment_;
  std::optional<v1::GameRecord> record_;
  bool holds_view_ = false;
  v1::GameView view_;
  std::uint32_t version_ = 0;
  v1::LegalActions decision_;  // the latest one, to answer it again if the server was busy
};

}  // namespace landsraad::bot
