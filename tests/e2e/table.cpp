#include "tests/e2e/table.h"

#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

namespace landsraad::e2e {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kUntilListening{60};  // recovery of the database included, under sanitizers
constexpr seconds kUntilStopped{30};
constexpr seconds kUntilRoomOpened{30};
constexpr seconds kUntilReplayed{120};
constexpr milliseconds kPoll{10};

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The word behind the first `marker` in the file; waits until the file has one that is complete.
std::string wait_for_word(const std::string& path, const std::string& marker, seconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < deadline) {
    const std::string text = read_file(path);
    const std::size_t found = text.find(marker);
    const std::size_t end =
        found == std::string::npos ? found : text.find_first_of(" ,\n", found + marker.size());
    if (end != std::string::npos) return text.substr(found + marker.size(), end - found - marker.size());
    std::this_thread::sleep_for(kPoll);
  }
  throw Failure{"no '" + marker + "' in " + path};
}

}  // namespace

Table::Table(Programs programs, std::string folder)
    : programs_(std::move(programs)), folder_(std::move(folder)) {
  std::filesystem::remove_all(folder_);
  std::filesystem::create_directories(folder_);
}

void Table::start_server() {
  const std::string log = log_of("server_" + std::to_string(++servers_started_));
  server_ = Process({programs_.server, "--address", "127.0.0.1", "--port", port_, "--database", database(),
                     "--threads", "2"},
                    log);
  port_ = wait_for_word(log, "listening on ws://127.0.0.1:", kUntilListening);
}

void Table::stop_server() {
  server_.send(SIGTERM);
  const auto code = server_.wait(kUntilStopped);
  if (code != 0) throw Failure{"the server did not stop in order"};
}

void Table::start_proxy(const std::string& script, std::uint64_t seed) {
  const std::string log = log_of("proxy");
  proxy_ = Process({"python3", script, port_, std::to_string(seed)}, log);
  port_of_bots_ = wait_for_word(log, "passing on from 127.0.0.1:", kUntilListening);
}

void Table::start_bot(const std::string& name, const std::vector<std::string>& options) {
  const std::string& port = port_of_bots_.empty() ? port_ : port_of_bots_;
  std::vector<std::string> command{
      programs_.bot,  "--url",        "ws://127.0.0.1:" + port,         "--name",
      name,           "--token-file", folder_ + "/" + name + ".tokens", "--record",
      record_of(name)};
  command.insert(command.end(), options.begin(), options.end());
  bots_[name] = Process(command, log_of(name));
}

bool Table::all_bots_ended() {
  for (auto& [name, bot] : bots_) {
    if (bot.running()) return false;
  }
  return true;
}

void Table::wait_for_bots(seconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (auto& [name, bot] : bots_) {
    const auto left = std::chrono::duration_cast<milliseconds>(deadline - std::chrono::steady_clock::now());
    const auto code = bot.wait(std::max(left, milliseconds(0)));
    if (!code) throw Failure{name + " has not finished the game"};
    if (*code != 0)
      throw Failure{name + " ended with exit code " + std::to_string(*code) + ", see " + log_of(name)};
  }
}

std::string Table::room_opened_by(const std::string& name) {
  return wait_for_word(log_of(name), "room ", kUntilRoomOpened);
}

void Table::wait_for_game(const std::string& name) {
  wait_for_word(log_of(name), "the game has ", kUntilRoomOpened);
}

std::map<std::uint32_t, std::string> Table::final_views() const {
  std::map<std::uint32_t, std::string> views;
  for (const auto& [name, bot] : bots_) {
    std::istringstream lines(read_file(log_of(name)));
    bool seed_matches = false;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string first, verb, digest;
      std::uint32_t seat = 0;
      if (words >> first >> seat >> verb >> digest && first == "seat" && verb == "saw") views[seat] = digest;
      seed_matches = seed_matches || line == "seed matches its commitment";
    }
    if (!seed_matches) throw Failure{name + " did not see the seed that was committed to"};
  }
  return views;
}

void Table::run_replay(const std::vector<std::string>& options) {
  std::vector<std::string> command{programs_.replay};
  command.insert(command.end(), options.begin(), options.end());
  Process replay(command, log_of("replay"));
  if (replay.wait(kUntilReplayed) != 0)
    throw Failure{"landsraad-replay is not content, see " + log_of("replay")};
}

void Table::verify_records() {
  for (const auto& [name, bot] : bots_) {
    const std::string commitment = wait_for_word(log_of(name), "commitment ", kUntilReplayed);
    run_replay({"--verify", record_of(name), "--commitment", commitment});
  }
}

}  // namespace landsraad::e2e
