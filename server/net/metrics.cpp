#include "server/net/metrics.h"

#include <google/protobuf/io/coded_stream.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>

#include "landsraad/v1/protocol.pb.h"
#include "rules/notation/load.h"
#include "server/net/shard.h"
#include "server/room/version.h"

namespace landsraad::net {

namespace {

constexpr std::chrono::seconds kStoreProbe{2};  // a store that takes longer to list one game does not answer
constexpr std::array<const char*, kStorageErrors> kStorageNames{"ok", "unavailable", "lost", "unreadable",
                                                                "missing"};

// ERROR_CODE_BAD_NAME as bad_name.
std::string name_of(std::size_t code) {
  std::string name = v1::ErrorCode_Name(static_cast<v1::ErrorCode>(code));
  constexpr std::string_view prefix = "ERROR_CODE_";
  if (!name.starts_with(prefix)) return std::to_string(code);
  name.erase(0, prefix.size());
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

class Exposition {
 public:
  explicit Exposition(const Shards& shards) : shards_(shards) {}

  void family(std::string_view name, std::string_view type, std::string_view help) {
    out_ << "# HELP landsraad_" << name << " " << help << "\n# TYPE landsraad_" << name << " " << type
         << "\n";
  }
  template <class Value>
  void sample(std::string_view name, const std::string& labels, Value value) {
    out_ << "landsraad_" << name << labels << " " << value << "\n";
  }

  // The sum of what `get` reads from every shard's counters.
  template <class Get>
  auto sum(Get get) const {
    decltype(get(std::declval<const Counters&>()).value()) total = 0;
    for (const auto& shard : shards_.all()) total += get(std::as_const(shard->counters())).value();
    return total;
  }
  template <class Get>
  void single(std::string_view name, std::string_view type, std::string_view help, Get get) {
    family(name, type, help);
    sample(name, "", sum(get));
  }

  void histogram(const std::string& name, std::string_view help, Latencies Counters::*which) {
    family(name, "histogram", help);
    std::uint64_t below = 0, nanoseconds = 0;
    for (std::size_t bucket = 0; bucket <= kLatencyBounds.size(); ++bucket) {
      for (const auto& shard : shards_.all()) below += (shard->counters().*which).in_bucket(bucket);
      std::ostringstream label;
      label << "{le=\"";
      if (bucket < kLatencyBounds.size())
        label << std::chrono::duration<double>(kLatencyBounds[bucket]).count();
      else
        label << "+Inf";
      label << "\"}";
      sample(name + "_bucket", label.str(), below);
    }
    for (const auto& shard : shards_.all()) nanoseconds += (shard->counters().*which).nanoseconds();
    sample(name + "_sum", "", static_cast<double>(nanoseconds) / 1e9);
    sample(name + "_count", "", below);
  }

  std::string text() const { return out_.str(); }

 private:
  const Shards& shards_;
  std::ostringstream out_;
};

std::string label(std::string_view key, std::string_view value) {
  std::string text = "{";
  return text.append(key).append("=\"").append(value).append("\"}");
}

void add_refusals(Exposition& out) {
  out.family("refused_connections_total", "counter", "Connections turned away, by reason.");
  for (std::size_t i = 1; i < kRefusalNames.size(); ++i)
    out.sample("refused_connections_total", label("reason", kRefusalNames[i]),
               out.sum([i](const Counters& c) -> const Count& { return c.refused[i]; }));
}

void add_errors(Exposition& out) {
  out.family("errors_total", "counter", "Errors answered to clients, by code.");
  for (std::size_t i = 1; i < kErrorCodes; ++i)
    if (v1::ErrorCode_IsValid(static_cast<int>(i)))
      out.sample("errors_total", label("code", name_of(i)),
                 out.sum([i](const Counters& c) -> const Count& { return c.errors[i]; }));
}

void add_storage(Exposition& out) {
  out.family("storage_replies_total", "counter", "Replies of the store, by what came of the request.");
  for (std::size_t i = 0; i < kStorageErrors; ++i)
    out.sample("storage_replies_total", label("outcome", kStorageNames[i]),
               out.sum([i](const Counters& c) -> const Count& { return c.storage[i]; }));
}

}  // namespace

void count_error(std::string_view frame, Counters& counters) {
  constexpr std::uint32_t error_tag = v1::ServerMessage::kErrorFieldNumber << 3 | 2;  // a message
  constexpr std::uint32_t code_tag = v1::Error::kCodeFieldNumber << 3;                // a number
  if (frame.empty() || static_cast<unsigned char>(frame.front()) != error_tag) return;
  google::protobuf::io::CodedInputStream input(reinterpret_cast<const std::uint8_t*>(frame.data()),
                                               static_cast<int>(frame.size()));
  std::uint32_t length = 0, code = 0;
  input.ReadTag();
  if (!input.ReadVarint32(&length) || input.ReadTag() != code_tag || !input.ReadVarint32(&code)) return;
  counters.errors[std::min<std::size_t>(code, kErrorCodes - 1)].add();
}

std::string exposition(const Shards& shards) {
  Exposition out(shards);
  out.family("build_info", "gauge", "Always 1; the labels say what runs.");
  out.sample("build_info",
             "{server=\"" + std::string(room::kServerName) + "\",content=\"" +
                 rules::uprising_content().version + "\"}",
             1);
  out.single("connections", "gauge", "WebSocket connections.",
             [](const Counters& c) -> const Gauge& { return c.connections; });
  out.single("rooms", "gauge", "Rooms in memory.", [](const Counters& c) -> const Gauge& { return c.rooms; });
  out.single("outgoing_queue_bytes", "gauge", "Bytes that wait to be taken by the kernel.",
             [](const Counters& c) -> const Gauge& { return c.queue_bytes; });
  out.single("frames_total", "counter", "Frames from clients.",
             [](const Counters& c) -> const Count& { return c.frames; });
  out.single("actions_total", "counter", "Records appended to games: actions and all else in their logs.",
             [](const Counters& c) -> const Count& { return c.actions; });
  out.single("slow_readers_total", "counter", "Connections dropped because too much waited for them.",
             [](const Counters& c) -> const Count& { return c.slow_readers; });
  out.single("unreadable_games_total", "counter", "Games found in storage that cannot be loaded.",
             [](const Counters& c) -> const Count& { return c.unreadable; });
  add_refusals(out);
  add_errors(out);
  add_storage(out);
  out.histogram("action_seconds", "From an action's frame until it is durable and its diffs are queued.",
                &Counters::action);
  out.histogram("store_seconds", "From a request to the store until its reply.", &Counters::store);
  return out.text();
}

asio::awaitable<std::string> why_not_ready(Shards& shards, Shard& here) {
  if (shards.draining()) co_return "the server is stopping";
  if (shards.store_refuses()) co_return "the store takes no writes";
  struct Probe {
    asio::steady_timer timer;
    std::optional<std::string> reply;
  };
  const auto probe = std::make_shared<Probe>(Probe{asio::steady_timer(here.executor()), {}});
  probe->timer.expires_after(kStoreProbe);
  persistence::ListQuery query;
  query.limit = 1;
  shards.store().list(query,
                      [probe, executor = here.executor()](persistence::Result<persistence::ListPage> page) {
                        asio::post(executor, [probe, why = page.ok() ? std::string() : page.why] {
                          probe->reply = why;
                          probe->timer.cancel();
                        });
                      });
  while (!probe->reply) {
    const auto [error] = co_await probe->timer.async_wait(kAsTuple);
    if (!error) break;  // time is up
  }
  if (!probe->reply) co_return "the store does not answer";
  co_return probe->reply->empty() ? std::string() : "the store fails: " + *probe->reply;
}

}  // namespace landsraad::net
