#include "server/net/shard.h"

#include <algorithm>
#include <utility>

#include "server/net/log.h"
#include "server/net/metrics.h"
#include "server/storage/port.h"

namespace landsraad::net {

namespace {

websocket::close_code code_of(room::Farewell why) {
  return why == room::Farewell::flood ? websocket::close_code::policy_error
                                      : websocket::close_code::bad_payload;
}

bool is_write(room::StorageVerb verb) {
  using room::StorageVerb;
  return verb != StorageVerb::load && verb != StorageVerb::load_all && verb != StorageVerb::list;
}

}  // namespace

room::Instant wall_clock() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

Shard::Shard(Shards& shards, std::size_t index, std::size_t count, const room::Library& library)
    : shards_(shards),
      index_(index),
      hall_(shards.limits(), library, room::system_entropy(), index, count, wall_clock()),
      parcels_(count) {}

// ---- Connections that live here.

Transport Shard::begin_handshake(Socket socket) {
  auto line = std::make_shared<Line>(std::move(socket), counters_.queue_bytes);
  line->deadline = Clock::now() + shards_.limits().handshake;
  handshakes_.push_back(line);
  return Transport(std::move(line));
}

void Shard::open(std::shared_ptr<Session> session) {
  // Its handshake is done: who moves to another thread leaves nothing behind here.
  std::erase_if(handshakes_, [](const std::weak_ptr<Line>& handshake) {
    const auto line = handshake.lock();
    return !line || line->deadline == Line::kNoDeadline;
  });
  hall_.connect(session->id());
  visiting_.emplace(session->id(), session);
  take_in(std::move(session));
}

void Shard::take_in(std::shared_ptr<Session> session) {
  living_.emplace(session->id(), std::move(session));
  counters_.connections.add(1);
}

void Shard::closed(room::SessionId session) {
  if (living_.erase(session) != 0) counters_.connections.add(-1);
}

void Shard::flush_soon(std::shared_ptr<Session> session) {
  unflushed_.push_back(std::move(session));
  end_turn_soon();
}

// Looked at once a second instead of a timer for each connection.
void Shard::check_lives() {
  const auto time = Clock::now();
  for (const auto& [id, session] : living_) session->check_life(time);
}

void Shard::close_late_handshakes() {
  const auto time = Clock::now();
  std::erase_if(handshakes_, [time](const std::weak_ptr<Line>& handshake) {
    const auto line = handshake.lock();
    if (!line || line->deadline == Line::kNoDeadline) return true;
    if (line->deadline > time) return false;
    line->close();
    return true;
  });
}

// ---- Visitors of the hall.

std::optional<room::Departure> Shard::receive(room::SessionId session, std::string_view frame,
                                              Clock::time_point arrived) {
  std::optional<room::Departure> departure = hall_.receive(session, frame, wall_clock(), outbox_);
  serving_a_client_ = true;
  carry_out(arrived);
  serving_a_client_ = false;
  if (departure) visiting_.erase(session);
  return departure;
}

void Shard::adopt(std::shared_ptr<Session> session, room::Visitor visitor, std::string_view frame) {
  const room::SessionId id = session->id();
  visiting_.emplace(id, std::move(session));
  hall_.adopt(id, std::move(visitor), frame, wall_clock(), outbox_);
  carry_out(Clock::now());
}

void Shard::leave(room::SessionId session) {
  visiting_.erase(session);
  hall_.disconnect(session, wall_clock(), outbox_);
  carry_out(Clock::now());
}

// ---- Storage and time.

void Shard::request(room::StorageRequest request, Clock::time_point begun) {
  storage::pass_on(
      shards_.store(), std::move(request),
      [this, begun, asked_by_client = serving_a_client_, passed_on = Clock::now()](room::StorageReply reply) {
        const auto taken = Clock::now() - passed_on;
        asio::dispatch(context_, [this, begun, asked_by_client, taken, reply = std::move(reply)] {
          counters_.store.add(taken);
          stored(reply, begun, asked_by_client);
        });
      });
}

void Shard::stored(const room::StorageReply& reply, Clock::time_point begun, bool asked_by_client) {
  counters_.storage[static_cast<std::size_t>(reply.error)].add();
  if (is_write(reply.verb)) shards_.note_write(reply.error == room::StorageError::unavailable);
  const bool appended = reply.verb == room::StorageVerb::append && reply.error == room::StorageError::none;
  if (appended) counters_.actions.add();
  hall_.stored(reply, wall_clock(), outbox_);
  // Before anybody can have seen it: who looks at the metrics then finds it counted.
  if (appended && asked_by_client) counters_.action.add(Clock::now() - begun);
  carry_out(Clock::now());
}

void Shard::rouse(const room::RoomId& game) {
  hall_.rouse(game, wall_clock(), outbox_);
  carry_out(Clock::now());
}

asio::awaitable<void> Shard::tick_every_second() {
  asio::steady_timer timer(context_);
  for (;;) {
    timer.expires_after(std::chrono::seconds(1));
    const auto [error] = co_await timer.async_wait(kAsTuple);
    if (error) co_return;
    tick();
  }
}

void Shard::tick() {
  hall_.tick(wall_clock(), outbox_);
  carry_out(Clock::now());
  close_late_handshakes();
  check_lives();
  counters_.rooms.set(static_cast<std::int64_t>(hall_.rooms_in_memory()));
}

// ---- The outbox.

void Shard::carry_out(Clock::time_point begun) {
  if (!outbox_.storage.empty()) {
    asked_store_ += outbox_.storage.size();
    end_turn_soon();
  }
  for (room::StorageRequest& each : outbox_.storage) request(std::move(each), begun);
  for (room::Delivery& delivery : outbox_.deliveries) {
    count_error(*delivery.frame, counters_);
    deliver(delivery.session, std::move(delivery.frame), websocket::close_code::none);
  }
  for (const room::Parting& parting : outbox_.partings)
    deliver(parting.session, nullptr, code_of(parting.why));
  send_parcels();
  for (const room::RoomChange& change : outbox_.changes) shards_.tell_others(index_, change);
  for (const room::Note& note : outbox_.notes) log_note(note);
  outbox_.storage.clear();
  outbox_.deliveries.clear();
  outbox_.partings.clear();
  outbox_.changes.clear();
  outbox_.notes.clear();
  if (outbox_.unreadable > 0) counters_.unreadable.add(std::exchange(outbox_.unreadable, 0));
}

void Shard::deliver(room::SessionId session, room::Frame frame, websocket::close_code code) {
  const auto it = visiting_.find(session);
  if (it == visiting_.end()) return;
  Session& to = *it->second;
  if (&to.home() != this)
    parcels_[to.home().index_].push_back({it->second, std::move(frame), code});
  else if (frame)
    to.send(frame);
  else
    to.close(code);
}

// One hand-over to another thread for all that this turn has for it.
void Shard::send_parcels() {
  for (std::size_t index = 0; index < parcels_.size(); ++index) {
    if (parcels_[index].empty()) continue;
    asio::post(shards_[index].context(), [parcels = std::exchange(parcels_[index], {})]() mutable {
      for (Parcel& parcel : parcels)
        if (parcel.frame)
          parcel.to->send(parcel.frame);
        else
          parcel.to->close(parcel.code);
    });
  }
}

// ---- The end of a turn of the loop, when whatever was ready has been dealt with. What all rooms have
// written is one transaction, and what they say to a session goes out in one call.

void Shard::end_turn_soon() {
  if (std::exchange(turn_ends_, true)) return;
  asio::post(context_, [this] { end_turn(); });
}

void Shard::end_turn() {
  flush();  // need not wait for the disk
  if (more_comes()) return asio::post(context_, [this] { end_turn(); });
  if (std::exchange(asked_store_, 0) > 0) shards_.store().commit();
  flush();
  turn_ends_ = false;
  if (asked_store_ > 0) end_turn_soon();
}

// A commit of many costs hardly more than one of few: under load it waits while each look at the sockets
// brings more. Who acts alone does not wait.
bool Shard::more_comes() {
  const bool more = asked_store_ > std::max<std::size_t>(1, asked_before_) && ++looks_ < kMostLooks;
  asked_before_ = more ? asked_store_ : 0;
  if (!more) looks_ = 0;
  return more;
}

void Shard::flush() {
  for (const auto& each : unflushed_) each->flush();
  unflushed_.clear();
}

// ---- Shutdown.

void Shard::drain() {
  hall_.drain(wall_clock(), outbox_);
  carry_out(Clock::now());
}

void Shard::close_sessions() {
  for (const auto& [id, session] : living_) session->close(websocket::close_code::going_away);
}

void Shard::drop_all() {
  for (const auto& [id, session] : living_) session->drop();
  for (const auto& handshake : handshakes_)
    if (const auto line = handshake.lock()) line->close();
}

// ---- All of them.

Shards::Shards(const room::Limits& limits, std::size_t count, const room::Library& library)
    : Shards(limits, count, library, Door{}) {}

Shards::Shards(const room::Limits& limits, std::size_t count, const room::Library& library, Door door)
    : limits_(limits),
      door_(std::move(door)),
      gate_(limits_, door_.trusted_proxies),
      operations_gate_(limits_, door_.trusted_proxies) {
  for (std::size_t index = 0; index < count; ++index)
    shards_.push_back(std::make_unique<Shard>(*this, index, count, library));
}

Shards::~Shards() { stop(); }

void Shards::start() {
  for (const auto& shard : shards_) {
    work_.emplace_back(shard->executor());
    asio::co_spawn(shard->executor(), shard->tick_every_second(), asio::detached);
    threads_.emplace_back([&context = shard->context()] { context.run(); });
  }
}

void Shards::stop() {
  // Once only: when the destructor comes here again, the listeners and the store are gone.
  if (threads_.empty()) return;
  work_.clear();
  for (const auto& shard : shards_) shard->context().stop();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  // A session in another shard's hall, or on its way there, hangs on two contexts. So before the first one is
  // destroyed, every connection is led to its end on this thread: sockets are closed, and whatever a session
  // does next fails, ends it, and takes its visitor out of the hall.
  for (const auto& shard : shards_) shard->drop_all();
  for (bool busy = true; busy;) {
    busy = false;
    for (const auto& shard : shards_) {
      shard->context().restart();
      busy = shard->context().poll() > 0 || busy;
    }
    // Those whose handshake has just been finished.
    for (const auto& shard : shards_) shard->drop_all();
  }
}

// Reads first: all shards come here for each action, and a line that nobody writes to stays in every cache.
void Shards::note_write(bool refused) {
  if (!refused && refused_at_.load(std::memory_order_relaxed) == 0) return;
  refused_at_.store(refused ? Shard::Clock::now().time_since_epoch().count() : 0, std::memory_order_relaxed);
}

bool Shards::store_refuses() const {
  const Shard::Clock::rep at = refused_at_.load(std::memory_order_relaxed);
  return at != 0 &&
         Shard::Clock::now() - Shard::Clock::time_point(Shard::Clock::duration(at)) < kRefusalCounts;
}

void Shards::tell_others(std::size_t from, const room::RoomChange& change) {
  for (std::size_t index = 0; index < shards_.size(); ++index)
    if (index != from)
      asio::post(shards_[index]->context(), [shard = shards_[index].get(), change] { shard->learn(change); });
}

}  // namespace landsraad::net
