// What must always hold, judged by somebody who sees everything: the disk, every request that clients made
// and every frame that the server sends.
//
// Whatever is on the disk is the truth; the oracle plays it again by itself and compares.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "landsraad/v1/protocol.pb.h"
#include "persistence/memory/memory_store.h"
#include "server/room/record.h"
#include "tests/simulation/network.h"

namespace landsraad::simulation {

// A game as the disk has it, played again.
struct Chronicle {
  // What led to a version: an action or an undo.
  struct Move {
    room::Entry entry;
    std::vector<rules::Event> events;
  };

  room::Opening opening;
  std::vector<std::string> records;
  std::vector<rules::State> states;                 // by version
  std::vector<Move> moves;                          // moves[v - 1] led to version v
  std::map<std::uint32_t, std::uint64_t> answered;  // by version answered: how many were told "done"
  std::array<v1::SeatControl, rules::kMaxSeats> control{};
  bool paused = false;
  bool ends_with_a_move = false;  // false: its last record is something else, of which not all may know yet
  v1::Ending ended = v1::ENDING_NONE;

  std::uint32_t version() const { return static_cast<std::uint32_t>(states.size() - 1); }
  bool over() const { return ended != v1::ENDING_NONE || rules::is_over(states.back()); }
  bool waits_for(rules::Seat seat) const {
    return !over() && (rules::deciders(states.back()) & rules::seat_bit(seat)) != 0;
  }
};

// What came up: a simulation that never meets a fault proves nothing about it.
struct Counts {
  std::uint64_t frames = 0, actions = 0, acknowledged = 0;
  std::uint64_t repeated = 0, stale = 0, refused_by_store = 0;         // requests refused
  std::uint64_t wakes = 0, roused = 0, slept = 0, ownership_lost = 0;  // of games
  std::uint64_t came_back_by_diffs = 0;                                // joins that needed no snapshot
  std::uint64_t undone = 0, by_bots = 0, by_timeout = 0, by_plan = 0, agreed = 0;  // entries of logs
  std::uint64_t pauses = 0, taken_back = 0, resigned = 0;
};

class Oracle {
 public:
  Oracle(const rules::Content& content, const persistence::MemoryDisk& disk)
      : content_(content), disk_(disk) {}

  // The first thing that was wrong; empty as long as all is well.
  const std::string& failure() const { return failure_; }
  void fail(const std::string& what);

  // A client sends an action or an undo for a version.
  void asked(SessionId session, std::uint64_t request, const room::RoomId& game, rules::Seat seat,
             const v1::Act& act);
  void asked(SessionId session, std::uint64_t request, const room::RoomId& game, rules::Seat seat,
             const v1::Undo& undo);
  // The server sends a frame.
  void sent(SessionId session, const std::string& frame);

  // The game as it is on the disk now; null if it has not begun.
  const Chronicle* chronicle(const room::RoomId& game);
  // Nothing that was ever on the disk has gone or changed.
  void check_disk();
  // What the viewer must see in the end.
  void check_view(const room::RoomId& game, rules::Seat viewer, std::uint32_t version,
                  const v1::GameView& view, const std::string& who);
  const rules::Content& content() const { return content_; }

  Counts counts;

 private:
  struct Asked {
    room::RoomId game;
    std::uint32_t version = 0;
    rules::Seat seat = rules::kNoSeat;
    room::Deed deed;
  };
  struct Place {  // of a session, as the server told it
    room::RoomId game;
    rules::Seat seat = rules::kNoSeat;
    std::uint32_t person = 0;
  };

  void remember(SessionId session, std::uint64_t request, const Asked& asked);
  void play_on(const room::RoomId& game, Chronicle& chronicle, const std::string& record);
  void play_move(const room::RoomId& game, Chronicle& chronicle, const room::StoredEntry& stored,
                 const std::string& at);
  void note_deed(const room::Entry& entry, Chronicle& chronicle, const std::string& at);
  // Why nobody could have made this move; empty if somebody could.
  std::string why_not(const room::RoomId& game, const Chronicle& chronicle, const room::Entry& entry) const;
  bool was_asked(const room::RoomId& game, std::uint32_t version, const room::Entry& entry) const;
  void note_place(SessionId session, const v1::ServerMessage& message);
  void check_secrets(const Place& place, const v1::ServerMessage& message, const std::string& frame);
  void check_clocks(const Chronicle& game, const Place& place, const v1::GameUpdate& update);
  // The newest version that a viewer may be shown.
  static std::uint32_t visible(const Chronicle& game, rules::Seat viewer);
  void check_update(const Place& place, const v1::GameUpdate& update);
  void check_answer(SessionId session, const v1::ServerMessage& message);
  void check_parts(const rules::State& state, rules::Seat viewer, const v1::GameView& view);
  void check_events(const rules::State& state, rules::Seat viewer, const v1::Diff& diff);

  const rules::Content& content_;
  const persistence::MemoryDisk& disk_;
  std::string failure_;
  std::map<room::RoomId, Chronicle> chronicles_;
  std::map<room::RoomId, std::map<std::uint32_t, std::vector<Asked>>> asked_;
  std::map<std::pair<SessionId, std::uint64_t>, Asked> open_requests_;
  std::map<SessionId, Place> places_;
  std::vector<std::string> tokens_;
};

}  // namespace landsraad::simulation
