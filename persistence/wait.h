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

// The same for what gathers until commit().
template <class T, class Request>
Result<T> wait_for(Store& store, Request request) {
  return wait_for<T>([&](Callback<T> done) {
    request(std::move(done));
    store.commit();
  });
}

}  // namespace landsraad::persistence
