// What is said in the room, and what it tells about the game beside the game itself.
#include <algorithm>
#include <utility>

#include "server/room/disclosure.h"
#include "server/room/names.h"
#include "server/room/room.h"

namespace landsraad::room {

void Room::chat(Request from, const v1::Chat& request, Instant now, Outbox& out) {
  const Occupant& occupant = *find(from.session);
  const Person& speaker = person(occupant.person);
  if (muted_.has(speaker.player)) return refuse(out, from, v1::ERROR_CODE_MUTED);
  const std::optional<std::string> text = clean_text(request.text(), house_->limits);
  if (!text) return refuse(out, from, v1::ERROR_CODE_BAD_TEXT);
  if (!chat_.takes_turn(speaker.player, now, house_->limits))
    return refuse(out, from, v1::ERROR_CODE_TOO_FAST, "You have said much in this minute; wait a little.");

  v1::ServerMessage message;
  v1::ChatLine& line = *message.mutable_chat();
  line.set_person(speaker.id);
  line.set_name(speaker.name);
  if (occupant.seat != rules::kNoSeat) line.set_seat(occupant.seat);
  line.set_text(*text);
  line.set_unix_ms(now.time_since_epoch().count());
  chat_.say(line, house_->limits);
  tell_all(message, from, out);
}

// ---- Answers given in advance.

void Room::plan(Request from, const v1::Plan& request, Outbox& out) {
  if (!game_) return refuse(out, from, v1::ERROR_CODE_NOT_STARTED);
  const Occupant* occupant = seated(from, out);
  if (occupant == nullptr) return;
  if (game_->over()) return refuse(out, from, v1::ERROR_CODE_GAME_OVER);
  plans_[occupant->seat] = SeatPlan(request, game_->state());
  tell_plan(occupant->seat, from, out);
}

void Room::tell_plan(rules::Seat seat, Request asked, Outbox& out) {
  v1::ServerMessage message;
  *message.mutable_plan() = plans_[seat].to_message();
  const Frame frame = to_frame(message);
  for (const Occupant& occupant : occupants_)
    if (occupant.seat == seat)
      out.send(occupant.session, occupant.session == asked.session ? as_answer(frame, asked.id) : frame);
}

void Room::end_plans(const Entry& entry, Outbox& out) {
  for (rules::Seat seat = 0; seat < seats_.size(); ++seat) {
    SeatPlan& plan = plans_[seat];
    if (plan.empty()) continue;
    // Who takes an answer back wants to be asked again.
    const bool taken_back =
        std::holds_alternative<Undo>(entry.deed) && (entry.seat == seat || entry.cause == v1::CAUSE_AGREED);
    if (taken_back || game_->over())
      plan = {};
    else if (!plan.expire(game_->state()))
      continue;
    tell_plan(seat, {}, out);
  }
}

std::optional<Entry> Room::plan_due(Instant now) const {
  for (rules::Seat seat = 0; seat < seats_.size(); ++seat) {
    if (plans_[seat].empty() || !game_->waits_for(seat)) continue;
    if (game_->control(seat) != v1::SEAT_CONTROL_OWNER) continue;
    const rules::Action action = plans_[seat].answer(game_->content(), game_->state(), seat);
    if (action.kind == rules::ActionKind::none) continue;
    return Entry{.deed = action,
                 .seat = seat,
                 .cause = v1::CAUSE_PLAN,
                 .when = now,
                 .spent = game_->clocks().used(seat, now)};
  }
  return std::nullopt;
}

// ---- Questions about the game.

void Room::preview_reveal(Request from, Outbox& out) {
  if (!game_) return refuse(out, from, v1::ERROR_CODE_NOT_STARTED);
  const Occupant* occupant = seated(from, out);
  if (occupant == nullptr) return;
  if (game_->over()) return refuse(out, from, v1::ERROR_CODE_GAME_OVER);
  const rules::RevealPreview preview =
      rules::preview_reveal(game_->content(), game_->state(), occupant->seat);
  v1::ServerMessage message;
  message.mutable_reveal_preview()->set_version(game_->version());
  message.mutable_reveal_preview()->set_persuasion(preview.persuasion);
  message.mutable_reveal_preview()->set_strength(preview.strength);
  answer(out, from, message);
}

void Room::get_log(Request from, const v1::GetLog& request, Outbox& out) {
  if (!game_) return refuse(out, from, v1::ERROR_CODE_NOT_STARTED);
  rules::Seat viewer = find(from.session)->seat;
  if (request.has_seat() && request.seat() != viewer) {
    if (!game_->over())
      return refuse(out, from, v1::ERROR_CODE_NOT_OVER,
                    "Until the game is over you see it from your own seat only.");
    if (request.seat() >= seats_.size())
      return refuse(out, from, v1::ERROR_CODE_SEAT_NOT_FREE, "There is no such seat.");
    viewer = static_cast<rules::Seat>(request.seat());
  }
  const auto most = static_cast<std::uint32_t>(house_->limits.log_page);
  const std::uint32_t limit = request.limit() == 0 ? most : std::min(request.limit(), most);
  v1::ServerMessage message;
  write_log(viewer, request.after(), limit, *message.mutable_log_page());
  answer(out, from, message);
}

void Room::write_log(rules::Seat viewer, std::uint32_t after, std::uint32_t limit, v1::LogPage& out) const {
  const std::uint32_t last = version_for(viewer);
  if (after > last) return;
  const std::uint32_t to = after + std::min(limit, last - after);
  const wire::Viewer eyes{viewer};
  wire::encode_snapshot(game_->content(), game_->state_at(after), eyes, *out.mutable_snapshot());
  v1::Diff diff;
  game_->for_each_diff(after, to, eyes, diff, [&out](const Move& move, v1::Diff& made) {
    v1::LogEntry& entry = *out.add_entries();
    entry.mutable_diff()->Swap(&made);
    entry.set_unix_ms(move.unix_ms);
    if (move.seat != rules::kNoSeat) entry.set_seat(move.seat);
    entry.set_cause(static_cast<v1::Cause>(move.cause));
  });
  out.set_more(to < last);
}

// ---- The record of a finished game. It is not kept in memory: storage has it.

void Room::get_record(Request from, Instant now, Outbox& out) {
  if (!game_) return refuse(out, from, v1::ERROR_CODE_NOT_STARTED);
  if (!game_->over()) return refuse(out, from, v1::ERROR_CODE_NOT_OVER);
  if (record_askers_.size() >= house_->limits.held_requests) return refuse(out, from, v1::ERROR_CODE_BUSY);
  record_askers_.push_back(from);
  if (!waits_for_storage_) request(StorageVerb::load_all, now, out);
}

void Room::record_loaded(const StorageReply& reply, Outbox& out) {
  const std::vector<Request> askers = std::exchange(record_askers_, {});
  v1::ServerMessage message;
  std::optional<v1::GameRecord> record;
  if (reply.error == StorageError::none) record = disclose(reply.records);
  if (!record) {
    out.note(Note::Level::warning, id_, "cannot read the finished game: " + reply.why);
    for (const Request& asker : askers)
      refuse(out, asker, v1::ERROR_CODE_STORAGE_UNAVAILABLE, "The record cannot be read now. Try again.");
    return;
  }
  message.mutable_record()->Swap(&*record);
  const Frame frame = to_frame(message);
  for (const Request& asker : askers) out.send(asker.session, as_answer(frame, asker.id));
}

}  // namespace landsraad::room
