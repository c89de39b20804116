// What a bot needs of a ServerMessage with a GameUpdate, read without making objects of the rest: unpacking
// four views of every action would cost more than the server that is measured.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace landsraad::load {

struct Update {
  std::uint64_t reply_to = 0;
  std::uint32_t version = 0;          // of the game; 0 if the message says nothing of it
  std::optional<std::int32_t> round;  // if the view's round is in it
  bool asks = false;                  // there is a decision for us
  std::string_view decision;          // LegalActions, within the message
};

// Nothing if the message is no GameUpdate, also not inside a RoomJoined or SeatTaken.
std::optional<Update> read_update(std::string_view server_message);

// One of the actions of a LegalActions, each as likely, as its bytes; empty if there are none.
std::string_view pick_action(std::string_view legal_actions, std::mt19937& chance);

// A ClientMessage with an Act, in place of what `out` held.
void write_act(std::uint64_t request_id, std::uint32_t version, std::string_view action, std::string& out);

}  // namespace landsraad::load
