// A card changes between two versions of the server: games that were begun before go on with the card as it
// was, from the text that is stored beside them.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "persistence/sqlite/sqlite_store.h"
#include "persistence/wait.h"
#include "rules/notation/load.h"
#include "server/room/library.h"
#include "server/room/replay.h"
#include "tests/corpus/recipe.h"

namespace landsraad::upgrade_test {

namespace {

namespace fs = std::filesystem;
using persistence::Result;
using persistence::SqliteStore;

constexpr std::uint32_t kOldGames = 4;

// The cards of an older version of the server: Convincing Argument gave one more Persuasion.
struct OldCards {
  OldCards() {
    bool changed = false;
    for (const rules::ContentFile& file : rules::embedded_files()) {
      std::string& text = texts.emplace_back(file.text);
      const std::size_t card = text.find("starter convincing_argument");
      const std::size_t line = card == std::string::npos ? card : text.find("persuasion(2)", card);
      if (line == std::string::npos) continue;
      text.replace(line, 13, "persuasion(3)");
      changed = true;
    }
    REQUIRE(changed);
    for (std::size_t n = 0; n < texts.size(); ++n)
      files.push_back({rules::embedded_files()[n].path, texts[n]});
    rules::LoadResult loaded = rules::load_content("uprising", files);
    REQUIRE(loaded.errors.empty());
    content = std::move(loaded.content);
  }

  std::vector<std::string> texts;
  std::vector<rules::ContentFile> files;
  rules::Content content;
};

std::vector<std::string> records_of(const v1::GameRecord& record) {
  std::vector<std::string> records{record.setup().SerializeAsString()};
  for (const v1::LogRecord& entry : record.entries()) records.push_back(entry.SerializeAsString());
  return records;
}

// A database that an older version of the server leaves behind.
class Legacy {
 public:
  Legacy() : path_(fs::temp_directory_path() / ("landsraad-upgrade-" + std::to_string(getpid()))) {
    fs::remove_all(path_);
    for (std::uint32_t number = 0; number < kOldGames; ++number) {
      std::vector<std::string> records = records_of(corpus::play(cards.content, corpus::recipe(number)));
      records.resize(records.size() / 2);
      played.push_back(std::move(records));
    }
  }
  ~Legacy() { fs::remove_all(path_); }

  std::unique_ptr<SqliteStore> open() const {
    auto opened = SqliteStore::open({.path = path_ / "games.sqlite"});
    REQUIRE_MESSAGE(opened.ok(), opened.why);
    return std::move(opened.value);
  }

  void write(bool with_cards) const {
    const auto store = open();
    for (std::uint32_t number = 0; number < kOldGames; ++number)
      REQUIRE(persistence::wait_for<persistence::Epoch>([&](auto done) {
                store->create("game" + std::to_string(number), {.records = played[number]}, done);
              }).ok());
    if (!with_cards) return;
    REQUIRE(persistence::wait_for<bool>([&](auto done) {
              store->keep_text(cards.content.version, room::write_edition("uprising", cards.files), done);
            }).ok());
  }

  OldCards cards;
  std::vector<std::vector<std::string>> played;

 private:
  fs::path path_;
};

// What this version of the server makes of the games in the store.
std::vector<room::Replay> resume_all(SqliteStore& store, room::Library& library) {
  const auto texts = persistence::wait_for<std::vector<std::pair<std::string, std::string>>>(
      [&](auto done) { store.texts(done); });
  REQUIRE(texts.ok());
  for (const auto& [version, text] : texts.value) REQUIRE(library.add(text) == "");
  std::vector<room::Replay> games;
  for (std::uint32_t number = 0; number < kOldGames; ++number) {
    const auto loaded = persistence::wait_for<persistence::StoredGame>(
        [&](auto done) { store.load("game" + std::to_string(number), persistence::Extent::whole, done); });
    REQUIRE(loaded.ok());
    games.push_back(room::replay(library.of_game(loaded.value.records), loaded.value.records));
  }
  return games;
}

// As if the old game had been begun with the cards of today.
std::string fault_with_todays_cards(std::vector<std::string> records) {
  v1::GameSetup setup;
  REQUIRE(setup.ParseFromString(records.front()));
  setup.set_content_version(rules::uprising_content().version);
  records.front() = setup.SerializeAsString();
  return room::replay(rules::uprising_content(), records).fault;
}

}  // namespace

TEST_CASE("games go on with the cards they began with when a card has changed") {
  const Legacy legacy;
  legacy.write(true);
  const auto store = legacy.open();
  room::Library library(rules::uprising_content());
  const std::vector<room::Replay> games = resume_all(*store, library);
  for (std::uint32_t number = 0; number < kOldGames; ++number) {
    CAPTURE(number);
    CHECK(games[number].fault == "");
    CHECK(games[number].entries + 1 == legacy.played[number].size());
    REQUIRE(games[number].game);
    CHECK(games[number].game->content().version == legacy.cards.content.version);
    // It matters: the card of today would lead elsewhere.
    CHECK(fault_with_todays_cards(legacy.played[number]).find("Entry") == 0);
  }
}

TEST_CASE("games whose cards were not kept are refused with the reason") {
  const Legacy legacy;
  legacy.write(false);
  const auto store = legacy.open();
  room::Library library(rules::uprising_content());
  for (const room::Replay& game : resume_all(*store, library)) {
    CHECK_FALSE(game.game);
    CHECK(game.fault.find("begun with cards of version") != std::string::npos);
  }
}

}  // namespace landsraad::upgrade_test
