// Where the official texts are silent or contradict each other: our reading, one switch or number each.
// The list with the alternatives is in rules/README.md.
#pragma once

namespace landsraad::rules {

inline constexpr int kSolariPerContractIcon = 2;    // CHOAM-2
inline constexpr int kMaxInfluence = 6;             // FACT-2, UNSURE-10: gains above are lost
inline constexpr bool kWildMatchesWild = true;      // ICON-4, UNSURE-8
inline constexpr bool kFlipMayUseObjective = true;  // ICON-6, UNSURE-14
inline constexpr bool kMustPlaceSpy = true;         // SPY-3, UNSURE-3

}  // namespace landsraad::rules
