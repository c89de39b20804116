// Actions and events as English sentences, with the names that are printed on the cards.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/engine/engine.h"

namespace landsraad::words {

class Narrator {
 public:
  // The content must outlive the narrator.
  explicit Narrator(const rules::Content& content) : content_(content) {}

  // The players' names by seat; a seat without one is called "Seat 1", "Seat 2", ...
  void introduce(std::vector<std::string> players) { players_ = std::move(players); }

  // What a seat does, told from the position before it: "Ann sends Dagger to Arrakeen, infiltrating from
  // post A". The action must be legal there.
  std::string action(const rules::State& before, rules::Seat seat, const rules::Action& action) const;

  // What happened: "Ann gains 2 spice (Arrakeen)". A card that the event does not name is "a card". Empty
  // for events that say nothing to a person.
  std::string event(const rules::Event& event) const;

  // Names.
  std::string player(rules::Seat seat) const;
  std::string source(rules::Source source) const;  // empty for the rules themselves
  std::string_view card(rules::CardId card) const;
  std::string_view leader(rules::LeaderId leader) const;
  std::string_view space(rules::SpaceId space) const;
  std::string_view post(rules::PostId post) const;
  std::string_view conflict(rules::ConflictId conflict) const;
  std::string_view objective(rules::ObjectiveId objective) const;
  std::string_view faction(std::uint8_t faction) const;
  std::string step(rules::LeaderId leader, std::uint8_t step) const;  // of the leader's own track

 private:
  std::string subject_and_verb(const rules::Event& event) const;
  std::string drawn(const rules::Event& event) const;
  std::string card_choice(const rules::State& before, rules::Seat seat, const rules::Action& action) const;
  std::string sending(rules::Seat seat, const rules::Action& action) const;
  std::string resolving(const rules::State& before, rules::Seat seat, const rules::Action& action) const;
  std::string won_card(std::uint16_t id, bool is_objective) const;

  const rules::Content& content_;
  std::vector<std::string> players_;
};

std::string_view name(rules::Phase phase);  // "Makers"

}  // namespace landsraad::words
