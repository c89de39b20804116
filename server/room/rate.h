// How fast one connection may ask, and how much it may send that is no request at all.
#pragma once

#include <cstddef>
#include <cstdint>

#include "landsraad/v1/protocol.pb.h"
#include "server/room/limits.h"
#include "server/room/outbox.h"

namespace landsraad::room {

// A bucket that holds Limits::message_burst tokens and gains Limits::messages_per_second. Full at first.
class TokenBucket {
 public:
  // Takes `cost` tokens, or none if there are too few. A cost beyond the burst counts as the burst. Time
  // that goes back gives no tokens and takes none.
  bool take(std::uint32_t cost, Instant now, const Limits& limits);
  bool is_half_full(const Limits& limits) const;  // as of the latest take()

 private:
  std::uint64_t spent_ = 0;  // thousandths of a token that are missing in the bucket
  Instant at_{};             // when that was so
};

// What a request takes out of the bucket: 1, and more if it makes the server read, search or send much.
std::uint32_t cost_of(v1::ClientMessage::BodyCase request);

// The manners of one connection; goes with it from hall to hall.
class Conduct {
 public:
  // So many requests that can be read make good for one frame that cannot.
  static constexpr std::size_t kForgiving = 10;

  enum class Verdict : std::uint8_t {
    accept,
    refuse,  // this one is answered with an error
    part,    // and so is this, but then the connection is closed
  };

  // A request that could be read. refuse: TOO_FAST.
  Verdict ask(v1::ClientMessage::BodyCase request, Instant now, const Limits& limits);

  // A frame that could not. Never accepted: MALFORMED.
  Verdict babble(const Limits& limits);

 private:
  TokenBucket bucket_;
  std::size_t refused_ = 0;     // since the bucket was half full: one that asks on and on is never forgiven
  std::size_t unreadable_ = 0;  // times kForgiving; each request that could be read takes one off
};

}  // namespace landsraad::room
