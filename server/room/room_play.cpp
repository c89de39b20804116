// The path of an entry of the log, of which an action is one: check, work out on a copy, store, and only then
// commit and show. Also how a game begins, and how a stored one wakes.
#include <cassert>
#include <utility>

#include "rules/wire/actions.h"
#include "server/room/replay.h"
#include "server/room/room.h"
#include "server/room/snapshot.h"

namespace landsraad::room {

namespace {

// Clocks, the decision or the undo that is offered may be others after it, without a move.
bool changes_who_may_act(const Entry& entry) {
  return std::holds_alternative<Pause>(entry.deed) || std::holds_alternative<v1::SeatControl>(entry.deed) ||
         std::holds_alternative<v1::Ending>(entry.deed);
}

}  // namespace

void Room::request(StorageVerb verb, Instant now, Outbox& out, std::string record) {
  StorageRequest& request = out.storage.emplace_back();
  request.verb = verb;
  request.game = id_;
  request.epoch = epoch_;
  request.when = now;
  request.record = std::move(record);
  if (verb == StorageVerb::append) request.expected = game_->records();
  waits_for_storage_ = true;
}

// ---- The beginning.

void Room::start(Request from, Instant now, Outbox& out) {
  if (seated(from, out) == nullptr) return;
  if (stage_ != Stage::lobby) return refuse(out, from, v1::ERROR_CODE_ALREADY_STARTED);
  Opening opening;
  for (const SeatHolder& holder : seats_) {
    if (!holder.taken || !holder.ready) return refuse(out, from, v1::ERROR_CODE_NOT_READY);
    opening.seats.push_back({holder.name, holder.token, holder.player, holder.nonce});
  }
  const rules::Content& content = house_->library->current();
  opening.content_version = content.version;
  opening.options = options_;
  opening.seed = seed_;
  opening.owner = owner_;
  opening.door = door_;
  opening.barred = barred_.all();
  opening.created = now;

  stage_ = Stage::starting;
  pending_start_ = std::make_unique<PendingStart>(PendingStart{from, Game(content, std::move(opening))});
  request(StorageVerb::create, now, out, write_opening(pending_start_->game.opening()));
  out.storage.back().listed = !options_.unlisted();
  for (const SeatHolder& holder : seats_) out.storage.back().players.push_back(holder.player);
  show_state(out);
}

void Room::create_done(const StorageReply& reply, Instant now, Outbox& out) {
  const std::unique_ptr<PendingStart> start = std::move(pending_start_);
  if (reply.error != StorageError::none) {
    stage_ = Stage::lobby;
    out.note(Note::Level::error, id_, "cannot store the start of the game: " + reply.why);
    refuse(out, start->from, v1::ERROR_CODE_STORAGE_UNAVAILABLE);
    return show_state(out);
  }
  epoch_ = reply.epoch;
  game_.emplace(std::move(start->game));
  game_->start_clocks_again(now);
  begin_delay();
  stage_ = Stage::playing;
  put_surplus_out(now, out);
  out.note(Note::Level::info, id_, "game started with " + std::to_string(seats_.size()) + " players");
  show_state(out, start->from);
  show_game(now, out);
  go_on(now, out);
}

// ---- The log.

bool Room::hold(Request from, const v1::ClientMessage& message, Instant now, Outbox& out) {
  if (game_ && game_->records() >= house_->limits.log_entries && !message.has_act()) {
    refuse(out, from, v1::ERROR_CODE_NOT_ALLOWED, "So much has happened in this game that it only plays on.");
    return true;
  }
  if (!pending_step_) return false;
  // What it finds when its turn comes is known once the other entry is durable.
  if (held_requests_.size() >= house_->limits.held_requests)
    refuse(out, from, v1::ERROR_CODE_BUSY);
  else
    held_requests_.push_back({from, message, now});
  return true;
}

void Room::write(Request from, const Entry& entry, Outbox& out) {
  assert(game_->why_not(entry).empty());
  pending_step_ = house_->steps.lend();
  pending_step_->from = from;
  game_->prepare(entry, pending_step_->step);
  request(StorageVerb::append, entry.when, out, game_->record(pending_step_->step));
}

std::optional<rules::Seat> Room::seat_in_game(Request from, Outbox& out) {
  if (!game_) {
    refuse(out, from, v1::ERROR_CODE_NOT_STARTED);
    return std::nullopt;
  }
  const Occupant* const occupant = seated(from, out);
  return occupant == nullptr ? std::nullopt : std::optional(occupant->seat);
}

std::optional<rules::Seat> Room::player_of(Request from, Outbox& out) {
  const std::optional<rules::Seat> seat = seat_in_game(from, out);
  if (!seat || !game_->over()) return seat;
  refuse(out, from, v1::ERROR_CODE_GAME_OVER);
  return std::nullopt;
}

std::optional<rules::Seat> Room::mover(Request from, std::uint32_t version, Outbox& out) {
  const std::optional<rules::Seat> seat = seat_in_game(from, out);
  if (!seat) return std::nullopt;
  // Stale comes first: who repeats the last action of a game is told what everybody who repeats one is.
  const v1::ErrorCode fault = version != game_->version() ? v1::ERROR_CODE_STALE_DECISION
                              : game_->over()             ? v1::ERROR_CODE_GAME_OVER
                              : game_->paused()           ? v1::ERROR_CODE_PAUSED
                              : game_->control(*seat) != v1::SEAT_CONTROL_OWNER ? v1::ERROR_CODE_BOT_PLAYS
                                                                                : v1::ERROR_CODE_UNSPECIFIED;
  if (fault == v1::ERROR_CODE_UNSPECIFIED) return seat;
  refuse(out, from, fault);
  return std::nullopt;
}

void Room::act(Request from, const v1::Act& act, Instant now, Outbox& out) {
  const std::optional<rules::Seat> seat = mover(from, act.version(), out);
  if (!seat) return;
  if (!game_->waits_for(*seat)) return refuse(out, from, v1::ERROR_CODE_NOT_YOUR_DECISION);
  const std::optional<rules::Action> action = wire::from_wire(act.action());
  if (!action) return refuse(out, from, v1::ERROR_CODE_ILLEGAL_ACTION);
  const Entry entry{.deed = *action, .seat = *seat, .when = now, .spent = game_->clocks().used(*seat, now)};
  if (!game_->why_not(entry).empty()) return refuse(out, from, v1::ERROR_CODE_ILLEGAL_ACTION);
  write(from, entry, out);
}

void Room::undo(Request from, const v1::Undo& request, Instant now, Outbox& out) {
  const std::optional<rules::Seat> seat = mover(from, request.version(), out);
  if (!seat) return;
  const Entry entry{
      .deed = Undo{request.to()}, .seat = *seat, .when = now, .spent = game_->clocks().used(*seat, now)};
  if (!free_undo_to(*seat) || !game_->why_not(entry).empty())
    return refuse(out, from, v1::ERROR_CODE_NOTHING_TO_UNDO);
  write(from, entry, out);
}

std::optional<std::uint32_t> Room::free_undo_to(rules::Seat seat) const {
  return game_->undos(seat) < house_->limits.undos ? game_->undo_to(seat) : std::nullopt;
}

void Room::append_done(const StorageReply& reply, Instant now, Outbox& out) {
  const Spares<PendingStep>::Loan pending = std::move(pending_step_);
  if (reply.error == StorageError::unavailable) {
    storage_is_away(*pending, reply, now, out);
    return take_held_requests(out);
  }
  if (reply.error != StorageError::none) return lose_game(pending->from, reply, out);

  clocks_stand_until_.reset();
  apply_step(*pending, now, out);
  if (game_->over()) finish(now, out);
  take_held_requests(out);
  go_on(now, out);
}

// Nothing was shown and the game is untouched, so rolling back is to forget the step.
void Room::storage_is_away(const PendingStep& pending, const StorageReply& reply, Instant now, Outbox& out) {
  out.note(Note::Level::warning, id_, "cannot store what happened: " + reply.why);
  refuse(out, pending.from, v1::ERROR_CODE_STORAGE_UNAVAILABLE);
  game_->stop_clocks(pending.step.entry.when);
  clocks_stand_until_ = now + house_->limits.storage_patience;
}

void Room::apply_step(const PendingStep& pending, Instant now, Outbox& out) {
  const rules::State before = game_->state();
  const Entry& entry = pending.step.entry;
  game_->commit(pending.step, now);
  if (game_->records() - snapshot_covers_ >= house_->limits.snapshot_entries) keep_snapshot(out);
  if (game_->over()) {
    stage_ = Stage::over;
    catch_up(out);
  }
  note_absence(entry);
  const bool had_proposal = proposal_.has_value();
  if (entry.moves_the_game() || entry.cause == v1::CAUSE_AGREED || game_->over()) proposal_.reset();
  if (entry.moves_the_game()) {
    show_step(pending, before, now, out);
    if (had_proposal && !game_->over()) show_state(out);
  } else if (std::holds_alternative<Door>(entry.deed)) {
    send_invitation(pending.from, out);
  } else {
    show_state(out, pending.from);
  }
  if (changes_who_may_act(entry)) show_present(now, out);
  end_plans(entry, out);
}

void Room::take_held_requests(Outbox& out) {
  std::vector<HeldRequest> held = std::move(held_requests_);
  held_requests_.clear();
  for (const HeldRequest& waiting : held) dispatch(waiting.from, waiting.message, waiting.arrived, out);
}

// Nothing waits for it: without it a later load just plays a longer log again.
void Room::keep_snapshot(Outbox& out) {
  snapshot_covers_ = game_->records();
  StorageRequest& request = out.storage.emplace_back();
  request.verb = StorageVerb::snapshot;
  request.game = id_;
  request.epoch = epoch_;
  request.expected = game_->records();
  request.record = write_snapshot(*game_);
}

void Room::finish(Instant now, Outbox& out) {
  out.note(Note::Level::info, id_, "game over after " + std::to_string(game_->version()) + " moves");
  if (game_->ending() == v1::ENDING_PLAYED) show_state(out);
  request(StorageVerb::close, now, out);
}

void Room::lose_game(Request from, const StorageReply& reply, Outbox& out) {
  out.note(Note::Level::error, id_, "gave the game up: " + reply.why);
  constexpr std::string_view sentence = "The game is no longer this room's; join it again.";
  refuse(out, from, v1::ERROR_CODE_STORAGE_UNAVAILABLE, sentence);
  for (const HeldRequest& held : held_requests_)
    refuse(out, held.from, v1::ERROR_CODE_STORAGE_UNAVAILABLE, sentence);
  held_requests_.clear();
  put_all_out(out);
  out.changes.push_back(line());
  lost_ = true;
}

// ---- Waking: take the game over, load it, play it again, then let in whoever waits.

Room Room::wake(House& house, RoomId id, Instant now, Outbox& out, bool idle) {
  Room room(house, std::move(id), Founding{}, now);
  room.stage_ = Stage::waking;
  room.idle_ = idle;
  room.request(StorageVerb::claim, now, out);
  return room;
}

void Room::claim_done(const StorageReply& reply, Instant now, Outbox& out) {
  if (reply.error != StorageError::none) return wake_failed(reply.error, reply.why, out);
  epoch_ = reply.epoch;
  request(StorageVerb::load, now, out);
}

void Room::load_done(const StorageReply& reply, Instant now, Outbox& out) {
  if (reply.error != StorageError::none) return wake_failed(reply.error, reply.why, out);
  const rules::Content& content = house_->library->of_game(reply.records);
  const bool whole = reply.snapshot.empty();
  Replay replayed = whole ? replay(content, reply.records) : resume(content, reply.records, reply.snapshot);
  if (!replayed.fault.empty() && !whole) {
    out.note(Note::Level::warning, id_, "plays its whole log again: " + replayed.fault);
    return request(StorageVerb::load_all, now, out);
  }
  if (!replayed.fault.empty()) return wake_failed(StorageError::unreadable, replayed.fault, out);

  game_.emplace(std::move(*replayed.game));
  if (!whole) snapshot_covers_ = game_->records() - (reply.records.size() - 1);
  game_->start_clocks_again(house_->began);
  const Opening& opening = game_->opening();
  options_ = opening.options;
  for (const TokenHash& player : opening.barred) barred_.add(player);
  seats_.clear();
  for (const OpeningSeat& seat : opening.seats)
    seats_.push_back({true, true, seat.name, seat.token, seat.player, seat.nonce, now});
  for (const SeatHolder& seat : seats_) person_of({seat.name, seat.player});
  stage_ = game_->over() ? Stage::over : Stage::playing;
  begin_delay();
  empty_since_ = now;
  out.note(Note::Level::info, id_, "woke at version " + std::to_string(game_->version()));
  if (game_->over() && !reply.closed) request(StorageVerb::close, now, out);

  std::vector<WaitingJoin> waiting = std::move(waiting_joins_);
  waiting_joins_.clear();
  for (const WaitingJoin& each : waiting)
    if (!join(each.from, each.caller, each.request, now, out)) out.put_out.push_back(each.from.session);
  go_on(now, out);
}

void Room::wake_failed(StorageError error, std::string_view why, Outbox& out) {
  const v1::ErrorCode code = error == StorageError::unavailable ? v1::ERROR_CODE_STORAGE_UNAVAILABLE
                             : error == StorageError::missing   ? v1::ERROR_CODE_UNKNOWN_ROOM
                                                                : v1::ERROR_CODE_GAME_UNREADABLE;
  // A game that cannot be read is an operator's business; storage that is away for a while is not.
  const Note::Level level = code == v1::ERROR_CODE_GAME_UNREADABLE ? Note::Level::error
                            : code == v1::ERROR_CODE_UNKNOWN_ROOM  ? Note::Level::debug
                                                                   : Note::Level::warning;
  if (code == v1::ERROR_CODE_GAME_UNREADABLE) ++out.unreadable;
  out.note(level, id_, "cannot wake the game: " + std::string(why));
  const std::string sentence = "This game cannot be played on. " + std::string(why);
  for (const WaitingJoin& waiting : waiting_joins_) {
    refuse(out, waiting.from, code, code == v1::ERROR_CODE_GAME_UNREADABLE ? sentence : std::string_view{});
    out.put_out.push_back(waiting.from.session);
  }
  waiting_joins_.clear();
  lost_ = true;
}

void Room::stored(const StorageReply& reply, Instant now, Outbox& out) {
  if (reply.verb == StorageVerb::snapshot) {
    if (reply.error != StorageError::none) snapshot_covers_ = 1;
    return;
  }
  waits_for_storage_ = false;
  switch (reply.verb) {
    case StorageVerb::create:
      return create_done(reply, now, out);
    case StorageVerb::append:
      return append_done(reply, now, out);
    case StorageVerb::claim:
      return claim_done(reply, now, out);
    case StorageVerb::load:
      return load_done(reply, now, out);
    case StorageVerb::load_all:
      return game_ ? record_loaded(reply, out) : load_done(reply, now, out);
    case StorageVerb::close:
      // The game is complete in any case; closing is tried again when the room wakes the next time.
      if (reply.error != StorageError::none)
        out.note(Note::Level::warning, id_, "cannot close the finished game: " + reply.why);
      if (!record_askers_.empty()) request(StorageVerb::load_all, now, out);
      return;
    case StorageVerb::snapshot:  // see above
    case StorageVerb::sleep:     // the hall's
    case StorageVerb::list:
    case StorageVerb::forget:
      return;
  }
}

}  // namespace landsraad::room
