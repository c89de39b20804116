// Four clients of the bare server that act in turn.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "tools/load/loop.h"
#include "tools/load/tally.h"

namespace landsraad::load {

inline constexpr std::size_t kSeats = 4;

class FloorTable {
 public:
  FloorTable(Loop& loop, Tally& tally, std::uint32_t number, const Address& address);

  bool greeted() const { return opened_ == kSeats; }  // all connections are open
  // Starts to act. `gap` from one action to the next, the first after `delay`; no gap = at once.
  void begin(Clock::duration gap, Clock::duration delay);
  bool playing() const { return begun_; }

 private:
  struct Client final : Speaker {
    FloorTable* table = nullptr;
    std::size_t seat = 0;
    void opened() override { table->on_opened(seat); }
    void received(std::string_view) override { table->on_answer(seat); }
    void lost(const std::string& why) override { table->tally_.fail("floor: " + why); }
  };

  void on_opened(std::size_t seat);
  void on_answer(std::size_t seat);
  void act();

  Loop& loop_;
  Tally& tally_;
  std::string message_;
  std::array<Client, kSeats> clients_;
  std::array<std::optional<Connection>, kSeats> connections_;
  std::size_t opened_ = 0;
  std::array<std::uint64_t, kSeats> answers_{};  // that each seat has got
  std::uint64_t acts_ = 0;
  std::size_t turn_ = 0;
  bool begun_ = false;
  bool acting_ = false;
  Clock::duration gap_{};
  Clock::time_point slot_{};  // of the next action
  Clock::time_point sent_{};
};

}  // namespace landsraad::load
