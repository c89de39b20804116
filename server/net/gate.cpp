#include "server/net/gate.h"

#include <algorithm>
#include <utility>

namespace landsraad::net {

namespace {

bool same_text(std::string_view a, std::string_view b) { return beast::iequals(a, b); }

asio::ip::address plain(const asio::ip::address& address) {
  if (address.is_v6() && address.to_v6().is_v4_mapped())
    return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
  return address;
}

bool is_among(const asio::ip::address& address, const std::vector<asio::ip::address>& list) {
  return std::find(list.begin(), list.end(), plain(address)) != list.end();
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

AddressKey key_of(const asio::ip::address& address) {
  constexpr std::size_t network_bytes = 8;
  const asio::ip::address simple = plain(address);
  AddressKey key{};
  if (simple.is_v4()) {
    const auto bytes = asio::ip::make_address_v6(asio::ip::v4_mapped, simple.to_v4()).to_bytes();
    std::copy(bytes.begin(), bytes.end(), key.begin());
  } else {
    const auto bytes = simple.to_v6().to_bytes();
    std::copy_n(bytes.begin(), network_bytes, key.begin());
  }
  return key;
}

asio::ip::address client_address(const asio::ip::address& peer, std::string_view forwarded_for,
                                 const std::vector<asio::ip::address>& trusted) {
  asio::ip::address client = plain(peer);
  while (is_among(client, trusted) && !forwarded_for.empty()) {
    const std::size_t comma = forwarded_for.rfind(',');
    const std::string_view last =
        without_blanks(comma == std::string_view::npos ? forwarded_for : forwarded_for.substr(comma + 1));
    error_code error;
    const auto named = asio::ip::make_address(std::string(last), error);
    if (error) break;
    client = plain(named);
    forwarded_for = comma == std::string_view::npos ? std::string_view{} : forwarded_for.substr(0, comma);
  }
  return client;
}

bool may_call(std::string_view origin, std::string_view host, const std::vector<std::string>& allowed) {
  if (origin.empty()) return true;
  const std::size_t scheme = origin.find("://");
  if (scheme != std::string_view::npos && !host.empty() && same_text(origin.substr(scheme + 3), host))
    return true;
  return std::any_of(allowed.begin(), allowed.end(),
                     [origin](const std::string& one) { return one == "*" || same_text(one, origin); });
}

// ---- Counting.

Gate::Pass::~Pass() {
  if (gate_ != nullptr) gate_->leave(*this);
}

void Gate::Pass::swap(Pass& other) noexcept {
  std::swap(gate_, other.gate_);
  std::swap(key_, other.key_);
  std::swap(counts_, other.counts_);
  std::swap(through_, other.through_);
}

// A proxy stands for many clients. And whoever is on this machine is its owner, or a proxy that was not
// named.
bool Gate::counts(const asio::ip::address& address) const {
  return !plain(address).is_loopback() && !is_among(address, proxies_);
}

Refusal Gate::enter(const asio::ip::address& peer, Pass& pass) {
  const std::scoped_lock lock(mutex_);
  if (all_.handshakes >= limits_.handshakes) return Refusal::handshakes;
  Pass entering(this, key_of(peer), counts(peer));
  if (entering.counts_) {
    Tally& tally = by_address_[entering.key_];
    if (tally.handshakes >= limits_.address_handshakes) {
      entering.gate_ = nullptr;
      return Refusal::address_handshakes;
    }
    ++tally.handshakes;
  }
  ++all_.handshakes;
  pass.swap(entering);
  return Refusal::none;
}

Refusal Gate::admit(const asio::ip::address& client, Pass& pass) {
  const std::scoped_lock lock(mutex_);
  if (all_.connections >= limits_.connections) return Refusal::connections;
  const AddressKey key = key_of(client);
  const bool counted = counts(client);
  if (counted) {
    Tally& tally = by_address_[key];
    if (tally.connections >= limits_.address_connections) {
      forget_if_gone(key);
      return Refusal::address_connections;
    }
    ++tally.connections;
  }
  ++all_.connections;
  --all_.handshakes;
  if (pass.counts_) {
    --by_address_[pass.key_].handshakes;
    forget_if_gone(pass.key_);
  }
  pass.key_ = key;
  pass.counts_ = counted;
  pass.through_ = true;
  return Refusal::none;
}

void Gate::leave(const Pass& pass) {
  const std::scoped_lock lock(mutex_);
  --(pass.through_ ? all_.connections : all_.handshakes);
  if (!pass.counts_) return;
  Tally& tally = by_address_[pass.key_];
  --(pass.through_ ? tally.connections : tally.handshakes);
  forget_if_gone(pass.key_);
}

void Gate::forget_if_gone(const AddressKey& key) {
  const auto it = by_address_.find(key);
  if (it != by_address_.end() && it->second.handshakes == 0 && it->second.connections == 0)
    by_address_.erase(it);
}

}  // namespace landsraad::net
