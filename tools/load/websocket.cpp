#include "tools/load/websocket.h"

namespace landsraad::load {

namespace {

constexpr std::size_t kShortPayload = 125;
constexpr std::size_t kMediumPayload = 0xffff;
constexpr unsigned char kMasked = 0x80;
constexpr unsigned char kLastFrame = 0x80;

void append_masked(std::string& out, Opcode opcode, std::string_view payload) {
  out.push_back(static_cast<char>(kLastFrame | static_cast<unsigned char>(opcode)));
  const std::size_t size = payload.size();
  if (size <= kShortPayload) {
    out.push_back(static_cast<char>(kMasked | size));
  } else {
    const int bytes = size <= kMediumPayload ? 2 : 8;
    out.push_back(static_cast<char>(kMasked | (bytes == 2 ? 126U : 127U)));
    for (int i = bytes - 1; i >= 0; --i) out.push_back(static_cast<char>(size >> (8 * i)));
  }
  out.append(4, '\0');
  out.append(payload);
}

}  // namespace

std::string upgrade_request(std::string_view host, std::uint16_t port, std::string_view subprotocol) {
  std::string request = "GET / HTTP/1.1\r\nHost: ";
  request.append(host).append(":").append(std::to_string(port));
  request += "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n";
  request += "Sec-WebSocket-Key: bGFuZHNyYWFkLWxvYWQhIQ==\r\n";
  if (!subprotocol.empty()) request.append("Sec-WebSocket-Protocol: ").append(subprotocol).append("\r\n");
  return request + "\r\n";
}

void append_frame(std::string& out, std::string_view message) { append_masked(out, Opcode::binary, message); }

void append_pong(std::string& out, std::string_view payload) { append_masked(out, Opcode::pong, payload); }

std::optional<ServerFrame> first_frame(std::string_view received) {
  if (received.size() < 2) return std::nullopt;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(received[i]); };
  std::size_t size = byte(1) & 0x7fU;
  std::size_t head = 2;
  if (size > kShortPayload) {
    const std::size_t length_bytes = size == 126 ? 2 : 8;
    if (received.size() < head + length_bytes) return std::nullopt;
    size = 0;
    for (std::size_t i = 0; i < length_bytes; ++i) size = size << 8 | byte(head + i);
    head += length_bytes;
  }
  if (size > received.size() - head) return std::nullopt;
  return ServerFrame{static_cast<Opcode>(byte(0) & 0x0fU), (byte(0) & kLastFrame) != 0,
                     received.substr(head, size), head + size};
}

}  // namespace landsraad::load
