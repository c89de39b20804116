// The vocabulary, as a list for people who write content.
#pragma once

namespace landsraad::check_content {

// Prints every operation, condition, count and trigger: how it is written and what it means.
void print_words();

}  // namespace landsraad::check_content
