// The faults that MemoryStore can show.
#include <vector>

#include "tests/unit/store_contract.h"

namespace landsraad::persistence::store_memory_test {

namespace {

struct Machine {
  MemoryDisk disk;
  MemoryStore memory{disk};
  MemoryStore& store() { return memory; }
  void settle() { memory.run(); }
};

}  // namespace

TEST_CASE("memory store: failing writes are unavailable, then it goes on") {
  Machine machine;
  create(machine, "arrakis", "setup");
  machine.memory.fail_writes(2);
  CHECK(append(machine, "arrakis", 1, 1, "a").error == StoreError::unavailable);
  CHECK(claim(machine, "arrakis").error == StoreError::unavailable);
  CHECK(append(machine, "arrakis", 1, 1, "a").value == 2);
  machine.memory.fail_reads(1);
  CHECK(load(machine, "arrakis").error == StoreError::unavailable);
  CHECK(load(machine, "arrakis").value.records.size() == 2);
}

TEST_CASE("memory store: without run() nothing is carried out or reported") {
  Machine machine;
  bool reported = false;
  machine.memory.create("arrakis", {.records = {"setup"}}, [&](Result<Epoch>) { reported = true; });
  CHECK_FALSE(reported);
  CHECK(machine.disk.games.empty());
  CHECK(machine.memory.run_one());
  CHECK(reported);
  CHECK_FALSE(machine.memory.run_one());
}

TEST_CASE("memory store: a power failure keeps any head of what waits, and reports nothing") {
  for (std::size_t stored = 0; stored <= 3; ++stored) {
    Machine machine;
    create(machine, "arrakis", "setup");
    int reports = 0;
    for (Sequence n = 1; n <= 3; ++n) {
      machine.memory.append("arrakis", 1, n, "a", [&](Result<Sequence>) { ++reports; });
    }
    machine.memory.lose_power(stored);
    CHECK(machine.memory.waiting() == 0);
    CHECK(reports == 0);
    CHECK(load(machine, "arrakis").value.records.size() == 1 + stored);
  }
}

}  // namespace landsraad::persistence::store_memory_test
