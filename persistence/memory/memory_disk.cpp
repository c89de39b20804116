#include "persistence/memory/memory_disk.h"

#include <algorithm>
#include <optional>

#include "persistence/checksum.h"

namespace landsraad::persistence {

namespace {

using Game = MemoryDisk::Game;

void store_record(const GameId& id, Game& game, const Record& record) {
  game.records.push_back({record, record_checksum(id, game.head.next, record)});
  ++game.head.next;
}

void store_players(const GameId& id, Game& game, const std::vector<PlayerKey>& players) {
  game.players.clear();
  for (const PlayerKey& player : players) game.players.push_back({player, player_checksum(id, player)});
}

// After every change of the head.
void seal(const GameId& id, Game& game) { game.checksum = game_checksum(id, game.head); }

bool intact(const GameId& id, const Game& game) { return game.checksum == game_checksum(id, game.head); }

bool intact(const GameId& id, Sequence sequence, const MemoryDisk::StoredRecord& record) {
  return record.checksum == record_checksum(id, sequence, record.bytes);
}

bool intact(const GameId& id, const Game& game, const MemoryDisk::StoredSnapshot& stored) {
  const auto& [covers, bytes] = stored.snapshot;
  return covers >= 1 && covers <= game.head.next && stored.checksum == snapshot_checksum(id, covers, bytes);
}

bool intact(const std::string& key, const MemoryDisk::StoredText& text) {
  return text.checksum == text_checksum(key, text.bytes);
}

template <class Games>
auto find(Games& games, const GameId& id, Verdict& verdict) -> decltype(&games.begin()->second) {
  verdict = judge_id(id);
  if (!verdict.good()) return nullptr;
  const auto found = games.find(id);
  if (found == games.end()) {
    verdict = {StoreError::not_found, "there is no game " + id};
  } else if (!intact(id, found->second)) {
    verdict = {StoreError::corrupt, "game " + id + ": its entry has a wrong checksum"};
  } else {
    return &found->second;
  }
  return nullptr;
}

bool matches(const ListQuery& query, const Game& game) {
  if (query.status && *query.status != game.head.status) return false;
  if (!query.player) return query.unlisted_too || game.head.listed;
  return std::any_of(game.players.begin(), game.players.end(),
                     [&](const auto& player) { return player.key == *query.player; });
}

bool has_intact_player(const GameId& id, const Game& game, const PlayerKey& key) {
  return std::any_of(game.players.begin(), game.players.end(), [&](const auto& player) {
    return player.key == key && player.checksum == player_checksum(id, key);
  });
}

ListedGame line_of(const GameId& id, const Game& game, const ListQuery& query) {
  ListedGame line{.id = id,
                  .status = game.head.status,
                  .created_ms = game.head.created_ms,
                  .next_sequence = game.head.next};
  line.readable = intact(id, game) && !game.records.empty() && intact(id, 0, game.records.front()) &&
                  (!query.player || has_intact_player(id, game, *query.player));
  if (line.readable) line.setup = game.records.front().bytes;
  return line;
}

// The ids of the intact games that `wanted` gives a time for, by time, then id; at most `limit`.
template <class Wanted>
std::vector<GameId> earliest(const std::map<GameId, Game>& games, std::size_t limit, Wanted wanted) {
  std::vector<std::pair<UnixMs, GameId>> found;
  for (const auto& [id, game] : games) {
    const std::optional<UnixMs> time = intact(id, game) ? wanted(game.head) : std::nullopt;
    if (time) found.emplace_back(*time, id);
  }
  std::sort(found.begin(), found.end());
  std::vector<GameId> ids;
  for (std::size_t i = 0; i < std::min(limit, found.size()); ++i) ids.push_back(std::move(found[i].second));
  return ids;
}

}  // namespace

bool MemoryDisk::flip_bit(const GameId& game, Sequence sequence, std::size_t bit) {
  const auto found = games.find(game);
  if (found == games.end() || sequence >= found->second.records.size()) return false;
  Record& bytes = found->second.records[sequence].bytes;
  if (bit / 8 >= bytes.size()) return false;
  bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
  return true;
}

void MemoryDisk::wake_orphans() {
  for (auto& [id, game] : games) {
    if (game.head.wake_ms != kAwake || !intact(id, game)) continue;
    game.head.wake_ms = kAtOnce;
    seal(id, game);
  }
}

Result<Epoch> MemoryDisk::create(const GameId& id, const NewGame& contents) {
  if (Verdict verdict = first_fault({judge_id(id), judge_contents(contents)}); !verdict.good())
    return refusal<Epoch>(std::move(verdict));
  const auto [entry, fresh] = games.try_emplace(id);
  if (!fresh) return refusal<Epoch>({StoreError::exists, "there is a game " + id + " already"});
  Game& game = entry->second;
  game.head = {.created_ms = contents.created_ms, .epoch = 1, .listed = contents.listed};
  for (const Record& record : contents.records) store_record(id, game, record);
  store_players(id, game, contents.players);
  seal(id, game);
  return success<Epoch>(1);
}

Result<Epoch> MemoryDisk::claim(const GameId& id) {
  Verdict verdict;
  Game* game = find(games, id, verdict);
  if (game == nullptr) return refusal<Epoch>(std::move(verdict));
  ++game->head.epoch;
  game->head.wake_ms = kAwake;
  seal(id, *game);
  return success(game->head.epoch);
}

Result<Sequence> MemoryDisk::append(const GameId& id, Epoch epoch, Sequence expected, const Record& record) {
  Verdict verdict = judge_record(record);
  Game* game = verdict.good() ? find(games, id, verdict) : nullptr;
  if (game != nullptr) verdict = judge_append(game->head, epoch, expected);
  if (!verdict.good()) return refusal<Sequence>(std::move(verdict));
  store_record(id, *game, record);
  seal(id, *game);
  return success(game->head.next);
}

Result<Sequence> MemoryDisk::keep_snapshot(const GameId& id, Epoch epoch, const Snapshot& snapshot) {
  Verdict verdict = judge_size(snapshot);
  Game* game = verdict.good() ? find(games, id, verdict) : nullptr;
  if (game != nullptr) verdict = judge_snapshot(game->head, epoch, snapshot.covers);
  if (!verdict.good()) return refusal<Sequence>(std::move(verdict));
  game->snapshot = {snapshot, snapshot_checksum(id, snapshot.covers, snapshot.bytes)};
  return success(snapshot.covers);
}

Result<Sequence> MemoryDisk::close(const GameId& id, Epoch epoch, UnixMs closed_ms) {
  Verdict verdict;
  Game* game = find(games, id, verdict);
  if (game != nullptr) verdict = judge_owner(game->head, epoch);
  if (!verdict.good()) return refusal<Sequence>(std::move(verdict));
  if (game->head.status == GameStatus::open) {
    game->head.status = GameStatus::closed;
    game->head.closed_ms = closed_ms;
    seal(id, *game);
  }
  return success(game->head.next);
}

Result<UnixMs> MemoryDisk::sleep(const GameId& id, Epoch epoch, UnixMs wake_ms) {
  Verdict verdict = judge_wake(wake_ms);
  Game* game = verdict.good() ? find(games, id, verdict) : nullptr;
  if (game != nullptr) verdict = judge_owner(game->head, epoch);
  if (!verdict.good()) return refusal<UnixMs>(std::move(verdict));
  game->head.wake_ms = wake_ms;
  seal(id, *game);
  return success(wake_ms);
}

Result<StoredGame> MemoryDisk::load(const GameId& id, Extent extent) const {
  Verdict verdict;
  const Game* game = find(games, id, verdict);
  if (game == nullptr) return refusal<StoredGame>(std::move(verdict));
  StoredGame loaded{.id = id,
                    .status = game->head.status,
                    .created_ms = game->head.created_ms,
                    .epoch = game->head.epoch,
                    .next = game->head.next};
  if (extent == Extent::resume && intact(id, *game, game->snapshot))
    loaded.snapshot = game->snapshot.snapshot;
  for (Sequence sequence = 0; sequence < game->records.size(); ++sequence) {
    if (sequence > 0 && sequence < loaded.snapshot.covers) continue;
    const StoredRecord& record = game->records[sequence];
    if (!intact(id, sequence, record)) {
      return refusal<StoredGame>({StoreError::corrupt, "game " + id + ": record " + std::to_string(sequence) +
                                                           " has a wrong checksum"});
    }
    loaded.records.push_back(record.bytes);
  }
  return success(std::move(loaded));
}

Result<ListPage> MemoryDisk::list(const ListQuery& query) const {
  if (Verdict verdict = judge_limit(query.limit); !verdict.good())
    return refusal<ListPage>(std::move(verdict));
  ListPage page;
  for (auto entry = games.upper_bound(query.after); entry != games.end(); ++entry) {
    const auto& [id, game] = *entry;
    if (!matches(query, game)) continue;
    if (page.games.size() == query.limit) {
      page.more = true;
      break;
    }
    page.games.push_back(line_of(id, game, query));
  }
  return success(std::move(page));
}

Result<std::vector<GameId>> MemoryDisk::due(UnixMs now_ms, std::size_t limit) const {
  if (Verdict verdict = judge_limit(limit); !verdict.good())
    return refusal<std::vector<GameId>>(std::move(verdict));
  return success(earliest(games, limit, [now_ms](const GameHead& head) -> std::optional<UnixMs> {
    const bool is_due = head.status == GameStatus::open && head.wake_ms != kAwake && head.wake_ms != kNever &&
                        head.wake_ms <= now_ms;
    return is_due ? std::optional(head.wake_ms) : std::nullopt;
  }));
}

Result<std::uint64_t> MemoryDisk::purge(UnixMs closed_before_ms, std::size_t limit) {
  if (Verdict verdict = judge_limit(limit); !verdict.good())
    return refusal<std::uint64_t>(std::move(verdict));
  const std::vector<GameId> old =
      earliest(games, limit, [closed_before_ms](const GameHead& head) -> std::optional<UnixMs> {
        const bool is_old =
            head.status == GameStatus::closed && head.wake_ms != kAwake && head.closed_ms < closed_before_ms;
        return is_old ? std::optional(head.closed_ms) : std::nullopt;
      });
  for (const GameId& id : old) games.erase(id);
  return success<std::uint64_t>(old.size());
}

Result<Sequence> MemoryDisk::amend(const GameId& id, const Record& setup,
                                   const std::vector<PlayerKey>& players) {
  Verdict verdict = first_fault({judge_record(setup), judge_players(players)});
  Game* game = verdict.good() ? find(games, id, verdict) : nullptr;
  if (game != nullptr) verdict = judge_amend(game->head);
  if (!verdict.good()) return refusal<Sequence>(std::move(verdict));
  game->records.front() = {setup, record_checksum(id, 0, setup)};
  game->snapshot = {};
  store_players(id, *game, players);
  return success(game->head.next);
}

Result<bool> MemoryDisk::keep_text(const std::string& key, const std::string& text) {
  if (Verdict verdict = first_fault({judge_id(key), judge_text(text)}); !verdict.good())
    return refusal<bool>(std::move(verdict));
  StoredText& stored = kept_texts[key];
  if (intact(key, stored)) return success(false);
  stored = {text, text_checksum(key, text)};
  return success(true);
}

Result<Texts> MemoryDisk::texts() const {
  Texts all;
  for (const auto& [key, text] : kept_texts)
    if (intact(key, text)) all.emplace_back(key, text.bytes);
  return success(std::move(all));
}

}  // namespace landsraad::persistence
