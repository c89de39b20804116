// Large objects that are needed for a moment only, again and again.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace landsraad::room {

// Lends them out; what comes back is lent again, as it was left. Outlives what it has lent.
template <class T>
class Spares {
 public:
  struct GiveBack {
    Spares* owner = nullptr;
    void operator()(T* object) const { owner->take_back(std::unique_ptr<T>(object)); }
  };
  using Loan = std::unique_ptr<T, GiveBack>;

  Loan lend() {
    if (spare_.empty()) return Loan(std::make_unique<T>().release(), GiveBack{this});
    Loan loan(spare_.back().release(), GiveBack{this});
    spare_.pop_back();
    return loan;
  }

 private:
  static constexpr std::size_t kMostSpare = 64;

  void take_back(std::unique_ptr<T> object) {
    if (spare_.size() < kMostSpare) spare_.push_back(std::move(object));
  }

  std::vector<std::unique_ptr<T>> spare_;
};

}  // namespace landsraad::room
