#include "persistence/admission.h"

#include <algorithm>

namespace landsraad::persistence {

namespace {

Verdict invalid(std::string why) { return {StoreError::invalid, std::move(why)}; }

Verdict judge_bytes(const char* what, std::size_t bytes, std::size_t most) {
  if (bytes <= most) return {};
  return invalid(std::string(what) + " of " + std::to_string(bytes) + " bytes is over the limit of " +
                 std::to_string(most));
}

}  // namespace

Verdict first_fault(std::initializer_list<Verdict> verdicts) {
  const auto* const fault =
      std::find_if(verdicts.begin(), verdicts.end(), [](const Verdict& verdict) { return !verdict.good(); });
  return fault == verdicts.end() ? Verdict{} : *fault;
}

Verdict judge_id(std::string_view game) {
  if (game.empty() || game.size() > kMaxGameIdBytes)
    return invalid("a game id has 1 to " + std::to_string(kMaxGameIdBytes) + " characters");
  const bool printable = std::all_of(game.begin(), game.end(), [](char c) { return c > ' ' && c < '\x7f'; });
  if (!printable) return invalid("a game id is printable ASCII without blanks");
  return {};
}

Verdict judge_record(const Record& record) { return judge_bytes("a record", record.size(), kMaxRecordBytes); }

Verdict judge_players(const std::vector<PlayerKey>& players) {
  if (players.size() > kMaxPlayersPerGame)
    return invalid("a game has at most " + std::to_string(kMaxPlayersPerGame) + " players");
  const bool fit = std::all_of(players.begin(), players.end(), [](const PlayerKey& player) {
    return !player.empty() && player.size() <= kMaxPlayerBytes;
  });
  if (!fit) return invalid("a player's key has 1 to " + std::to_string(kMaxPlayerBytes) + " bytes");
  return {};
}

Verdict judge_contents(const NewGame& contents) {
  if (contents.records.empty() || contents.records.size() > kMaxRecordsPerGame)
    return invalid("a game has 1 to " + std::to_string(kMaxRecordsPerGame) + " records");
  for (const Record& record : contents.records)
    if (Verdict verdict = judge_record(record); !verdict.good()) return verdict;
  return judge_players(contents.players);
}

Verdict judge_size(const Snapshot& snapshot) {
  if (snapshot.covers == 0) return invalid("a snapshot covers at least one record");
  return judge_bytes("a snapshot", snapshot.bytes.size(), kMaxSnapshotBytes);
}

Verdict judge_text(std::string_view text) { return judge_bytes("a text", text.size(), kMaxTextBytes); }

Verdict judge_wake(UnixMs wake_ms) {
  if (wake_ms >= 1) return {};
  return invalid("a game cannot sleep until " + std::to_string(wake_ms) + " ms, only until 1 ms or later");
}

Verdict judge_limit(std::size_t limit) {
  if (limit >= 1 && limit <= kMaxListPage) return {};
  return invalid("a page has 1 to " + std::to_string(kMaxListPage) + " games");
}

Verdict judge_owner(const GameHead& head, Epoch epoch) {
  if (epoch < head.epoch) {
    return {StoreError::fenced, "the game was claimed under epoch " + std::to_string(head.epoch) +
                                    ", after epoch " + std::to_string(epoch)};
  }
  if (epoch > head.epoch) return invalid("epoch " + std::to_string(epoch) + " was never given out");
  return {};
}

Verdict judge_append(const GameHead& head, Epoch epoch, Sequence expected) {
  if (Verdict owner = judge_owner(head, epoch); !owner.good()) return owner;
  if (head.status == GameStatus::closed) return {StoreError::closed, "the game is closed"};
  if (expected != head.next) {
    return {StoreError::conflict, "record " + std::to_string(expected) +
                                      " was expected to come next, but it is " + std::to_string(head.next)};
  }
  if (expected >= kMaxRecordsPerGame)
    return invalid("a game has at most " + std::to_string(kMaxRecordsPerGame) + " records");
  return {};
}

Verdict judge_snapshot(const GameHead& head, Epoch epoch, Sequence covers) {
  if (Verdict owner = judge_owner(head, epoch); !owner.good()) return owner;
  if (covers <= head.next) return {};
  return {StoreError::conflict, "a snapshot of " + std::to_string(covers) +
                                    " records is ahead of the game, which has " + std::to_string(head.next)};
}

Verdict judge_amend(const GameHead& head) {
  if (head.status == GameStatus::closed) return {};
  return {StoreError::conflict, "the game is still open; close it first"};
}

}  // namespace landsraad::persistence
