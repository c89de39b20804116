// The cards this server can play with: those built in, and older ones that stored games were begun with.
//
// Cards change from version to version of the server, but never within a game. So their text is stored once
// for each version of it (v1::Edition), and a game goes on with the text it began with.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/engine/content.h"
#include "rules/notation/load.h"

namespace landsraad::room {

// An edition as it is stored.
std::string write_edition(std::string_view product, std::span<const rules::ContentFile> files);

class Library {
 public:
  // `current` is what new games are played with; it outlives the library.
  explicit Library(const rules::Content& current) : current_(&current) {}

  const rules::Content& current() const { return *current_; }

  // Adds a stored edition. A sentence if this version cannot read it; then games begun with it are refused.
  std::string add(std::string_view stored);

  // The cards that a game with these records began with, or the current ones if its own are not here or its
  // opening does not read: replay() then says what is wrong.
  const rules::Content& of_game(const std::vector<std::string>& records) const;

 private:
  const rules::Content* current_;
  std::map<std::string, std::unique_ptr<const rules::Content>, std::less<>> others_;  // by version
};

}  // namespace landsraad::room
