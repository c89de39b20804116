// The lists of rooms, kept by what halls tell each other.
#include <doctest/doctest.h>

#include "server/room/directory.h"

namespace landsraad::room::room_directory_test {
namespace {

constexpr TokenHash kPaul{1}, kChani{2};

RoomChange lobby(const RoomId& id, std::uint32_t taken = 0, const TokenHash& founder = kPaul) {
  RoomChange line;
  line.summary.set_room(id);
  line.summary.mutable_options()->set_players(4);
  line.summary.set_seats_taken(taken);
  line.founder = founder;
  return line;
}

std::string listed(const Directory& directory, bool open_only = false, bool mine = false,
                   const TokenHash& player = kPaul) {
  v1::ListRooms request;
  request.set_open_only(open_only);
  request.set_mine(mine);
  v1::RoomList list;
  directory.list(request, player, 100, list);
  std::string ids;
  for (const v1::RoomSummary& room : list.rooms()) ids += room.room();
  return ids;
}

TEST_CASE("a room moves from list to list as it fills, starts and goes") {
  Directory directory;
  directory.learn(lobby("b"));
  directory.learn(lobby("a"));
  CHECK(listed(directory) == "ab");
  CHECK(listed(directory, true) == "ab");
  directory.learn(lobby("a", 4));
  CHECK(listed(directory, true) == "b");
  directory.learn(lobby("a", 3));
  CHECK(listed(directory, true) == "ab");
  RoomChange started = lobby("b", 2);
  started.summary.set_status(v1::ROOM_STATUS_PLAYING);
  directory.learn(started);
  CHECK(listed(directory, true) == "a");
  CHECK(listed(directory) == "ab");
  RoomChange gone = lobby("a");
  gone.gone = true;
  directory.learn(gone);
  directory.learn(gone);
  CHECK(listed(directory) == "b");
  CHECK(listed(directory, true).empty());
  CHECK_FALSE(directory.has("a"));
}

TEST_CASE("a list of one's own rooms follows the seats") {
  Directory directory;
  RoomChange line = lobby("a", 1);
  line.summary.mutable_options()->set_unlisted(true);
  line.players = {kChani};
  directory.learn(line);
  CHECK(listed(directory, false, true, kChani) == "a");
  CHECK(listed(directory, false, true, kPaul).empty());
  CHECK(listed(directory).empty());
  CHECK(listed(directory, true).empty());
  line.players = {kPaul};
  directory.learn(line);
  CHECK(listed(directory, false, true, kChani).empty());
  CHECK(listed(directory, false, true, kPaul) == "a");
}

TEST_CASE("lobbies are counted for who has opened them") {
  Directory directory;
  directory.learn(lobby("a"));
  directory.learn(lobby("a", 2));
  directory.learn(lobby("b"));
  directory.learn(lobby("c", 0, kChani));
  CHECK(directory.lobbies_of(kPaul) == 2);
  CHECK(directory.lobbies_of(kChani) == 1);
  RoomChange started = lobby("a", 4);
  started.summary.set_status(v1::ROOM_STATUS_PLAYING);
  directory.learn(started);
  CHECK(directory.lobbies_of(kPaul) == 1);
  RoomChange gone = lobby("b");
  gone.gone = true;
  directory.learn(gone);
  CHECK(directory.lobbies_of(kPaul) == 0);
}

}  // namespace
}  // namespace landsraad::room::room_directory_test
