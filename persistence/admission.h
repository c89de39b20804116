// What every Store decides the same way: whether a request may be carried out.
#pragma once

#include <string>
#include <string_view>

#include "persistence/store.h"

namespace landsraad::persistence {

// What a store must know of a game to judge a request about it.
struct GameHead {
  GameStatus status = GameStatus::open;
  Epoch epoch = 0;
  Sequence next = 0;  // sequence of the next record
};

struct Verdict {
  StoreError error = StoreError::none;
  std::string why;
};

// 1 .. kMaxGameIdBytes printable ASCII characters without blanks.
Verdict judge_id(std::string_view game);
Verdict judge_record(const Record& record);
Verdict judge_list(const ListQuery& query);

Verdict judge_append(const GameHead& head, Epoch epoch, Sequence expected);
Verdict judge_close(const GameHead& head, Epoch epoch);

template <class T>
Result<T> refusal(Verdict verdict) {
  return {verdict.error, std::move(verdict.why), {}};
}
template <class T>
Result<T> success(T value) {
  return {StoreError::none, {}, std::move(value)};
}

}  // namespace landsraad::persistence
