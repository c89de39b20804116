// A whole server but for its options, and clients that know nothing of its code: blocking sockets, WebSocket
// frames by hand, OpenSSL. For the tests of server/net.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "landsraad/v1/protocol.pb.h"
#include "persistence/store.h"
#include "server/config.h"
#include "server/net/listener.h"
#include "server/net/shard.h"

namespace landsraad::net {

// Limits that the tests of other things do not run into.
room::Limits patient_limits();

// A file or a database in the temporary folder that is gone with this.
class TemporaryPath {
 public:
  explicit TemporaryPath(std::string_view suffix);
  ~TemporaryPath();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Everything serve() starts, on two threads and a store of its own.
class RunningServer {
 public:
  explicit RunningServer(const room::Limits& limits = patient_limits(), Shards::Door door = {},
                         std::unique_ptr<persistence::Store> store = nullptr);
  ~RunningServer();

  std::uint16_t port() const { return listener_.port(); }
  std::uint16_t operations_port() const { return operations_.port(); }
  Shards& shards() { return shards_; }
  void stop() { shards_.stop(); }

 private:
  TemporaryPath database_{".sqlite"};
  room::Library library_{rules::uprising_content()};
  Shards shards_;
  std::unique_ptr<persistence::Store> store_;
  Listener listener_, operations_;
};

// For a server that serves games and nothing else, in silence.
Config small_config(const TemporaryPath& database);

// serve() in a process of its own.
class ServerProcess {
 public:
  explicit ServerProcess(Config config);
  ~ServerProcess();

  std::uint16_t port() const { return port_; }
  const std::string& greeting() const { return greeting_; }  // its line on standard output
  void signal(int number) const;
  int wait();  // status as waitpid() gives it

 private:
  int process_ = 0;
  std::uint16_t port_ = 0;
  std::string greeting_;
};

// A blocking byte stream to 127.0.0.1.
class ClientLine {
 public:
  ClientLine(std::uint16_t port, bool tls);
  ~ClientLine();
  ClientLine(const ClientLine&) = delete;
  ClientLine& operator=(const ClientLine&) = delete;

  bool write(std::string_view bytes);
  std::string read(std::size_t most);  // empty: it has ended
  std::string certificate_name() const;
  void break_off();  // without a goodbye
  void stop_sending();

 private:
  int socket_;
  struct Tls;
  std::unique_ptr<Tls> tls_;
};

// The whole answer to an HTTP request, up to the end of the connection.
std::string ask_http(std::uint16_t port, const std::string& request, bool tls = false);
std::string get(std::uint16_t port, const std::string& path, bool tls = false);

// A WebSocket client.
class Caller {
 public:
  struct Call {
    std::string subprotocol = "landsraad.v1";
    std::string headers;  // more of them, each ending with \r\n
    bool tls = false;
  };
  explicit Caller(std::uint16_t port) : Caller(port, Call()) {}
  Caller(std::uint16_t port, const Call& call);

  int status() const { return status_; }  // of the handshake; 101 = it is a WebSocket; 0 = closed unanswered

  enum Opcode : unsigned char { continuation = 0, text = 1, binary = 2, bye = 8, ping = 9, pong = 10 };
  bool send_frame(Opcode opcode, std::string_view bytes, bool final = true);
  std::uint64_t send(v1::ClientMessage message);  // gives back its id

  // The next message, or nothing when the connection has ended. Answers pings unless it is to be silent.
  std::optional<v1::ServerMessage> read();
  std::optional<v1::ServerMessage> ask(const v1::ClientMessage& message);  // skips what comes unasked
  bool alive();
  std::optional<v1::ServerMessage> greet();

  int close_code() const { return close_code_; }  // of the server's goodbye; 0 = none came
  int pings() const { return pings_; }
  void be_silent() { silent_ = true; }
  ClientLine& line() { return line_; }

 private:
  bool fill(std::size_t wanted);
  std::string take(std::size_t size);

  ClientLine line_;
  std::string arrived_;
  int status_ = 0, close_code_ = 0, pings_ = 0;
  bool silent_ = false;
  std::uint64_t requests_ = 0;
};

// Writes a certificate of its own for `name`, and its key, as PEM files.
void make_certificate(const std::string& name, const std::string& certificate, const std::string& key);

}  // namespace landsraad::net
