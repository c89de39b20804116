// The corpus: whole games as they were stored once, which must play again exactly as they were.
//
//   landsraad_corpus verify FOLDER   plays every FOLDER/*.game again and compares all hashes
//   landsraad_corpus record FOLDER   plays all games anew and writes the files; the same rules, the same
//   bytes
#include <sodium.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "rules/notation/load.h"
#include "server/room/replay.h"
#include "tests/corpus/recipe.h"

namespace {

using namespace landsraad;
namespace fs = std::filesystem;

constexpr const char* kWhatToDo =
    "The rules, the cards or the records are not what they were when the corpus was recorded.\n"
    "If that is not what you wanted, your change would break every game that is being played.\n"
    "If it is: raise kEngineVersion (server/room/record.h) when rules have changed, run\n"
    "    landsraad_corpus record %s\n"
    "and commit the new files together with the change; the message says why the games changed.\n";

fs::path file_of(const fs::path& folder, std::uint32_t number) {
  return folder / (corpus::name(corpus::recipe(number)) + ".game");
}

int record(const fs::path& folder) {
  for (std::uint32_t number = 0; number < corpus::kGames; ++number) {
    const v1::GameRecord game = corpus::play(rules::uprising_content(), corpus::recipe(number));
    std::ofstream file(file_of(folder, number), std::ios::binary);
    if (!game.SerializeToOstream(&file) || !file.flush()) {
      std::fprintf(stderr, "cannot write %s\n", file_of(folder, number).c_str());
      return 1;
    }
    std::printf("%s: %d entries\n", corpus::name(corpus::recipe(number)).c_str(), game.entries_size());
  }
  return 0;
}

// What is wrong with the game; empty if nothing.
std::string fault_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  v1::GameRecord game;
  if (!file || !game.ParseFromIstream(&file)) return "It cannot be read.";
  const room::Replay replay = room::replay(rules::uprising_content(), game);
  if (!replay.fault.empty()) return replay.fault;
  return replay.game->over() ? "" : "It stops before its end.";
}

// All files there are, and those that there must be.
std::set<fs::path> files_of(const fs::path& folder) {
  std::set<fs::path> files;
  for (std::uint32_t number = 0; number < corpus::kGames; ++number) files.insert(file_of(folder, number));
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".game") files.insert(entry.path());
  return files;
}

int verify(const fs::path& folder) {
  const std::set<fs::path> files = files_of(folder);
  int faults = 0;
  for (const fs::path& path : files) {
    const std::string fault = fault_of(path);
    if (fault.empty()) continue;
    ++faults;
    std::fprintf(stderr, "%s: %s\n", path.filename().c_str(), fault.c_str());
  }
  if (faults == 0) std::printf("%zu games play again as they were\n", files.size());
  if (faults > 0) std::fprintf(stderr, kWhatToDo, folder.c_str());
  return faults == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string verb = argc == 3 ? argv[1] : "";
  if (sodium_init() < 0 || (verb != "record" && verb != "verify")) {
    std::fprintf(stderr, "usage: landsraad_corpus record|verify FOLDER\n");
    return 2;
  }
  return verb == "record" ? record(argv[2]) : verify(argv[2]);
}
