#include "persistence/admission.h"

#include <algorithm>

namespace landsraad::persistence {

namespace {

Verdict judge_owner(const GameHead& head, Epoch epoch) {
  if (epoch < head.epoch) {
    return {StoreError::fenced, "the game was claimed under epoch " + std::to_string(head.epoch) +
                                    ", after epoch " + std::to_string(epoch)};
  }
  if (epoch > head.epoch) {
    return {StoreError::invalid, "epoch " + std::to_string(epoch) + " was never given out"};
  }
  return {};
}

}  // namespace

Verdict judge_id(std::string_view game) {
  if (game.empty() || game.size() > kMaxGameIdBytes) {
    return {StoreError::invalid, "a game id has 1 to " + std::to_string(kMaxGameIdBytes) + " characters"};
  }
  const bool printable = std::all_of(game.begin(), game.end(), [](char c) { return c > ' ' && c < '\x7f'; });
  if (!printable) return {StoreError::invalid, "a game id is printable ASCII without blanks"};
  return {};
}

Verdict judge_record(const Record& record) {
  if (record.size() <= kMaxRecordBytes) return {};
  return {StoreError::invalid, "a record of " + std::to_string(record.size()) +
                                   " bytes is over the limit of " + std::to_string(kMaxRecordBytes)};
}

Verdict judge_list(const ListQuery& query) {
  if (query.limit >= 1 && query.limit <= kMaxListPage) return {};
  return {StoreError::invalid, "a page has 1 to " + std::to_string(kMaxListPage) + " games"};
}

Verdict judge_append(const GameHead& head, Epoch epoch, Sequence expected) {
  if (Verdict owner = judge_owner(head, epoch); owner.error != StoreError::none) return owner;
  if (head.status == GameStatus::closed) return {StoreError::closed, "the game is closed"};
  if (expected != head.next) {
    return {StoreError::conflict, "record " + std::to_string(expected) +
                                      " was expected to come next, but it is " + std::to_string(head.next)};
  }
  if (expected >= kMaxRecordsPerGame) {
    return {StoreError::invalid, "a game has at most " + std::to_string(kMaxRecordsPerGame) + " records"};
  }
  return {};
}

Verdict judge_close(const GameHead& head, Epoch epoch) { return judge_owner(head, epoch); }

}  // namespace landsraad::persistence
