// Rooms full of players who play random games, one after the other, over real connections: what they are told
// goes into ledgers. Servers may die under them; they come back, repeat the act they have no answer to, and
// go on.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "landsraad/v1/protocol.pb.h"
#include "tests/durability/ledger.h"
#include "tools/load/loop.h"

namespace landsraad::durability {

struct Tally {
  std::uint64_t acknowledged = 0;  // acts that were answered as done
  std::uint64_t found_done = 0;    // acts that the server died over, and that turned out to be stored
  std::uint64_t refused = 0;       // requests that were told that nothing can be stored
  std::uint64_t games_over = 0;
  bool server_lives = false;  // so that nobody should be disconnected
  std::string failure;        // the first one

  void fail(const std::string& why) {
    if (failure.empty()) failure = why;
  }
};

// By id of the game.
using Ledgers = std::map<std::string, Ledger>;

class Room {
 public:
  // `number` decides how many seats it has and, with the seed, what its players do. `think` is the time from
  // an answer to the next act.
  Room(load::Loop& loop, Tally& tally, Ledgers& ledgers, std::uint64_t seed, std::uint32_t number,
       std::chrono::milliseconds think);

  void connect(const load::Address& address);
  bool connected() const;  // any seat
  // No new game follows the present one.
  void end_with_this_game();
  bool done() const { return stage_ == Stage::done; }
  std::uint64_t refused() const { return refused_; }
  std::string position() const;  // for who wonders why it does not go on

 private:
  enum class Stage : std::uint8_t {
    gathering,  // no game is known to be stored
    playing,
    leaving,  // the game is over
    done,
  };

  struct Seat final : load::Speaker {
    Room* room = nullptr;
    std::uint32_t number = 0;
    std::string player_token;

    // On the present connection.
    std::optional<load::Connection> connection;
    bool lost_connection = true;
    bool greeted = false, entering = false, joined = false;
    std::uint64_t last_request = 0;
    std::uint64_t act_request = 0;
    v1::LegalActions decision;  // without actions: none

    void opened() override { room->say_hello(*this); }
    void received(std::string_view message) override { room->on_message(*this, message); }
    void lost(const std::string& why) override { room->on_lost(*this, why); }
  };

  v1::ClientMessage ask(Seat& seat) const;
  void send(Seat& seat, const v1::ClientMessage& message);
  void later(std::chrono::milliseconds time, std::function<void()> what);
  void say_hello(Seat& seat);
  void enter(Seat& seat);
  void begin_anew();

  void on_message(Seat& seat, std::string_view bytes);
  void on_welcome(Seat& seat, const v1::Welcome& welcome);
  void on_joined(Seat& seat, const v1::RoomJoined& joined);
  void take_part(Seat& seat, const v1::RoomJoined& joined);
  void on_state(const v1::RoomState& state);
  void on_update(Seat& seat, const v1::GameUpdate& update);
  void on_left(Seat& seat);
  void on_error(Seat& seat, const v1::Error& error);
  void on_act_refused(Seat& seat, const v1::Error& error);
  void on_lost(Seat& seat, const std::string& why);

  void start();
  void proceed();
  void act(Seat& seat);
  void send_act_in_doubt();
  void settle();
  void end_if_over();
  void fail(const std::string& why);

  load::Loop& loop_;
  Tally& tally_;
  Ledgers& ledgers_;
  std::uint32_t number_;
  std::mt19937_64 chance_;
  std::chrono::milliseconds think_;
  std::vector<Seat> seats_;

  Stage stage_ = Stage::gathering;
  bool goes_on_ = true;
  std::string id_;
  bool room_found_ = false;  // by seat 0, on this connection: the others may follow
  bool start_asked_ = false;
  bool over_ = false;
  Ledger* ledger_ = nullptr;            // once the game is known to be stored
  bool doubt_outlived_server_ = false;  // the act may be stored, though nobody was told
  bool thinking_ = false;
  std::uint32_t known_version_ = 0;  // when the present server began
  std::uint64_t servers_ = 0;        // so that late timers know that they are late
  std::uint64_t refused_ = 0;
};

class Crowd {
 public:
  Crowd(std::uint64_t seed, std::uint32_t rooms, std::chrono::milliseconds think);

  void connect(const load::Address& address);
  // Until `done` says so or the time has come; whether it was done. Throws e2e::Failure if anything is not as
  // it must be.
  bool play(std::chrono::milliseconds time, const std::function<bool()>& done);
  // After the server was killed: takes in what it still said.
  void hear_the_last();
  void end_with_these_games();
  bool all_done() const;

  const Tally& tally() const { return tally_; }
  const Ledgers& ledgers() const { return ledgers_; }
  const std::vector<std::unique_ptr<Room>>& rooms() const { return rooms_; }

 private:
  load::Loop loop_;
  Tally tally_;
  Ledgers ledgers_;
  std::vector<std::unique_ptr<Room>> rooms_;
};

}  // namespace landsraad::durability
