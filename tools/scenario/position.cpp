#include "tools/scenario/position.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "rules/engine/position.h"
#include "tools/scenario/moves.h"
#include "tools/scenario/text.h"
#include "tools/scenario/values.h"

namespace landsraad::scenario {

using namespace rules;

namespace {

constexpr int kTroops = 12;          // SUPPLY-1
constexpr int kSpies = 3;            // SUPPLY-1
constexpr int kAgentsAtStart = 2;    // SETUP-9
constexpr int kGarrisonAtStart = 3;  // SETUP-12
constexpr int kRounds = 10;          // ROUND-2
constexpr std::uint8_t kDefaultSeed = 1;

// A field as it was said, and where.
struct Said {
  Reading reading;
  int line = 0;
};

// An effect that a dump writes down: on the stack, in a menu, or waiting.
struct SaidEffect {
  enum class What : std::uint8_t { waiting, frame, open, used_arrow };
  What what = What::waiting;
  Seat seat = kNoSeat;
  std::string text;
  int line = 0;
};

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

Seed seed_of(int number) {
  Seed seed{};
  seed[0] = static_cast<std::uint8_t>(number & 0xff);
  seed[1] = static_cast<std::uint8_t>(number >> 8 & 0xff);
  seed[31] = 1;
  return seed;
}

std::uint8_t byte(int number) { return static_cast<std::uint8_t>(number); }
std::int16_t word16(int number) { return static_cast<std::int16_t>(number); }

constexpr std::array<std::string_view, static_cast<std::size_t>(FrameKind::count_)> kFrameNames{
    "none",           "pick_leader", "defensive_bonus", "take_turn",       "gather_intelligence",
    "agent_turn",     "reveal_turn", "combat_turn",     "combat_reward",   "combat_end",
    "endgame_window", "menu",        "intrigue_lines",  "intrigue_played", "sequence",
    "arrow",          "opponents",   "operation",       "alliance_passes"};

// Says which copies of each kind are still nowhere.
class CopyPool {
 public:
  explicit CopyPool(const Content& content) : content_(content), taken_(content.card_of_copy.size(), false) {}

  // The first free copy; a starting card must be one of the seat's own. kNoCopy if there is none.
  CardCopy take(CardId id, Seat seat) {
    const Card& card = content_.cards[id];
    const bool starter = card.deck == Deck::starter;
    if (starter && seat == kNoSeat) return take_of_any_seat(id);
    const unsigned first = card.first_copy + (starter ? unsigned{seat} * card.copies : 0U);
    const unsigned count = starter ? card.copies : card.all_copies;
    for (unsigned copy = first; copy < first + count; ++copy) {
      if (taken_[copy]) continue;
      taken_[copy] = true;
      return static_cast<CardCopy>(copy);
    }
    return kNoCopy;
  }

  int copies(CardId id) const {
    const Card& card = content_.cards[id];
    return card.deck == Deck::starter ? card.copies : card.all_copies;
  }

  void limit_seats(Seat seats) { seats_ = seats; }

 private:
  CardCopy take_of_any_seat(CardId id) {
    for (Seat seat = 0; seat < seats_; ++seat)
      if (const CardCopy copy = take(id, seat); copy != kNoCopy) return copy;
    return kNoCopy;
  }

  const Content& content_;
  std::vector<bool> taken_;
  Seat seats_ = kMaxSeats;
};

class Builder {
 public:
  Builder(const Lexicon& lexicon, const Scenario& scenario)
      : lexicon_(lexicon), content_(lexicon.content), scenario_(scenario), pool_(lexicon.content) {}

  Built build() {
    read_options();
    if (!problems_.empty()) return finish();
    state_ = new_game(content_, options_, seed_of(seed_));
    if (new_game_) return finish();
    pool_.limit_seats(options_.seats);
    read_fields();
    if (!problems_.empty()) return finish();
    clear();
    place_table();
    place_seats();
    place_cards();
    place_conflicts();
    if (problems_.empty()) enter();
    return finish();
  }

 private:
  Built finish() { return {state_, std::move(problems_)}; }
  void problem(int line, std::string text) { problems_.push_back({line, std::move(text)}); }

  // ---- Reading -------------------------------------------------------------------------------------

  void read_options() {
    options_ = {};
    for (const Clause& clause : scenario_.given) {
      Words words(clause.text);
      if (words.take("players")) {
        const auto number = whole_number(words.rest());
        if (!number || *number < 3 || *number > 4)
          problem(clause.line, "expected 'players 3' or 'players 4'");
        else
          options_.seats = byte(*number);
      } else if (words.take("leaders")) {
        if (words.take("pick"))
          options_.leaders = LeaderSelection::pick;
        else if (!words.take("random"))
          problem(clause.line, "expected 'leaders pick' or 'leaders random'");
      } else if (words.take("seed")) {
        const auto number = whole_number(words.rest());
        if (!number || *number < 0)
          problem(clause.line, "expected a number from 0 to 32767 after 'seed'");
        else
          seed_ = *number;
      } else if (words.take("new")) {
        if (!words.take("game")) problem(clause.line, "expected 'new game'");
        new_game_ = true;
      } else {
        fields_said_ = true;
        first_field_line_ = first_field_line_ == 0 ? clause.line : first_field_line_;
      }
    }
    if (new_game_ && fields_said_)
      problem(first_field_line_,
              "a new game is set up by the rules; nothing else can be given with 'new game'");
  }

  static bool is_option(std::string_view text) {
    Words words(text);
    return words.take_any({"players", "leaders", "seed", "new"});
  }

  // Clauses about several seats first, so that one about a single seat goes before them.
  void read_fields() {
    for (const bool several : {true, false})
      for (const Clause& clause : scenario_.given) {
        const bool is_several =
            clause.subject.who == Subject::Who::all || clause.subject.who == Subject::Who::others;
        if (is_several == several && !is_option(clause.text)) read_clause(clause);
      }
  }

