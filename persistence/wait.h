// For who makes one request of a store after the other: the start of a server, tools, tests.
#pragma once

#include <future>
#include <utility>

#include "persistence/store.h"

namespace landsraad::persistence {

// Calls request(done) and waits until done(Result<T>) has been called, on another thread or within request().
template <class T, class Request>
Result<T> wait_for(Request request) {
  std::promise<Result<T>> promise;
  request([&](Result<T> result) { promise.set_value(std::move(result)); });
  return promise.get_future().get();
}

}  // namespace landsraad::persistence
