#include "tools/load/loop.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "tools/load/websocket.h"

namespace landsraad::load {

namespace {

constexpr std::size_t kReadBytes = 64 * 1024;
constexpr int kEventsAtOnce = 256;
constexpr std::chrono::milliseconds kLongestWait{100};

std::string reason() { return std::strerror(errno); }

int connect_to(const Address& address) {
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) throw std::runtime_error("cannot make a socket: " + reason());
  const int yes = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(address.port);
  if (inet_pton(AF_INET, address.host.c_str(), &to.sin_addr) != 1)
    throw std::runtime_error(address.host + " is not an IPv4 address");
  if (connect(descriptor, reinterpret_cast<const sockaddr*>(&to), sizeof(to)) != 0 && errno != EINPROGRESS) {
    const std::string why = reason();
    close(descriptor);
    throw std::runtime_error("cannot connect to " + address.host + ": " + why);
  }
  return descriptor;
}

}  // namespace

// ---- Connection.

Connection::Connection(Loop& loop, Speaker& speaker, const Address& address, std::string_view subprotocol)
    : loop_(loop),
      speaker_(speaker),
      descriptor_(connect_to(address)),
      upgrade_(upgrade_request(address.host, address.port, subprotocol)) {
  loop_.watch(*this);
}

Connection::~Connection() {
  loop_.forget(*this);
  if (descriptor_ >= 0) close(descriptor_);
}

void Connection::send(std::string_view message) {
  if (phase_ == Phase::lost) return;
  append_frame(outgoing_, message);
  flush();
}

void Connection::flush() {
  const ssize_t sent = ::send(descriptor_, outgoing_.data(), outgoing_.size(), MSG_NOSIGNAL);
  if (sent < 0 && errno != EAGAIN && errno != EINTR) return lose("cannot send: " + reason());
  const bool waited = static_cast<std::size_t>(std::max<ssize_t>(sent, 0)) < outgoing_.size();
  if (sent > 0) outgoing_.erase(0, static_cast<std::size_t>(sent));
  if (waited) loop_.watch_for_writing(*this, true);
}

void Connection::ready(std::uint32_t events) {
  if (phase_ == Phase::connecting) {
    int error = 0;
    socklen_t size = sizeof(error);
    getsockopt(descriptor_, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) return lose(std::string("cannot connect: ") + std::strerror(error));
    if ((events & EPOLLOUT) == 0) return;
    phase_ = Phase::upgrading;
    outgoing_ = std::move(upgrade_);
  }
  if ((events & EPOLLOUT) != 0) {
    loop_.watch_for_writing(*this, false);
    if (!outgoing_.empty()) flush();
  }
  if (phase_ != Phase::lost && (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) read();
}

void Connection::read() {
  std::string& scratch = loop_.scratch();
  const ssize_t size = recv(descriptor_, scratch.data(), scratch.size(), 0);
  if (size == 0) return lose("the server closed the connection");
  if (size < 0) {
    if (errno != EAGAIN && errno != EINTR) lose("cannot receive: " + reason());
    return;
  }
  incoming_.append(scratch.data(), static_cast<std::size_t>(size));
  if (phase_ == Phase::upgrading) take_upgrade_answer();
  if (phase_ == Phase::open) take_frames();
}

void Connection::take_upgrade_answer() {
  const std::size_t end = incoming_.find("\r\n\r\n");
  if (end == std::string::npos) return;
  if (!incoming_.starts_with("HTTP/1.1 101"))
    return lose("the server answered the handshake with " + incoming_.substr(0, incoming_.find('\r')));
  incoming_.erase(0, end + 4);
  phase_ = Phase::open;
  speaker_.opened();
}

void Connection::take_frames() {
  std::string_view rest = incoming_;
  while (phase_ == Phase::open) {
    const auto frame = first_frame(rest);
    if (!frame) break;
    rest.remove_prefix(frame->bytes);
    if (frame->opcode == Opcode::ping) {
      append_pong(outgoing_, frame->payload);
      flush();
    } else if (frame->opcode == Opcode::close) {
      lose("the server said goodbye");
    } else if (frame->opcode == Opcode::pong) {
      continue;
    } else if (frame->last && message_.empty()) {
      speaker_.received(frame->payload);
    } else {
      message_.append(frame->payload);
      if (!frame->last) continue;
      speaker_.received(message_);
      message_.clear();
    }
  }
  incoming_.erase(0, incoming_.size() - rest.size());
}

void Connection::lose(const std::string& why) {
  phase_ = Phase::lost;
  loop_.forget(*this);
  speaker_.lost(why);
}

// ---- Loop.

Loop::Loop() : epoll_(epoll_create1(EPOLL_CLOEXEC)), scratch_(kReadBytes, '\0') {
  if (epoll_ < 0) throw std::runtime_error("cannot make an epoll instance: " + reason());
}

Loop::~Loop() { close(epoll_); }

void Loop::at(Clock::time_point when, std::function<void()> what) { timers_.push({when, std::move(what)}); }

void Loop::watch(Connection& connection) {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLOUT;  // writable = connected
  event.data.ptr = &connection;
  if (epoll_ctl(epoll_, EPOLL_CTL_ADD, connection.descriptor(), &event) != 0)
    throw std::runtime_error("cannot watch a socket: " + reason());
}

void Loop::watch_for_writing(Connection& connection, bool wanted) {
  epoll_event event{};
  event.events = wanted ? EPOLLIN | EPOLLOUT : EPOLLIN;
  event.data.ptr = &connection;
  epoll_ctl(epoll_, EPOLL_CTL_MOD, connection.descriptor(), &event);
}

void Loop::forget(Connection& connection) {
  epoll_ctl(epoll_, EPOLL_CTL_DEL, connection.descriptor(), nullptr);
  forgotten_.push_back(&connection);
}

void Loop::run_timers() {
  const Clock::time_point now = Clock::now();
  while (!timers_.empty() && timers_.top().when <= now) {
    const std::function<void()> what = timers_.top().what;
    timers_.pop();
    what();
  }
}

int Loop::wait_time(Clock::time_point deadline) const {
  Clock::time_point until = std::min(deadline, Clock::now() + kLongestWait);
  if (!timers_.empty()) until = std::min(until, timers_.top().when);
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
  return static_cast<int>(std::max<std::int64_t>(0, left.count()));
}

bool Loop::run(Clock::time_point deadline, const std::function<bool()>& done) {
  std::array<epoll_event, kEventsAtOnce> events{};
  while (!done()) {
    if (Clock::now() >= deadline) return false;
    forgotten_.clear();
    const int count = epoll_wait(epoll_, events.data(), kEventsAtOnce, wait_time(deadline));
    for (int i = 0; i < count; ++i) {
      const epoll_event& event = events[static_cast<std::size_t>(i)];
      auto* connection = static_cast<Connection*>(event.data.ptr);
      // One that an earlier event of this batch has ended may not be there any more.
      if (std::find(forgotten_.begin(), forgotten_.end(), connection) == forgotten_.end())
        connection->ready(event.events);
    }
    run_timers();
  }
  return true;
}

}  // namespace landsraad::load
