#include "tools/load/disk.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include "tools/load/process.h"

namespace landsraad::load {

namespace {

constexpr std::size_t kBytes = 2 * 4096;
constexpr off_t kPlaces = 512;  // written over and over, as a log that begins afresh is

class File {
 public:
  explicit File(const std::string& path) : descriptor_(::open(path.c_str(), O_RDWR | O_CREAT, 0600)) {
    for (off_t place = 0; place < kPlaces; ++place) write(place);
    sync();
  }
  ~File() { ::close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void write(off_t place) const {
    const std::string pages(kBytes, 'x');
    const off_t at = place % kPlaces * static_cast<off_t>(kBytes);
    if (::pwrite(descriptor_, pages.data(), kBytes, at) != static_cast<ssize_t>(kBytes)) fail();
  }
  void sync() const {
    if (::fdatasync(descriptor_) != 0) fail();
  }

 private:
  static void fail() { throw std::runtime_error(std::string("disk: cannot write: ") + std::strerror(errno)); }

  int descriptor_;
};

std::chrono::nanoseconds cpu_of_this_thread() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

}  // namespace

Measurement measure_disk(const Options& options) {
  const Folder folder(options.folder);
  const File file(folder.path() + "/sync");
  Measurement result{.target = Target::disk, .mode = options.mode, .rooms = options.rooms};
  const auto pace = std::chrono::nanoseconds(std::chrono::seconds(1)) / static_cast<int>(options.rooms);
  std::chrono::nanoseconds cpu{};
  std::vector<std::uint32_t> latencies;
  const Clock::time_point begun = Clock::now(), end = begun + options.seconds;
  show_progress("disk, " + std::to_string(options.rooms) + " syncs a second");
  for (Clock::time_point next = begun; next < end; next += pace) {
    std::this_thread::sleep_until(next);
    const auto cpu_before = cpu_of_this_thread();
    const Clock::time_point before = Clock::now();
    file.write(static_cast<off_t>(result.actions++));
    file.sync();
    latencies.push_back(static_cast<std::uint32_t>((Clock::now() - before) / std::chrono::nanoseconds(100)));
    cpu += cpu_of_this_thread() - cpu_before;
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  result.cpu_us =
      std::chrono::duration<double, std::micro>(cpu).count() / static_cast<double>(result.actions);
  take_latencies(latencies, result);
  return result;
}

}  // namespace landsraad::load
