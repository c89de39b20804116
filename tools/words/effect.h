// What a card, space or reward does, in English: "pay 3 spice to gain 1 victory point".
#pragma once

#include <string>

#include "rules/engine/content.h"

namespace landsraad::words {

// The node and all below it; empty for kNoNode. The exact meaning is in the notation (rules/README.md); this
// is for reading along.
std::string effect(const rules::Content& content, rules::NodeId node);

// "you have 2 Influence with Fremen or more"
std::string conditions(const rules::Content& content, const rules::Conditions& conditions);

std::string_view faction_name(const rules::Content& content, std::uint8_t faction);

// "1 troop", "2 troops"
std::string counted(int amount, std::string_view one);
std::string counted(int amount, std::string_view one, std::string_view many);

}  // namespace landsraad::words
