// Actions and decisions between the engine and the wire.
#pragma once

#include <google/protobuf/repeated_field.h>

#include <optional>
#include <span>

#include "landsraad/v1/game.pb.h"
#include "rules/engine/engine.h"

namespace landsraad::wire {

void to_wire(const rules::Action&, v1::Action& out);

// The engine's form of what a client sent; nothing if a number does not fit or the kind is unknown. The
// result need not be legal: ask rules::is_legal.
std::optional<rules::Action> from_wire(const v1::Action&);

void to_wire(const rules::Content&, const rules::Decision&, v1::Decision& out);

// Whom the game waits for, by seat: public. `out` is replaced; empty when the game is over.
void encode_waiting(const rules::Content&, const rules::State&,
                    google::protobuf::RepeatedPtrField<v1::Decision>& out);

// All a seat may do now, for this seat alone. `out` is replaced; it has no actions if the game does not
// wait for the seat.
void encode_legal_actions(const rules::Content&, const rules::State&, rules::Seat, v1::LegalActions& out);
// The same for who has listed them already.
void encode_legal_actions(const rules::Content&, const rules::State&, rules::Seat,
                          std::span<const rules::Action> legal, v1::LegalActions& out);

}  // namespace landsraad::wire
