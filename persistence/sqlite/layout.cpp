#include "persistence/sqlite/layout.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "persistence/admission.h"
#include "persistence/checksum.h"
#include "persistence/sqlite/entry.h"

namespace landsraad::persistence {

namespace {

// kMigrations[n] leads from layout n to n + 1. Never change one that was released: add the next.
constexpr std::array<const char*, kSchemaVersion> kMigrations{
    // The number of records is stored too: a lost last record could not be missed otherwise.
    R"sql(
      CREATE TABLE game (
        key        INTEGER PRIMARY KEY,
        id         TEXT    NOT NULL UNIQUE,
        status     INTEGER NOT NULL,   -- 0 open, 1 closed
        created_ms INTEGER NOT NULL,
        epoch      INTEGER NOT NULL,
        records    INTEGER NOT NULL,
        checksum   INTEGER NOT NULL    -- of all other columns but the key
      ) STRICT;
      CREATE INDEX open_game ON game (id) WHERE status = 0;
      CREATE TABLE record (
        game     INTEGER NOT NULL REFERENCES game (key),
        sequence INTEGER NOT NULL,
        bytes    BLOB    NOT NULL,
        checksum INTEGER NOT NULL,     -- of game id, sequence and bytes
        PRIMARY KEY (game, sequence)
      ) STRICT, WITHOUT ROWID;
    )sql",
    // Records in the order in which they came: those of one commit lie together on one page or two, whereas
    // in `record` each of them costs a page of its own. The writer files them there by the thousand.
    R"sql(
      CREATE TABLE tail (
        place    INTEGER PRIMARY KEY,
        game     INTEGER NOT NULL,
        sequence INTEGER NOT NULL,
        bytes    BLOB    NOT NULL,
        checksum INTEGER NOT NULL      -- as in `record`
      ) STRICT;
    )sql",
    // Who sleeps and until when, who plays, snapshots, texts. Each question about all games has an index that
    // answers it without looking at the others. None of them holds `records` or `checksum`, so that an append
    // touches no index.
    R"sql(
      ALTER TABLE game ADD COLUMN listed    INTEGER NOT NULL DEFAULT 1;
      ALTER TABLE game ADD COLUMN closed_ms INTEGER NOT NULL DEFAULT 0;  -- 0 while it is open
      ALTER TABLE game ADD COLUMN wake_ms   INTEGER NOT NULL DEFAULT 0;  -- 0 awake, else it sleeps until then
      DROP INDEX open_game;
      CREATE INDEX shelf ON game (listed, status, id);
      CREATE INDEX awake ON game (wake_ms) WHERE wake_ms = 0;
      CREATE INDEX alarm ON game (wake_ms, id) WHERE status = 0 AND wake_ms > 0;
      CREATE INDEX attic ON game (closed_ms, id) WHERE status = 1;
      CREATE TABLE player (
        player   BLOB    NOT NULL,
        id       TEXT    NOT NULL,     -- of the game
        game     INTEGER NOT NULL,
        checksum INTEGER NOT NULL,     -- of game id and player
        PRIMARY KEY (player, id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX player_of_game ON player (game);
      CREATE TABLE snapshot (
        game     INTEGER PRIMARY KEY REFERENCES game (key),
        covers   INTEGER NOT NULL,     -- that many records
        bytes    BLOB    NOT NULL,
        checksum INTEGER NOT NULL      -- of game id, covers and bytes
      ) STRICT;
      CREATE TABLE text (
        key      TEXT    NOT NULL UNIQUE,
        bytes    BLOB    NOT NULL,
        checksum INTEGER NOT NULL      -- of key and bytes
      ) STRICT;
    )sql",
};

constexpr int kLayoutWithPlayers = 3;
constexpr std::int64_t kGamesAtOnce = 1000;

// Fills in what layout 3 stores of the games of layout 2.
class Completion {
 public:
  Completion(const Connection& connection, const Describe& describe)
      : describe_(describe),
        games_(connection,
               "SELECT " LANDSRAAD_ENTRY_COLUMNS " FROM game WHERE key > ?1 ORDER BY key LIMIT ?2"),
        set_up_(connection, "SELECT checksum, bytes FROM record WHERE game = ?1 AND sequence = 0"),
        player_(connection,
                "INSERT OR IGNORE INTO player (player, id, game, checksum) VALUES (?1, ?2, ?3, ?4)"),
        update_(connection,
                "UPDATE game SET listed = ?2, closed_ms = ?3, wake_ms = ?4, checksum = ?5 WHERE key = ?1") {}

