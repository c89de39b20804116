#include "server/progress.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <utility>

namespace landsraad {

namespace {

constexpr std::uint64_t kBarWidth = 30;

}  // namespace

Progress::Progress(std::ostream& out, bool watched, std::string unit, std::function<Time()> now)
    : out_(out),
      watched_(watched),
      unit_(std::move(unit)),
      now_(std::move(now)),
      next_(now_() + kShownAfter) {}

Progress::Progress(std::string unit) : Progress(std::cerr, isatty(STDERR_FILENO) == 1, std::move(unit)) {}

void Progress::show(std::uint64_t done, std::uint64_t all) {
  if (!watched_ || all == 0) return;
  const Time now = now_();
  if (now < next_) return;
  next_ = now + kShownAgainAfter;
  const std::uint64_t full = std::min(done, all) * kBarWidth / all;
  out_ << "\r\x1b[K" << unit_ << "  [" << std::string(full, '#') << std::string(kBarWidth - full, ' ')
       << "]  " << done << " of " << all << std::flush;
  visible_ = true;
}

void Progress::hide() {
  if (std::exchange(visible_, false)) {
    out_ << "\r\x1b[K" << std::flush;
    next_ = now_();
  }
}

}  // namespace landsraad
