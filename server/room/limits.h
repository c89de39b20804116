// Every limit of the server, with its default. server/config.cpp makes options of them.
#pragma once

#include <chrono>
#include <cstddef>

namespace landsraad::room {

// Counts are per server unless said otherwise. Outcome of going beyond: see each line.
struct Limits {
  // ---- Of the protocol.
  std::size_t frame_bytes = 16 * 1024;  // of a client's frame: the connection is closed (1009)
  std::size_t name_bytes = 64;          // of names and titles: BAD_NAME
  std::size_t list_page = 100;          // rooms in one RoomList: the page ends there
  std::size_t diffs = 64;               // missing diffs sent to who returns: a snapshot instead

  // ---- Of rooms.
  std::size_t rooms = 2000;              // in memory: TOO_MANY_ROOMS
  std::size_t spectators = 50;           // of one room: ROOM_FULL
  std::size_t seat_connections = 4;      // to one seat: ROOM_FULL
  std::size_t held_acts = 8;             // waiting in one room for an append: BUSY
  std::size_t waiting_joins = 64;        // waiting for one room to wake: BUSY
  std::chrono::seconds seat_grace{120};  // before the start: an absent player's seat is free again
  std::chrono::seconds lobby_idle{600};  // nobody there and not started: the room is closed
  std::chrono::seconds sleep_after{60};  // nobody there and started: it leaves memory until somebody joins

  // ---- Of connections.
  std::size_t connections = 10'000;          // a further one is answered with HTTP 503
  std::size_t outgoing_bytes = 1024 * 1024;  // waiting for one slow reader: its connection is dropped
  std::chrono::seconds handshake{10};        // for the WebSocket handshake: the connection is dropped
  std::chrono::seconds idle{60};             // without a sign of life, pongs included: it is dropped
  std::chrono::seconds drain{10};            // for open appends at shutdown: exits without their answers
};

}  // namespace landsraad::room
