#include "tests/simulation/oracle.h"

#include <algorithm>
#include <utility>

#include "rules/wire/actions.h"
#include "rules/wire/encode.h"

namespace landsraad::simulation {

namespace {

struct Collector final : rules::EventSink {
  std::vector<rules::Event> events;
  void on(const rules::Event& event) override { events.push_back(event); }
};

// The update in a message, wherever it stands.
const v1::GameUpdate* update_in(const v1::ServerMessage& message) {
  if (message.has_game()) return &message.game();
  if (message.has_room_joined() && message.room_joined().has_game()) return &message.room_joined().game();
  if (message.has_seat_taken() && message.seat_taken().has_game()) return &message.seat_taken().game();
  return nullptr;
}

const v1::RoomState* room_in(const v1::ServerMessage& message) {
  if (message.has_room()) return &message.room();
  if (message.has_room_joined()) return &message.room_joined().room();
  return nullptr;
}

bool same_move(const room::Deed& a, const room::Deed& b) {
  if (a.index() != b.index()) return false;
  if (const auto* action = std::get_if<rules::Action>(&a)) return *action == std::get<rules::Action>(b);
  return std::get<room::Undo>(a).to == std::get<room::Undo>(b).to;
}

std::string of_viewer(rules::Seat viewer) {
  return viewer == rules::kNoSeat ? " of a spectator" : " of seat " + std::to_string(viewer);
}

}  // namespace

void Oracle::fail(const std::string& what) {
  if (failure_.empty()) failure_ = what;
}

// ---- The disk.

const Chronicle* Oracle::chronicle(const room::RoomId& game) {
  const auto stored = disk_.games.find(game);
  if (stored == disk_.games.end()) return nullptr;
  Chronicle& here = chronicles_[game];
  for (std::size_t n = here.records.size(); n < stored->second.records.size(); ++n)
    play_on(game, here, stored->second.records[n].bytes);
  return &here;
}

void Oracle::play_on(const room::RoomId& game, Chronicle& here, const std::string& record) {
  here.records.push_back(record);
  if (here.records.size() == 1) {
    const auto opening = room::read_opening(record);
    if (!opening) return fail(game + ": its opening does not read back");
    here.opening = *opening;
    here.states.push_back(
        rules::new_game(content_, room::game_options(opening->options), room::game_seed(*opening)));
    return;
  }
  const std::string at = game + ": record " + std::to_string(here.records.size() - 1);
  const auto stored = room::read_entry(record);
  if (!stored) return fail(at + " does not read back");
  if (here.over()) return fail(at + " follows the end of the game");
  here.ends_with_a_move = stored->entry.moves_the_game();
  if (here.ends_with_a_move) return play_move(game, here, *stored, at);
  if (stored->version != here.version()) return fail(at + " has another version");
  if (!room::agrees(stored->state_hash, rules::hash(here.states.back()))) fail(at + " has another hash");
  note_deed(stored->entry, here, at);
}

void Oracle::play_move(const room::RoomId& game, Chronicle& here, const room::StoredEntry& stored,
                       const std::string& at) {
  const room::Entry& entry = stored.entry;
  if (stored.version != here.version() + 1U) return fail(at + " has another version");
  if (const std::string why = why_not(game, here, entry); !why.empty()) return fail(at + " " + why);
  rules::State state = here.states.back();
  Collector collector;
  if (const rules::Action* action = entry.action()) {
    rules::apply(content_, state, entry.seat, *action, &collector);
  } else {
    state = here.states[std::get<room::Undo>(entry.deed).to];
    state.version = here.version() + 1;
  }
  if (!room::agrees(stored.state_hash, rules::hash(state))) fail(at + " has another hash");
  counts.undone += entry.action() == nullptr ? 1 : 0;
  counts.by_bots += entry.cause == v1::CAUSE_BOT ? 1 : 0;
  counts.by_timeout += entry.cause == v1::CAUSE_TIMEOUT ? 1 : 0;
  counts.by_plan += entry.cause == v1::CAUSE_PLAN ? 1 : 0;
  counts.agreed += entry.cause == v1::CAUSE_AGREED ? 1 : 0;
  here.states.push_back(state);
  here.moves.push_back({entry, std::move(collector.events)});
  ++counts.actions;
}

std::string Oracle::why_not(const room::RoomId& game, const Chronicle& here, const room::Entry& entry) const {
  const bool by_player = entry.cause == v1::CAUSE_PLAYER;
  if (by_player && !was_asked(game, here.version(), entry)) return "is a move nobody has sent";
  if (const rules::Action* action = entry.action()) {
    if (here.paused) return "is an action in a pause";
    const bool bot = here.control[entry.seat] != v1::SEAT_CONTROL_OWNER;
    if (bot != (entry.cause == v1::CAUSE_BOT)) return "is by another one than plays the seat";
    if (entry.cause == v1::CAUSE_TIMEOUT && here.opening.options.timeout() != v1::TIMEOUT_POLICY_DEFAULT)
      return "is a default action against the room's options";
    return rules::is_legal(content_, here.states.back(), entry.seat, *action) ? "" : "is not legal";
  }
  const std::uint32_t to = std::get<room::Undo>(entry.deed).to;
  if (to >= here.version()) return "goes back to where it is";
  const v1::UndoPolicy policy = here.opening.options.undo();
  if (policy == v1::UNDO_POLICY_OFF || (!by_player && policy != v1::UNDO_POLICY_CONSENT))
    return "is an undo against the room's options";
  // Without consent, only what the same player has done since.
  for (std::uint32_t v = here.version(); by_player && v > to;) {
    const room::Entry& undone = here.moves[v - 1].entry;
    if (undone.seat != entry.seat) return "undoes what another one has done";
    const auto* earlier = std::get_if<room::Undo>(&undone.deed);
    v = earlier != nullptr ? earlier->to : v - 1;
  }
  return "";
}

void Oracle::note_deed(const room::Entry& entry, Chronicle& here, const std::string& at) {
  if (const auto* control = std::get_if<v1::SeatControl>(&entry.deed)) {
    if (here.control[entry.seat] == v1::SEAT_CONTROL_RESIGNED) fail(at + " gives a seat back that is lost");
    here.control[entry.seat] = *control;
    counts.taken_back += *control == v1::SEAT_CONTROL_OWNER ? 1 : 0;
    counts.resigned += *control == v1::SEAT_CONTROL_RESIGNED ? 1 : 0;
  }
  if (const auto* pause = std::get_if<room::Pause>(&entry.deed)) {
    here.paused = pause->paused;
    counts.pauses += here.paused ? 1 : 0;
  }
  if (const auto* ending = std::get_if<v1::Ending>(&entry.deed)) here.ended = *ending;
}

void Oracle::check_disk() {
  for (const auto& [game, here] : chronicles_) {
    const auto stored = disk_.games.find(game);
    if (stored == disk_.games.end() || stored->second.records.size() < here.records.size())
      return fail(game + ": records have gone from the disk");
    for (std::size_t n = 0; n < here.records.size(); ++n)
      if (stored->second.records[n].bytes != here.records[n]) return fail(game + ": a record has changed");
  }
}

// ---- Requests.

void Oracle::asked(SessionId session, std::uint64_t request, const room::RoomId& game, rules::Seat seat,
                   const v1::Act& act) {
  if (const auto action = wire::from_wire(act.action()))
    remember(session, request, {game, act.version(), seat, *action});
}

void Oracle::asked(SessionId session, std::uint64_t request, const room::RoomId& game, rules::Seat seat,
                   const v1::Undo& undo) {
  remember(session, request, {game, undo.version(), seat, room::Undo{undo.to()}});
}

void Oracle::remember(SessionId session, std::uint64_t request, const Asked& asked) {
  asked_[asked.game][asked.version].push_back(asked);
  open_requests_.emplace(std::pair{session, request}, asked);
}

bool Oracle::was_asked(const room::RoomId& game, std::uint32_t version, const room::Entry& entry) const {
  const auto of_game = asked_.find(game);
  if (of_game == asked_.end()) return false;
  const auto at = of_game->second.find(version);
  if (at == of_game->second.end()) return false;
  return std::any_of(at->second.begin(), at->second.end(), [&](const Asked& asked) {
    return asked.seat == entry.seat && same_move(asked.deed, entry.deed);
  });
}

// ---- Frames.

void Oracle::sent(SessionId session, const std::string& frame) {
  ++counts.frames;
  v1::ServerMessage message;
  if (!message.ParseFromString(frame)) return fail("a frame is no ServerMessage");
  note_place(session, message);
  const Place place = places_[session];
  check_secrets(place, message, frame);
  if (message.has_room_joined() && message.room_joined().game().diffs_size() > 0) ++counts.came_back_by_diffs;
  if (const v1::GameUpdate* update = update_in(message)) check_update(place, *update);
  if (message.reply_to() != 0) check_answer(session, message);
}

void Oracle::note_place(SessionId session, const v1::ServerMessage& message) {
  Place& place = places_[session];
  if (message.has_room_joined()) {
    const v1::RoomJoined& joined = message.room_joined();
    place = {joined.room().room(),
             joined.has_seat() ? static_cast<rules::Seat>(joined.seat()) : rules::kNoSeat, joined.person()};
  } else if (message.has_seat_taken()) {
    place.seat = static_cast<rules::Seat>(message.seat_taken().seat());
    tokens_.push_back(message.seat_taken().seat_token());
  } else if (message.has_room_left()) {
    place = {};
  } else if (message.has_room() && message.room().status() == v1::ROOM_STATUS_LOBBY) {
    // A seat was freed, or the same player has taken one in another window.
    for (const v1::Person& person : message.room().people())
      if (person.id() == place.person)
        place.seat = person.has_seat() ? static_cast<rules::Seat>(person.seat()) : rules::kNoSeat;
  }
}

// Canaries: the seed and the tokens are random and long; their bytes stand in no frame by chance.
void Oracle::check_secrets(const Place& place, const v1::ServerMessage& message, const std::string& frame) {
  if (message.has_welcome() && !message.welcome().player_token().empty())
    tokens_.push_back(message.welcome().player_token());
  if (!message.has_seat_taken() && !message.has_welcome())
    for (const std::string& token : tokens_)
      if (frame.find(token) != std::string::npos) return fail("a token was sent to somebody else");
  const Chronicle* game = chronicle(place.game);
  const v1::RoomState* state = room_in(message);
  if (game == nullptr) {
    if (state != nullptr && state->status() >= v1::ROOM_STATUS_PLAYING)
      fail(place.game + ": shown as begun before its opening was durable");
    return;
  }
  const std::string seed(game->opening.seed.begin(), game->opening.seed.end());
  if (!game->over() && frame.find(seed) != std::string::npos)
    fail(place.game + ": the seed was sent during the game");
  if (state != nullptr && state->status() == v1::ROOM_STATUS_OVER && state->seed() != seed)
    fail(place.game + ": the game is over but its seed was not sent");
}

std::uint32_t Oracle::visible(const Chronicle& game, rules::Seat viewer) {
  const std::uint32_t delay = game.opening.options.spectator_delay();
  if (viewer != rules::kNoSeat || game.over()) return game.version();
  return game.version() - std::min(delay, game.version());
}

void Oracle::check_clocks(const Chronicle& game, const Place& place, const v1::GameUpdate& update) {
  const bool has_clocks = game.opening.options.clock().kind_case() != v1::ClockOptions::KIND_NOT_SET;
  if (has_clocks != (update.clocks_size() > 0))
    return fail(place.game + ": clocks where there are none, or none");
  for (const v1::Clock& clock : update.clocks()) {
    const bool runs = game.waits_for(static_cast<rules::Seat>(clock.seat())) && !game.paused;
    // While storage is away clocks that could run stand.
    if (clock.running() && !runs)
      return fail(place.game + ": the clock of seat " + std::to_string(clock.seat()) + " runs at version " +
                  std::to_string(game.version()) + of_viewer(place.seat));
    if (clock.left_ms() < 0) return fail(place.game + ": a clock shows less than nothing");
  }
}

void Oracle::check_update(const Place& place, const v1::GameUpdate& update) {
  const Chronicle* game = chronicle(place.game);
  const std::uint32_t newest =
      update.diffs_size() > 0 ? update.diffs(update.diffs_size() - 1).version() : update.snapshot().version();
  const std::string who = of_viewer(place.seat);
  if (game == nullptr || newest > visible(*game, place.seat))
    return fail(place.game + ": version " + std::to_string(newest) + " was shown too early" + who);
  const bool delayed = place.seat == rules::kNoSeat && game->opening.options.spectator_delay() > 0;
  if (newest == game->version() && game->ends_with_a_move && !delayed) check_clocks(*game, place, update);
  if (update.has_snapshot()) {
    const rules::State& state = game->states[update.snapshot().version()];
    check_parts(state, place.seat, update.snapshot().view());
    v1::Snapshot expected;
    wire::encode_snapshot(content_, state, {place.seat}, expected);
    if (expected.SerializeAsString() != update.snapshot().SerializeAsString())
      fail(place.game + ": the snapshot" + who + " is not what it may see");
  }
  for (const v1::Diff& diff : update.diffs()) {
    const std::uint32_t version = diff.version();
    if (version == 0) return fail(place.game + ": a diff to version 0");
    const rules::State& state = game->states[version];
    check_parts(state, place.seat, diff.changes());
    check_events(state, place.seat, diff);
    v1::Diff expected;
    const Chronicle::Move& move = game->moves[version - 1];
    wire::encode_diff(content_, game->states[version - 1], state, move.events, {place.seat}, expected);
    if (const auto* undo = std::get_if<room::Undo>(&move.entry.deed)) {
      expected.mutable_undone()->set_to(undo->to);
      expected.mutable_undone()->set_seat(move.entry.seat);
    }
    if (expected.SerializeAsString() != diff.SerializeAsString())
      fail(place.game + ": the diff" + who + " to version " + std::to_string(version) +
           " is not what it may see");
  }
  if (!update.has_decision()) return;
  const v1::LegalActions& decision = update.decision();
  if (place.seat == rules::kNoSeat || decision.version() > game->version())
    return fail(place.game + ": a decision" + who + " that it has not");
  v1::LegalActions expected;
  wire::encode_legal_actions(content_, game->states[decision.version()], place.seat, expected);
  if (expected.actions_size() == 0 || expected.SerializeAsString() != decision.SerializeAsString())
    fail(place.game + ": the decision" + who + " at version " + std::to_string(decision.version()) +
         " is not its own");
}

void Oracle::check_answer(SessionId session, const v1::ServerMessage& message) {
  const auto found = open_requests_.find({session, message.reply_to()});
  const v1::ErrorCode code = message.error().code();
  if (found == open_requests_.end() || code == v1::ERROR_CODE_REPEATED_REQUEST) return;
  const Asked asked = found->second;
  open_requests_.erase(found);
  if (code == v1::ERROR_CODE_STORAGE_UNAVAILABLE) ++counts.refused_by_store;
  if (code == v1::ERROR_CODE_STALE_DECISION) ++counts.stale;
  if (!message.has_game()) return;
  ++counts.acknowledged;
  const std::string what = asked.game + ": the action for version " + std::to_string(asked.version);
  const Chronicle* game = chronicle(asked.game);
  if (game == nullptr || asked.version >= game->version())
    return fail(what + " was acknowledged before it was durable");
  if (++chronicles_[asked.game].answered[asked.version] > 1) return fail(what + " was acknowledged twice");
  const room::Entry& stored = game->moves[asked.version].entry;
  if (stored.seat != asked.seat || !same_move(stored.deed, asked.deed))
    fail(what + " was acknowledged, but another one is stored");
}

// ---- What nobody but its owner may see, told from the rules (INFO-1..12) and not from the encoder.

void Oracle::check_parts(const rules::State& state, rules::Seat viewer, const v1::GameView& view) {
  if (rules::is_over(state)) return;  // INFO-12
  for (const v1::SeatView& seat : view.seats()) {
    if (seat.id() == viewer) continue;
    if (seat.has_hand() || seat.has_deck() || seat.has_intrigues() || seat.has_looked_at())
      return fail("hidden cards of seat " + std::to_string(seat.id()) + " in the view" + of_viewer(viewer));
    const rules::OwnedCards& cards = state.players[seat.id()].cards;
    for (const std::uint32_t card : seat.hand_known().cards()) {
      const bool known = std::any_of(cards.begin(rules::Zone::hand), cards.end(rules::Zone::hand),
                                     [&](const rules::CardSlot& slot) {
                                       return slot.known != 0 && content_.card_id(slot.copy) == card;
                                     });
      if (!known) return fail("a card of a hand that not everybody knows in the view" + of_viewer(viewer));
    }
  }
}

void Oracle::check_events(const rules::State& state, rules::Seat viewer, const v1::Diff& diff) {
  if (rules::is_over(state)) return;  // INFO-12
  for (const v1::Event& event : diff.events()) {
    const bool drawn =
        event.kind() == v1::EVENT_KIND_CARD_DRAWN || event.kind() == v1::EVENT_KIND_INTRIGUE_DRAWN;
    const bool stolen = event.kind() == v1::EVENT_KIND_INTRIGUE_STOLEN;
    const bool own = event.seat() == viewer || (stolen && event.other() == viewer);
    if ((drawn || stolen) && event.has_subject() && !own)
      return fail("a drawn card in the events" + of_viewer(viewer));
  }
}

void Oracle::check_view(const room::RoomId& game, rules::Seat viewer, std::uint32_t version,
                        const v1::GameView& view, const std::string& who) {
  const Chronicle* here = chronicle(game);
  if (here == nullptr) return fail(who + " sees a game that is not there");
  if (version != visible(*here, viewer))
    return fail(who + " stands at version " + std::to_string(version) + " of " +
                std::to_string(here->version()));
  v1::GameView expected;
  wire::encode(content_, nullptr, here->states[version], {viewer}, expected);
  if (expected.SerializeAsString() != view.SerializeAsString())
    fail(who + " holds another view than the server would send");
}

}  // namespace landsraad::simulation