  void read_clause(const Clause& clause) {
    switch (clause.subject.who) {
      case Subject::Who::spectator:
        problem(clause.line, "a spectator owns nothing");
        return;
      case Subject::Who::table:
        read_field(clause, kNoSeat);
        return;
      case Subject::Who::seat:
        if (clause.subject.seat >= options_.seats) {
          problem(clause.line, "there is no " + seat_name(clause.subject.seat) + " with " +
                                   std::to_string(options_.seats) + " players");
          return;
        }
        read_field(clause, clause.subject.seat);
        return;
      case Subject::Who::all:
      case Subject::Who::others:
        break;
    }
    const Seat mover = turn_seat_said();
    for (Seat seat = 0; seat < options_.seats; ++seat)
      if (clause.subject.who == Subject::Who::all || seat != mover) read_field(clause, seat);
  }

  // The seat whose turn it is, wherever it is said; kNoSeat if nobody's is.
  Seat turn_seat_said() const {
    Seat first = 0;
    for (const Clause& clause : scenario_.given) {
      Words words(clause.text);
      if (clause.subject.who != Subject::Who::table) continue;
      const bool turn = words.take("turn");
      if (!turn && !words.take_any({"first", "first_player"})) continue;
      const auto seat = read_seat(words.rest());
      if (turn) return seat.ok() ? *seat : kNoSeat;
      if (seat.ok()) first = *seat;
    }
    return first;
  }

  void read_field(const Clause& clause, Seat seat) {
    Words words(clause.text);
    const bool of_seat = seat != kNoSeat;
    bool negated = false;
    if (words.take_any({"no", "not"})) negated = true;
    if (of_seat && words.take("influence")) {
      for (std::string_view part : split(words.rest(), ','))
        read_field({clause.kind, clause.line, clause.subject, std::string(part)}, seat);
      return;
    }
    if (words.take("waiting")) {
      effects_.push_back({SaidEffect::What::waiting, seat, std::string(words.rest()), clause.line});
      return;
    }
    if (words.take("frame")) {
      effects_.push_back({SaidEffect::What::frame, seat, std::string(words.rest()), clause.line});
      return;
    }
    if (words.take("open")) {
      effects_.push_back({SaidEffect::What::open, seat, std::string(words.rest()), clause.line});
      return;
    }
    if (words.take("used_arrow")) {
      effects_.push_back({SaidEffect::What::used_arrow, seat, std::string(words.rest()), clause.line});
      return;
    }
    const std::string_view word = words.next();
    const Field* of = find_field(word, of_seat);
    if (of == nullptr) {
      problem(clause.line, unknown_field(word, of_seat));
      return;
    }
    if (!of->settable) {
      problem(clause.line, quoted(of->name) + " follows from the rest and cannot be given");
      return;
    }
    const std::string_view text = negated ? absence(*of) : words.rest();
    const auto reading = read_value(lexicon_, *of, text, leader_said(seat));
    if (!reading.ok()) {
      problem(clause.line, reading.fault().text);
      return;
    }
    if (const std::string fault = unfit_for_given(*of, *reading); !fault.empty()) {
      problem(clause.line, fault);
      return;
    }
    if (is_of_turn(of->id) && !of_seat) seat = turn_seat_said();
    const bool single = clause.subject.who == Subject::Who::seat || clause.subject.who == Subject::Who::table;
    auto& place = said(of->id, seat);
    if (place && single && single_lines_.contains({of->id, seat})) {
      problem(clause.line, quoted(of->name) + " was given before, in line " + std::to_string(place->line));
      return;
    }
    if (single) single_lines_[{of->id, seat}] = clause.line;
    place = Said{*reading, clause.line};
  }

  static std::string unknown_field(std::string_view word, bool of_seat) {
    if (find_field(word, !of_seat) != nullptr)
      return quoted(word) + (of_seat ? " belongs to the table, not to a seat"
                                     : " belongs to a seat: write 'P1 " + std::string(word) + " ...'");
    std::vector<std::string_view> known = field_names(of_seat);
    if (of_seat) {
      const auto actions = verbs();
      known.insert(known.end(), actions.begin(), actions.end());
    } else {
      for (std::string_view option : {"players", "leaders", "seed", "new game"}) known.push_back(option);
    }
    const std::string near = nearest(word, known);
    return quoted(word) + " is " +
           (of_seat ? "neither a part of a seat nor an action" : "no part of the table") +
           (near.empty() ? "" : "; nearest: " + near);
  }

  static std::string unfit_for_given(const Field& of, const Reading& reading) {
    const bool listing =
        of.kind == FieldKind::one || of.kind == FieldKind::list || of.kind == FieldKind::pile;
    if (listing && reading.form == Reading::Form::amount)
      return "expected names after " + quoted(of.name) + "; a number alone can only be expected";
    if (reading.form == Reading::Form::has || reading.form == Reading::Form::lacks ||
        reading.form == Reading::Form::unchanged)
      return "'has', 'lacks' and 'unchanged' can be expected, but not given";
    const Relation relation = reading.amount.relation;
    const bool negative = relation == Relation::changed_by && reading.amount.number < 0;
    if (relation == Relation::at_least || relation == Relation::at_most ||
        (relation == Relation::changed_by && !negative))
      return "expected a plain number after " + quoted(of.name);
    if (of.kind == FieldKind::one && reading.parts.size() > 1)
      return "expected one name after " + quoted(of.name);
    return {};
  }

  LeaderId leader_said(Seat seat) const {
    if (seat == kNoSeat) return kNoLeader;
    const auto& place = said(FieldId::leader, seat);
    if (place && !place->reading.parts.empty()) return place->reading.parts.front().entry.id;
    // The leader may be named in a later clause.
    for (const Clause& clause : scenario_.given) {
      Words words(clause.text);
      if (clause.subject != Subject{Subject::Who::seat, seat} || !words.take("leader")) continue;
      if (const auto leader = lexicon_.names.find(Thing::leader, words.rest()); leader.ok()) return *leader;
    }
    return kNoLeader;
  }

  std::optional<Said>& said(FieldId id, Seat seat) {
    return said_[static_cast<std::size_t>(id)][seat == kNoSeat ? 0 : seat];
  }
  const std::optional<Said>& said(FieldId id, Seat seat) const {
    return said_[static_cast<std::size_t>(id)][seat == kNoSeat ? 0 : seat];
  }

