#include "tests/corpus/recipe.h"

#include <array>
#include <string_view>
#include <utility>

#include "server/room/autoplayer.h"
#include "server/room/game.h"
#include "tests/random/playout.h"

namespace landsraad::corpus {

namespace {

using room::Entry;
using room::Instant;
using rules::Seat;
using std::chrono::milliseconds;

constexpr std::array<const char*, static_cast<std::size_t>(Story::count_)> kStoryNames{"plain", "clocks",
                                                                                       "talk", "farewell"};
constexpr std::array<const char*, 4> kPlayers{"Chani", "Duncan", "Gurney", "Thufir"};
constexpr Instant kBegin{milliseconds{1'767'225'600'000}};  // the year 2026
constexpr std::uint32_t kMostThinking = 9'000;              // ms
constexpr std::uint32_t kIncidentOneIn = 12;                // actions
constexpr std::uint32_t kTalkEndsAfter = 300;               // versions
constexpr std::uint32_t kLongestUndo = 6;                   // versions

room::TokenHash some_hash(testing::Chance& chance) {
  room::TokenHash hash;
  for (std::uint8_t& byte : hash) byte = static_cast<std::uint8_t>(chance.next());
  return hash;
}

void set_clock(Story story, v1::RoomOptions& options) {
  v1::ClockOptions& clock = *options.mutable_clock();
  if (story == Story::clocks) clock.mutable_per_decision()->set_seconds(60);
  if (story == Story::talk) clock.mutable_bank()->set_seconds(1800);
  if (story == Story::talk) clock.mutable_bank()->set_increment_seconds(10);
  if (story == Story::farewell) clock.mutable_days()->set_days(3);
}

room::Opening opening_of(const rules::Content& content, const Recipe& recipe, testing::Chance& chance) {
  room::Opening opening;
  opening.content_version = content.version;
  v1::RoomOptions& options = opening.options;
  options.set_product(content.product);
  options.set_title(name(recipe));
  options.set_players(recipe.players);
  options.set_leader_selection(recipe.picked_leaders ? v1::LEADER_SELECTION_PICK
                                                     : v1::LEADER_SELECTION_RANDOM);
  options.set_undo(recipe.story == Story::talk ? v1::UNDO_POLICY_CONSENT : v1::UNDO_POLICY_OWN);
  set_clock(recipe.story, options);
  opening.seed = testing::seed_of(recipe.number);
  for (std::uint32_t seat = 0; seat < recipe.players; ++seat) {
    opening.seats.push_back({kPlayers[seat], some_hash(chance), some_hash(chance)});
    if (seat % 2 == 0) opening.seats.back().nonce = "nonce of " + opening.seats.back().name;
  }
  opening.owner = opening.seats[0].player;
  opening.created = kBegin;
  return opening;
}

class Table {
 public:
  Table(const rules::Content& content, const Recipe& recipe)
      : recipe_(recipe),
        chance_{recipe.number},
        game_(content, opening_of(content, recipe, chance_)),
        now_(kBegin) {
    *record_.mutable_setup() = room::to_message(game_.opening());
  }

  v1::GameRecord play() {
    while (!game_.over()) {
      if (chance_.below(kIncidentOneIn) == 0) incident();
      if (!game_.over()) act();
    }
    return std::move(record_);
  }

 private:
  // Writes an entry if the game allows it now.
  bool write(Entry entry) {
    entry.when = now_;
    if (!game_.why_not(entry).empty()) return false;
    const room::Step step = game_.prepare(entry);
    room::write_entry(step.after.version, entry, rules::hash(step.after), *record_.add_entries());
    game_.commit(step, now_);
    return true;
  }

  void think() { now_ += milliseconds(1 + chance_.below(kMostThinking)); }

  Seat any_seat() { return static_cast<Seat>(chance_.below(recipe_.players)); }

  void act() {
    think();
    // Where several seats are asked at once, any of them may be the first.
    Seat seat = any_seat();
    while (!game_.waits_for(seat)) seat = static_cast<Seat>((seat + 1) % recipe_.players);
    const bool bot = game_.control(seat) != v1::SEAT_CONTROL_OWNER;
    write({.deed = choose(seat, bot),
           .seat = seat,
           .cause = bot ? v1::CAUSE_BOT : v1::CAUSE_PLAYER,
           .spent = game_.clocks().used(seat, now_)});
  }

  rules::Action choose(Seat seat, bool bot) {
    if (bot || recipe_.greedy) return room::choose_for_bot(game_.content(), game_.state(), seat);
    const auto style =
        static_cast<testing::Style>(recipe_.number % static_cast<std::uint32_t>(testing::Style::count_));
    return testing::pick(rules::legal_actions(game_.content(), game_.state(), seat), style, chance_);
  }

