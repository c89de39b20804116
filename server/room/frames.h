// ServerMessages as bytes, and the answers every part of the core gives alike.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "landsraad/v1/protocol.pb.h"
#include "server/room/outbox.h"

namespace landsraad::room {

// What an answer goes to. Session 0: nobody has asked.
struct Request {
  SessionId session = 0;
  std::uint64_t id = 0;
};

// Reads a client's frame. false: it is no ClientMessage, or its messages are nested deeper than `nesting`.
bool read_frame(std::string_view frame, std::size_t nesting, v1::ClientMessage& out);

// The message as a frame. If reply_to is not 0 it is added to what `message` says.
Frame to_frame(const v1::ServerMessage& message, std::uint64_t reply_to = 0);

// The frame of a ServerMessage with this update.
Frame to_frame(const v1::GameUpdate& update);

// The same frame as an answer: in protobuf's encoding a field may simply follow the others.
Frame as_answer(const Frame& frame, std::uint64_t reply_to);

void answer(Outbox& out, Request to, const v1::ServerMessage& message);

// Refuses a request. Without `sentence`, the one that fits the code.
void refuse(Outbox& out, Request to, v1::ErrorCode code, std::string_view sentence = {});

}  // namespace landsraad::room
