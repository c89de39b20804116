// Stored games played again: agreement with the hashes, the words for everything that happens, the export.
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "rules/engine/random.h"
#include "rules/notation/load.h"
#include "server/room/replay.h"
#include "tools/replay/arguments.h"
#include "tools/replay/deed.h"
#include "tools/replay/export.h"
#include "tools/replay/teller.h"
#include "tools/words/effect.h"
#include "tools/words/narrator.h"

namespace landsraad::replay::store_replay_test {

namespace {

using rules::State;

room::Opening opening_of(std::uint8_t number) {
  room::Opening opening;
  opening.options.set_product(rules::uprising_content().product);
  opening.content_version = rules::uprising_content().version;
  opening.options.set_players(number % 2 == 0 ? 4 : 3);
  opening.options.set_leader_selection(number % 3 == 0 ? v1::LEADER_SELECTION_PICK
                                                       : v1::LEADER_SELECTION_RANDOM);
  opening.seed.fill(number);
  opening.options.set_title("Table \"" + std::to_string(number) + "\"");
  for (std::uint32_t seat = 0; seat < opening.options.players(); ++seat) {
    opening.seats.push_back({.name = std::string(1, static_cast<char>('A' + seat)) + "lia"});
  }
  return opening;
}

struct Recorded {
  std::vector<std::string> records;
  State last;
};

// A random game, as the server would have stored it.
Recorded record_game(std::uint8_t number) {
  const rules::Content& content = rules::uprising_content();
  room::Opening opening = opening_of(number);
  Recorded game{{}, rules::new_game(content, room::game_options(opening.options), opening.seed)};
  opening.state_hash = room::stored_hash(game.last);
  game.records.push_back(room::write_opening(opening));
  rules::RandomStream dice;
  dice.key.fill(static_cast<std::uint8_t>(number + 100));
  while (const rules::SeatMask seats = rules::deciders(game.last)) {
    const rules::Seat seat = rules::first_seat(seats);
    const rules::ActionList actions = rules::legal_actions(content, game.last, seat);
    const rules::Action action =
        actions[static_cast<std::uint16_t>(dice.below(static_cast<std::uint32_t>(actions.size())))];
    rules::apply(content, game.last, seat, action);
    game.records.push_back(
        room::write_entry(game.last.version, {.deed = action, .seat = seat}, rules::hash(game.last)));
  }
  return game;
}

struct Counter final : room::Audience {
  void opening(const room::Opening&, const State&, const std::vector<rules::Event>&) override { ++openings; }
  void scene(const room::Scene&) override { ++scenes; }
  std::uint64_t openings = 0, scenes = 0;
};

room::Replay play_again(const std::vector<std::string>& records) {
  return room::replay(rules::uprising_content(), records);
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a stored game plays again to the same end") {
  for (std::uint8_t number = 0; number < 6; ++number) {
    const Recorded game = record_game(number);
    Counter counter;
    const room::Replay playback = room::replay(rules::uprising_content(), game.records, &counter);
    CHECK(playback.fault.empty());
    CHECK(playback.entries == game.records.size() - 1);
    CHECK(rules::hash(playback.game->state()) == rules::hash(game.last));
    CHECK(counter.openings == 1);
    CHECK(counter.scenes == playback.entries);
  }
}

TEST_CASE("a playback stops where it is told to") {
  const Recorded game = record_game(1);
  for (const std::uint64_t until : {0U, 1U, 17U}) {
    Counter counter;
    const room::Replay playback = room::replay(rules::uprising_content(), game.records, &counter, until);
    CHECK(playback.entries == until);
    CHECK(playback.game->state().version == until);
  }
}

TEST_CASE("a stored game that differs is refused with the place and the reason") {
  Recorded game = record_game(2);
  std::vector<std::string>& records = game.records;
  SUBCASE("no records") {
    records.clear();
    CHECK(has(play_again(records).fault, "has no opening"));
  }
  SUBCASE("an action is missing") {
    records.erase(records.begin() + 5);
    const room::Replay playback = play_again(records);
    CHECK(playback.fault == "Entry 5 stands in the wrong place.");
    CHECK(playback.entries == 4);
  }
  SUBCASE("a hash differs") {
    const std::optional<room::StoredEntry> stored = room::read_entry(records[9]);
    records[9] = room::write_entry(9, stored->entry, rules::StateHash{});
    CHECK(play_again(records).fault == "Entry 9 leads to another state than it was stored with.");
  }
  SUBCASE("an action that is not legal") {
    records[1] =
        room::write_entry(1, {.deed = rules::Action{.kind = rules::ActionKind::match_wild}, .seat = 0}, {});
    CHECK(has(play_again(records).fault, "Entry 1 is "));
  }
  SUBCASE("bytes that are no record") {
    records[3] = "\xff\xff\xff";
    CHECK(play_again(records).fault == "Entry 3 does not read as one.");
  }
  SUBCASE("other cards") {
    room::Opening opening = *room::read_opening(records[0]);
    opening.content_version = "other";
    records[0] = room::write_opening(opening);
    CHECK(has(play_again(records).fault, "It was begun with cards of version other"));
  }
  SUBCASE("other rules") {
    room::Opening opening = *room::read_opening(records[0]);
    opening.engine_version = "0";
    records[0] = room::write_opening(opening);
    CHECK(has(play_again(records).fault, "It was begun by version 0"));
  }
}

TEST_CASE("every action and event of random games has words") {
  struct Listener final : room::Audience {
    void opening(const room::Opening& opening, const State&,
                 const std::vector<rules::Event>& events) override {
      narrator.introduce(names_of(opening));
      hear(events);
    }
    void scene(const room::Scene& scene) override {
      const std::string sentence = words_for(narrator, scene);
      CHECK_MESSAGE(!has(sentence, "?"), sentence);
      CHECK_MESSAGE(!has(sentence, "does nothing"), sentence);
      CHECK_MESSAGE(sentence.starts_with(narrator.player(scene.step.entry.seat)), sentence);
      hear(scene.step.events);
    }
    void hear(const std::vector<rules::Event>& events) {
      for (const rules::Event& event : events) {
        const std::string sentence = narrator.event(event);
        CHECK_MESSAGE(!has(sentence, "?"), sentence);
      }
    }
    words::Narrator narrator{rules::uprising_content()};
  };
  for (std::uint8_t number = 10; number < 20; ++number) {
    Listener listener;
    CHECK(room::replay(rules::uprising_content(), record_game(number).records, &listener).fault.empty());
  }
}

TEST_CASE("every effect of the content has words") {
  const rules::Content& content = rules::uprising_content();
  for (std::size_t node = 1; node < content.nodes.size(); ++node) {
    const std::string text = words::effect(content, static_cast<rules::NodeId>(node));
    const bool is_box_of_figures = content.nodes[node].op == rules::Op::all && content.nodes[node].child == 0;
    CHECK(text.empty() == is_box_of_figures);
    CHECK_MESSAGE(!has(text, "?"), text);
    CHECK_MESSAGE(!has(text, "_"), text);
    CHECK_MESSAGE(!has(text, "  "), text);
  }
  const auto effect_of = [&](std::string_view space) {
    return words::effect(content, content.spaces[rules::find_space(content, space)].effects);
  };
  CHECK(effect_of("espionage") == "draw 1 card and place 1 Spy");
}

TEST_CASE("a game is told with its result") {
  const Recorded game = record_game(3);
  std::ostringstream out;
  Teller teller(rules::uprising_content(), out);
  const room::Replay playback = room::replay(rules::uprising_content(), game.records, &teller);
  teller.standings(playback.game->state());
  const std::string text = out.str();
  CHECK(text.starts_with("Table \"3\"\nuprising, 3 players, begun 1970-01-01 00:00 UTC\n"));
  CHECK(has(text, "== Round 1 begins =="));
  CHECK(has(text, "== The game is over =="));
  CHECK(has(text, "Result after "));
  CHECK(has(text, "  1. "));
}

TEST_CASE("an export names everything, and closes its brackets also after a fault") {
  Recorded game = record_game(4);
  for (const bool damaged : {false, true}) {
    if (damaged) game.records.resize(20);
    if (damaged) game.records[10] = "\xff";
    std::ostringstream out;
    Exporter exporter(rules::uprising_content(), out);
    exporter.begin("arrakis");
    exporter.end(room::replay(rules::uprising_content(), game.records, &exporter));
    const std::string text = out.str();
    CHECK(text.starts_with("{\n  \"game\": \"arrakis\",\n  \"setup\": {"));
    CHECK(has(text, "\"title\": \"Table \\\"4\\\"\""));
    CHECK(has(text, "\"standings\": ["));
    CHECK(text.ends_with("\n}\n"));
    CHECK(has(text, "\"fault\": \"Entry 10 does not read as one.\"") == damaged);
    CHECK(has(text, "\"place\": 1") != damaged);
  }
}

TEST_CASE("json text is valid whatever the bytes") {
  const auto written_as = [](std::string_view text) {
    std::ostringstream out;
    JsonWriter(out).text(text);
    return out.str();
  };
  CHECK(written_as("plain") == "\"plain\"");
  CHECK(written_as("a\"b\\c\n") == "\"a\\\"b\\\\c\\n\"");
  CHECK(written_as("Sh\xc3\xa4i \xf0\x9f\x90\x9b") == "\"Sh\xc3\xa4i \xf0\x9f\x90\x9b\"");
  CHECK(written_as("\xff") == "\"\xef\xbf\xbd\"");
  CHECK(written_as("\xc3") == "\"\xef\xbf\xbd\"");
  CHECK(written_as("\xed\xa0\x80").find('\xed') == std::string::npos);  // a surrogate
  CHECK(written_as(std::string_view("\0", 1)) == "\"\\u0000\"");
}

TEST_CASE("landsraad-replay understands its arguments") {
  const auto parse = [](std::vector<const char*> words) {
    std::string mistake;
    const Arguments arguments = parse_arguments(words, mistake);
    return std::pair(arguments, mistake);
  };
  CHECK(parse({"db"}).first.task == Task::list);
  CHECK(parse({"db", "g"}).first.task == Task::tell);
  CHECK(parse({"db", "--verify"}).first.task == Task::verify);
  CHECK(parse({"--json", "db", "g"}).first.game == "g");
  CHECK(parse({"db", "g", "--scenario", "--until", "12"}).first.until == 12);
  CHECK(parse({"--help"}).first.task == Task::help);
  const std::string commitment(64, 'a');
  CHECK(parse({"--verify", "file", "--commitment", commitment.c_str()}).first.commitment == commitment);
  for (const std::vector<const char*>& wrong :
       std::vector<std::vector<const char*>>{{},
                                             {"--verify"},
                                             {"db", "--json"},
                                             {"db", "g", "--until"},
                                             {"db", "g", "--until", "x"},
                                             {"db", "g", "--until", "-1"},
                                             {"db", "g", "--json", "--scenario"},
                                             {"db", "g", "h"},
                                             {"db", "--until", "3"},
                                             {"db", "--verify", "--commitment"},
                                             {"db", "--verify", "--commitment", "abc"},
                                             {"db", "--commitment", commitment.c_str()},
                                             {"db", "g", "--unknown"}}) {
    CHECK_FALSE(parse(wrong).second.empty());
  }
}

}  // namespace landsraad::replay::store_replay_test
