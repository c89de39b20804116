// The parse tree of an effect: what is written, before the vocabulary gives it a meaning.
//
// Grammar and words: rules/README.md. The tree keeps the places for error messages of later stages.
#pragma once

#include <string>
#include <vector>

#include "rules/notation/source.h"

namespace landsraad::rules::notation {

enum class Sign : std::uint8_t { none, equal, at_least, at_most, more };  // = >= <= >

// One entry of `[...]`; entries are separated by commas.
struct Qualifier {
  enum class Form : std::uint8_t {
    words,  // any | a|b
    keyed,  // cost<=3, from=any, icons=a|b
    range   // =n, n..m
  };
  Place place;
  Form form = Form::words;
  std::string key;                 // keyed only
  Sign sign = Sign::none;          // keyed only
  std::vector<std::string> words;  // empty if a number stands there
  int low = 0, high = 0;           // range; keyed with a number: low
};

// A word of the vocabulary with what belongs to it: `name[qualifiers]>=value`.
struct Phrase {
  Place place;
  std::string name;
  std::vector<Qualifier> qualifiers;
  Sign sign = Sign::none;      // the comparison behind predicates and triggers
  bool each_opponent = false;  // `>each_opponent`
  int value = 0;
};

struct Amount {
  enum class Kind : std::uint8_t { missing, number, any, all };
  Place place;
  Kind kind = Kind::missing;
  int number = 1;
};

struct Predicate {
  bool negated = false;
  Phrase phrase;
};

struct Conditions {
  Place place;
  bool any = false;  // joined by `or`
  std::vector<Predicate> predicates;
};

// `@duration` and `limit(n/span)` behind an atom, a group or a trigger.
struct Suffixes {
  Place place;
  std::string duration;  // empty = none
  std::string span;      // of limit; empty = none
  int limit = 0;
  bool empty() const { return duration.empty() && span.empty(); }
};

struct Effect {
  enum class Form : std::uint8_t {
    atom,       // phrase, amount, per; child 0 if it wraps an effect: may(...)
    group,      // {child 0}
    lines,      // a; b
    parts,      // a + b, a & b
    then,       // a THEN b; a child is one item or parts
    arrow,      // child 0 -> child 1
    choice,     // a OR b
    condition,  // if(conditions): child 0
    trigger     // on(phrase): child 0
  };
  Form form = Form::atom;
  Place place;
  Phrase phrase;
  Amount amount;
  std::vector<Phrase> per;  // none or one
  Conditions conditions;
  Suffixes suffixes;
  bool cost_link = false;  // parts: joined by & at least once
  std::vector<Effect> children;
};

}  // namespace landsraad::rules::notation
