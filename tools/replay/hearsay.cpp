#include "tools/replay/hearsay.h"

#include <algorithm>

#include "rules/wire/words.h"

namespace landsraad::replay {

using namespace rules;

namespace {

// The engine's word for one of the wire: the numbers of the wire are its own, so it is looked up.
template <class Word, class WireWord>
Word engine_word(WireWord sought, Word last) {
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    const auto word = static_cast<Word>(i);
    if (wire::to_wire(word) == sought) return word;
  }
  return Word{};
}

SourceKind engine_kind(const Content& content, v1::SourceKind sought) {
  for (int i = 0; i <= static_cast<int>(SourceKind::objective); ++i) {
    const auto kind = static_cast<SourceKind>(i);
    if (wire::to_wire(content, Source{.kind = kind, .id = 0}).kind == sought) return kind;
  }
  return SourceKind::rule;
}

Event heard(const Content& content, const v1::Event& told) {
  Event event;
  event.kind = engine_word(told.kind(), EventKind::effect_expired);
  if (told.has_seat()) event.seat = static_cast<Seat>(told.seat());
  if (told.has_other()) event.other = static_cast<Seat>(told.other());
  event.detail = static_cast<std::uint8_t>(told.detail());
  if (told.has_subject()) event.subject = static_cast<std::uint16_t>(told.subject());
  event.amount = static_cast<std::int16_t>(told.amount());
  event.cause = source_of(content, told.cause_kind(), told.cause_id());
  return event;
}

}  // namespace

Phase phase_of(v1::Phase phase) { return engine_word(phase, Phase::over); }

Source source_of(const Content& content, v1::SourceKind kind, std::uint32_t id) {
  Source source{.kind = engine_kind(content, kind), .id = static_cast<std::uint16_t>(id)};
  if (source.kind != SourceKind::card && source.kind != SourceKind::intrigue) return source;
  const auto& copies = content.card_of_copy;
  source.id = static_cast<CardCopy>(std::find(copies.begin(), copies.end(), id) - copies.begin());
  return source;
}

std::vector<Event> hearsay(const Content& content, std::span<const Event> events, wire::Viewer viewer) {
  google::protobuf::RepeatedPtrField<v1::Event> told;
  wire::encode_events(content, events, viewer, told);
  std::vector<Event> out;
  for (const v1::Event& event : told) out.push_back(heard(content, event));
  return out;
}

}  // namespace landsraad::replay
