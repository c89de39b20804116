// A child process whose output goes to a file and that never outlives us.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace landsraad::e2e {

class Process {
 public:
  Process() = default;
  // Starts command[0] with the rest as its arguments; standard output and error are appended to `log`.
  Process(const std::vector<std::string>& command, const std::string& log);
  ~Process();
  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;

  bool running();
  void send(int signal);
  // Waits until it has ended; its exit code, or 128 + the signal that ended it. None if it still runs.
  std::optional<int> wait(std::chrono::milliseconds patience);
  void kill_now();  // SIGKILL, and waits for the end

 private:
  bool collect(bool block);

  pid_t pid_ = -1;
  std::optional<int> exit_code_;
};

}  // namespace landsraad::e2e
