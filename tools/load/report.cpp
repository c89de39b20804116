#include "tools/load/report.h"

#include <cstdio>
#include <fstream>

namespace landsraad::load {

namespace {

using Figure = std::optional<double>;

const char* name(Target target) {
  switch (target) {
    case Target::floor:
      return "floor";
    case Target::disk:
      return "disk";
    case Target::server:
      return "server";
  }
  return "";
}

const Measurement* floor_of(const Measurement& server, const std::vector<Measurement>& all) {
  for (const Measurement& other : all)
    if (other.target == Target::floor && other.mode == server.mode && other.rooms == server.rooms)
      return &other;
  return nullptr;
}

Figure ratio(const Figure& above, const Figure& below) {
  if (!above || !below || *below <= 0) return std::nullopt;
  return *above / *below;
}

Figure cpu_ratio(const Measurement& server, const std::vector<Measurement>& all) {
  if (server.target == Target::floor) return std::nullopt;
  const Measurement* floor = floor_of(server, all);
  return floor == nullptr ? std::nullopt : ratio(server.cpu_us, floor->cpu_us);
}

std::string text(const Figure& figure, int decimals) {
  if (!figure) return "-";
  char out[40];
  std::snprintf(out, sizeof(out), "%.*f", decimals, *figure);
  return out;
}

void print_figure(const std::string& name, const Figure& figure, const char* unit) {
  if (figure) std::printf("bench: %s %.4g %s\n", name.c_str(), *figure, unit);
}

void print_play_figures(const Measurement& server, const std::vector<Measurement>& all) {
  // The first row of the targets has the plain name.
  const bool usual = server.mode == Mode::saturated && server.rooms == 50;
  const std::string of =
      usual ? "" : "_" + std::to_string(server.rooms) + "_" + std::string(name(server.mode));
  print_figure("cpu_per_action_vs_floor" + of, cpu_ratio(server, all), "x");
  print_figure("cpu_per_action" + of, server.cpu_us, "us");
  if (const Measurement* floor = floor_of(server, all))
    print_figure("floor_cpu_per_action" + of, floor->cpu_us, "us");
  print_figure("actions_per_second" + of, server.actions_per_second(), "1/s");
  print_figure("latency_p50" + of, server.p50, "us");
  print_figure("latency_p99" + of, server.p99, "us");
  print_figure("latency_p999" + of, server.p999, "us");
}

}  // namespace

void print_table(const std::vector<Measurement>& measurements) {
  std::printf("%-7s %-10s %6s %10s %11s %9s %9s %9s %9s %9s %9s\n", "", "", "rooms", "actions/s",
              "CPU us/act", "x floor", "p50 us", "p99 us", "p99.9 us", "B/conn", "B/room");
  for (const Measurement& each : measurements) {
    const std::string rate = each.actions > 0 ? text(each.actions_per_second(), 0) : "-";
    std::printf("%-7s %-10s %6zu %10s %11s %9s %9s %9s %9s %9s %9s\n", name(each.target), name(each.mode),
                each.rooms, rate.c_str(), text(each.cpu_us, 1).c_str(),
                text(cpu_ratio(each, measurements), 2).c_str(), text(each.p50, 0).c_str(),
                text(each.p99, 0).c_str(), text(each.p999, 0).c_str(), text(each.connection_bytes, 0).c_str(),
                text(each.room_bytes, 0).c_str());
    if (each.first_round_cpu_us)
      std::printf("        CPU us/act in the first round %s, in the last %s\n",
                  text(each.first_round_cpu_us, 1).c_str(), text(each.last_round_cpu_us, 1).c_str());
  }
}

bool write_csv(const std::string& file, const std::vector<Measurement>& measurements) {
  std::ofstream out(file);
  out << "target,mode,rooms,connections,seconds,actions,games,actions_per_s,cpu_us_per_action,"
         "cpu_vs_floor,p50_us,p99_us,p999_us,bytes_per_connection,bytes_per_room,first_round_cpu_us,"
         "last_round_cpu_us\n";
  const auto cell = [](const Figure& figure, int decimals) {
    return "," + (figure ? text(figure, decimals) : std::string());
  };
  for (const Measurement& each : measurements)
    out << name(each.target) << "," << name(each.mode) << "," << each.rooms << "," << each.connections
        << cell(each.seconds, 2) << "," << each.actions << "," << each.games
        << cell(each.actions_per_second(), 1) << cell(each.cpu_us, 2)
        << cell(cpu_ratio(each, measurements), 3) << cell(each.p50, 1) << cell(each.p99, 1)
        << cell(each.p999, 1) << cell(each.connection_bytes, 0) << cell(each.room_bytes, 0)
        << cell(each.first_round_cpu_us, 2) << cell(each.last_round_cpu_us, 2) << "\n";
  out.close();
  return !out.fail();
}

void print_figures(const std::vector<Measurement>& measurements) {
  for (const Measurement& each : measurements) {
    if (each.target == Target::floor) {
      if (each.mode == Mode::idle)
        print_figure("floor_memory_per_connection", each.connection_bytes, "bytes");
      continue;
    }
    if (each.target == Target::disk) {
      print_figure("disk_cpu_per_sync", each.cpu_us, "us");
      print_figure("disk_sync_p50", each.p50, "us");
      print_figure("disk_sync_p99", each.p99, "us");
      continue;
    }
    switch (each.mode) {
      case Mode::saturated:
      case Mode::paced:
        print_play_figures(each, measurements);
        if (each.mode == Mode::paced) print_figure("memory_per_room", each.room_bytes, "bytes");
        break;
      case Mode::idle:
        print_figure("memory_per_connection", each.connection_bytes, "bytes");
        break;
      case Mode::flatness:
        print_figure("cpu_last_round_vs_first", ratio(each.last_round_cpu_us, each.first_round_cpu_us), "x");
        break;
    }
  }
}

}  // namespace landsraad::load
