#include "tests/simulation/process.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <utility>

#include "rules/notation/load.h"
#include "server/storage/port.h"

namespace landsraad::simulation {

namespace {

constexpr Span kTick = 1s;
constexpr Span kDrain = 10s;

// Secrets that follow from numbers.
room::Entropy seeded_entropy(std::uint64_t seed) {
  auto calls = std::make_shared<std::uint64_t>(0);
  return [seed, calls](std::span<std::uint8_t> bytes) {
    std::array<std::uint8_t, randombytes_SEEDBYTES> key{};
    const std::uint64_t call = ++*calls;
    for (std::size_t i = 0; i < 8; ++i) {
      key[i] = static_cast<std::uint8_t>(seed >> (8 * i));
      key[8 + i] = static_cast<std::uint8_t>(call >> (8 * i));
    }
    randombytes_buf_deterministic(bytes.data(), bytes.size(), key.data());
  };
}

void store_now(persistence::MemoryDisk& disk, const room::StorageRequest& request) {
  persistence::MemoryStore store(disk);
  storage::pass_on(store, request, [](const room::StorageReply&) {});
  store.run();
}

}  // namespace

Process::Process(Clockwork& clock, Chance& chance, Network& network, Oracle& oracle,
                 persistence::MemoryDisk& disk, room::Limits limits, std::size_t halls)
    : clock_(clock),
      chance_(chance),
      network_(network),
      oracle_(oracle),
      disk_(disk),
      limits_(limits),
      hall_count_(halls) {}

void Process::in(Span time, Clockwork::Deed deed) {
  clock_.in(time, [this, life = generation_, deed = std::move(deed)] {
    if (running() && life == generation_) deed();
  });
}

// ---- Its life.

void Process::start() {
  if (running()) return;
  ++generation_;
  disk_.wake_orphans();
  store_ = std::make_unique<persistence::MemoryStore>(disk_);
  store_until_ = clock_.now();
  for (std::size_t i = 0; i < hall_count_; ++i)
    halls_.push_back(
        std::make_unique<room::Hall>(limits_, library_, seeded_entropy(chance_.next()), i, hall_count_));
  in(kTick, [this] { tick(); });
}

void Process::crash() {
  if (!running()) return;
  if (in_doubt_ && one_in(chance_, 2)) store_now(disk_, *in_doubt_);
  store_->lose_power(chance_.below(static_cast<std::uint32_t>(store_->waiting()) + 1));
  end();
}

void Process::shut_down() {
  if (!running()) return;
  for (const auto& hall : halls_) {
    room::Outbox out;
    hall->drain(clock_.now(), out);
    carry_out(std::move(out));
  }
  wait_for_idle(clock_.now() + kDrain);
}

void Process::wait_for_idle(Instant until) {
  const bool idle = std::all_of(halls_.begin(), halls_.end(), [](const auto& hall) { return hall->idle(); });
  if (!idle && clock_.now() < until) return in(50ms, [this, until] { wait_for_idle(until); });
  if (!idle) store_->lose_power(0);
  end();
}

void Process::end() {
  in_doubt_.reset();
  halls_.clear();
  places_.clear();
  store_.reset();
  network_.server_died();
}

void Process::lose_ownership(const room::RoomId& game) {
  store_now(disk_, {.verb = room::StorageVerb::claim, .game = game});
}

void Process::tick() {
  for (const auto& hall : halls_) {
    room::Outbox out;
    hall->tick(clock_.now(), out);
    carry_out(std::move(out));
  }
  wake_due_games();
  in(kTick, [this] { tick(); });
}

// As server/net/alarm.cpp does.
void Process::wake_due_games() {
  const auto now = clock_.now().time_since_epoch().count();
  store_->due(now, persistence::kMaxListPage, [this](const auto& due) {
    for (const room::RoomId& game : due.value)
      in(between(chance_, 0ms, 5ms), [this, game] {
        room::Outbox out;
        halls_[room::hall_of(game, halls_.size())]->rouse(game, clock_.now(), out);
        ++oracle_.counts.roused;
        carry_out(std::move(out));
      });
  });
  store_until_ = std::max(store_until_, clock_.now() + between(chance_, 0ms, longest_write));
  in(store_until_ - clock_.now(), [this] { work_store(); });
}

// ---- Connections.

bool Process::accept(SessionId session) {
  if (!running()) return false;
  const std::size_t hall = session % halls_.size();
  places_[session] = hall;
  halls_[hall]->connect(session);
  return true;
}

void Process::received(SessionId session, const std::string& frame) {
  const auto place = places_.find(session);
  if (place == places_.end()) return;
  room::Outbox out;
  auto departure = halls_[place->second]->receive(session, frame, clock_.now(), out);
  if (departure) {
    place->second = departure->hall;
    halls_[departure->hall]->adopt(session, std::move(departure->visitor), frame, clock_.now(), out);
  }
  carry_out(std::move(out));
}

void Process::gone(SessionId session) {
  const auto place = places_.find(session);
  if (place == places_.end()) return;
  room::Outbox out;
  halls_[place->second]->disconnect(session, clock_.now(), out);
  places_.erase(place);
  carry_out(std::move(out));
}

// ---- What the halls want done.

void Process::carry_out(room::Outbox out) {
  for (room::StorageRequest& request : out.storage) ask_store(std::move(request));
  for (const room::Delivery& delivery : out.deliveries) {
    oracle_.sent(delivery.session, *delivery.frame);
    network_.send_down(delivery.session, delivery.frame);
  }
  for (const room::RoomChange& change : out.changes)
    in(between(chance_, 0ms, 5ms), [this, change] {
      for (const auto& hall : halls_) hall->learn(change);
    });
}

// ---- Storage.

void Process::ask_store(room::StorageRequest request) {
  storage::pass_on(*store_, request, [this, request](const room::StorageReply& done) {
    const bool writes =
        request.verb == room::StorageVerb::create || request.verb == room::StorageVerb::append;
    if (request.verb == room::StorageVerb::load) ++oracle_.counts.wakes;
    if (request.verb == room::StorageVerb::sleep && done.error == room::StorageError::none)
      ++oracle_.counts.slept;
    if (done.error == room::StorageError::lost) ++oracle_.counts.ownership_lost;
    if (done.error == room::StorageError::none)
      in_doubt_.reset();
    else if (writes && done.error == room::StorageError::unavailable)
      in_doubt_ = request;
    in(between(chance_, 0ms, longest_write), [this, done] { reply(done); });
  });
  store_until_ = std::max(store_until_, clock_.now() + between(chance_, 0ms, longest_write));
  in(store_until_ - clock_.now(), [this] { work_store(); });
}

void Process::work_store() {
  store_->fail_writes(all_fails || writes_fail ? 1 : 0);
  store_->fail_reads(all_fails ? 1 : 0);
  store_->run_one();
}

void Process::reply(const room::StorageReply& done) {
  room::Outbox out;
  halls_[room::hall_of(done, halls_.size())]->stored(done, clock_.now(), out);
  carry_out(std::move(out));
}

}  // namespace landsraad::simulation
