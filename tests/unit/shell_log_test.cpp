// The log: lines for people and for machines, rotation.
#include <doctest/doctest.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "server/net/log.h"
#include "tests/unit/shell_world.h"

namespace landsraad::net::shell_log_test {
namespace {

// Puts the usual log back, so that other tests do not write into a file of this one's.
struct UsualLog {
  ~UsualLog() { set_up_log({}); }
};

std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST_CASE("JSON lines carry the room and survive any text") {
  const TemporaryPath file(".log");
  const UsualLog after;
  LogSettings settings;
  settings.file = file.path();
  settings.json = true;
  REQUIRE(set_up_log(settings).empty());
  log_note(
      {room::Note::Level::info, "ry4az-w8cg7", "a \"title\" with \\ and\nlines \x01 \xff Atr\u00e9ides"});
  log_note({room::Note::Level::debug, "ry4az-w8cg7", "not shown at this level"});
  spdlog::warn("no room");
  const std::string text = contents(file.path());
  CHECK(text.find(R"("level":"info","room":"ry4az-w8cg7","text":"a \"title\" with \\ and\nlines \u0001 )"
                  "\xef\xbf\xbd"
                  R"( )"
                  "Atr\u00e9ides\"}\n") != std::string::npos);
  CHECK(text.find(R"("level":"warning","text":"no room"})") != std::string::npos);
  CHECK(text.find("not shown") == std::string::npos);
  CHECK(std::count(text.begin(), text.end(), '\n') == 2);
  CHECK(text.starts_with(R"({"time":"20)"));
}

TEST_CASE("text lines name the room, and the file is rotated by size") {
  const TemporaryPath file(".log");
  const UsualLog after;
  LogSettings settings;
  settings.file = file.path();
  settings.max_bytes = 1024;
  settings.files = 2;
  REQUIRE(set_up_log(settings).empty());
  for (int i = 0; i < 100; ++i) log_note({room::Note::Level::info, "ry4az-w8cg7", "game started"});
  CHECK(contents(file.path()).find("info room ry4az-w8cg7: game started\n") != std::string::npos);
  CHECK(std::filesystem::file_size(file.path()) <= 1024);
  // spdlog puts the number in front of the suffix.
  const std::string stem = file.path().substr(0, file.path().size() - 4);
  CHECK(std::filesystem::remove(stem + ".1.log"));
  CHECK(std::filesystem::remove(stem + ".2.log"));
  CHECK_FALSE(std::filesystem::remove(stem + ".3.log"));
}

TEST_CASE("a log that cannot be written is an error with a sentence") {
  const UsualLog after;
  LogSettings settings;
  settings.file = "/proc/nowhere/landsraad.log";
  CHECK(set_up_log(settings).starts_with("cannot write the log: "));
}

}  // namespace
}  // namespace landsraad::net::shell_log_test
