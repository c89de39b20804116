// A log that was damaged after it was written is not taken for one that a crash has cut short.
#include "persistence/sqlite/log_check.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "persistence/sqlite/sqlite_store.h"
#include "persistence/wait.h"

namespace landsraad::persistence::log_check_test {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeader = 32, kFrame = 24 + 4096;

// What a store leaves that was killed after some commits of one game.
class Remains {
 public:
  Remains() : folder_(fs::temp_directory_path() / ("landsraad-log-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "living");
    auto opened = SqliteStore::open({.path = folder_ / "living/games.sqlite"});
    REQUIRE_MESSAGE(opened.ok(), opened.why);
    REQUIRE(wait_for<Epoch>([&](auto done) {
              opened.value->create("arrakis", {.records = {"setup"}}, done);
            }).ok());
    for (Sequence n = 1; n < 6; ++n)
      REQUIRE(wait_for<Sequence>([&](auto done) {
                opened.value->append("arrakis", 1, n, "a", done);
                opened.value->commit();
              }).ok());
    for (const char* end : {"", "-wal"})
      fs::copy_file(folder_ / ("living/games.sqlite" + std::string(end)), database() + end);
  }
  ~Remains() { fs::remove_all(folder_); }

  std::string database() const { return folder_ / "games.sqlite"; }
  std::string log() const { return database() + "-wal"; }
  std::size_t size() const { return fs::file_size(log()); }

  void flip(std::size_t at) const {
    std::fstream file(log(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const char byte = static_cast<char>(file.get() ^ 4);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
  }

  // Records of the game when the file is opened; nothing if it is not.
  std::optional<std::size_t> records() const {
    auto opened = SqliteStore::open({.path = database()});
    if (!opened.ok()) {
      CHECK(opened.error == StoreError::unavailable);
      CHECK(opened.why.find("truncate -s") != std::string::npos);
      return std::nullopt;
    }
    return wait_for<StoredGame>([&](auto done) { opened.value->load("arrakis", Extent::whole, done); })
        .value.records.size();
  }

 private:
  fs::path folder_;
};

}  // namespace

TEST_CASE("log check: what a killed store leaves is sound") {
  const Remains remains;
  CHECK_FALSE(find_log_damage(remains.log()));
  CHECK_FALSE(find_log_damage(remains.database() + "-no-such-file"));
  CHECK(remains.records() == 6);
}

TEST_CASE("log check: a damaged commit before others is refused, until somebody gives them up") {
  const Remains remains;
  const std::size_t frames = (remains.size() - kHeader) / kFrame;
  REQUIRE(frames >= 6);
  remains.flip(kHeader + (frames - 4) * kFrame + 100);
  const auto damage = find_log_damage(remains.log());
  REQUIRE(damage);
  CHECK(damage->at == kHeader + (frames - 4) * kFrame);
  CHECK(damage->commits >= 2);
  CHECK_FALSE(remains.records());
  fs::resize_file(remains.log(), damage->at);
  const auto left = remains.records();
  REQUIRE(left);
  CHECK((*left >= 1 && *left < 6));
}

TEST_CASE("log check: a damaged head of the log is refused") {
  const Remains remains;
  SUBCASE("page size") { remains.flip(10); }
  SUBCASE("salt") { remains.flip(17); }
  SUBCASE("checksum") { remains.flip(25); }
  CHECK(find_log_damage(remains.log()));
  CHECK_FALSE(remains.records());
}

TEST_CASE("log check: a torn end is what a crash leaves") {
  const Remains remains;
  fs::resize_file(remains.log(), remains.size() - 1000);
  CHECK_FALSE(find_log_damage(remains.log()));
  CHECK(remains.records() == 5);
}

}  // namespace landsraad::persistence::log_check_test
