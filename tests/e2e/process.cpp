#include "tests/e2e/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

namespace landsraad::e2e {

namespace {

constexpr std::chrono::milliseconds kPoll{10};

[[noreturn]] void become(const std::vector<std::string>& command, const std::string& log, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // the parent died before the line above
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (out < 0) _exit(127);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

Process::Process(const std::vector<std::string>& command, const std::string& log) {
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) become(command, log, parent);
  if (pid_ < 0) {
    std::perror("fork");
    std::abort();
  }
}

Process::~Process() { kill_now(); }

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), exit_code_(std::exchange(other.exit_code_, std::nullopt)) {}

Process& Process::operator=(Process&& other) noexcept {
  if (this != &other) {
    kill_now();
    pid_ = std::exchange(other.pid_, -1);
    exit_code_ = std::exchange(other.exit_code_, std::nullopt);
  }
  return *this;
}

bool Process::collect(bool block) {
  if (pid_ < 0) return true;
  int status = 0;
  if (waitpid(pid_, &status, block ? 0 : WNOHANG) != pid_) return false;
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  pid_ = -1;
  return true;
}

bool Process::running() { return !collect(false); }

void Process::send(int signal) {
  if (running()) ::kill(pid_, signal);
}

std::optional<int> Process::wait(std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (running() && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(kPoll);
  return running() ? std::nullopt : exit_code_;
}

void Process::kill_now() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  collect(true);
}

}  // namespace landsraad::e2e
