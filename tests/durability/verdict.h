// Whether what is stored agrees with what the players were told.
#pragma once

#include <string>

#include "tests/durability/crowd.h"

namespace landsraad::durability {

// Every game that anybody has seen begin is stored, with every act that was acknowledged, in its place. For a
// database between two servers. Games in `settled` are not looked at again: they were over and have been
// compared after that. Throws e2e::Failure.
class Bookkeeper {
 public:
  explicit Bookkeeper(std::string database) : database_(std::move(database)) {}

  void compare(const Ledgers& ledgers);

  // The last comparison, after the last server has stopped: every game is over, closed, and plays again with
  // its hashes. Returns how many there are.
  std::size_t close_the_books(const Ledgers& ledgers) const;

 private:
  std::string database_;
  std::map<std::string, std::uint32_t> settled_;  // versions at which games were found closed
};

}  // namespace landsraad::durability
