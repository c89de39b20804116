#include "tools/load/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace landsraad::load {

namespace {

constexpr std::string_view kListening = "listening on ";

std::vector<char*> arguments_of(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  return arguments;
}

}  // namespace

Folder::Folder(const std::string& parent) : path_(parent + "/landsraad-load-XXXXXX") {
  if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make a folder in " + parent);
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Process::Process(const std::vector<std::string>& command, std::size_t listeners) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  std::vector<char*> arguments = arguments_of(command);
  pid_ = fork();
  if (pid_ == 0) {
    dup2(ends[1], STDOUT_FILENO);
    execv(arguments[0], arguments.data());
    std::perror(arguments[0]);
    _exit(127);
  }
  close(ends[1]);
  if (pid_ < 0) throw std::runtime_error("cannot start " + command[0]);
  read_addresses(ends[0], listeners);
  close(ends[0]);
  if (addresses_.size() < listeners) throw std::runtime_error(command[0] + " did not start");
}

void Process::read_addresses(int descriptor, std::size_t listeners) {
  std::string line;
  for (char c = 0; addresses_.size() < listeners && ::read(descriptor, &c, 1) == 1;) {
    if (c != '\n') {
      line.push_back(c);
      continue;
    }
    if (line.starts_with(kListening)) addresses_.push_back(read_address(line.substr(kListening.size())));
    line.clear();
  }
}

Process::~Process() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);  // nothing it has stored is of use to anybody
  waitpid(pid_, nullptr, 0);
}

std::chrono::microseconds Process::cpu() const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/stat");
  std::string line;
  std::getline(file, line);
  // The second field is the program's name in brackets; utime and stime are the 14th and 15th.
  std::istringstream rest(line.substr(line.rfind(')') + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) rest >> skipped;
  std::int64_t user = 0;
  std::int64_t kernel = 0;
  rest >> user >> kernel;
  return std::chrono::microseconds((user + kernel) * 1'000'000 / sysconf(_SC_CLK_TCK));
}

std::uint64_t Process::resident_bytes() const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  file >> size >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

Address read_address(const std::string& url) {
  std::string text = url;
  if (text.starts_with("ws://")) text.erase(0, 5);
  text = text.substr(0, text.find('/'));
  const std::size_t colon = text.find(':');
  const int port = colon == std::string::npos ? 0 : std::atoi(text.c_str() + colon + 1);
  if (port < 1 || port > 65535) throw std::runtime_error("not an address like ws://127.0.0.1:8080: " + url);
  return {text.substr(0, colon), static_cast<std::uint16_t>(port)};
}

}  // namespace landsraad::load
