// A whole game of real processes, with the accidents that really happen.
//
//   landsraad_end_to_end RUN SERVER BOT REPLAY PROXY FOLDER [SEED]
//
//   killed_server   four bots; kill -9 of the server, and once of a bot, at random moments of the game
//   leaving_client  three bots, and one client that cuts its connection and comes back at random
//   bad_network     four bots behind a proxy that delays, chops up and cuts; the server is killed once
//
// At the end the final views of all seats must be equal to each other and to what the database replays to.
#include <sodium.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/e2e/stored_game.h"
#include "tests/e2e/table.h"

namespace {

using namespace landsraad::e2e;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int kServerKills = 6;
constexpr int kClientKills = 3;
constexpr milliseconds kShortestPeace{100};
constexpr milliseconds kLongestPeace{1000};
constexpr seconds kWholeGame{240};
const char* const kThink = "10";     // ms; stretches the game, so that accidents fall into it
const char* const kPatience = "90";  // s; longer than any restart
const char* const kDropOneIn = "25";

class Accidents {
 public:
  explicit Accidents(std::uint64_t seed) : chance_(seed) {}
  void wait_a_while() {
    std::uniform_int_distribution<milliseconds::rep> time(kShortestPeace.count(), kLongestPeace.count());
    std::this_thread::sleep_for(milliseconds(time(chance_)));
  }

 private:
  std::mt19937_64 chance_;
};

std::vector<std::string> joining(const std::string& room) {
  return {"--room", room, "--think", kThink, "--patience", kPatience};
}

// Four processes of one seat each. The first opens the room.
std::string seat_four_bots(Table& table) {
  table.start_bot("first", {"--create", "--think", kThink, "--patience", kPatience, "--policy", "greedy"});
  const std::string room = table.room_opened_by("first");
  for (const char* name : {"second", "third", "fourth"}) table.start_bot(name, joining(room));
  table.wait_for_game("first");
  return room;
}

std::string play_with_killed_server(Table& table, Accidents& accidents) {
  table.start_server();
  const std::string room = seat_four_bots(table);
  int kills = 0;
  while (kills < kServerKills && !table.all_bots_ended()) {
    accidents.wait_a_while();
    table.kill_server();
    ++kills;
    // Once, a player's machine fails in the same moment.
    if (kills == kServerKills / 2) table.kill_bot("third");
    table.start_server();
    if (kills == kServerKills / 2) table.start_bot("third", joining(room));
  }
  std::printf("server killed %d times\n", kills);
  if (kills < kServerKills) throw Failure{"the game was over before the server had been killed often enough"};
  return room;
}

std::string play_with_leaving_client(Table& table, Accidents& accidents) {
  table.start_server();
  table.start_bot("three",
                  {"--create", "--seats", "3", "--think", kThink, "--patience", kPatience, "--pick-leaders"});
  const std::string room = table.room_opened_by("three");
  std::vector<std::string> leaving = joining(room);
  leaving.insert(leaving.end(), {"--drop-one-in", kDropOneIn});
  table.start_bot("leaving", leaving);
  table.wait_for_game("three");
  for (int kills = 0; kills < kClientKills && !table.all_bots_ended(); ++kills) {
    accidents.wait_a_while();
    table.kill_bot("leaving");
    table.start_bot("leaving", leaving);
  }
  return room;
}

std::string play_over_bad_network(Table& table, const std::string& proxy, std::uint64_t seed,
                                  Accidents& accidents) {
  table.start_server();
  table.start_proxy(proxy, seed);
  const std::string room = seat_four_bots(table);
  accidents.wait_a_while();
  table.kill_server();
  table.start_server();
  return room;
}

void compare_final_views(Table& table, const std::string& room) {
  const auto seen = table.final_views();
  const auto stored = final_views_of_stored_game(table.database(), room);
  if (seen.size() != stored.size()) throw Failure{"not every seat has printed its final view"};
  for (const auto& [seat, digest] : seen) {
    const std::string who = "seat " + std::to_string(seat);
    if (digest != seen.begin()->second) throw Failure{who + " saw another end than seat 0"};
    if (digest != stored.at(seat)) throw Failure{who + " saw another end than the database tells"};
  }
  std::printf("all %zu final views are equal, and equal to the database\n", seen.size());
}

std::string play(const std::string& name, Table& table, const std::string& proxy, std::uint64_t seed) {
  Accidents accidents(seed);
  if (name == "killed_server") return play_with_killed_server(table, accidents);
  if (name == "leaving_client") return play_with_leaving_client(table, accidents);
  if (name == "bad_network") return play_over_bad_network(table, proxy, seed, accidents);
  throw Failure{"there is no such run"};
}

void run(const std::string& name, Table& table, const std::string& proxy, std::uint64_t seed) {
  const std::string room = play(name, table, proxy, seed);
  table.wait_for_bots(kWholeGame);
  table.stop_server();
  table.run_replay({table.database(), room, "--verify"});
  table.verify_records();
  compare_final_views(table, room);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 7 || sodium_init() < 0) {
    std::fprintf(stderr, "usage: landsraad_end_to_end RUN SERVER BOT REPLAY PROXY FOLDER [SEED]\n");
    return 2;
  }
  const std::uint64_t seed = argc > 7 ? std::strtoull(argv[7], nullptr, 10) : std::random_device{}();
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  try {
    Table table({argv[2], argv[3], argv[4]}, argv[6]);
    run(argv[1], table, argv[5], seed);
  } catch (const Failure& failure) {
    std::fprintf(stderr, "%s: %s; logs are in %s\n", argv[1], failure.why.c_str(), argv[6]);
    return 1;
  }
  return 0;
}