  int run() {
    std::int64_t after = std::numeric_limits<std::int64_t>::min();
    while (true) {
      std::vector<Entry> entries;
      if (const int code = read(after, entries); code != SQLITE_OK || entries.empty()) return code;
      for (Entry& entry : entries)
        if (const int code = complete(entry); code != SQLITE_OK) return code;
      after = entries.back().key;
    }
  }

 private:
  int read(std::int64_t after, std::vector<Entry>& entries) {
    games_.bind(after, kGamesAtOnce);
    int code = SQLITE_OK;
    while ((code = games_.step()) == SQLITE_ROW) entries.push_back(read_entry(games_));
    return code == SQLITE_DONE ? SQLITE_OK : code;
  }

  int complete(Entry& entry) {
    GameHead& head = entry.head;
    const bool damaged = entry.checksum != old_game_checksum(entry.id, head);
    GameDescription description;
    if (!damaged) description = describe(entry);
    head.listed = description.listed;
    // Nobody wrote down when it ended or what it waits for.
    head.closed_ms = head.status == GameStatus::closed ? head.created_ms : 0;
    head.wake_ms = head.status == GameStatus::open && !damaged ? kAtOnce : kNever;
    for (const PlayerKey& player : description.players) {
      const int code =
          player_.bind(Blob{player}, Text{entry.id}, entry.key, player_checksum(entry.id, player)).run();
      if (code != SQLITE_OK) return code;
    }
    // A wrong checksum stays wrong.
    const std::uint64_t checksum = damaged ? entry.checksum : game_checksum(entry.id, head);
    return update_.bind(entry.key, std::int64_t{head.listed ? 1 : 0}, head.closed_ms, head.wake_ms, checksum)
        .run();
  }

  // A set-up that does not read back describes nothing; whoever loads the game learns why.
  GameDescription describe(const Entry& entry) {
    if (!describe_ || set_up_.bind(entry.key).step() != SQLITE_ROW) return {};
    const Record setup = set_up_.bytes(1);
    const auto checksum = static_cast<std::uint64_t>(set_up_.number(0));
    set_up_.reset();
    if (checksum != record_checksum(entry.id, 0, setup)) return {};
    GameDescription description = describe_(setup);
    if (!judge_players(description.players).good()) description.players.clear();
    return description;
  }

  const Describe& describe_;
  Statement games_, set_up_, player_, update_;
};

int take_step(const Connection& connection, int version, const Describe& describe) {
  if (const int code = connection.run("BEGIN IMMEDIATE"); code != SQLITE_OK) return code;
  if (const int code = connection.run(kMigrations[static_cast<std::size_t>(version - 1)]); code != SQLITE_OK)
    return code;
  if (version == kLayoutWithPlayers)
    if (const int code = Completion(connection, describe).run(); code != SQLITE_OK) return code;
  const std::string end = "PRAGMA application_id = " + std::to_string(kApplicationId) +
                          ";PRAGMA user_version = " + std::to_string(version) + ";COMMIT;";
  return connection.run(end.c_str());
}

}  // namespace

int migrate(const Connection& connection, int from, const Describe& describe) {
  for (int version = from + 1; version <= kSchemaVersion; ++version)
    if (const int code = take_step(connection, version, describe); code != SQLITE_OK) return code;
  return SQLITE_OK;
}

}  // namespace landsraad::persistence
