// landsraad-server: reads its options and serves.
#include <iostream>
#include <string_view>
#include <vector>

#include "server/config.h"
#include "server/net/server.h"

int main(int count, char** arguments) {
  const std::vector<std::string_view> options(arguments + 1, arguments + count);
  const auto configured = landsraad::configure(options, landsraad::process_environment());
  if (const auto* exit = std::get_if<landsraad::EarlyExit>(&configured)) {
    (exit->code == 0 ? std::cout : std::cerr) << exit->text;
    return exit->code;
  }
  return landsraad::net::serve(std::get<landsraad::Config>(configured));
}
