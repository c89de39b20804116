// What a viewer sees, through the encoder that clients get.
#include <algorithm>

#include "rules/wire/encode.h"
#include "tools/scenario/table_play.h"
#include "tools/scenario/text.h"

namespace landsraad::scenario {

using namespace rules;

namespace {

using Checked = Outcome<std::string>;

using Cards = google::protobuf::RepeatedField<std::uint32_t>;

void add_cards(const Cards& cards, std::vector<std::uint32_t>& into) {
  into.insert(into.end(), cards.begin(), cards.end());
}

const v1::SeatView* seat_of(const v1::GameView& view, Seat seat) {
  for (const v1::SeatView& part : view.seats())
    if (part.id() == seat) return &part;
  return nullptr;
}

// The cards that a view shows in a zone of a seat; false if there is no such zone.
bool cards_of_seat(const v1::SeatView& seat, std::string_view zone, std::vector<std::uint32_t>& cards) {
  if (zone == "hand") {
    add_cards(seat.hand().cards(), cards);
    add_cards(seat.hand_known().cards(), cards);
  } else if (zone == "intrigue") {
    add_cards(seat.intrigues().cards(), cards);
  } else if (zone == "deck") {
    add_cards(seat.deck().cards(), cards);
  } else if (zone == "discard") {
    add_cards(seat.discard().cards(), cards);
  } else if (zone == "in_play") {
    add_cards(seat.play().cards(), cards);
  } else if (zone == "looked" || zone == "looked_at") {
    add_cards(seat.looked_at().cards(), cards);
  } else {
    return false;
  }
  return true;
}

bool cards_of_table(const v1::GameView& view, std::string_view zone, std::vector<std::uint32_t>& cards) {
  if (zone == "row")
    add_cards(view.row().cards(), cards);
  else if (zone == "intrigue_discard")
    add_cards(view.intrigue_discard().cards(), cards);
  else if (zone == "trashed")
    add_cards(view.trashed().cards(), cards);
  else if (zone == "intrigue_trashed")
    add_cards(view.intrigue_trashed().cards(), cards);
  else
    return false;
  return true;
}

std::vector<std::uint32_t> subjects_of_events(const InPlay& game, wire::Viewer viewer) {
  google::protobuf::RepeatedPtrField<v1::Event> events;
  wire::encode_events(game.lexicon.content, game.log.events, viewer, events);
  std::vector<std::uint32_t> subjects;
  for (const v1::Event& event : events)
    if (event.has_subject()) subjects.push_back(event.subject());
  return subjects;
}

Outcome<std::uint16_t> any_card(const Lexicon& lexicon, std::string_view text) {
  const auto card = lexicon.names.find(Thing::card, text);
  if (card.ok()) return card;
  const auto intrigue = lexicon.names.find(Thing::intrigue, text);
  return intrigue.ok() ? intrigue : card;
}

// `sees P1 hand 4`: the number of cards of a hidden zone.
Checked check_seen_size(const v1::GameView& view, Seat owner, Words words) {
  const v1::SeatView* seat = seat_of(view, owner);
  const std::string_view zone = words.next();
  const auto number = whole_number(words.rest());
  if (seat == nullptr || !number) return Fault{"expected 'sees CARD in P1 hand' or 'sees P1 hand 4'"};
  int size = 0;
  if (zone == "hand")
    size = seat->hand_size();
  else if (zone == "deck")
    size = seat->deck_size();
  else if (zone == "intrigue")
    size = seat->intrigue_size();
  else
    return Fault{"expected hand, deck or intrigue, not " + quoted(zone)};
  return size == *number ? std::string() : "sees " + std::to_string(size) + " cards there";
}

}  // namespace

Outcome<std::string> check_sees(const InPlay& game, Seat viewer_seat, std::string_view text, bool sees) {
  const wire::Viewer viewer{viewer_seat};
  Words words(text);
  v1::GameView view;
  wire::encode(game.lexicon.content, nullptr, game.state, viewer, view);
  Subject owner;
  if (std::string_view rest = words.rest(); take_subject(rest, owner)) {
    if (owner.who != Subject::Who::seat || !sees)
      return Fault{"expected 'sees CARD in P1 hand' or 'sees P1 hand 4'"};
    return check_seen_size(view, owner.seat, Words(rest));
  }
  const auto card = any_card(game.lexicon, words.until({"in"}));
  if (!card.ok()) return card.fault();
  if (!words.take("in")) return Fault{"expected 'in' and a place: 'sees dagger in P1 hand'"};
  std::vector<std::uint32_t> cards;
  std::string_view place = words.rest();
  if (take_subject(place, owner)) {
    const v1::SeatView* seat = owner.who == Subject::Who::seat ? seat_of(view, owner.seat) : nullptr;
    if (seat == nullptr || !cards_of_seat(*seat, place, cards))
      return Fault{"expected hand, intrigue, deck, discard, in_play or looked of a seat, not " +
                   quoted(place)};
  } else if (same_word(place, "events")) {
    cards = subjects_of_events(game, viewer);
  } else if (!cards_of_table(view, place, cards)) {
    return Fault{
        "expected 'P1 hand', 'row', 'intrigue_discard', 'trashed', 'intrigue_trashed' or 'events', not " +
        quoted(place)};
  }
  const bool there = std::find(cards.begin(), cards.end(), *card) != cards.end();
  return there == sees ? std::string() : std::string(there ? "it is seen there" : "it is not seen there");
}

}  // namespace landsraad::scenario
