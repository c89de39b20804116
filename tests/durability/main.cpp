// Real servers and what happens to them: nothing that a player was told may be lost.
//
//   landsraad_durability RUN SERVER FOLDER [--seed N] [--rooms N] [--kills N] [--peace MS] [--think MS]
//
//   crash      kill -9 at random moments, under load; the server starts again at once
//   full_disk  the disk fills up and is emptied again
//
// At every crash and at the end the database is compared with what the players were told.
#include <signal.h>
#include <sodium.h>
#include <sys/resource.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <stdexcept>

#include "tests/durability/runs.h"
#include "tests/e2e/table.h"

namespace {

using namespace landsraad;
using durability::Options;

constexpr int kSkipped = 77;  // CTest's SKIP_RETURN_CODE

// Takes one "--name value"; whether it knows the name and the value is a number.
bool take(Options& options, std::string_view name, std::string_view value) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size()) return false;
  if (name == "--seed")
    options.seed = number;
  else if (name == "--rooms")
    options.rooms = number;
  else if (name == "--kills")
    options.kills = static_cast<int>(number);
  else if (name == "--peace")
    options.peace = std::chrono::milliseconds(number);
  else if (name == "--think")
    options.think = std::chrono::milliseconds(number);
  else
    return false;
  return true;
}

bool read_options(int argc, char** argv, Options& options) {
  if (argc < 4 || argc % 2 != 0) return false;
  options.run = argv[1];
  options.server = argv[2];
  options.folder = argv[3];
  options.seed = std::random_device{}();
  for (int i = 4; i + 1 < argc; i += 2)
    if (!take(options, argv[i], argv[i + 1])) return false;
  return options.run == "crash" || options.run == "full_disk";
}

// Two hundred connections, and what the database needs.
void allow_many_files() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

int run(const Options& options) {
  std::filesystem::remove_all(options.folder);
  std::filesystem::create_directories(options.folder);
  if (options.run == "full_disk") return durability::run_full_disk(options) ? 0 : kSkipped;
  durability::run_crash(options);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!read_options(argc, argv, options) || sodium_init() < 0) {
    std::fprintf(stderr,
                 "usage: landsraad_durability crash|full_disk SERVER FOLDER "
                 "[--seed N] [--rooms N] [--kills N] [--peace MS] [--think MS]\n");
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  allow_many_files();
  std::printf("seed %llu\n", static_cast<unsigned long long>(options.seed));
  std::fflush(stdout);
  try {
    return run(options);
  } catch (const e2e::Failure& failure) {
    std::fprintf(stderr, "%s: %s; logs are in %s\n", options.run.c_str(), failure.why.c_str(),
                 options.folder.c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", options.run.c_str(), error.what());
  }
  return 1;
}
