#include "tests/simulation/network.h"

#include <algorithm>
#include <vector>

namespace landsraad::simulation {

Network::Connection* Network::find(SessionId session) {
  const auto it = connections_.find(session);
  return it == connections_.end() ? nullptr : &it->second;
}

SessionId Network::connect(ClientEnd& client) {
  const SessionId session = ++last_;
  Connection& connection = connections_[session];
  connection.client = &client;
  connection.up_until = clock_.now() + delay();
  clock_.at(connection.up_until, [this, session] {
    Connection* here = find(session);
    if (here == nullptr || here->broken) return;
    here->server_open = server_->accept(session);
    if (!here->server_open) cut(session);
  });
  return session;
}

void Network::send_up(SessionId session, std::string frame) {
  Connection* connection = find(session);
  if (connection == nullptr || !connection->client_open) return;
  connection->up_until = std::max(connection->up_until, clock_.now() + delay());
  clock_.at(connection->up_until, [this, session, frame = std::move(frame)] {
    const Connection* here = find(session);
    if (here != nullptr && here->server_open && !here->broken) server_->received(session, frame);
  });
}

void Network::send_down(SessionId session, const Frame& frame) {
  Connection* connection = find(session);
  if (connection == nullptr || !connection->server_open || connection->broken) return;
  connection->on_the_way_down += frame->size();
  if (connection->on_the_way_down > outgoing_bytes) {
    ++slow_readers_dropped_;
    return cut(session);
  }
  connection->down_until = std::max(connection->down_until, clock_.now() + delay()) + connection->slower;
  clock_.at(connection->down_until, [this, session, frame] {
    Connection* here = find(session);
    if (here == nullptr || here->broken) return;
    here->on_the_way_down -= frame->size();
    if (here->client_open) here->client->arrived(session, *frame);
  });
}

void Network::close(SessionId session) {
  Connection* connection = find(session);
  if (connection == nullptr) return;
  connection->client_open = false;
  tell_server(session, std::max(connection->up_until, clock_.now() + delay()));
}

void Network::cut(SessionId session) {
  Connection* connection = find(session);
  if (connection == nullptr || connection->broken) return;
  connection->broken = true;
  tell_client(session, clock_.now() + between(chance_, 0ms, longest_silence));
  tell_server(session, clock_.now() + between(chance_, 0ms, longest_silence));
}

void Network::cut_all() {
  std::vector<SessionId> all;
  for (const auto& [session, connection] : connections_) all.push_back(session);
  for (const SessionId session : all) cut(session);
}

void Network::server_died() {
  for (auto& [session, connection] : connections_) {
    connection.broken = true;
    connection.server_open = false;
    tell_client(session, clock_.now() + between(chance_, 0ms, longest_silence));
  }
}

void Network::slow_down(SessionId session, Span by) {
  if (Connection* connection = find(session)) connection->slower = by;
}

void Network::cut_slow_ones() {
  std::vector<SessionId> slow;
  for (const auto& [session, connection] : connections_)
    if (connection.slower > 0ms) slow.push_back(session);
  for (const SessionId session : slow) cut(session);
}

void Network::tell_server(SessionId session, Instant when) {
  clock_.at(when, [this, session] {
    Connection* here = find(session);
    if (here == nullptr) return;
    const bool told = std::exchange(here->server_open, false);
    here->broken = true;
    if (told) server_->gone(session);
    forget_if_done(session);
  });
}

void Network::tell_client(SessionId session, Instant when) {
  clock_.at(when, [this, session] {
    Connection* here = find(session);
    if (here == nullptr) return;
    ClientEnd& client = *here->client;
    const bool told = std::exchange(here->client_open, false);
    forget_if_done(session);
    if (told) client.cut(session);
  });
}

void Network::forget_if_done(SessionId session) {
  const Connection* here = find(session);
  if (here != nullptr && !here->client_open && !here->server_open) connections_.erase(session);
}

}  // namespace landsraad::simulation
