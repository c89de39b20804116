#include "tests/durability/server.h"

#include <signal.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

#include "tests/e2e/table.h"

namespace landsraad::durability {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kUntilListening{60};  // under sanitizers, on a busy machine
constexpr seconds kUntilStopped{60};
constexpr milliseconds kPoll{2};

// The port in the line that says where the server listens; 0 while there is none.
std::uint16_t port_in(const std::string& log) {
  constexpr std::string_view marker = "listening on ws://127.0.0.1:";
  std::ifstream file(log);
  for (std::string line; std::getline(file, line) && !file.eof();) {  // a line without its end is not whole
    const std::size_t found = line.find(marker);
    if (found != std::string::npos)
      return static_cast<std::uint16_t>(std::atoi(line.c_str() + found + marker.size()));
  }
  return 0;
}

}  // namespace

Server::Server(std::string program, std::string database, std::string folder)
    : program_(std::move(program)), database_(std::move(database)), folder_(std::move(folder)) {}

void Server::start() {
  ++starts_;
  process_ = e2e::Process({program_, "--address", "127.0.0.1", "--port", std::to_string(address_.port),
                           "--metrics-port", "off", "--database", database_, "--threads", "2"},
                          log());
}

const load::Address& Server::wait_until_listening() {
  const auto deadline = std::chrono::steady_clock::now() + kUntilListening;
  while (std::chrono::steady_clock::now() < deadline && process_.running()) {
    if (const std::uint16_t port = port_in(log()); port != 0) {
      address_.port = port;
      return address_;
    }
    std::this_thread::sleep_for(kPoll);
  }
  throw e2e::Failure{"the server does not listen, see " + log()};
}

std::string Server::start_in_vain() {
  start();
  const auto code = process_.wait(kUntilListening);
  if (!code || code == 0) throw e2e::Failure{"the server should not have started, see " + log()};
  std::ostringstream text;
  text << std::ifstream(log()).rdbuf();
  return text.str();
}

void Server::stop() {
  process_.send(SIGTERM);
  if (process_.wait(kUntilStopped) != 0) throw e2e::Failure{"the server did not stop in order, see " + log()};
}

}  // namespace landsraad::durability
