// How far long work has come, for a person who waits at a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>

namespace landsraad {

// One line that is written over and over: "games  [#####           ]  31 of 100". It appears when the work
// takes longer than kShownAfter, and is gone when the object is.
class Progress {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds kShownAfter{1000};
  static constexpr std::chrono::milliseconds kShownAgainAfter{100};

  // Writes nothing at all if nobody `watches`. `out` must outlive it.
  Progress(std::ostream& out, bool watched, std::string unit,
           std::function<Time()> now = std::chrono::steady_clock::now);
  // On standard error, if that is a terminal.
  explicit Progress(std::string unit);
  ~Progress() { hide(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(std::uint64_t done, std::uint64_t all);
  // Makes way for other lines; the next show() brings it back.
  void hide();

 private:
  std::ostream& out_;
  bool watched_;
  std::string unit_;
  std::function<Time()> now_;
  Time next_;
  bool visible_ = false;
};

}  // namespace landsraad