  int number(FieldId id, Seat seat, int otherwise) const {
    const auto& place = said(id, seat);
    return place ? place->reading.amount.number : otherwise;
  }
  int line_of(FieldId id, Seat seat) const {
    const auto& place = said(id, seat);
    return place ? place->line : scenario_.line;
  }
  const std::vector<Part>& parts(FieldId id, Seat seat) const {
    static const std::vector<Part> none;
    const auto& place = said(id, seat);
    return place ? place->reading.parts : none;
  }
  bool only(FieldId id, Seat seat) const {
    const auto& place = said(id, seat);
    return place && place->reading.form == Reading::Form::only;
  }

  // ---- Numbers and pieces --------------------------------------------------------------------------

  void clear() {
    State empty;
    empty.options = state_.options;
    empty.random = state_.random;
    for (std::size_t i = 0; i < state_.board.reserve.size(); ++i)
      empty.board.reserve[i].card = state_.board.reserve[i].card;
    empty.board.control.fill(kNoSeat);
    empty.board.alliance.fill(kNoSeat);
    state_ = empty;
  }

  void place_table() {
    state_.round = byte(number(FieldId::round, kNoSeat, 1));
    const int first = number(FieldId::first_player, kNoSeat, 0);
    state_.first_player = first < 0 ? Seat{0} : static_cast<Seat>(first);
    state_.board.shield_wall = number(FieldId::wall, kNoSeat, 1) != 0;
    for (const Part& part : parts(FieldId::bonus_spice, kNoSeat))
      state_.board.bonus_spice[part.entry.id] = byte(part.entry.number);
  }

  void place_seats() {
    for (Seat seat = 0; seat < options_.seats; ++seat) {
      place_numbers(seat);
      place_troops(seat);
      place_agents(seat);
      place_spies(seat);
      for (const Part& part : parts(FieldId::control, seat)) {
        Seat& owner = state_.board.control[part.entry.id];
        if (owner != kNoSeat)
          problem(line_of(FieldId::control, seat), seat_name(owner) + " controls this space already");
        owner = seat;
      }
    }
    place_alliances();
    place_reveals();
  }

  void place_numbers(Seat seat) {
    Player& player = state_.player(seat);
    if (const auto& leader = parts(FieldId::leader, seat); !leader.empty())
      player.leader = leader.front().entry.id;
    for (Seat other = 0; other < seat; ++other)
      if (player.leader != kNoLeader && state_.player(other).leader == player.leader)
        problem(line_of(FieldId::leader, seat), seat_name(other) + " has this leader already");
    player.leader_step = byte(number(FieldId::step, seat, 0));
    player.victory_points = word16(number(FieldId::vp, seat, options_.seats >= 4 ? 1 : 0));  // SETUP-10
    player[Resource::solari] = word16(number(FieldId::solari, seat, 0));
    player[Resource::spice] = word16(number(FieldId::spice, seat, 0));
    player[Resource::water] = word16(number(FieldId::water, seat, 1));  // SETUP-8
    player.influence[0] = static_cast<std::int8_t>(number(FieldId::emperor, seat, 0));
    player.influence[1] = static_cast<std::int8_t>(number(FieldId::guild, seat, 0));
    player.influence[2] = static_cast<std::int8_t>(number(FieldId::bene_gesserit, seat, 0));
    player.influence[3] = static_cast<std::int8_t>(number(FieldId::fremen, seat, 0));
    player.persuasion = word16(number(FieldId::persuasion, seat, 0));
    player.swords = word16(number(FieldId::swords, seat, 0));
    player.sandworms = byte(number(FieldId::sandworms, seat, 0));
    player.place = byte(number(FieldId::place, seat, 0));
    player.high_council = number(FieldId::high_council, seat, 0) != 0;
    player.swordmaster = number(FieldId::swordmaster, seat, 0) != 0;
    player.maker_hooks = number(FieldId::hooks, seat, 0) != 0;
  }

  // The zone that is not given takes what is left of the 12 troops (SUPPLY-6): the supply, else the garrison.
  void place_troops(Seat seat) {
    Player& player = state_.player(seat);
    player.memories = byte(number(FieldId::memories, seat, 0));
    int troops = number(FieldId::troops, seat, 0);
    if (said(FieldId::strength, seat)) troops = troops_for_strength(seat, troops);
    player.troops_in_conflict = byte(troops);
    const bool supply_said = said(FieldId::supply, seat).has_value();
    const bool garrison_said = said(FieldId::garrison, seat).has_value();
    const int rest = kTroops - troops - player.memories;
    int garrison = number(FieldId::garrison, seat, std::min(kGarrisonAtStart, rest));
    if (supply_said && !garrison_said) garrison = rest - number(FieldId::supply, seat, 0);
    const int supply = number(FieldId::supply, seat, rest - garrison);
    player.garrison = byte(garrison);
    player.supply = byte(supply);
    if (garrison < 0 || supply < 0 || garrison + supply != rest)
      problem(line_of(garrison_said ? FieldId::garrison
                      : supply_said ? FieldId::supply
                                    : FieldId::troops,
                      seat),
              seat_name(seat) + " has 12 troops, but garrison " + std::to_string(garrison) + ", supply " +
                  std::to_string(supply) + ", Conflict " + std::to_string(troops) + " and memories " +
                  std::to_string(player.memories) + " make " +
                  std::to_string(garrison + supply + troops + player.memories));
  }

  // `strength 9`: one troop unless units were given, and swords for the rest.
  int troops_for_strength(Seat seat, int troops) {
    Player& player = state_.player(seat);
    const int strength = number(FieldId::strength, seat, 0);
    if (strength == 0) return troops;
    if (strength > 1 && troops == 0 && player.sandworms == 0) troops = 1;
    player.swords = word16(strength - 2 * troops - 3 * player.sandworms);
    if (said(FieldId::swords, seat))
      problem(line_of(FieldId::swords, seat), "give either strength or swords, not both");
    if (strength < 2)
      problem(line_of(FieldId::strength, seat),
              "one unit makes a strength of 2 already; strength 1 needs 'troops 1; swords -1'");
    return troops;
  }

