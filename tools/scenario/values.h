// What stands behind the name of a field: to set it, or to compare it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/scenario/fields.h"
#include "tools/scenario/outcome.h"

namespace landsraad::scenario {

enum class Relation : std::uint8_t { equals, changed_by, at_least, at_most };

struct Amount {
  Relation relation = Relation::equals;
  int number = 0;
};

// One thing of a list as written: `2 dagger known`.
struct Part {
  Entry entry;
  std::uint8_t without = kNoMark;  // marks it must not have
  Amount amount;                   // counts
};

struct Reading {
  enum class Form : std::uint8_t {
    amount,   // a number, flag, word, seat; for lists: how many things
    exactly,  // these things; for piles: these on top
    only,     // piles: these and no others
    has,
    lacks,  // at least these; none of these
    unchanged
  };
  Form form = Form::amount;
  Amount amount;
  std::vector<Part> parts;
};

// Reads the text behind a field's name. `leader` gives the names of steps.
Outcome<Reading> read_value(const Lexicon&, const Field&, std::string_view text, rules::LeaderId leader);

// What `no hooks`, `no wall`, `no spies` mean as a value of the field.
std::string_view absence(const Field&);

// One thing of this kind; an Objective may be written without its first word.
Outcome<std::uint16_t> read_thing(const Lexicon&, Thing, std::string_view text);

Outcome<rules::Seat> read_seat(std::string_view word);

// Empty if the value is as expected, else how it differs, after "is ...": "3, expected 4".
std::string difference(const Lexicon&, const Field&, const Reading&, const rules::State& now,
                       const rules::State& before, rules::Seat);

}  // namespace landsraad::scenario
