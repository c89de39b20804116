#include "server/room/frames.h"

#include <google/protobuf/io/coded_stream.h>

#include <array>

namespace landsraad::room {

namespace {

std::string_view usual_sentence(v1::ErrorCode code) {
  switch (code) {
    case v1::ERROR_CODE_MALFORMED:
      return "This is no request the server knows.";
    case v1::ERROR_CODE_HELLO_FIRST:
      return "Say Hello first.";
    case v1::ERROR_CODE_REPEATED_REQUEST:
      return "Request ids must be above 0 and grow; this one was not carried out.";
    case v1::ERROR_CODE_BAD_NAME:
      return "The name is empty, too long, or has characters that cannot be shown.";
    case v1::ERROR_CODE_BAD_OPTIONS:
      return "The server has no such game: check product, players and leader selection.";
    case v1::ERROR_CODE_UNKNOWN_ROOM:
      return "There is no room with this id.";
    case v1::ERROR_CODE_IN_A_ROOM:
      return "Leave the room you are in first.";
    case v1::ERROR_CODE_NOT_IN_A_ROOM:
      return "Join a room first.";
    case v1::ERROR_CODE_TOO_MANY_ROOMS:
      return "The server has as many rooms as it can hold; try again later.";
    case v1::ERROR_CODE_ROOM_FULL:
      return "Too many connections to this room or seat already.";
    case v1::ERROR_CODE_SEAT_NOT_FREE:
      return "No such seat is free.";
    case v1::ERROR_CODE_WRONG_TOKEN:
      return "This token opens no seat of this room.";
    case v1::ERROR_CODE_NOT_SEATED:
      return "Take a seat first.";
    case v1::ERROR_CODE_ALREADY_SEATED:
      return "You have a seat already.";
    case v1::ERROR_CODE_NOT_READY:
      return "All seats must be taken and ready.";
    case v1::ERROR_CODE_ALREADY_STARTED:
      return "The game has started.";
    case v1::ERROR_CODE_NOT_STARTED:
      return "The game has not started.";
    case v1::ERROR_CODE_STALE_DECISION:
      return "The game has moved on: answer its current decision.";
    case v1::ERROR_CODE_NOT_YOUR_DECISION:
      return "The game waits for another seat.";
    case v1::ERROR_CODE_ILLEGAL_ACTION:
      return "This is not one of the legal actions.";
    case v1::ERROR_CODE_BUSY:
      return "Too much is waiting; ask again in a moment.";
    case v1::ERROR_CODE_STORAGE_UNAVAILABLE:
      return "The server cannot store anything now; nothing has changed. Try again.";
    case v1::ERROR_CODE_NOTHING_TO_UNDO:
      return "There is nothing to take back to that version without the others' consent.";
    case v1::ERROR_CODE_PAUSED:
      return "The game is paused; propose to go on.";
    case v1::ERROR_CODE_BAD_PROPOSAL:
      return "This cannot be proposed or voted on now.";
    case v1::ERROR_CODE_GAME_OVER:
      return "The game is over.";
    case v1::ERROR_CODE_BOT_PLAYS:
      return "A bot plays your seat; take it back first.";
    case v1::ERROR_CODE_NOT_ALLOWED:
      return "The options of this room do not allow it.";
    case v1::ERROR_CODE_TOO_FAST:
      return "You ask faster than this server allows; wait a moment and ask again.";
    case v1::ERROR_CODE_GAME_UNREADABLE:
      return "What is stored of this game cannot be played on.";
    case v1::ERROR_CODE_SHUTTING_DOWN:
      return "The server is stopping; come back in a moment.";
    case v1::ERROR_CODE_WRONG_PASSWORD:
      return "This room asks for a password or an invitation; what you gave is neither.";
    case v1::ERROR_CODE_BARRED:
      return "The owner of this room has put you out.";
    case v1::ERROR_CODE_NOT_OWNER:
      return "Only the owner of the room may do that.";
    case v1::ERROR_CODE_UNKNOWN_PERSON:
      return "Nobody in the room has this number.";
    case v1::ERROR_CODE_NOT_OVER:
      return "Only when the game is over.";
    case v1::ERROR_CODE_BAD_TEXT:
      return "The text is empty, too long, or has characters that cannot be shown.";
    case v1::ERROR_CODE_MUTED:
      return "The owner of the room has muted you.";
    case v1::ERROR_CODE_TOO_MANY_OF_YOURS:
      return "You have as many rooms waiting for players as one may have; start or leave some first.";
    default:
      return "The request was refused.";
  }
}

void append_reply_to(std::string& bytes, std::uint64_t reply_to) {
  using google::protobuf::io::CodedOutputStream;
  constexpr std::uint8_t tag = v1::ServerMessage::kReplyToFieldNumber << 3;  // wire type 0: varint
  std::array<std::uint8_t, 1 + 10> field{tag};
  const std::uint8_t* end = CodedOutputStream::WriteVarint64ToArray(reply_to, field.data() + 1);
  bytes.append(field.begin(), field.begin() + (end - field.data()));
}

}  // namespace

bool read_frame(std::string_view frame, std::size_t nesting, v1::ClientMessage& out) {
  google::protobuf::io::CodedInputStream input(reinterpret_cast<const std::uint8_t*>(frame.data()),
                                               static_cast<int>(frame.size()));
  input.SetRecursionLimit(static_cast<int>(nesting));
  return out.ParseFromCodedStream(&input) && input.ConsumedEntireMessage();
}

Frame to_frame(const v1::ServerMessage& message, std::uint64_t reply_to) {
  auto bytes = std::make_shared<std::string>();
  message.SerializeToString(bytes.get());
  if (reply_to != 0) append_reply_to(*bytes, reply_to);
  return bytes;
}

Frame to_frame(const v1::GameUpdate& update) {
  using google::protobuf::io::CodedOutputStream;
  constexpr std::uint8_t tag = v1::ServerMessage::kGameFieldNumber << 3 | 2;  // wire type 2: with its length
  const std::size_t size = update.ByteSizeLong();
  std::array<std::uint8_t, 1 + 5> head{tag};
  const auto head_size = static_cast<std::size_t>(
      CodedOutputStream::WriteVarint32ToArray(static_cast<std::uint32_t>(size), head.data() + 1) -
      head.data());
  auto bytes = std::make_shared<std::string>();
  bytes->resize(head_size + size);
  auto* begin = reinterpret_cast<std::uint8_t*>(bytes->data());
  std::copy_n(head.data(), head_size, begin);
  update.SerializeWithCachedSizesToArray(begin + head_size);
  return bytes;
}

Frame as_answer(const Frame& frame, std::uint64_t reply_to) {
  auto bytes = std::make_shared<std::string>(*frame);
  append_reply_to(*bytes, reply_to);
  return bytes;
}

void answer(Outbox& out, Request to, const v1::ServerMessage& message) {
  if (to.session == 0) return;  // nobody asked
  out.send(to.session, to_frame(message, to.id));
}

void refuse(Outbox& out, Request to, v1::ErrorCode code, std::string_view sentence) {
  v1::ServerMessage message;
  message.mutable_error()->set_code(code);
  const std::string_view text = sentence.empty() ? usual_sentence(code) : sentence;
  message.mutable_error()->set_message(text.data(), text.size());
  answer(out, to, message);
}

}  // namespace landsraad::room
