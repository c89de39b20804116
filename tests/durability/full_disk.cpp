// A disk that fills up while games are played: nobody is disconnected, nothing is lost, and once there is
// room again the games go on by themselves.
#include <errno.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "tests/durability/crowd.h"
#include "tests/durability/runs.h"
#include "tests/durability/server.h"
#include "tests/durability/verdict.h"
#include "tests/e2e/table.h"

namespace landsraad::durability {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr const char* kDiskSize = "size=48m";
constexpr int kTimesFull = 3;
constexpr std::uint64_t kRefusalsOfEach = 3;  // room, before the disk is emptied
constexpr std::uint64_t kActsBetween = 500;
constexpr seconds kPatience{300};

// A small file system in memory, seen by this process and its children only.
bool mount_disk(const std::string& folder) {
  const uid_t user = geteuid();
  const int flags = user == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER;
  if (unshare(flags) == 0 && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
      mount("tmpfs", folder.c_str(), "tmpfs", 0, kDiskSize) == 0)
    return true;
  std::printf("skipped: this machine lets nobody mount a small disk here (%s)\n", std::strerror(errno));
  return false;
}

// What somebody else keeps on the same disk.
class Ballast {
 public:
  explicit Ballast(std::string path) : path_(std::move(path)) {}

  // Takes all room that is left.
  void fill() {
    std::ofstream file(path_, std::ios::binary | std::ios::app);
    const std::string page(4096, 'x');
    while (file.write(page.data(), static_cast<std::streamsize>(page.size())).flush()) {
    }
  }
  void remove() { std::filesystem::remove(path_); }

 private:
  std::string path_;
};

bool each_was_refused(const Crowd& crowd, const std::vector<std::uint64_t>& before) {
  for (std::size_t n = 0; n < before.size(); ++n)
    if (crowd.rooms()[n]->refused() < before[n] + kRefusalsOfEach) return false;
  return true;
}

void wait(Crowd& crowd, const std::string& for_what, const std::function<bool()>& done) {
  if (!crowd.play(kPatience, done)) throw e2e::Failure{"waited in vain until " + for_what};
}

void wait_for_acts(Crowd& crowd) {
  const std::uint64_t enough = crowd.tally().acknowledged + kActsBetween;
  wait(crowd, "the games go on", [&] { return crowd.tally().acknowledged >= enough; });
}

void wait_for_refusals(Crowd& crowd) {
  std::vector<std::uint64_t> before;
  for (const auto& room : crowd.rooms()) before.push_back(room->refused());
  wait(crowd, "every room is refused", [&] { return each_was_refused(crowd, before); });
}

// A server that cannot write says so and does not start.
void check_read_only_disk(Server& server, const std::string& disk) {
  if (mount(nullptr, disk.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) != 0)
    throw e2e::Failure{"the disk cannot be made read-only"};
  const std::string said = server.start_in_vain();
  if (said.find("Read-only file system") == std::string::npos)
    throw e2e::Failure{"on a read-only disk the server says: " + said};
}

}  // namespace

bool run_full_disk(const Options& options) {
  const std::string disk = options.folder + "/disk";
  std::filesystem::create_directory(disk);
  if (!mount_disk(disk)) return false;
  const std::string database = disk + "/games.sqlite";
  Server server(options.server, database, options.folder);
  Crowd crowd(options.seed, options.rooms, options.think);
  Bookkeeper bookkeeper(database);
  Ballast ballast(disk + "/ballast");

  server.start();
  crowd.connect(server.wait_until_listening());
  wait_for_acts(crowd);
  for (int time = 0; time < kTimesFull; ++time) {
    ballast.fill();
    wait_for_refusals(crowd);
    ballast.remove();
    wait_for_acts(crowd);
  }
  // Once more, and this time the server dies over it.
  ballast.fill();
  wait_for_refusals(crowd);
  server.kill();
  crowd.hear_the_last();
  ballast.remove();
  bookkeeper.compare(crowd.ledgers());

  crowd.end_with_these_games();
  server.start();
  crowd.connect(server.wait_until_listening());
  wait(crowd, "all games are over", [&] { return crowd.all_done(); });
  server.stop();
  const std::size_t games = bookkeeper.close_the_books(crowd.ledgers());
  check_read_only_disk(server, disk);
  std::printf(
      "the disk was full %d times; %llu requests refused, %llu acts acknowledged; all %zu games came to "
      "their end and play again with their hashes\n",
      kTimesFull + 1, static_cast<unsigned long long>(crowd.tally().refused),
      static_cast<unsigned long long>(crowd.tally().acknowledged), games);
  return true;
}

}  // namespace landsraad::durability