  void place_agents(Seat seat) {
    Player& player = state_.player(seat);
    const auto& spaces = parts(FieldId::agents, seat);
    for (const Part& part : spaces) {
      SeatMask& there = state_.board.agents[part.entry.id];
      if ((there & seat_bit(seat)) != 0)
        problem(line_of(FieldId::agents, seat), "two Agents of one seat on one space");
      there = static_cast<SeatMask>(there | seat_bit(seat));
    }
    const int owned = kAgentsAtStart + (player.swordmaster ? 1 : 0);
    const int left = owned - static_cast<int>(spaces.size());
    player.agents_on_leader = byte(number(FieldId::agents_left, seat, left));
    if (left < 0 || player.agents_on_leader != left)
      problem(line_of(FieldId::agents, seat),
              seat_name(seat) + " has " + std::to_string(owned) + " Agents" +
                  (player.swordmaster ? "" : " (three with 'swordmaster')") + ", not " +
                  std::to_string(static_cast<int>(spaces.size()) + number(FieldId::agents_left, seat, 0)));
  }

  void place_spies(Seat seat) {
    Player& player = state_.player(seat);
    const auto& posts = parts(FieldId::spies, seat);
    for (const Part& part : posts) {
      SeatMask& there = state_.board.spies[part.entry.id];
      if ((there & seat_bit(seat)) != 0)
        problem(line_of(FieldId::spies, seat), "two Spies of one seat on one post (SPY-7)");
      there = static_cast<SeatMask>(there | seat_bit(seat));
    }
    const int left = kSpies - static_cast<int>(posts.size());
    if (left < 0 || number(FieldId::spies_left, seat, left) != left)
      problem(line_of(FieldId::spies, seat), seat_name(seat) + " has 3 Spies");
    player.spies_in_supply = byte(std::max(0, left));
  }

  // A token that was not given to anybody lies with whoever stands highest at 4 or more (ALLY-6).
  void place_alliances() {
    for (Seat seat = 0; seat < options_.seats; ++seat)
      for (const Part& part : parts(FieldId::alliance, seat)) {
        Seat& owner = state_.board.alliance[part.entry.id];
        if (owner != kNoSeat)
          problem(line_of(FieldId::alliance, seat), seat_name(owner) + " holds this Alliance already");
        owner = seat;
      }
    for (const FactionTrack& track : content_.tracks) {
      const auto f = static_cast<std::size_t>(track.faction);
      if (state_.board.alliance[f] != kNoSeat) continue;
      Seat highest = kNoSeat;
      bool tied = false;
      for (Seat seat = 0; seat < options_.seats; ++seat) {
        const int here = state_.player(seat).influence[f];
        if (here < 4) continue;
        const int best = highest == kNoSeat ? 0 : state_.player(highest).influence[f];
        tied = here == best || (tied && here < best);
        if (here > best) highest = seat;
      }
      if (tied)
        problem(scenario_.line, "several seats are highest with " +
                                    std::string(scenario::name(track.faction)) +
                                    " at 4 or more: say who holds the Alliance, as in 'P1 alliance " +
                                    std::string(scenario::name(track.faction)) + "'");
      state_.board.alliance[f] = highest;
    }
  }

  void place_reveals() {
    for (Seat seat = 0; seat < options_.seats; ++seat) {
      Player& player = state_.player(seat);
      player.revealed =
          number(FieldId::revealed, seat, 0) != 0 || said(FieldId::reveal_order, seat).has_value();
      player.reveal_order = byte(number(FieldId::reveal_order, seat, 0));
      if (player.reveal_order != 0) state_.reveals = std::max(state_.reveals, player.reveal_order);
    }
    for (Seat n = 0; n < options_.seats; ++n) {
      Player& player = state_.player(static_cast<Seat>((state_.first_player + n) % options_.seats));
      if (player.revealed && player.reveal_order == 0) player.reveal_order = ++state_.reveals;
    }
    state_.reveals = byte(number(FieldId::reveals, kNoSeat, state_.reveals));
  }

  // ---- Cards ---------------------------------------------------------------------------------------

  // A copy for a place, or kNoCopy and a problem.
  CardCopy take(const Part& part, FieldId id, Seat seat) {
    const CardCopy copy = pool_.take(part.entry.id, seat);
    if (copy != kNoCopy) return copy;
    const Card& card = content_.cards[part.entry.id];
    const int copies = pool_.copies(part.entry.id);
    problem(line_of(id, seat),
            "there " + std::string(copies == 1 ? "is" : "are") + " only " + std::to_string(copies) + " of " +
                card.id +
                (card.deck == Deck::starter ? " in the starting deck of each player" : " in the game") +
                ", and all are placed already");
    return kNoCopy;
  }

  void place_own(FieldId id, Zone zone, Seat seat) {
    OwnedCards& cards = state_.player(seat).cards;
    for (const Part& part : parts(id, seat)) {
      if (content_.cards[part.entry.id].deck == Deck::intrigue) continue;
      const CardCopy copy = take(part, id, seat);
      if (copy == kNoCopy) continue;
      if (zone == Zone::deck) {
        cards.insert(Zone::deck, 0, copy);  // named from the top down
        continue;
      }
      cards.put(zone, copy, (part.entry.marks & kKnown) != 0);
      CardSlot& slot = *(cards.end(zone) - 1);
      slot.revealed = (part.entry.marks & kRevealed) != 0 ? 1 : 0;
      slot.sword = (part.entry.marks & kSword) != 0 ? 1 : 0;
    }
  }

  template <class Pile>
  void place_pile(FieldId id, Pile& pile, Seat seat = kNoSeat) {
    for (const Part& part : parts(id, seat))
      if (const CardCopy copy = take(part, id, seat); copy != kNoCopy) pile.push_back(copy);
  }

  void place_cards() {
    Board& board = state_.board;
    for (Seat seat = 0; seat < options_.seats; ++seat) {
      place_own(FieldId::in_play, Zone::play, seat);
      place_own(FieldId::hand, Zone::hand, seat);
      place_own(FieldId::discard, Zone::discard, seat);
      place_own(FieldId::deck, Zone::deck, seat);
      place_pile(FieldId::intrigue, state_.player(seat).intrigues, seat);
      for (const Part& part : parts(FieldId::set_aside, seat))
        if (const CardCopy copy = take(part, FieldId::set_aside, seat); copy != kNoCopy)
          board.set_aside.push_back({copy, seat, 0});
    }
    place_pile(FieldId::row, board.row);
    place_pile(FieldId::trashed, board.trashed);
    place_pile(FieldId::intrigue_trashed, board.intrigue_trashed);
    place_pile(FieldId::intrigue_discard, board.intrigue_discard);
    take_copies_of_effects();
    place_pile(FieldId::imperium_deck, board.imperium_deck);
    place_pile(FieldId::intrigue_deck, board.intrigue_deck);
    if (!problems_.empty()) return;
    place_starters();
    place_reserve();
    place_rest_of_intrigue();
    place_rest_of_imperium();
  }

