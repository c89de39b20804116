// The options of the server: sources, order, and what is said about bad values.
#include "server/config.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

namespace landsraad::config_test {
namespace {

std::variant<Config, EarlyExit> configured(std::vector<std::string_view> arguments,
                                           std::map<std::string, std::string, std::less<>> variables = {}) {
  return configure(arguments, [variables](std::string_view name) -> std::optional<std::string> {
    const auto it = variables.find(name);
    if (it == variables.end()) return std::nullopt;
    return it->second;
  });
}

std::string complaint(const std::variant<Config, EarlyExit>& result) {
  REQUIRE(std::holds_alternative<EarlyExit>(result));
  CHECK(std::get<EarlyExit>(result).code == 2);
  return std::get<EarlyExit>(result).text;
}

struct TemporaryFile {
  static inline int made = 0;
  std::filesystem::path path;
  explicit TemporaryFile(std::string_view text)
      : path(std::filesystem::temp_directory_path() /
             ("landsraad-config-" + std::to_string(::getpid()) + "-" + std::to_string(++made))) {
    std::ofstream(path) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path); }
};

TEST_CASE("without anything said the defaults hold") {
  const Config config = std::get<Config>(configured({}));
  CHECK(config.address == "127.0.0.1");
  CHECK(config.port == 8080);
  CHECK(config.database == "./data/landsraad.sqlite");
  CHECK(config.limits.frame_bytes == 16 * 1024);
}

TEST_CASE("both forms of an option on the command line") {
  const Config config = std::get<Config>(configured({"--port", "0", "--threads=3", "--idle-timeout", "5"}));
  CHECK(config.port == 0);
  CHECK(config.threads == 3);
  CHECK(config.limits.idle == std::chrono::seconds(5));
}

TEST_CASE("the command line wins over the environment, that over the file") {
  const TemporaryFile file("# a comment\nport = 1000\n  threads=7 # seven\nmax-rooms = 11\n\n");
  const Config config =
      std::get<Config>(configured({"--config", file.path.native(), "--port", "3000"},
                                  {{"LANDSRAAD_PORT", "2000"}, {"LANDSRAAD_THREADS", "8"}}));
  CHECK(config.port == 3000);
  CHECK(config.threads == 8);
  CHECK(config.limits.rooms == 11);
}

TEST_CASE("bad values get one line that names them, and exit code 2") {
  CHECK(complaint(configured({"--port", "70000"})) ==
        "landsraad-server: --port must be a whole number from 0 to 65535\n");
  CHECK(complaint(configured({"--port", "80x"})).find("--port") != std::string::npos);
  CHECK(complaint(configured({"--port"})) == "landsraad-server: --port needs a value\n");
  CHECK(complaint(configured({"--prot", "1"})) ==
        "landsraad-server: there is no option --prot; see --help\n");
  CHECK(complaint(configured({"serve"})) == "landsraad-server: unexpected argument serve; see --help\n");
  CHECK(complaint(configured({"--address", "localhost"})).find("--address must be") != std::string::npos);
  CHECK(complaint(configured({"--log-level=loud"})).find("--log-level must be") != std::string::npos);
  CHECK(complaint(configured({}, {{"LANDSRAAD_MAX_ROOMS", "-1"}})).find("LANDSRAAD_MAX_ROOMS must be") !=
        std::string::npos);
  CHECK(complaint(configured({"--config", "/nonexistent/file"})) ==
        "landsraad-server: cannot read the config file /nonexistent/file\n");
  CHECK(complaint(configured({"--config", "/"})) == "landsraad-server: cannot read the config file /\n");
}

TEST_CASE("a variable may name a file that holds the value") {
  const TemporaryFile file("4321\r\n");
  const Config config = std::get<Config>(configured({}, {{"LANDSRAAD_PORT_FILE", file.path.native()}}));
  CHECK(config.port == 4321);
  CHECK(std::get<Config>(configured({"--port=1"}, {{"LANDSRAAD_PORT_FILE", file.path.native()}})).port == 1);

  // An option of its own, not a file with the value of an option `log`.
  CHECK(std::get<Config>(configured({}, {{"LANDSRAAD_LOG_FILE", "x.log"}})).log.file == "x.log");
}

TEST_CASE("what is wrong with a file that holds a value is said in one line") {
  const TemporaryFile file("secret words");
  const std::string path = file.path.native();
  CHECK(complaint(configured({}, {{"LANDSRAAD_PORT", "1"}, {"LANDSRAAD_PORT_FILE", path}})) ==
        "landsraad-server: LANDSRAAD_PORT and LANDSRAAD_PORT_FILE are both set; keep one of them\n");
  for (const std::string absent : {"/nonexistent/file", "/"})
    CHECK(complaint(configured({}, {{"LANDSRAAD_PORT_FILE", absent}})) ==
          "landsraad-server: LANDSRAAD_PORT_FILE: cannot read the file " + absent + "\n");
  CHECK(complaint(configured({}, {{"LANDSRAAD_PORT_FILE", path}})) ==
        "landsraad-server: LANDSRAAD_PORT_FILE must be a whole number from 0 to 65535\n");
  const TemporaryFile lines("/data/games.sqlite\n/data/more.sqlite\n");
  CHECK(complaint(configured({}, {{"LANDSRAAD_DATABASE_FILE", lines.path.native()}})) ==
        "landsraad-server: LANDSRAAD_DATABASE_FILE: " + lines.path.native() + " must hold one line\n");
  const TemporaryFile endless(std::string(70'000, '1'));
  CHECK(complaint(configured({}, {{"LANDSRAAD_DATABASE_FILE", endless.path.native()}})).find("one line") !=
        std::string::npos);
}

TEST_CASE("lists come with commas, or piece by piece on the command line") {
  const Config config = std::get<Config>(
      configured({"--allow-origin", "https://a.example, https://b.example:8443", "--allow-origin", "null"},
                 {{"LANDSRAAD_ALLOW_ORIGIN", "https://lost.example"},
                  {"LANDSRAAD_TRUSTED_PROXY", "10.0.0.1,2001:db8::1"}}));
  CHECK(config.allowed_origins ==
        std::vector<std::string>{"https://a.example", "https://b.example:8443", "null"});
  CHECK(config.trusted_proxies == std::vector<std::string>{"10.0.0.1", "2001:db8::1"});
  CHECK(complaint(configured({"--allow-origin", "https://a.example/"})) ==
        "landsraad-server: --allow-origin must be origins such as https://example.org, not "
        "https://a.example/\n");
  CHECK(complaint(configured({"--trusted-proxy", "10.0.0.1,proxy"})).find("not proxy") != std::string::npos);
}

TEST_CASE("the operations port can be any, a certain one, or none") {
  CHECK(std::get<Config>(configured({})).metrics_port == 9090);
  CHECK(std::get<Config>(configured({"--metrics-port", "0"})).metrics_port == 0);
  CHECK_FALSE(std::get<Config>(configured({"--metrics-port", "off"})).metrics_port.has_value());
  CHECK(complaint(configured({"--metrics-port", "no"})).find("--metrics-port must be") != std::string::npos);
  CHECK(std::get<Config>(configured({"--log-json=yes"})).log.json);
  CHECK(complaint(configured({"--log-json", "1"})).find("must be yes or no") != std::string::npos);
}

TEST_CASE("a health check is asked for on the command line only, and stands for itself") {
  const Config config = std::get<Config>(configured({"--healthcheck", "--metrics-port", "1"}));
  CHECK(config.healthcheck);
  CHECK(config.metrics_port == 1);
  CHECK_FALSE(std::get<Config>(configured({}, {{"LANDSRAAD_HEALTHCHECK", "yes"}})).healthcheck);
  CHECK(complaint(configured({"--healthcheck=yes"})) == "landsraad-server: --healthcheck takes no value\n");
}

TEST_CASE("a backup is asked for on the command line only") {
  const Config config = std::get<Config>(configured({"--backup", "copy", "--database=games"}));
  CHECK(config.backup == "copy");
  CHECK(config.database == "games");
  CHECK(std::get<Config>(configured({}, {{"LANDSRAAD_BACKUP", "copy"}})).backup.empty());
  CHECK(complaint(configured({"--backup="})) == "landsraad-server: --backup must be the path of a file\n");
  CHECK(complaint(configured({"--backup"})) == "landsraad-server: --backup needs a value\n");
  const TemporaryFile file("backup = copy\n");
  CHECK(complaint(configured({"--config", file.path.native()})).find("there is no option backup") !=
        std::string::npos);
}

TEST_CASE("faults in a file are named with their line") {
  const TemporaryFile file("port = 1\nspeed = 9\n");
  CHECK(complaint(configured({"--config", file.path.native()})) ==
        "landsraad-server: " + file.path.native() + ":2: there is no option speed\n");
}

TEST_CASE("help names every option with its default") {
  const auto result = configured({"--help"});
  const EarlyExit& exit = std::get<EarlyExit>(result);
  CHECK(exit.code == 0);
  for (const std::string_view part :
       {"--port PORT", "[8080]", "--database FILE", "[./data/landsraad.sqlite]", "--max-frame-bytes N",
        "[16384]", "--config FILE", "--backup FILE", "LANDSRAAD_PORT"})
    CHECK_MESSAGE(exit.text.find(part) != std::string::npos, part);
}

}  // namespace
}  // namespace landsraad::config_test
