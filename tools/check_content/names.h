// Ids and printed names that are missing, malformed or easily confused.
#pragma once

#include <string>
#include <vector>

#include "rules/engine/content.h"

namespace landsraad::check_content {

// Ids are lower_snake_case (posts: one capital letter). Printed names have no blanks at their ends, and
// no two cards of one deck, leaders or spaces share one; Conflict cards may.
std::vector<std::string> name_problems(const rules::Content&);

// Words of the vocabulary that no content uses: not wrong, but worth a look.
std::vector<std::string> unused_operations(const rules::Content&);

}  // namespace landsraad::check_content
