// A server process and bot processes around one game, as a test moves them about.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/e2e/process.h"

namespace landsraad::e2e {

// Something did not go as it must. The run ends and says why.
struct Failure {
  std::string why;
};

struct Programs {
  std::string server, bot, replay;
};

class Table {
 public:
  // `folder` is emptied: it holds the database, token files and logs of this run.
  Table(Programs programs, std::string folder);

  // Starts the server, on any free port the first time and on the same one afterwards, and waits until it
  // listens.
  void start_server();
  void kill_server() { server_.kill_now(); }
  void stop_server();  // SIGTERM; it must end with exit code 0

  // Starts a proxy (faulty_proxy.py) in front of the server; bots started from now on connect through it.
  void start_proxy(const std::string& script, std::uint64_t seed);

  // Starts a bot with these options beside --url and --token-file, which are the same whenever the same name
  // is started again.
  void start_bot(const std::string& name, const std::vector<std::string>& options);
  void kill_bot(const std::string& name) { bots_[name].kill_now(); }
  bool all_bots_ended();
  // Waits for all bots; each must end with exit code 0.
  void wait_for_bots(std::chrono::seconds patience);

  // The room that the bot has opened; waits until it says so.
  std::string room_opened_by(const std::string& name);

  // Waits until the bot says that the game has begun.
  void wait_for_game(const std::string& name);

  // What the bots printed as their final views, by seat; and whether each saw its seed commitment kept.
  std::map<std::uint32_t, std::string> final_views() const;

  void run_replay(const std::vector<std::string>& options);  // must end with exit code 0

  // Checks the records the bots were given at the end against what each had noted, without the database.
  void verify_records();

  std::string database() const { return folder_ + "/game.sqlite"; }

 private:
  std::string record_of(const std::string& name) const { return folder_ + "/" + name + ".record"; }
  std::string log_of(const std::string& name) const { return folder_ + "/" + name + ".log"; }

  Programs programs_;
  std::string folder_;
  std::string port_ = "0";
  std::string port_of_bots_;  // the proxy's; empty: they connect to the server itself
  int servers_started_ = 0;
  Process server_, proxy_;
  std::map<std::string, Process> bots_;
};

}  // namespace landsraad::e2e