  // ---- What happens beside the actions.

  void incident() {
    think();
    switch (recipe_.story) {
      case Story::plain:
        return take_back_own();
      case Story::clocks:
        return incident_with_clocks();
      case Story::talk:
        return incident_of_talk();
      case Story::farewell:
      case Story::count_:
        return say_farewell();
    }
  }

  void take_back_own() {
    for (Seat seat = 0; seat < recipe_.players; ++seat)
      if (const auto to = game_.undo_to(seat))
        write({.deed = room::Undo{*to}, .seat = seat, .spent = game_.clocks().used(seat, now_)});
  }

  void incident_with_clocks() {
    switch (chance_.below(4)) {
      case 0:
        return run_out_of_time();
      case 1: {
        const Seat seat = any_seat();
        const bool owner = game_.control(seat) == v1::SEAT_CONTROL_OWNER;
        write({.deed = owner ? v1::SEAT_CONTROL_BOT : v1::SEAT_CONTROL_OWNER,
               .seat = seat,
               .cause = v1::CAUSE_TIMEOUT});
        return;
      }
      case 2:
        pause(true);
        think();
        return pause(false);
      default:
        write(
            {.deed = room::ServerStops{}, .cause = v1::CAUSE_BOT, .thinking = game_.clocks().thinking(now_)});
        game_.start_clocks_again(now_ += std::chrono::minutes(1));
    }
  }

  void run_out_of_time() {
    now_ += game_.clocks().rules().time;
    for (Seat seat = 0; seat < recipe_.players; ++seat) {
      if (!game_.waits_for(seat) || game_.control(seat) != v1::SEAT_CONTROL_OWNER) continue;
      write({.deed = room::choose_default(game_.content(), game_.state(), seat),
             .seat = seat,
             .cause = v1::CAUSE_TIMEOUT,
             .spent = game_.clocks().used(seat, now_)});
    }
  }

  void pause(bool paused) {
    write(
        {.deed = room::Pause{paused}, .cause = v1::CAUSE_AGREED, .thinking = game_.clocks().thinking(now_)});
  }

  void incident_of_talk() {
    if (game_.version() >= kTalkEndsAfter) {
      write({.deed = v1::ENDING_AGREED, .cause = v1::CAUSE_AGREED});
      return;
    }
    switch (chance_.below(3)) {
      case 0: {
        const std::uint32_t back = 1 + chance_.below(kLongestUndo);
        const std::uint32_t to = game_.version() > back ? game_.version() - back : 0;
        write({.deed = room::Undo{to}, .seat = any_seat(), .cause = v1::CAUSE_AGREED});
        return;
      }
      case 1:
        write({.deed = room::NewOwner{game_.opening().seats[any_seat()].player}, .seat = 0});
        return;
      default: {
        room::Door door = game_.door();
        door.invite = some_hash(chance_);
        write({.deed = door, .seat = 0});
      }
    }
  }

  // All but the last player give up, one after the other.
  void say_farewell() {
    Seat left = 0;
    while (left + 1U < recipe_.players && game_.control(left) == v1::SEAT_CONTROL_RESIGNED) ++left;
    const bool last = left + 1U == recipe_.players;
    if (last && recipe_.greedy) write({.deed = v1::ENDING_RESIGNED, .seat = left});
    if (!last && chance_.below(4) == 0) write({.deed = v1::SEAT_CONTROL_RESIGNED, .seat = left});
  }

  Recipe recipe_;
  testing::Chance chance_;
  room::Game game_;
  Instant now_;
  v1::GameRecord record_;
};

}  // namespace

Recipe recipe(std::uint32_t number) {
  return {.number = number,
          .players = number % 2 == 0 ? 4U : 3U,
          .picked_leaders = number / 2 % 2 == 1,
          .greedy = number / 4 % 2 == 1,
          .story = static_cast<Story>(number / 8 % static_cast<std::uint32_t>(Story::count_))};
}

std::string name(const Recipe& recipe) {
  return "uprising_" + std::to_string(recipe.players) + "p_" + (recipe.picked_leaders ? "picked" : "random") +
         (recipe.greedy ? "_greedy_" : "_random_") + kStoryNames[static_cast<std::size_t>(recipe.story)] +
         "_seed" + std::to_string(recipe.number);
}

v1::GameRecord play(const rules::Content& content, const Recipe& recipe) {
  return Table(content, recipe).play();
}

}  // namespace landsraad::corpus
