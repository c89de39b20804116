#include "tools/replay/transfer.h"

#include <fstream>
#include <iostream>
#include <optional>

#include "persistence/new_file.h"
#include "rules/notation/load.h"
#include "tools/replay/exit_code.h"
#include "tools/replay/record_file.h"

namespace landsraad::replay {

using persistence::NewFile;
using persistence::Result;
using persistence::StoreError;

namespace {

int complain(const std::string& line, ExitCode code = kDamaged) {
  std::cerr << "landsraad-replay: " << line << '\n';
  return code;
}

// What the tool was asked for cannot be, as opposed to something that went wrong.
ExitCode code_of(StoreError error) {
  return error == StoreError::exists || error == StoreError::not_found || error == StoreError::invalid
             ? kUsage
             : kDamaged;
}

// The text of the game's cards: as its server has kept it, or as it is built in here.
std::string edition_of(const Database& database, const rules::Content& content) {
  if (std::string stored = database.edition(content.version); !stored.empty()) return stored;
  if (content.version != rules::uprising_content().version) return {};
  return room::write_edition(content.product, rules::embedded_files());
}

std::optional<v1::GameRecord> message_of(const Playable& game, const std::string& edition) {
  v1::GameRecord record;
  record.set_id(game.id);
  if (!record.mutable_edition()->ParseFromString(edition)) return std::nullopt;
  if (!record.mutable_setup()->ParseFromString(game.records.front())) return std::nullopt;
  for (std::size_t n = 1; n < game.records.size(); ++n)
    if (!record.add_entries()->ParseFromString(game.records[n])) return std::nullopt;
  return record;
}

Result<int> write_file(const std::string& path, const std::string& bytes) {
  Result<NewFile> file = NewFile::begin(path);
  if (!file.ok()) return {file.error, file.why, 0};
  if (Result<int> written = file.value.write(bytes); !written.ok()) return written;
  return file.value.finish();
}

std::string whose_move(const room::Replay& replay) {
  return std::to_string(replay.entries) + " entries, " + (replay.game->over() ? "over" : "in progress");
}

}  // namespace

int export_game(Database& database, const std::string& game, const std::string& file) {
  const Result<Playable> loaded = database.load(game);
  if (!loaded.ok()) return complain(loaded.why, code_of(loaded.error));
  const room::Replay replay = play(loaded.value);
  if (!replay.fault.empty()) return complain("game " + game + ": " + replay.fault);
  const auto record = message_of(loaded.value, edition_of(database, loaded.value.content()));
  if (!record) return complain("game " + game + " does not read as one");
  const Result<int> written = write_file(file, record->SerializeAsString());
  if (!written.ok()) return complain(written.why, code_of(written.error));
  std::cout << "wrote game " << game << " to " << file << ": " << whose_move(replay) << '\n';
  if (!replay.game->over())
    std::cout << "It can go on from here as well: let its players know which server is the one.\n";
  return kWell;
}

int import_game(const std::string& database, const std::string& file) {
  const std::optional<v1::GameRecord> record = read_record_file(file);
  if (!record) return complain(file + " is not there or not the file of a game; make one with --export");
  if (record->id().empty())
    return complain(file +
                        " does not say which game it is: a server gave it out for others to check; make "
                        "one with --export",
                    kUsage);
  const Playable game = playable(*record, {});
  const room::Replay replay = play(game);
  if (!replay.fault.empty()) return complain(file + ": " + replay.fault);

  Result<Database> opened = Database::open(database, false);
  if (!opened.ok()) return complain(opened.why);
  const Result<int> stored = opened.value.store(game, replay, record->edition().SerializeAsString());
  if (stored.error == StoreError::exists)
    return complain(
        database + " has a game " + game.id + " already; a game is imported only once, and goes on there",
        kUsage);
  if (!stored.ok()) return complain(stored.why, code_of(stored.error));
  std::cout << "stored game " << game.id << " in " << database << ": " << whose_move(replay) << '\n';
  return kWell;
}

}  // namespace landsraad::replay
