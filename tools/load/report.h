// Measurements for people, for spreadsheets and for scripts.
#pragma once

#include <string>
#include <vector>

#include "tools/load/measure.h"

namespace landsraad::load {

// A table; each of the server's lines also says how it compares with the floor's line of the same mode and
// number of rooms, if there is one.
void print_table(const std::vector<Measurement>& measurements);

// A header and one line for each. False if the file cannot be written.
bool write_csv(const std::string& file, const std::vector<Measurement>& measurements);

// Lines `bench: NAME VALUE UNIT`.
void print_figures(const std::vector<Measurement>& measurements);

}  // namespace landsraad::load
