// One measurement of one server.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/load/options.h"

namespace landsraad::load {

enum class Target : std::uint8_t { floor, disk, server };

// Figures that do not apply or are not known are absent.
struct Measurement {
  Target target = Target::server;
  Mode mode = Mode::saturated;
  std::size_t rooms = 0;
  std::size_t connections = 0;
  double seconds = 0;
  std::uint64_t actions = 0;
  std::uint64_t games = 0;
  std::optional<double> cpu_us;            // of the server, for each action
  std::optional<double> p50, p99, p999;    // microseconds from send to own answer
  std::optional<double> connection_bytes;  // resident, for each idle connection
  std::optional<double> room_bytes;        // resident, for each room, beyond its connections
  std::optional<double> first_round_cpu_us, last_round_cpu_us;

  double actions_per_second() const { return seconds > 0 ? static_cast<double>(actions) / seconds : 0; }
};

// Starts the target, drives it as `options` say, ends it. Throws a sentence if that does not work.
Measurement measure(const Options& options, Target target);

// p50, p99 and p999 of latencies in tenths of a microsecond, which are sorted for it.
void take_latencies(std::vector<std::uint32_t>& latencies, Measurement& result);

// Says on standard error how far a measurement is; a line that replaces itself.
void show_progress(const std::string& line);

}  // namespace landsraad::load