  // Intrigue cards that wait face up, or are being played, lie nowhere else.
  void take_copies_of_effects() {
    for (const SaidEffect& effect : effects_) {
      Words words(effect.text);
      const bool played =
          effect.what == SaidEffect::What::frame && same_word(words.peek(), "intrigue_played");
      if (effect.what != SaidEffect::What::waiting && !played) continue;
      EffectWords said = effect_words(effect.text);
      if (said.name.empty()) said.name = Words(effect.text).until({"used"});  // `waiting call_to_arms`
      for (const Named& named : lexicon_.names.find_any(said.name)) {
        if (named.thing != Thing::intrigue || copies_of_effects_.contains({named.id, said.copy})) continue;
        const CardCopy copy = pool_.take(named.id, kNoSeat);
        if (copy == kNoCopy)
          problem(effect.line, "all copies of " + content_.cards[named.id].id + " are placed already");
        else
          copies_of_effects_[{named.id, said.copy}] = copy;
      }
    }
  }

  // The own starting cards that are nowhere else: under the deck, or out of the game after `deck only`.
  void place_starters() {
    for (Seat seat = 0; seat < options_.seats; ++seat) {
      OwnedCards& cards = state_.player(seat).cards;
      const LeaderId leader = state_.player(seat).leader;
      for (std::size_t i = 0; i < content_.cards.size(); ++i) {
        const Card& card = content_.cards[i];
        if (card.deck != Deck::starter) continue;
        const auto id = static_cast<CardId>(i);
        const bool removed = leader != kNoLeader && contains(content_.leaders[leader].removed_starters, id);
        for (CardCopy copy = pool_.take(id, seat); copy != kNoCopy; copy = pool_.take(id, seat)) {
          if (removed || only(FieldId::deck, seat))
            state_.board.trashed.push_back(copy);
          else
            cards.insert(Zone::deck, 0, copy);
        }
      }
    }
  }

  static bool contains(const std::vector<CardId>& cards, CardId card) {
    return std::find(cards.begin(), cards.end(), card) != cards.end();
  }

  void place_reserve() {
    for (ReserveStack& stack : state_.board.reserve) {
      if (stack.card == kNoCard) continue;
      const Card& card = content_.cards[stack.card];
      int wanted = card.all_copies;
      for (const Part& part : parts(FieldId::reserve, kNoSeat))
        if (part.entry.id == stack.card) wanted = part.entry.number;
      const bool is_said = wanted != card.all_copies;
      int there = 0;
      for (CardCopy copy = pool_.take(stack.card, kNoSeat); copy != kNoCopy;
           copy = pool_.take(stack.card, kNoSeat)) {
        if (there < wanted) {
          stack.copies |= 1U << (copy - card.first_copy);
          ++there;
        } else {
          state_.board.trashed.push_back(copy);
        }
      }
      if (is_said && there < wanted)
        problem(line_of(FieldId::reserve, kNoSeat),
                "only " + std::to_string(there) + " of " + card.id + " are left for the Reserve");
    }
    for (const Part& part : parts(FieldId::reserve, kNoSeat))
      if (content_.cards[part.entry.id].deck != Deck::reserve)
        problem(line_of(FieldId::reserve, kNoSeat), content_.cards[part.entry.id].id + " is no Reserve card");
  }

  std::vector<CardCopy> rest_of(Deck deck) {
    std::vector<CardCopy> rest;
    for (std::size_t i = 0; i < content_.cards.size(); ++i) {
      if (content_.cards[i].deck != deck) continue;
      const auto id = static_cast<CardId>(i);
      for (CardCopy copy = pool_.take(id, kNoSeat); copy != kNoCopy; copy = pool_.take(id, kNoSeat))
        rest.push_back(copy);
    }
    return rest;
  }

  // Puts `rest` under the cards named from the top down, or out of the game.
  template <class Pile, class Away>
  void finish_deck(Pile& deck, const std::vector<CardCopy>& rest, bool nothing_more, Away& away) {
    std::reverse(deck.begin(), deck.end());
    if (nothing_more) {
      for (CardCopy copy : rest) away.push_back(copy);
      return;
    }
    for (CardCopy copy : rest) deck.insert(0, copy);
  }

  void place_rest_of_intrigue() {
    Board& board = state_.board;
    finish_deck(board.intrigue_deck, rest_of(Deck::intrigue), only(FieldId::intrigue_deck, kNoSeat),
                board.intrigue_trashed);
  }

  // Free places of the Row get the dearest cards: they are the least likely to be bought by accident.
  void place_rest_of_imperium() {
    Board& board = state_.board;
    std::vector<CardCopy> rest = rest_of(Deck::imperium);
    std::stable_sort(rest.begin(), rest.end(), [&](CardCopy a, CardCopy b) {
      return content_.card_of(a).cost > content_.card_of(b).cost;
    });
    if (!only(FieldId::row, kNoSeat))
      while (!board.row.full() && !rest.empty()) {
        board.row.push_back(rest.front());
        rest.erase(rest.begin());
      }
    finish_deck(board.imperium_deck, rest, only(FieldId::imperium_deck, kNoSeat), board.trashed);
  }

  // ---- Conflicts and Objectives --------------------------------------------------------------------

