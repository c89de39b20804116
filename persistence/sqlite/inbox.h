// Requests on their way to a thread, in order.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

namespace landsraad::persistence {

template <class Request>
class Inbox {
 public:
  // False if `limit` requests wait already; then nothing is taken from `request`.
  bool put(Request&& request, std::size_t limit) {
    {
      const std::lock_guard lock(mutex_);
      if (waiting_.size() >= limit) return false;
      waiting_.push_back(std::move(request));
    }
    arrived_.notify_one();
    return true;
  }

  // Waits for requests and takes up to `most` of them; none only after close(), when all are taken.
  std::vector<Request> take(std::size_t most) {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
    const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(most, waiting_.size()));
    std::vector<Request> taken(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
    waiting_.erase(waiting_.begin(), end);
    return taken;
  }

  // No more will come: whoever takes gets what is left.
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    arrived_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Request> waiting_;
  bool closed_ = false;
};

}  // namespace landsraad::persistence
