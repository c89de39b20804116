// What each shard counts about itself, for the metrics.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace landsraad::net {

// Written by one thread only, so that counting is a plain addition; read by any.
class Count {
 public:
  void add(std::uint64_t more = 1) {
    value_.store(value_.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_ = 0;
};

class Gauge {
 public:
  void set(std::int64_t value) { value_.store(value, std::memory_order_relaxed); }
  void add(std::int64_t more) { set(value() + more); }
  std::int64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> value_ = 0;
};

// Upper bounds of a histogram's buckets; what is longer goes into one more.
inline constexpr std::array<std::chrono::microseconds, 16> kLatencyBounds{
    std::chrono::microseconds(50),        std::chrono::microseconds(100),
    std::chrono::microseconds(250),       std::chrono::microseconds(500),
    std::chrono::microseconds(1'000),     std::chrono::microseconds(2'500),
    std::chrono::microseconds(5'000),     std::chrono::microseconds(10'000),
    std::chrono::microseconds(25'000),    std::chrono::microseconds(50'000),
    std::chrono::microseconds(100'000),   std::chrono::microseconds(250'000),
    std::chrono::microseconds(500'000),   std::chrono::seconds(1),
    std::chrono::microseconds(2'500'000), std::chrono::seconds(10)};

class Latencies {
 public:
  void add(std::chrono::steady_clock::duration taken) {
    std::size_t bucket = 0;
    while (bucket < kLatencyBounds.size() && taken > kLatencyBounds[bucket]) ++bucket;
    counts_[bucket].add();
    nanoseconds_.add(
        static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(taken).count()));
  }
  std::uint64_t in_bucket(std::size_t bucket) const { return counts_[bucket].value(); }
  std::uint64_t nanoseconds() const { return nanoseconds_.value(); }

 private:
  std::array<Count, kLatencyBounds.size() + 1> counts_;
  Count nanoseconds_;
};

// Why a connection was turned away.
enum class Refusal : std::uint8_t {
  none,
  handshakes,           // too many connections that are no WebSocket yet
  address_handshakes,   // ... from this address
  connections,          // too many WebSockets
  address_connections,  // ... from this address
  origin,               // a page of another site
  protocol,             // no subprotocol of ours, or a broken handshake
};
inline constexpr std::array<const char*, 7> kRefusalNames{
    "none", "handshakes", "address_handshakes", "connections", "address_connections", "origin", "protocol"};

inline constexpr std::size_t kErrorCodes = 64;    // v1::ErrorCode values; higher ones count as the last
inline constexpr std::size_t kStorageErrors = 5;  // room::StorageError values
inline constexpr std::size_t kCacheLineBytes = 64;

// One shard's. On cache lines of its own: no two threads write to the same one.
struct alignas(kCacheLineBytes) Counters {
  Gauge connections;
  Gauge queue_bytes;  // in frames that are not yet with the kernel
  Gauge rooms;        // in memory
  Count frames;       // from clients
  Count actions;      // records appended to games: actions and whatever else belongs in their logs
  Count slow_readers;
  Count unreadable;  // games in storage that could not be loaded
  std::array<Count, kRefusalNames.size()> refused;
  std::array<Count, kErrorCodes> errors;
  std::array<Count, kStorageErrors> storage;  // replies, by what came of the request
  Latencies action;  // from the arrival of a client's frame until it is durable and its diffs are queued
  Latencies store;   // from a request to its reply
};

}  // namespace landsraad::net
