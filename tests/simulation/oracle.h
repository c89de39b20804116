// What must always hold, judged by somebody who sees everything: the disk, every request that clients made
// and every frame that the server sends.
//
// Whatever is on the disk is the truth; the oracle plays it again by itself and compares.
#pragma once

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
  room::Opening opening;
  std::vector<std::string> records;
  std::vector<rules::State> states;                 // by version
  std::vector<std::vector<rules::Event>> events;    // events[v] led to version v; [0] is empty
  std::map<std::uint32_t, std::uint64_t> answered;  // by version answered: how many were told "done"

  std::uint32_t version() const { return static_cast<std::uint32_t>(states.size() - 1); }
  bool over() const { return rules::is_over(states.back()); }
};

// What came up: a simulation that never meets a fault proves nothing about it.
struct Counts {
  std::uint64_t frames = 0, actions = 0, acknowledged = 0;
  std::uint64_t repeated = 0, stale = 0, refused_by_store = 0;  // requests refused
  std::uint64_t wakes = 0, ownership_lost = 0;                  // of games
  std::uint64_t came_back_by_diffs = 0;                         // joins that needed no snapshot
};

class Oracle {
 public:
  Oracle(const rules::Content& content, const persistence::MemoryDisk& disk)
      : content_(content), disk_(disk) {}

  // The first thing that was wrong; empty as long as all is well.
  const std::string& failure() const { return failure_; }
  void fail(const std::string& what);

  // A client sends an action for the decision of `version`.
  void asked(SessionId session, std::uint64_t request, const room::RoomId& game, rules::Seat seat,
             const v1::Act& act);
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
    rules::Action action;
  };
  struct Place {  // of a session, as the server told it
    room::RoomId game;
    rules::Seat seat = rules::kNoSeat;
  };

  void play_on(const room::RoomId& game, Chronicle& chronicle, const std::string& record);
  bool was_asked(const room::RoomId& game, std::uint32_t version, rules::Seat seat,
                 const rules::Action& action) const;
  void note_place(SessionId session, const v1::ServerMessage& message);
  void check_secrets(const Place& place, const v1::ServerMessage& message, const std::string& frame);
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
