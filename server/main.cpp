// landsraad-server: reads its options and serves, or copies its database, or asks another one for its health.
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "persistence/sqlite/backup.h"
#include "server/config.h"
#include "server/healthcheck.h"
#include "server/net/server.h"
#include "server/progress.h"

namespace {

int back_up(const std::string& database, const std::string& file) {
  landsraad::Progress progress("pages");
  const auto made = landsraad::persistence::back_up(
      {.path = database}, file, [&](std::uint64_t done, std::uint64_t all) { progress.show(done, all); });
  progress.hide();
  if (made.ok()) {
    std::cout << "copied " << database << " to " << file << ", " << made.value << " bytes\n";
    return 0;
  }
  std::cerr << "landsraad-server: " << made.why << '\n';
  using landsraad::persistence::StoreError;
  return made.error == StoreError::exists || made.error == StoreError::invalid ? 2 : 1;
}

int ask_for_health(const landsraad::Config& config) {
  const std::string fault = landsraad::why_not_healthy(config);
  if (!fault.empty()) std::cerr << "landsraad-server: " << fault << '\n';
  return fault.empty() ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string_view> options(arguments + 1, arguments + count);
  const auto configured = landsraad::configure(options, landsraad::process_environment());
  if (const auto* exit = std::get_if<landsraad::EarlyExit>(&configured)) {
    (exit->code == 0 ? std::cout : std::cerr) << exit->text;
    return exit->code;
  }
  const auto& config = std::get<landsraad::Config>(configured);
  if (!config.backup.empty()) return back_up(config.database, config.backup);
  return config.healthcheck ? ask_for_health(config) : landsraad::net::serve(config);
}
