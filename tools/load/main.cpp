// landsraad-load: rooms full of bots, and what they cost.
#include <signal.h>
#include <sys/resource.h>

#include <cstdio>
#include <exception>
#include <vector>

#include "tools/load/disk.h"
#include "tools/load/measure.h"
#include "tools/load/report.h"

namespace {

using namespace landsraad::load;

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

// The usual 1024 files would end below 256 rooms.
void allow_many_files() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

std::vector<Options> plan(const Options& options) {
  if (!options.standard) return {options};
  struct Part {
    Mode mode;
    std::size_t rooms;
  };
  std::vector<Options> parts;
  for (const Part part : {Part{Mode::saturated, 50}, Part{Mode::saturated, 500}, Part{Mode::paced, 500},
                          Part{Mode::idle, 500}, Part{Mode::flatness, 500}}) {
    Options& each = parts.emplace_back(options);
    each.mode = part.mode;
    each.rooms = part.rooms;
  }
  return parts;
}

int run(const Options& options) {
  std::vector<Measurement> measurements;
  for (const Options& part : plan(options)) {
    if (!part.floor.empty() && part.mode != Mode::flatness)
      measurements.push_back(measure(part, Target::floor));
    if (!part.server.empty() && part.mode == Mode::paced) measurements.push_back(measure_disk(part));
    measurements.push_back(measure(part, Target::server));
  }
  show_progress("");
  std::fprintf(stderr, "\r");
  print_table(measurements);
  if (!options.csv.empty() && !write_csv(options.csv, measurements)) {
    std::fprintf(stderr, "landsraad-load: cannot write %s\n", options.csv.c_str());
    return kFailed;
  }
  std::printf("\n");
  print_figures(measurements);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const auto parsed = parse_options(argc, argv);
  if (std::holds_alternative<HelpWanted>(parsed)) {
    std::fputs(kHelp, stdout);
    return 0;
  }
  if (const auto* bad = std::get_if<BadUsage>(&parsed)) {
    std::fprintf(stderr, "landsraad-load: %s\n", bad->line.c_str());
    return kBadUsage;
  }
  signal(SIGPIPE, SIG_IGN);
  allow_many_files();
  try {
    return run(std::get<Options>(parsed));
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "\nlandsraad-load: %s\n", failure.what());
    return kFailed;
  }
}
