// One room of the server with its four bots, which play one random game after the other.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>

#include "landsraad/v1/protocol.pb.h"
#include "tools/load/floor_table.h"
#include "tools/load/loop.h"
#include "tools/load/tally.h"
#include "tools/load/update.h"

namespace landsraad::load {

class Room {
 public:
  Room(Loop& loop, Tally& tally, std::uint32_t number, const Address& address);

  bool greeted() const { return greeted_ == kSeats; }  // all bots have said Hello
  // Opens a room and plays; leaves the one before, if it has stopped there after a game. `gap` from one
  // action to the next, the first `delay` after the start of the game; no gap = each action follows at once.
  void begin(Clock::duration gap, Clock::duration delay);
  bool playing() const { return stage_ == Stage::playing; }

  // For measuring parts of a game: the bots stop at the beginning of this round, and after a game.
  void play_up_to(std::int32_t round);
  bool stopped() const { return stage_ == Stage::over || (playing() && round_ >= stop_round_ && !acting_); }

 private:
  enum class Stage : std::uint8_t { greeting, gathering, playing, leaving, over };

  struct Bot final : Speaker {
    Room* room = nullptr;
    std::size_t seat = 0;
    std::uint64_t last_request = 0;
    std::uint64_t ready_request = 0;
    bool asked = false;               // has a decision,
    std::uint32_t asked_version = 0;  // of this version,
    std::string decision;             // which is this LegalActions

    void opened() override { room->say_hello(*this); }
    void received(std::string_view message) override { room->on_message(*this, message); }
    void lost(const std::string& why) override { room->tally_.fail("server: " + why); }
  };

  v1::ClientMessage ask(Bot& bot);
  void send(Bot& bot, const v1::ClientMessage& message);
  void say_hello(Bot& bot);
  void open_room();
  void on_message(Bot& bot, std::string_view message);
  void on_setup(Bot& bot, const v1::ServerMessage& message);
  void on_joined(Bot& bot, const v1::RoomState& room);
  void on_room(Bot& bot, const v1::ServerMessage& message);
  void on_error(Bot& bot, const v1::ServerMessage& message);
  void on_left();
  void on_update(Bot& bot, const Update& update);
  void leave();
  void proceed();
  void act(Bot& bot);

  Loop& loop_;
  Tally& tally_;
  std::uint32_t number_;
  std::array<Bot, kSeats> bots_;
  std::array<std::optional<Connection>, kSeats> connections_;
  std::mt19937 chance_;

  Stage stage_ = Stage::greeting;
  std::size_t greeted_ = 0, ready_ = 0, left_ = 0;
  std::string id_;
  std::uint32_t version_ = 0;
  std::int32_t round_ = 0;
  std::int32_t stop_round_ = std::numeric_limits<std::int32_t>::max();
  bool one_game_ = false;

  bool acting_ = false;    // an Act is on its way,
  std::size_t actor_ = 0;  // of this seat,
  std::uint64_t act_request_ = 0;
  Clock::time_point sent_{};  // since then
  bool waiting_ = false;      // for the slot
  Clock::duration gap_{}, delay_{};
  Clock::time_point slot_{};  // of the next action
  std::string outgoing_;      // reused
};

}  // namespace landsraad::load
