// Connections between clients and the server, over a network that delays, cuts and forgets.
//
// Frames of one direction arrive in their order, as over TCP. A cut loses those on their way; each end
// learns of it later than the other, or much later: a client may be back before the server has noticed.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "tests/simulation/clockwork.h"

namespace landsraad::simulation {

using room::Frame;
using room::SessionId;

class ClientEnd {
 public:
  virtual ~ClientEnd() = default;
  virtual void arrived(SessionId session, const std::string& frame) = 0;
  virtual void cut(SessionId session) = 0;
};

class ServerEnd {
 public:
  virtual ~ServerEnd() = default;
  virtual bool accept(SessionId session) = 0;  // false: nobody listens
  virtual void received(SessionId session, const std::string& frame) = 0;
  virtual void gone(SessionId session) = 0;
};

class Network {
 public:
  Network(Clockwork& clock, Chance& chance) : clock_(clock), chance_(chance) {}

  // ---- Weather.
  Span longest_delay = 40ms;
  Span longest_silence = 3s;             // until an end notices a cut
  std::size_t outgoing_bytes = 1 << 20;  // on their way to one client: beyond it the server cuts

  void listen(ServerEnd* server) { server_ = server; }

  SessionId connect(ClientEnd& client);
  void close(SessionId session);  // by the client, in order: what it has sent arrives, what comes is not read
  void send_up(SessionId session, std::string frame);
  void send_down(SessionId session, const Frame& frame);

  // ---- Faults.
  void cut(SessionId session);
  void cut_all();
  void server_died();                          // as cut_all, but there is no server to notice
  void slow_down(SessionId session, Span by);  // every frame to this client takes so much longer
  void cut_slow_ones();

  std::size_t slow_readers_dropped() const { return slow_readers_dropped_; }

 private:
  struct Connection {
    ClientEnd* client = nullptr;
    bool client_open = true, server_open = false, broken = false;
    Instant up_until{}, down_until{};  // arrival of the latest frame
    std::size_t on_the_way_down = 0;   // bytes
    Span slower{0};
  };

  Connection* find(SessionId session);
  Span delay() { return between(chance_, 0ms, longest_delay); }
  void tell_server(SessionId session, Instant when);
  void tell_client(SessionId session, Instant when);
  void forget_if_done(SessionId session);

  Clockwork& clock_;
  Chance& chance_;
  ServerEnd* server_ = nullptr;
  SessionId last_ = 0;
  std::size_t slow_readers_dropped_ = 0;
  std::map<SessionId, Connection> connections_;
};

}  // namespace landsraad::simulation
