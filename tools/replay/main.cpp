// landsraad-replay: looks at stored games and moves them. See arguments.cpp for its help.
#include <iostream>

#include "tools/replay/arguments.h"
#include "tools/replay/exit_code.h"
#include "tools/replay/list.h"
#include "tools/replay/record_file.h"
#include "tools/replay/show.h"
#include "tools/replay/transfer.h"
#include "tools/replay/verify.h"

namespace landsraad::replay {

namespace {

int complain(const std::string& line, ExitCode code) {
  std::cerr << "landsraad-replay: " << line << '\n';
  return code;
}

int run_on_file(const Arguments& arguments) {
  const std::string& path = arguments.database;
  const auto record = read_record_file(path);
  if (!record) return complain(path + " is neither a database nor the record of a game", kDamaged);
  if (arguments.task != Task::verify) return show(playable(*record, path), arguments);
  const Verdict verdict = verify_record(*record, arguments.commitment);
  std::cout << path << ": " << verdict.sentence << '\n';
  return verdict.good ? kWell : kDamaged;
}

int run_on_database(const Arguments& arguments) {
  if (arguments.task == Task::take) return import_game(arguments.database, arguments.file);
  if (arguments.task == Task::verify && arguments.game.empty()) return verify_all(arguments.database);
  auto opened = Database::open(arguments.database, true);
  if (!opened.ok()) return complain(opened.why, kDamaged);
  Database& database = opened.value;
  const std::string& game = arguments.game;
  if (arguments.task == Task::list) return list(database, arguments);
  if (arguments.task == Task::give) return export_game(database, game, arguments.file);
  if (arguments.task == Task::verify) return verify(database, game);
  const auto loaded = database.load(game);
  if (loaded.ok()) return show(loaded.value, arguments);
  const bool no_such_game =
      loaded.error == persistence::StoreError::not_found || loaded.error == persistence::StoreError::invalid;
  return complain(loaded.why, no_such_game ? kUsage : kDamaged);
}

int run(std::span<const char* const> words) {
  std::string mistake;
  Arguments arguments = parse_arguments(words, mistake);
  if (arguments.task == Task::help && mistake.empty()) {
    std::cout << kHelp;
    return kWell;
  }
  const bool is_file = mistake.empty() && is_record_file(arguments.database);
  if (mistake.empty()) mistake = settle(arguments, is_file);
  if (!mistake.empty()) return complain(mistake + "; see --help", kUsage);
  return is_file ? run_on_file(arguments) : run_on_database(arguments);
}

}  // namespace

}  // namespace landsraad::replay

int main(int argc, char** argv) {
  return landsraad::replay::run({argv + 1, static_cast<std::size_t>(argc > 0 ? argc - 1 : 0)});
}
