#include "tools/replay/show.h"

#include <google/protobuf/util/json_util.h>

#include <iostream>

#include "tools/replay/exit_code.h"
#include "tools/replay/export.h"
#include "tools/replay/position.h"
#include "tools/replay/teller.h"
#include "tools/replay/viewpoint.h"
#include "tools/scenario/dump.h"

namespace landsraad::replay {

namespace {

words::Narrator narrator_of(const room::Replay& replay) {
  words::Narrator narrator(replay.game->content());
  narrator.introduce(names_of(replay.game->opening()));
  return narrator;
}

void show_position(const room::Replay& replay, const Viewpoint& from) {
  const rules::Content& content = replay.game->content();
  const rules::State& state = replay.game->state();
  const words::Narrator narrator = narrator_of(replay);
  tell_position(content, narrator, seen(content, state, from), std::cout);
  if (from.all) tell_decks(content, narrator, state, std::cout);
}

// The message a client would hold, in protobuf's JSON, with the numbers of the catalogue.
void write_position(const Playable& game, const room::Replay& replay, const Arguments& arguments,
                    const Viewpoint& from) {
  const rules::Content& content = replay.game->content();
  const rules::State& state = replay.game->state();
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  std::string snapshot;
  const auto status =
      google::protobuf::util::MessageToJsonString(seen(content, state, from), &snapshot, options);
  JsonWriter json(std::cout);
  json.begin_object().field("game", game.id).field("seen_from", arguments.seat);
  json.key("snapshot").raw(status.ok() ? snapshot : "null");
  if (from.all) write_decks(content, narrator_of(replay), state, json.key("decks"));
  json.end_object();
}

// The events as they were seen while they happened, then where it has led to. A moment: only that.
room::Replay show_from(const Playable& game, const Arguments& arguments, const Viewpoint& from) {
  const std::uint64_t until = arguments.until.value_or(kToTheEnd);
  const bool tells = !arguments.until && arguments.task == Task::tell;
  Teller teller(game.content(), std::cout, from.all ? std::nullopt : std::optional(from.viewer));
  room::Replay replay = play(game, tells ? &teller : nullptr, until);
  if (!replay.fault.empty()) return replay;
  if (arguments.task == Task::json) {
    write_position(game, replay, arguments, from);
  } else {
    if (tells) std::cout << '\n';
    show_position(replay, from);
  }
  return replay;
}

room::Replay show_whole(const Playable& game, const Arguments& arguments) {
  const std::uint64_t until = arguments.until.value_or(kToTheEnd);
  if (arguments.task == Task::json) {
    Exporter exporter(game.content(), std::cout);
    exporter.begin(game.id);
    room::Replay replay = play(game, &exporter, until);
    exporter.end(replay);
    return replay;
  }
  if (arguments.task == Task::scenario) {
    room::Replay replay = play(game, nullptr, until);
    if (replay.fault.empty()) std::cout << scenario::dump_position(game.content(), replay.game->state());
    return replay;
  }
  Teller teller(game.content(), std::cout);
  room::Replay replay = play(game, &teller, until);
  if (replay.fault.empty()) teller.standings(replay.game->state());
  return replay;
}

int wrong(const std::string& line) {
  std::cerr << "landsraad-replay: " << line << '\n';
  return kUsage;
}

int ending_of(const Playable& game, const room::Replay& replay) {
  if (replay.fault.empty()) return kWell;
  std::cerr << "game " << game.id << ": " << replay.fault << '\n';
  return kDamaged;
}

}  // namespace

int show(const Playable& game, const Arguments& arguments) {
  if (arguments.until.value_or(0) > game.entries())
    return wrong("game " + game.id + " has only " + std::to_string(game.entries()) + " entries");
  if (arguments.seat.empty()) return ending_of(game, show_whole(game, arguments));
  const std::optional<room::Opening> opening = room::read_opening(game.records.front());
  if (!opening) return ending_of(game, play(game));
  const std::optional<Viewpoint> from = viewpoint_of(arguments.seat, *opening);
  if (!from)
    return wrong("--seat " + arguments.seat + ": the seats of this game are 0 to " +
                 std::to_string(opening->seats.size() - 1) + "; or say spectator, all or a player's name");
  return ending_of(game, show_from(game, arguments, *from));
}

}  // namespace landsraad::replay
