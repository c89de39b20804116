// Who may connect: how many in all and from one address, and from which web pages.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "server/net/beast.h"
#include "server/net/counters.h"
#include "server/room/limits.h"

namespace landsraad::net {

// What counts as one address: an IPv4 address, or an IPv6 network of 64 bits, which is what one household
// has.
using AddressKey = std::array<unsigned char, 16>;
AddressKey key_of(const asio::ip::address& address);

// The client's own address: the last one in X-Forwarded-For that is not a trusted proxy's. Without trusted
// proxies, or when `peer` is none of them, `peer` itself: anybody can write such a header.
asio::ip::address client_address(const asio::ip::address& peer, std::string_view forwarded_for,
                                 const std::vector<asio::ip::address>& trusted);

// Whether a web page of this origin may connect. `origin` and `host` are the request's headers; no origin
// means that no browser asks. Allowed are pages of the same host, those listed ("https://example.org",
// without a path), and with "*" all.
bool may_call(std::string_view origin, std::string_view host, const std::vector<std::string>& allowed);

// Counts connections. Used by all shards, but only while a connection begins and when it ends.
class Gate {
 public:
  // One connection, as long as it lasts.
  class Pass {
   public:
    Pass() = default;
    Pass(Pass&& other) noexcept { swap(other); }
    Pass& operator=(Pass&& other) noexcept {
      swap(other);
      return *this;
    }
    ~Pass();

   private:
    friend class Gate;
    Pass(Gate* gate, AddressKey key, bool counts) : gate_(gate), key_(key), counts_(counts) {}
    void swap(Pass& other) noexcept;

    Gate* gate_ = nullptr;
    AddressKey key_{};
    bool counts_ = false;   // its address does
    bool through_ = false;  // the handshake is done
  };

  Gate(const room::Limits& limits, std::vector<asio::ip::address> trusted_proxies)
      : limits_(limits), proxies_(std::move(trusted_proxies)) {}

  const std::vector<asio::ip::address>& trusted_proxies() const { return proxies_; }

  // A connection begins its handshake. It holds `pass` if nothing is refused.
  Refusal enter(const asio::ip::address& peer, Pass& pass);

  // Its handshake is good and it is about to become a WebSocket of the client at this address.
  Refusal admit(const asio::ip::address& client, Pass& pass);

 private:
  struct Tally {
    std::size_t handshakes = 0, connections = 0;
  };
  bool counts(const asio::ip::address& address) const;
  void leave(const Pass& pass);
  void forget_if_gone(const AddressKey& key);

  const room::Limits limits_;
  const std::vector<asio::ip::address> proxies_;
  std::mutex mutex_;  // guards what follows
  Tally all_;
  std::map<AddressKey, Tally> by_address_;
};

}  // namespace landsraad::net