  void place_conflicts() {
    Board& board = state_.board;
    std::vector<bool> used(content_.conflicts.size(), false);
    const auto use = [&](const Part& part, FieldId id, Seat seat) {
      if (used[part.entry.id])
        problem(line_of(id, seat), content_.conflicts[part.entry.id].id + " lies in two places");
      used[part.entry.id] = true;
      return static_cast<ConflictId>(part.entry.id);
    };
    for (Seat seat = 0; seat < options_.seats; ++seat)
      for (const Part& part : parts(FieldId::won, seat)) {
        const ConflictId id = use(part, FieldId::won, seat);
        state_.player(seat).won.push_back({id, (part.entry.marks & kDown) != 0});
      }
    for (const Part& part : parts(FieldId::conflict, kNoSeat))
      board.conflicts.push_back(use(part, FieldId::conflict, kNoSeat));
    for (const Part& part : parts(FieldId::conflict_deck, kNoSeat))
      board.conflict_deck.push_back(use(part, FieldId::conflict_deck, kNoSeat));
    std::reverse(board.conflicts.begin(), board.conflicts.end());
    if (!said(FieldId::conflict, kNoSeat)) {
      if (const auto id = first_unused(used, 1, 3)) board.conflicts.push_back(*id);
    }
    // One Conflict card for each round to come (ROUND-2), levels II and III.
    if (!only(FieldId::conflict_deck, kNoSeat))
      while (board.conflict_deck.size() < static_cast<std::size_t>(std::max(0, kRounds - state_.round))) {
        const auto id = first_unused(used, 2, 3);
        if (!id) break;
        board.conflict_deck.push_back(*id);
      }
    std::reverse(board.conflict_deck.begin(), board.conflict_deck.end());
    place_objectives();
  }

  std::optional<ConflictId> first_unused(std::vector<bool>& used, int from_level, int to_level) const {
    for (int level = from_level; level <= to_level; ++level)
      for (std::size_t i = 0; i < used.size(); ++i) {
        if (used[i] || content_.conflicts[i].level != level) continue;
        used[i] = true;
        return static_cast<ConflictId>(i);
      }
    return std::nullopt;
  }

  void place_objectives() {
    std::vector<bool> used(content_.objectives.size(), false);
    for (Seat seat = 0; seat < options_.seats; ++seat) {
      Player& player = state_.player(seat);
      if (!said(FieldId::objective, seat) || parts(FieldId::objective, seat).empty()) continue;
      const Entry& entry = parts(FieldId::objective, seat).front().entry;
      if (used[entry.id])
        problem(line_of(FieldId::objective, seat), content_.objectives[entry.id].id + " lies in two places");
      used[entry.id] = true;
      player.objective = static_cast<ObjectiveId>(entry.id);
      player.objective_face_down = (entry.marks & kDown) != 0;
    }
    for (Seat seat = 0; seat < options_.seats; ++seat) {
      if (said(FieldId::objective, seat)) continue;
      for (std::size_t i = 0; i < used.size(); ++i) {
        if (used[i] || (content_.objectives[i].player_counts >> options_.seats & 1U) == 0) continue;
        used[i] = true;
        state_.player(seat).objective = static_cast<ObjectiveId>(i);
        break;
      }
    }
  }

  // ---- Whose turn ----------------------------------------------------------------------------------

  void enter() {
    const auto phase = static_cast<Phase>(number(FieldId::phase, kNoSeat, static_cast<int>(Phase::turns)));
    const bool mid_effect = std::any_of(effects_.begin(), effects_.end(), [](const SaidEffect& e) {
      return e.what == SaidEffect::What::frame;
    });
    for (const SaidEffect& effect : effects_)
      if (effect.what == SaidEffect::What::waiting) add_waiting(effect);
    if (!problems_.empty()) return;
    if (mid_effect || phase == Phase::over) {
      enter_middle(phase);
      return;
    }
    const bool needs_conflict = phase == Phase::turns || phase == Phase::combat;
    if (needs_conflict && state_.board.conflicts.empty()) {
      problem(line_of(FieldId::conflict, kNoSeat), "this phase needs a Conflict card on the Conflict space");
      return;
    }
    if (phase == Phase::turns) {
      const Seat seat = turn_seat();
      if (seat == kNoSeat || seat >= options_.seats || state_.player(seat).revealed) {
        problem(
            line_of(FieldId::turn, kNoSeat),
            seat >= options_.seats
                ? "expected whose turn it is"
                : seat_name(seat) +
                      " has taken the Reveal turn and has no turn any more; say 'turn P2' or 'phase combat'");
        return;
      }
      start_turn(content_, state_, seat);
      place_turn(seat);
      return;
    }
    if (phase == Phase::setup) {
      problem(line_of(FieldId::phase, kNoSeat),
              "expected round_start, turns, combat, makers, recall or endgame; for set-up write 'new game'");
      return;
    }
    start_phase(content_, state_, phase);
  }

  Seat turn_seat() const {
    const int seat = number(FieldId::turn, kNoSeat, state_.first_player);
    return seat < 0 ? kNoSeat : static_cast<Seat>(seat);
  }

  // What the seat did earlier in its turn.
  void place_turn(Seat seat) {
    Turn& turn = state_.turn;
    for (const Field& of : all_fields()) {
      if (!is_of_turn(of.id)) continue;
      for (Seat other = 0; other < options_.seats; ++other)
        if (seat != kNoSeat && other != seat && said(of.id, other))
          problem(line_of(of.id, other), quoted(of.name) + " belongs to the turn of " + seat_name(seat));
    }
    turn.recruited = byte(number(FieldId::recruited, seat, 0));
    turn.deployed_by_limit = byte(number(FieldId::deployed, seat, 0));
    turn.units_deployed = byte(number(FieldId::units_deployed, seat, turn.deployed_by_limit));
    turn.spice_gained = byte(number(FieldId::spice_gained, seat, 0));
    turn.recalled_spy = number(FieldId::recalled_spy, seat, 0) != 0;
    turn.cost_option = byte(number(FieldId::cost_option, seat, 1) - 1);
    turn.visit_influence = byte(number(FieldId::visit_influence, seat, 0));
    turn.memories_returned = byte(number(FieldId::memories_returned, seat, 0));
    turn.looked = byte(number(FieldId::looked, seat, 0));
    turn.had_high_council = number(FieldId::had_high_council, seat, 0) != 0;
    turn.ignore_requirements = number(FieldId::ignore_requirements, seat, 0) != 0;
    turn.deploy_recruited = number(FieldId::deploy_recruited, seat, 0) != 0;
    turn.last_trashed_cost = word16(number(FieldId::last_trashed_cost, seat, -1));
    if (const auto& space = parts(FieldId::visited, seat); !space.empty())
      turn.space = byte(space.front().entry.id);
    if (const auto& post = parts(FieldId::last_post, seat); !post.empty())
      turn.last_post = byte(post.front().entry.id);
    if (const auto& card = parts(FieldId::last_discarded, seat); !card.empty())
      turn.last_discarded = card.front().entry.id;
    for (const Part& part : parts(FieldId::acquired, seat)) turn.acquired.push_back(part.entry.id);
    if (const auto& card = parts(FieldId::played_card, seat); !card.empty()) {
      turn.card = copy_of(card.front().entry.id, seat);
      if (turn.card == kNoCopy) problem(line_of(FieldId::played_card, seat), "this card lies nowhere");
    }
  }

