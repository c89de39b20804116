// What a server does with stored games when nobody asks: a real process on a database made beforehand.
#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "persistence/sqlite/sqlite_store.h"
#include "persistence/wait.h"
#include "rules/notation/load.h"
#include "server/room/game.h"
#include "tests/unit/shell_world.h"

namespace landsraad::net::shell_alarm_test {
namespace {

using namespace persistence;
using std::chrono::hours;

std::unique_ptr<SqliteStore> open(const std::string& path, bool read_only = false) {
  SqliteSettings settings;
  settings.path = path;
  settings.read_only = read_only;
  auto opened = SqliteStore::open(settings);
  REQUIRE_MESSAGE(opened.ok(), opened.why);
  return std::move(opened.value);
}

UnixMs ago(hours time) { return (wall_clock() - time).time_since_epoch().count(); }

NewGame game_of_days(hours age) {
  room::Opening opening;
  opening.content_version = rules::uprising_content().version;
  opening.options.set_product("uprising");
  opening.options.set_players(3);
  opening.options.set_timeout(v1::TIMEOUT_POLICY_DEFAULT);
  opening.options.mutable_clock()->mutable_days()->set_days(1);
  opening.seats.resize(3);
  opening.created = wall_clock() - age;
  const room::Game game(rules::uprising_content(), opening);
  return {.created_ms = ago(age), .records = {room::write_opening(game.opening())}};
}

void create(SqliteStore& store, const GameId& id, NewGame game) {
  REQUIRE(wait_for<Epoch>([&](auto done) { store.create(id, std::move(game), done); }).ok());
}

Result<StoredGame> load(const std::string& path, const GameId& id) {
  const auto store = open(path, true);
  return wait_for<StoredGame>([&](auto done) { store->load(id, Extent::whole, done); });
}

// Looks until it is so; false if it never is.
template <class Condition>
bool becomes_true(Condition condition) {
  for (int tries = 0; tries < 200; ++tries) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

TEST_CASE("a server acts for whoever is late though nobody has come") {
  const TemporaryPath database(".sqlite");
  {
    const auto store = open(database.path());
    create(*store, "aaaaa-aaaaa", game_of_days(hours(30)));  // its owner dies with it awake
    create(*store, "bbbbb-bbbbb", game_of_days(hours(30)));
    REQUIRE(wait_for<UnixMs>(*store, [&](auto done) {
              store->sleep("bbbbb-bbbbb", 1, ago(hours(6)), done);
            }).ok());
    create(*store, "ccccc-ccccc", game_of_days(hours(2)));
    const UnixMs tomorrow = ago(hours(-22));
    REQUIRE(
        wait_for<UnixMs>(*store, [&](auto done) { store->sleep("ccccc-ccccc", 1, tomorrow, done); }).ok());
  }
  ServerProcess server(small_config(database));
  for (const char* late : {"aaaaa-aaaaa", "bbbbb-bbbbb"})
    CHECK(becomes_true([&] { return load(database.path(), late).value.records.size() == 2; }));
  CHECK(load(database.path(), "ccccc-ccccc").value.records.size() == 1);
  server.signal(SIGTERM);
  CHECK(server.wait() == 0);
}

TEST_CASE("finished games are deleted when they are old enough, if that is wanted") {
  const TemporaryPath database(".sqlite");
  const auto finish = [](SqliteStore& store, const GameId& id, hours when) {
    create(store, id, game_of_days(when));
    REQUIRE(wait_for<Sequence>(store, [&](auto done) { store.close(id, 1, ago(when), done); }).ok());
    REQUIRE(wait_for<UnixMs>(store, [&](auto done) { store.sleep(id, 1, kNever, done); }).ok());
  };
  {
    const auto store = open(database.path());
    finish(*store, "aaaaa-aaaaa", hours(24 * 10));
    finish(*store, "bbbbb-bbbbb", hours(24 * 2));
    create(*store, "ccccc-ccccc", game_of_days(hours(24 * 10)));  // not finished
  }
  Config config = small_config(database);
  config.keep_finished = std::chrono::days(5);
  ServerProcess server(config);
  CHECK(becomes_true([&] { return load(database.path(), "aaaaa-aaaaa").error == StoreError::not_found; }));
  CHECK(load(database.path(), "bbbbb-bbbbb").ok());
  CHECK(load(database.path(), "ccccc-ccccc").ok());
}

TEST_CASE("a server keeps the text of its cards beside the games") {
  const TemporaryPath database(".sqlite");
  { const ServerProcess server(small_config(database)); }
  const auto store = open(database.path());
  const auto texts = wait_for<Texts>([&](auto done) { store->texts(done); });
  REQUIRE(texts.value.size() == 1);
  CHECK(texts.value[0].first == rules::uprising_content().version);
  CHECK(texts.value[0].second == room::write_edition("uprising", rules::embedded_files()));
}

}  // namespace
}  // namespace landsraad::net::shell_alarm_test
