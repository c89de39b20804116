// A value, or the sentence that says why there is none: what a writer of scenarios gets to read.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace landsraad::scenario {

struct Fault {
  std::string text;
};

template <class T>
class [[nodiscard]] Outcome {
 public:
  Outcome(T value) : content_(std::move(value)) {}      // NOLINT: a value is an outcome
  Outcome(Fault fault) : content_(std::move(fault)) {}  // NOLINT: so is a fault

  bool ok() const { return std::holds_alternative<T>(content_); }
  explicit operator bool() const { return ok(); }
  T& operator*() { return std::get<T>(content_); }
  const T& operator*() const { return std::get<T>(content_); }
  T* operator->() { return &std::get<T>(content_); }
  const T* operator->() const { return &std::get<T>(content_); }
  const Fault& fault() const { return std::get<Fault>(content_); }

 private:
  std::variant<T, Fault> content_;
};

using Done = Outcome<std::monostate>;

}  // namespace landsraad::scenario
