// Many client connections on one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <string>
#include <string_view>
#include <vector>

namespace landsraad::load {

using Clock = std::chrono::steady_clock;

struct Address {
  std::string host;  // an IPv4 address
  std::uint16_t port = 0;
};

class Loop;

// Who speaks over a connection. Outlives it.
class Speaker {
 public:
  virtual ~Speaker() = default;
  virtual void opened() = 0;                            // the WebSocket handshake is done
  virtual void received(std::string_view message) = 0;  // one whole message
  virtual void lost(const std::string& why) = 0;
};

// One WebSocket. Messages go out at once; what the socket does not take waits.
class Connection {
 public:
  // `subprotocol` may be empty.
  Connection(Loop& loop, Speaker& speaker, const Address& address, std::string_view subprotocol);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(std::string_view message);

  // For the loop.
  void ready(std::uint32_t events);
  int descriptor() const { return descriptor_; }

 private:
  enum class Phase : std::uint8_t { connecting, upgrading, open, lost };

  void flush();
  void read();
  void take_upgrade_answer();
  void take_frames();
  void lose(const std::string& why);

  Loop& loop_;
  Speaker& speaker_;
  int descriptor_ = -1;
  Phase phase_ = Phase::connecting;
  std::string upgrade_;
  std::string outgoing_;
  std::string incoming_;  // begins with a frame that is not whole yet
  std::string message_;   // of a fragmented message, what has come
};

// Epoll and timers.
class Loop {
 public:
  Loop();
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void at(Clock::time_point when, std::function<void()> what);

  // Until `done` says so or the time has come; whether it was `done`.
  bool run(Clock::time_point deadline, const std::function<bool()>& done);

  // For connections.
  void watch(Connection& connection);
  void watch_for_writing(Connection& connection, bool wanted);
  void forget(Connection& connection);
  std::string& scratch() { return scratch_; }  // to read into

 private:
  struct Timer {
    Clock::time_point when;
    std::function<void()> what;
    bool operator>(const Timer& other) const { return when > other.when; }
  };

  void run_timers();
  int wait_time(Clock::time_point deadline) const;

  int epoll_ = -1;
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
  std::vector<Connection*> forgotten_;  // while events are handed out
  std::string scratch_;
};

}  // namespace landsraad::load
