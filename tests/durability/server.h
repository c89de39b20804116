// The server under test: started on one database again and again, and killed.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "tests/e2e/process.h"
#include "tools/load/loop.h"

namespace landsraad::durability {

class Server {
 public:
  // `database` is the file of games; logs go to `folder`.
  Server(std::string program, std::string database, std::string folder);

  void start();
  // Waits until it listens, on the same port every time. Throws e2e::Failure if it does not.
  const load::Address& wait_until_listening();
  void kill() { process_.kill_now(); }
  // Starts it and waits until it gives up; what it says then. Throws e2e::Failure if it does not.
  std::string start_in_vain();
  // SIGTERM; throws e2e::Failure unless it ends with exit code 0.
  void stop();

 private:
  std::string log() const { return folder_ + "/server_" + std::to_string(starts_) + ".log"; }

  std::string program_, database_, folder_;
  load::Address address_{"127.0.0.1", 0};
  int starts_ = 0;
  e2e::Process process_;
};

}  // namespace landsraad::durability