  // A position in the middle of something, as a dump writes it.
  void enter_middle(Phase phase) {
    state_.phase = phase;
    state_.step = byte(number(FieldId::phase_step, kNoSeat, 0));
    state_.combat_passes = byte(number(FieldId::combat_passes, kNoSeat, 0));
    state_.turn.seat = turn_seat();
    state_.turn.kind = static_cast<TurnKind>(number(FieldId::turn_kind, kNoSeat, 0));
    place_turn(state_.turn.seat);
    for (const SaidEffect& effect : effects_) {
      if (effect.what == SaidEffect::What::frame) add_frame(effect);
      if (effect.what == SaidEffect::What::open) add_open(effect);
      if (effect.what == SaidEffect::What::used_arrow) {
        NodeId node = kNoNode;
        Source source;
        if (read_effect(effect, effect_words(effect.text), node, source) && node != kNoNode)
          state_.turn.arrows_used.push_back(node);
      }
    }
  }

  // ---- Effects -------------------------------------------------------------------------------------

  // "EFFECT of NAME [as KIND] [copy N] [nth N] [used]"; each part may be missing.
  struct EffectWords {
    std::string_view effect, name, kind;
    std::size_t copy = 0;  // 0: not said
    std::size_t nth = 1;
  };

  static EffectWords effect_words(std::string_view text) {
    EffectWords said;
    // Behind the name of a frame the effect begins after a colon of its own.
    if (const std::size_t colon = text.find(" : "); colon != std::string_view::npos)
      text = trimmed(text.substr(colon + 3));
    std::string_view tail;
    if (text.starts_with("of ")) {
      tail = text.substr(3);
    } else if (const std::size_t of = text.rfind(" of "); of != std::string_view::npos) {
      said.effect = trimmed(text.substr(0, of));
      tail = text.substr(of + 4);
    } else {
      said.effect = text;
    }
    Words words(tail);
    said.name = words.until({"as", "copy", "nth", "used"});
    while (!words.at_end()) {
      const std::string_view word = words.next();
      if (same_word(word, "used")) continue;
      const std::string_view value = words.next();
      const auto number = static_cast<std::size_t>(std::max(0, whole_number(value).value_or(0)));
      if (same_word(word, "as")) said.kind = value;
      if (same_word(word, "copy")) said.copy = number;
      if (same_word(word, "nth")) said.nth = std::max<std::size_t>(1, number);
    }
    return said;
  }

  CardCopy copy_of(CardId id, Seat seat) const {
    if (const auto place = copies_of_effects_.find({id, 0}); place != copies_of_effects_.end())
      return place->second;
    if (seat != kNoSeat) {
      const OwnedCards& cards = state_.player(seat).cards;
      // Of two in play the one that came last is meant.
      for (const Zone zone : {Zone::play, Zone::hand, Zone::discard, Zone::deck})
        for (const CardSlot* slot = cards.end(zone); slot != cards.begin(zone);)
          if (content_.card_id((--slot)->copy) == id) return slot->copy;
    }
    // A card that has left the seat was trashed last.
    for (std::size_t i = state_.board.trashed.size(); i-- > 0;)
      if (content_.card_id(state_.board.trashed[i]) == id) return state_.board.trashed[i];
    const auto copies = copies_in_order(content_, state_, id);
    return copies.empty() ? kNoCopy : copies.front();
  }

  // The copy that a dump calls the n-th.
  CardCopy nth_copy(CardId id, Seat seat, std::size_t n) const {
    if (n == 0) return copy_of(id, seat);
    if (const auto place = copies_of_effects_.find({id, n}); place != copies_of_effects_.end())
      return place->second;
    const auto copies = copies_in_order(content_, state_, id);
    return n <= copies.size() ? copies[n - 1] : copy_of(id, seat);
  }

  Source source_of(const Named& named, Seat seat, std::size_t copy) const {
    switch (named.thing) {
      case Thing::card:
        return {SourceKind::card, 0, nth_copy(named.id, seat, copy)};
      case Thing::intrigue:
        return {SourceKind::intrigue, 0, nth_copy(named.id, seat, copy)};
      case Thing::leader:
        return {SourceKind::leader, 0, named.id};
      case Thing::space:
        return {SourceKind::space, 0, named.id};
      case Thing::conflict:
        return {SourceKind::conflict, 0, named.id};
      case Thing::objective:
        return {SourceKind::objective, 0, named.id};
      case Thing::faction:
        return {SourceKind::faction_track, 0, named.id};
      default:
        return {};
    }
  }

  // An empty effect is no node. False after a problem.
  bool read_effect(const SaidEffect& effect, const EffectWords& said, NodeId& node, Source& source) {
    if (!said.name.empty() && !find_source(effect, said, source)) return false;
    if (said.kind == "high_council") source = {SourceKind::high_council, 0, 0};
    if (said.effect.empty()) return true;
    const auto nodes = lexicon_.effects.nodes_with(said.effect, source);
    if (said.nth > nodes.size()) {
      problem(effect.line, "no effect of the game reads " + quoted(said.effect));
      return false;
    }
    node = nodes[said.nth - 1];
    return true;
  }

  bool find_source(const SaidEffect& effect, const EffectWords& said, Source& source) {
    const auto named = lexicon_.names.find_any(said.name);
    if (named.empty()) {
      problem(effect.line, "nothing is called " + quoted(said.name));
      return false;
    }
    for (const Named& candidate : named) {
      const Source found = source_of(candidate, effect.seat, said.copy);
      const bool control = said.kind == "control" && found.kind == SourceKind::space;
      if (!said.kind.empty() && kSourceKinds[static_cast<std::size_t>(found.kind)] != said.kind && !control)
        continue;
      source = found;
      if (control) source.kind = SourceKind::control;
      return true;
    }
    problem(effect.line, quoted(said.name) + " is no " + std::string(said.kind));
    return false;
  }

