// A list with a bounded capacity and no allocation, so that a State is plain bytes.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "rules/engine/require.h"

namespace landsraad::rules {

// An unsigned integer as wide as T's alignment, so that list and count leave no padding between them.
template <class T>
using CountFor = std::conditional_t<alignof(T) == 1, std::uint8_t,
                                    std::conditional_t<alignof(T) == 2, std::uint16_t, std::uint32_t>>;

// Vacated slots are zeroed: two lists with equal content are equal byte for byte, so a State can be
// hashed and compared as bytes. Exceeding the capacity is a bug and stops the program.
template <class T, std::size_t Capacity, class Count = CountFor<T>>
class FixedList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static constexpr std::size_t capacity() { return Capacity; }
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  bool full() const { return count_ == Capacity; }

  T* begin() { return items_.data(); }
  T* end() { return items_.data() + count_; }
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + count_; }

  T& operator[](std::size_t i) {
    assert(i < count_);
    return items_[i];
  }
  const T& operator[](std::size_t i) const {
    assert(i < count_);
    return items_[i];
  }
  T& back() { return (*this)[count_ - std::size_t{1}]; }
  const T& back() const { return (*this)[count_ - std::size_t{1}]; }

  void push_back(const T& value) {
    require(!full(), "a list of the game state is full");
    items_[count_] = value;
    ++count_;
  }
  T pop_back() {
    T value = back();
    items_[--count_] = T{};
    return value;
  }
  T erase(std::size_t i) {
    T value = (*this)[i];
    for (std::size_t k = i; k + 1 < count_; ++k) items_[k] = items_[k + 1];
    items_[--count_] = T{};
    return value;
  }
  void insert(std::size_t i, const T& value) {
    require(count_ < Capacity && i <= count_, "a list of the game state is full");
    for (std::size_t k = count_; k > i; --k) items_[k] = items_[k - 1];
    items_[i] = value;
    ++count_;
  }
  void clear() {
    for (std::size_t k = 0; k < count_; ++k) items_[k] = T{};
    count_ = 0;
  }
  bool contains(const T& value) const {
    for (const T& item : *this)
      if (item == value) return true;
    return false;
  }

 private:
  std::array<T, Capacity> items_{};
  Count count_ = 0;
};

}  // namespace landsraad::rules
