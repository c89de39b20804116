#include "server/room/rate.h"

#include <algorithm>

namespace landsraad::room {

namespace {

constexpr std::uint64_t kThousandths = 1000;

}  // namespace

bool TokenBucket::take(std::uint32_t cost, Instant now, const Limits& limits) {
  if (now > at_) {
    // So many tokens a second are as many thousandths a millisecond. A bucket is full again long before the
    // product could overflow.
    const auto elapsed = std::min<std::uint64_t>(static_cast<std::uint64_t>((now - at_).count()),
                                                 spent_ / limits.messages_per_second + 1);
    spent_ -= std::min(spent_, elapsed * limits.messages_per_second);
  }
  at_ = now;
  const std::uint64_t wanted = std::min<std::uint64_t>(cost, limits.message_burst) * kThousandths;
  if (spent_ + wanted > limits.message_burst * kThousandths) return false;
  spent_ += wanted;
  return true;
}

bool TokenBucket::is_half_full(const Limits& limits) const {
  return spent_ <= limits.message_burst * kThousandths / 2;
}

std::uint32_t cost_of(v1::ClientMessage::BodyCase request) {
  switch (request) {
    case v1::ClientMessage::kResync:
    case v1::ClientMessage::kPreviewReveal:
    case v1::ClientMessage::kUndo:
    case v1::ClientMessage::kAutoplay:
    case v1::ClientMessage::kInvite:
    case v1::ClientMessage::kPropose:
      return 5;
    case v1::ClientMessage::kListRooms:
    case v1::ClientMessage::kCreateRoom:
    case v1::ClientMessage::kJoinRoom:
    case v1::ClientMessage::kRematch:
      return 10;
    case v1::ClientMessage::kGetCatalogue:
    case v1::ClientMessage::kGetLog:
      return 20;
    case v1::ClientMessage::kGetRecord:
    case v1::ClientMessage::kForgetMe:
      return 40;
    default:
      return 1;
  }
}

Conduct::Verdict Conduct::ask(v1::ClientMessage::BodyCase request, Instant now, const Limits& limits) {
  if (unreadable_ > 0) --unreadable_;
  if (bucket_.take(cost_of(request), now, limits)) {
    if (bucket_.is_half_full(limits)) refused_ = 0;
    return Verdict::accept;
  }
  ++refused_;
  return refused_ < limits.refused_bursts * limits.message_burst ? Verdict::refuse : Verdict::part;
}

Conduct::Verdict Conduct::babble(const Limits& limits) {
  unreadable_ += kForgiving;
  return unreadable_ < kForgiving * limits.malformed_frames ? Verdict::refuse : Verdict::part;
}

}  // namespace landsraad::room