  // `waiting call_to_arms` or `waiting on(acquire[any]): ... of call_to_arms [used]`
  void add_waiting(const SaidEffect& effect) {
    std::string_view text = trimmed(effect.text);
    Waiting waiting;
    waiting.seat = effect.seat;
    if (effect.seat == kNoSeat) {
      problem(effect.line, "say whose effect waits: 'P1 waiting call_to_arms'");
      return;
    }
    if (text.ends_with(" used")) {
      waiting.used = true;
      text = trimmed(text.substr(0, text.size() - 5));
    }
    if (text.rfind(" of ") == std::string_view::npos) {
      const auto named = lexicon_.names.find_any(text);
      for (const Named& candidate : named) {
        waiting.source = source_of(candidate, effect.seat, 0);
        waiting.node = first_trigger(waiting.source);
        if (waiting.node != kNoNode) break;
      }
      if (waiting.node == kNoNode) {
        problem(effect.line, named.empty() ? "nothing is called " + quoted(text)
                                           : quoted(text) + " has no effect that waits");
        return;
      }
    } else if (!read_effect(effect, effect_words(text), waiting.node, waiting.source)) {
      return;
    }
    state_.waiting.push_back(waiting);
  }

  NodeId first_trigger(Source source) const {
    std::vector<NodeId> open = lexicon_.effects.roots_of(source);
    while (!open.empty()) {
      const NodeId node = open.front();
      open.erase(open.begin());
      if (content_.node(node).op == Op::trigger) return node;
      for (NodeId child = content_.node(node).child; child != kNoNode; child = content_.node(child).next)
        open.push_back(child);
    }
    return kNoNode;
  }

  // `frame agent_turn [step N] [used N] [left N] [: EFFECT]`
  void add_frame(const SaidEffect& effect) {
    const std::size_t colon = effect.text.find(" : ");
    Words words(std::string_view(effect.text).substr(0, colon));
    const std::string_view kind = words.next();
    Frame frame;
    frame.seat = effect.seat;
    const auto place = std::find_if(kFrameNames.begin(), kFrameNames.end(),
                                    [&](std::string_view n) { return same_word(n, kind); });
    if (place == kFrameNames.end()) {
      problem(effect.line, quoted(kind) + " is no frame of the stack");
      return;
    }
    frame.kind = static_cast<FrameKind>(place - kFrameNames.begin());
    while (!words.at_end()) {
      const std::string_view word = words.next();
      const int value = whole_number(words.next()).value_or(0);
      if (same_word(word, "step")) frame.step = byte(value);
      if (same_word(word, "used")) frame.used = byte(value);
      if (same_word(word, "left")) frame.left = word16(value);
    }
    if (colon != std::string::npos &&
        !read_effect(effect, effect_words(effect.text), frame.node, frame.source))
      return;
    state_.stack.push_back(frame);
  }

  // `open [in N] EFFECT`: in the menu of the N-th frame, else of the last one said.
  void add_open(const SaidEffect& effect) {
    Words words(effect.text);
    Item item;
    item.menu = byte(static_cast<int>(state_.stack.size()) - 1);
    if (words.take("in")) item.menu = byte(whole_number(words.next()).value_or(1) - 1);
    SaidEffect owner = effect;
    if (owner.seat == kNoSeat && item.menu < state_.stack.size()) owner.seat = state_.stack[item.menu].seat;
    if (item.menu >= state_.stack.size()) {
      problem(effect.line, "no frame of the stack was given before this effect");
      return;
    }
    if (read_effect(owner, effect_words(words.rest()), item.node, item.source)) state_.items.push_back(item);
  }

  const Lexicon& lexicon_;
  const Content& content_;
  const Scenario& scenario_;
  CopyPool pool_;
  Options options_;
  int seed_ = kDefaultSeed;
  bool new_game_ = false;
  bool fields_said_ = false;
  int first_field_line_ = 0;
  State state_;
  std::array<std::array<std::optional<Said>, kMaxSeats>, static_cast<std::size_t>(FieldId::count_)> said_;
  std::map<std::pair<FieldId, Seat>, int> single_lines_;
  std::map<std::pair<CardId, std::size_t>, CardCopy>
      copies_of_effects_;  // by the number of the copy; 0: not said
  std::vector<SaidEffect> effects_;
  std::vector<Problem> problems_;
};

}  // namespace

Built build_position(const Lexicon& lexicon, const Scenario& scenario) {
  return Builder(lexicon, scenario).build();
}

std::string_view name(FrameKind kind) { return kFrameNames[static_cast<std::size_t>(kind)]; }

std::vector<CardCopy> copies_in_order(const Content& content, const State& state, CardId id) {
  std::vector<CardCopy> copies;
  const auto visit = [&](CardCopy copy) {
    if (content.card_id(copy) == id) copies.push_back(copy);
  };
  const auto visit_all = [&](const auto& pile) {
    for (CardCopy copy : pile) visit(copy);
  };
  for (Seat seat = 0; seat < state.options.seats; ++seat) {
    const OwnedCards& cards = state.player(seat).cards;
    for (const Zone zone : {Zone::play, Zone::hand, Zone::discard, Zone::deck})
      for (const CardSlot* slot = cards.begin(zone); slot != cards.end(zone); ++slot) visit(slot->copy);
    visit_all(state.player(seat).intrigues);
  }
  const Board& board = state.board;
  for (const SetAside& card : board.set_aside) visit(card.copy);
  visit_all(board.row);
  visit_all(board.trashed);
  visit_all(board.intrigue_trashed);
  visit_all(board.intrigue_discard);
  for (const Waiting& waiting : state.waiting)
    if (waiting.source.kind == SourceKind::intrigue) visit(waiting.source.id);
  for (const Frame& frame : state.stack)
    if (frame.kind == FrameKind::intrigue_played) visit(frame.source.id);
  visit_all(board.imperium_deck);
  visit_all(board.intrigue_deck);
  return copies;
}

}  // namespace landsraad::scenario
