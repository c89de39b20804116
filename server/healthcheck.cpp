#include "server/healthcheck.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>

namespace landsraad {

namespace {

constexpr timeval kPatience{.tv_sec = 3,
                            .tv_usec = 0};    // for each call; longer than the server asks its store
constexpr std::size_t kLongestAnswer = 4096;  // bytes

class Connection {
 public:
  explicit Connection(int family) : socket_(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { ::close(socket_); }

  template <class Address>
  bool open(const Address& to) {
    return ::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  // Everything the other side says, up to the limit; nothing if it says nothing in time.
  std::optional<std::string> ask(std::string_view request) {
    if (::send(socket_, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size()))
      return std::nullopt;
    std::string answer;
    std::array<char, 512> part{};
    ssize_t size = 0;
    while (answer.size() < kLongestAnswer && (size = ::recv(socket_, part.data(), part.size(), 0)) > 0)
      answer.append(part.data(), static_cast<std::size_t>(size));
    if (size < 0) return std::nullopt;
    return answer;
  }

 private:
  int socket_;
};

// `any` (0.0.0.0 or ::) is where a server listens, but nobody's address.
std::optional<std::string> get(std::string address, std::uint16_t port, std::string_view path) {
  if (address == "0.0.0.0") address = "127.0.0.1";
  if (address == "::") address = "::1";
  sockaddr_in v4{.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {}, .sin_zero = {}};
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(port);
  const bool is_v4 = ::inet_pton(AF_INET, address.c_str(), &v4.sin_addr) == 1;
  if (!is_v4) ::inet_pton(AF_INET6, address.c_str(), &v6.sin6_addr);
  Connection connection(is_v4 ? AF_INET : AF_INET6);
  if (!(is_v4 ? connection.open(v4) : connection.open(v6))) return std::nullopt;
  return connection.ask("GET " + std::string(path) +
                        " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
}

}  // namespace

std::string why_not_healthy(const Config& config) {
  if (!config.metrics_port && !config.tls_certificate.empty())
    return "the health check speaks no TLS: give the server a --metrics-port";
  const std::string& address = config.metrics_port ? config.metrics_address : config.address;
  const std::uint16_t port = config.metrics_port.value_or(config.port);
  if (port == 0) return "the health check cannot know which port is 0: name one with --metrics-port";

  const std::optional<std::string> answer = get(address, port, "/readyz");
  if (!answer)
    return "nobody answers on " + address + " port " + std::to_string(port) + ": " + std::strerror(errno);
  if (answer->starts_with("HTTP/1.1 200 ")) return {};
  const std::size_t body = answer->find("\r\n\r\n");
  std::string why = body == std::string::npos ? "no HTTP answer" : answer->substr(body + 4);
  return why.substr(0, why.find('\n'));
}

}  // namespace landsraad
