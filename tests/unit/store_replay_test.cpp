// Stored games played again: agreement with the hashes, the words for everything that happens, the export.
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "rules/notation/load.h"
#include "server/room/replay.h"
#include "tests/unit/recorded_game.h"
#include "tools/replay/arguments.h"
#include "tools/replay/deed.h"
#include "tools/replay/export.h"
#include "tools/replay/teller.h"
#include "tools/words/effect.h"
#include "tools/words/narrator.h"

namespace landsraad::replay::store_replay_test {

namespace {

using rules::State;

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

namespace {

// What is asked of a database, or of a file with one game; and what is wrong with it.
std::pair<Arguments, std::string> understood(const std::vector<const char*>& words, bool is_file = false) {
  std::string mistake;
  Arguments arguments = parse_arguments(words, mistake);
  if (mistake.empty() && arguments.task != Task::help) mistake = settle(arguments, is_file);
  return {arguments, mistake};
}

}  // namespace

TEST_CASE("landsraad-replay understands its arguments") {
  const auto task = [](const std::vector<const char*>& words, bool is_file = false) {
    const auto [arguments, mistake] = understood(words, is_file);
    CHECK_MESSAGE(mistake.empty(), mistake);
    return arguments.task;
  };
  CHECK(task({"db"}) == Task::list);
  CHECK(task({"db", "--open", "--player", "Ann"}) == Task::list);
  CHECK(task({"db", "g"}) == Task::tell);
  CHECK(task({"db", "g", "--seat", "2"}) == Task::tell);
  CHECK(task({"file"}, true) == Task::tell);
  CHECK(task({"file", "--until", "3"}, true) == Task::tell);
  CHECK(task({"file", "--json", "--seat", "all"}, true) == Task::json);
  CHECK(task({"db", "--verify"}) == Task::verify);
  CHECK(task({"db", "g", "--export", "f"}) == Task::give);
  CHECK(task({"db", "--import", "f"}) == Task::take);
  CHECK(task({"--help"}) == Task::help);
  CHECK(understood({"--json", "db", "g"}).first.game == "g");
  CHECK(understood({"db", "g", "--scenario", "--until", "12"}).first.until == 12);
  CHECK(understood({"db", "--import", "f"}).first.file == "f");
  const std::string commitment(64, 'a');
  CHECK(understood({"--verify", "file", "--commitment", commitment.c_str()}, true).first.commitment ==
        commitment);
}

TEST_CASE("landsraad-replay says what is wrong with its arguments") {
  const std::string commitment(64, 'a');
  const std::vector<std::vector<const char*>> wrong{{},
                                                    {"--verify"},
                                                    {"db", "--json"},
                                                    {"db", "--seat", "1"},
                                                    {"db", "g", "--until"},
                                                    {"db", "g", "--until", "x"},
                                                    {"db", "g", "--until", "-1"},
                                                    {"db", "g", "--json", "--scenario"},
                                                    {"db", "g", "--scenario", "--seat", "1"},
                                                    {"db", "g", "--verify", "--until", "1"},
                                                    {"db", "g", "--seat"},
                                                    {"db", "g", "--seat", ""},
                                                    {"db", "g", "--open"},
                                                    {"db", "g", "h"},
                                                    {"db", "--until", "3"},
                                                    {"db", "--export", "f"},
                                                    {"db", "g", "--export"},
                                                    {"db", "g", "--import", "f"},
                                                    {"db", "--import"},
                                                    {"db", "--verify", "--player", "Ann"},
                                                    {"db", "--verify", "--commitment"},
                                                    {"db", "--verify", "--commitment", "abc"},
                                                    {"db", "--commitment", commitment.c_str()},
                                                    {"db", "g", "--unknown"}};
  for (const std::vector<const char*>& words : wrong) CHECK_FALSE(understood(words).second.empty());
  for (const std::vector<const char*>& words : std::vector<std::vector<const char*>>{
           {"file", "g"}, {"file", "--export", "f"}, {"file", "--import", "f"}, {"file", "--open"}})
    CHECK_FALSE(understood(words, true).second.empty());
}

}  // namespace landsraad::replay::store_replay_test
