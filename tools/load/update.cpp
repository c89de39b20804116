#include "tools/load/update.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include "landsraad/v1/protocol.pb.h"

namespace landsraad::load {

namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;
using google::protobuf::io::CodedOutputStream;

struct Field {
  int number = 0;
  std::uint64_t value = 0;  // of a varint
  std::string_view bytes;   // of a message
};

// The fields of one message, from the first on. Ends early at anything it cannot read.
class Fields {
 public:
  explicit Fields(std::string_view message) : rest_(message) {}

  bool next(Field& field) {
    std::uint64_t tag = 0;
    if (!varint(tag)) return false;
    field.number = static_cast<int>(tag >> 3);
    switch (static_cast<WireFormatLite::WireType>(tag & 7)) {
      case WireFormatLite::WIRETYPE_VARINT:
        return varint(field.value);
      case WireFormatLite::WIRETYPE_LENGTH_DELIMITED: {
        std::uint64_t size = 0;
        if (!varint(size) || size > rest_.size()) return false;
        field.bytes = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return true;
      }
      default:
        return false;  // the protocol has no others
    }
  }

 private:
  bool varint(std::uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }

  std::string_view rest_;
};

// Snapshot and Diff: their version and, if it is there, the round of their view.
void read_state(std::string_view message, int version_field, int view_field, Update& out) {
  Fields fields(message);
  for (Field field; fields.next(field);) {
    if (field.number == version_field) out.version = static_cast<std::uint32_t>(field.value);
    if (field.number != view_field) continue;
    Fields view(field.bytes);
    for (Field inner; view.next(inner);)
      if (inner.number == v1::GameView::kRoundFieldNumber) out.round = static_cast<std::int32_t>(inner.value);
  }
}

void read_game_update(std::string_view message, Update& out) {
  Fields fields(message);
  for (Field field; fields.next(field);) {
    if (field.number == v1::GameUpdate::kSnapshotFieldNumber) {
      read_state(field.bytes, v1::Snapshot::kVersionFieldNumber, v1::Snapshot::kViewFieldNumber, out);
    } else if (field.number == v1::GameUpdate::kDiffsFieldNumber) {
      read_state(field.bytes, v1::Diff::kVersionFieldNumber, v1::Diff::kChangesFieldNumber, out);
    } else if (field.number == v1::GameUpdate::kDecisionFieldNumber) {
      out.asks = true;
      out.decision = field.bytes;
    }
  }
}

}  // namespace

std::optional<Update> read_update(std::string_view server_message) {
  std::optional<Update> update;
  std::uint64_t reply_to = 0;
  Fields fields(server_message);
  for (Field field; fields.next(field);) {
    if (field.number == v1::ServerMessage::kReplyToFieldNumber) reply_to = field.value;
    if (field.number == v1::ServerMessage::kGameFieldNumber) read_game_update(field.bytes, update.emplace());
  }
  if (update) update->reply_to = reply_to;
  return update;
}

std::string_view pick_action(std::string_view legal_actions, std::mt19937& chance) {
  std::string_view picked;
  std::uint32_t seen = 0;
  Fields fields(legal_actions);
  for (Field field; fields.next(field);) {
    if (field.number != v1::LegalActions::kActionsFieldNumber) continue;
    if (chance() % ++seen == 0) picked = field.bytes;
  }
  return picked;
}

void write_act(std::uint64_t request_id, std::uint32_t version, std::string_view action, std::string& out) {
  constexpr std::size_t kMostHeadBytes = 40;
  std::uint8_t act_head[kMostHeadBytes];
  std::uint8_t* at = act_head;
  at = WireFormatLite::WriteUInt32ToArray(v1::Act::kVersionFieldNumber, version, at);
  at = WireFormatLite::WriteTagToArray(v1::Act::kActionFieldNumber, WireFormatLite::WIRETYPE_LENGTH_DELIMITED,
                                       at);
  at = CodedOutputStream::WriteVarint32ToArray(static_cast<std::uint32_t>(action.size()), at);
  const auto act_bytes = static_cast<std::size_t>(at - act_head);

  std::uint8_t head[kMostHeadBytes];
  at = head;
  at = WireFormatLite::WriteUInt64ToArray(v1::ClientMessage::kRequestIdFieldNumber, request_id, at);
  at = WireFormatLite::WriteTagToArray(v1::ClientMessage::kActFieldNumber,
                                       WireFormatLite::WIRETYPE_LENGTH_DELIMITED, at);
  at = CodedOutputStream::WriteVarint32ToArray(static_cast<std::uint32_t>(act_bytes + action.size()), at);
  out.assign(reinterpret_cast<const char*>(head), static_cast<std::size_t>(at - head));
  out.append(reinterpret_cast<const char*>(act_head), act_bytes);
  out.append(action);
}

}  // namespace landsraad::load
