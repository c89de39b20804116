// The blocks of a content file: `kind id "Name"` at the start of a line, indented fields below it.
//
//   card maker_keeper "Maker Keeper"
//     copies 2  cost 2  icons city  factions bene_gesserit fremen
//     reveal persuasion(2)
//
// A field is its name and what follows. Fields that hold words or numbers end where the name of the next
// field of the block stands, so several may share a line; an effect takes the rest of its line. A `#`
// outside quotes begins a comment.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/notation/source.h"

namespace landsraad::rules::notation {

enum class BlockKind : std::uint8_t {
  starter,
  reserve,
  card,
  intrigue,
  conflict,
  leader,
  space,
  post,
  objective,
  track
};
inline constexpr std::size_t kBlockKinds = 10;

enum class FieldForm : std::uint8_t {
  flag,          // the name alone
  number,        // copies 2
  words,         // icons city spy
  quoted,        // house "Atreides"
  effect,        // agent draw(1)
  conditions,    // requires influence[fremen]>=2
  named_effect,  // signet "Warmaster" troop(1); the effect may be missing
  named_words,   // removes "Limited Allies" diplomacy
  step           // step start => left right : draw(1)
};

struct FieldRule {
  std::string_view name;
  FieldForm form = FieldForm::words;
  bool required = false;
  bool repeated = false;
};

struct FieldWord {
  Place place;
  std::string text;
};

struct Field {
  std::string_view name;
  FieldForm form = FieldForm::words;
  Place place;
  std::string title;             // what stands in quotes
  std::vector<FieldWord> words;  // words; the steps behind `=>`
  FieldWord step;                // id of a step
  int number = 0;
  std::string text;  // of the effect or the conditions
  Place text_place;
};

struct Block {
  BlockKind kind = BlockKind::card;
  Place place;
  std::string id;
  std::string name;
  std::vector<Field> fields;

  // The first field of the name, or null.
  const Field* find(std::string_view field) const;
};

std::string_view word_for(BlockKind);
std::span<const FieldRule> field_rules(BlockKind);

// All blocks of a file that can be read; errors go to the source.
std::vector<Block> read_blocks(std::string_view text, const Source&);

}  // namespace landsraad::rules::notation
