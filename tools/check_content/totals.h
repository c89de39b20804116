// How many cards, spaces and so on a product has, counted and as printed in its rules.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/engine/content.h"

namespace landsraad::check_content {

struct Total {
  std::string_view what;
  int found = 0;
  int expected = 0;
};

// The totals of the product without the CHOAM module (SUPPLY-2, SUPPLY-3, BOARD-1, BOARD-2).
std::vector<Total> uprising_totals(const rules::Content&);

}  // namespace landsraad::check_content
