// The client's side of WebSockets, as little of it as a load generator needs: it must be cheap, for it shares
// the machine with the server it measures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace landsraad::load {

// The HTTP request that opens a connection.
std::string upgrade_request(std::string_view host, std::uint16_t port, std::string_view subprotocol);

// Appends a whole binary message as one frame. The mask is zero, which masks nothing.
void append_frame(std::string& out, std::string_view message);
void append_pong(std::string& out, std::string_view payload);

enum class Opcode : std::uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

struct ServerFrame {
  Opcode opcode = Opcode::binary;
  bool last = true;  // of its message
  std::string_view payload;
  std::size_t bytes = 0;  // with its head
};

// The frame at the beginning of `received`, if it is there as a whole.
std::optional<ServerFrame> first_frame(std::string_view received);

}  // namespace landsraad::load
