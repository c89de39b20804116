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
  std::size_t name_characters = 40;     // of the same, as a reader counts them: BAD_NAME
  std::size_t chat_bytes = 500;         // of one line of chat: BAD_TEXT
  std::size_t log_page = 100;           // versions in one LogPage: the page ends there
  std::size_t list_page = 100;          // rooms in one RoomList: the page ends there
  std::size_t diffs = 64;               // missing diffs sent to who returns: a snapshot instead

  // ---- Of rooms.
  std::size_t rooms = 2000;              // in memory: TOO_MANY_ROOMS
  std::size_t spectators = 50;           // of one room: ROOM_FULL
  std::size_t seat_connections = 4;      // to one seat: ROOM_FULL
  std::size_t player_lobbies = 20;       // opened by one player and not yet started: TOO_MANY_OF_YOURS
  std::size_t chat_lines = 30;           // of one person in a minute: TOO_FAST
  std::size_t chat_history = 50;         // latest lines shown to who joins
  std::size_t held_requests = 8;         // waiting in one room for an append: BUSY
  std::size_t undos = 100;               // of one seat in one game, without consent: NOTHING_TO_UNDO
  std::size_t snapshot_entries = 1024;   // of one game's log from one stored snapshot to the next
  std::size_t log_entries = 8000;        // of one game: beyond it only actions are taken, else NOT_ALLOWED
  std::size_t waiting_joins = 64;        // waiting for one room to wake: BUSY
  std::chrono::seconds seat_grace{120};  // before the start: an absent player's seat is free again
  std::chrono::seconds lobby_idle{600};  // nobody there and not started: the room is closed
  std::chrono::seconds sleep_after{60};  // nobody there and started: it leaves memory until somebody joins
  std::chrono::seconds storage_patience{5};  // of clocks that stand because nothing can be stored: they go on

  // ---- Of connections.
  std::size_t connections = 10'000;          // WebSockets in all: HTTP 503
  std::size_t address_connections = 100;     // from one address (of IPv6: one /64), loopback aside: HTTP 429
  std::size_t handshakes = 2000;             // connections that are no WebSocket yet: closed at once
  std::size_t address_handshakes = 50;       // of those, from one address, loopback aside: closed at once
  std::size_t http_header_bytes = 8 * 1024;  // of a handshake: HTTP 431
  std::size_t outgoing_bytes = 1024 * 1024;  // waiting for one slow reader: its connection is dropped
  std::chrono::seconds handshake{10};        // for TLS and the WebSocket handshake: it is dropped
  std::chrono::seconds idle{60};             // without a sign of life, pongs included: it is dropped
  std::chrono::seconds goodbye{2};           // at shutdown, for the closing handshakes: they are dropped
  std::chrono::seconds drain{10};            // for all of the shutdown: exits with answers still owed

  // ---- Of what one connection sends (server/room/rate.h).
  std::size_t messages_per_second = 200;  // 1 or more; dear requests count as several: TOO_FAST
  std::size_t message_burst = 400;        // so many at once
  std::size_t refused_bursts = 10;        // as many bursts refused in a row: closed (1008)
  std::size_t malformed_frames = 20;  // ten good requests forgive one: closed (1007) after as many MALFORMED
  std::size_t nesting = 16;           // of messages in a frame: MALFORMED
};

}  // namespace landsraad::room
