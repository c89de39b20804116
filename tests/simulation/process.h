// The server as one process: halls and a store over a disk that outlives them. It can be killed, shut down
// and started again.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "persistence/memory/memory_store.h"
#include "rules/notation/load.h"
#include "server/room/hall.h"
#include "tests/simulation/network.h"
#include "tests/simulation/oracle.h"

namespace landsraad::simulation {

class Process final : public ServerEnd {
 public:
  Process(Clockwork& clock, Chance& chance, Network& network, Oracle& oracle, persistence::MemoryDisk& disk,
          room::Limits limits, std::size_t halls);

  // ---- Weather of the store.
  Span longest_write = 5ms;  // until a request is carried out, and again until the reply is there
  bool writes_fail = false;  // a full disk: reads still work
  bool all_fails = false;

  // ---- Its life.
  bool running() const { return !halls_.empty(); }
  void start();
  void crash();      // what the store has not carried out is lost, or a part of it is not
  void shut_down();  // refuses new work, finishes what was begun, ends
  // Another process takes the game; this one finds out when it appends.
  void lose_ownership(const room::RoomId& game);

  std::size_t restarts() const { return generation_ - 1; }

  // ---- Of the network.
  bool accept(SessionId session) override;
  void received(SessionId session, const std::string& frame) override;
  void gone(SessionId session) override;

 private:
  void carry_out(room::Outbox out);
  void ask_store(room::StorageRequest request);
  void work_store();
  void reply(const room::StorageReply& reply);
  void tick();
  void wake_due_games();
  void wait_for_idle(Instant until);
  void end();
  // The same, unless this life of the process has ended by then.
  void in(Span time, Clockwork::Deed deed);

  Clockwork& clock_;
  Chance& chance_;
  Network& network_;
  Oracle& oracle_;
  persistence::MemoryDisk& disk_;
  room::Limits limits_;
  room::Library library_{rules::uprising_content()};
  std::size_t hall_count_;
  std::size_t generation_ = 0;  // counts starts
  std::unique_ptr<persistence::MemoryStore> store_;
  std::vector<std::unique_ptr<room::Hall>> halls_;
  std::map<SessionId, std::size_t> places_;  // the hall of each session
  Instant store_until_{};                    // when the latest request will be carried out
  // Failed, and nothing has succeeded since: may turn out to be stored if the process dies (store.h).
  std::optional<room::StorageRequest> in_doubt_;
};

}  // namespace landsraad::simulation
