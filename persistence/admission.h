// What every Store decides the same way: whether a request may be carried out.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "persistence/store.h"

namespace landsraad::persistence {

inline constexpr UnixMs kAwake = 0;   // as GameHead::wake_ms
inline constexpr UnixMs kAtOnce = 1;  // the same for games whose owner died: the first to be due

// What a store keeps of a game beside its records, its players and its snapshot.
struct GameHead {
  UnixMs created_ms = 0;
  GameStatus status = GameStatus::open;
  Epoch epoch = 0;
  Sequence next = 0;  // sequence of the next record
  bool listed = true;
  UnixMs closed_ms = 0;  // 0 while it is open
  UnixMs wake_ms = kAwake;
};

struct Verdict {
  StoreError error = StoreError::none;
  std::string why;

  bool good() const { return error == StoreError::none; }
};

// The first of them that is not good, if there is one.
Verdict first_fault(std::initializer_list<Verdict> verdicts);

// 1 .. kMaxGameIdBytes printable ASCII characters without blanks. Also for the keys of texts.
Verdict judge_id(std::string_view game);
Verdict judge_record(const Record& record);
Verdict judge_players(const std::vector<PlayerKey>& players);
Verdict judge_contents(const NewGame& contents);
Verdict judge_size(const Snapshot& snapshot);
Verdict judge_text(std::string_view text);
Verdict judge_wake(UnixMs wake_ms);
Verdict judge_limit(std::size_t limit);

// Whether the epoch is that of the game's owner.
Verdict judge_owner(const GameHead& head, Epoch epoch);
Verdict judge_append(const GameHead& head, Epoch epoch, Sequence expected);
Verdict judge_snapshot(const GameHead& head, Epoch epoch, Sequence covers);
Verdict judge_amend(const GameHead& head);

template <class T>
Result<T> refusal(Verdict verdict) {
  return {verdict.error, std::move(verdict.why), {}};
}
template <class T>
Result<T> success(T value) {
  return {StoreError::none, {}, std::move(value)};
}

}  // namespace landsraad::persistence
