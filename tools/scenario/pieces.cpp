// Numbers, troops, Agents, Spies and tokens of a given position, and what happened earlier in the turn.
#include <algorithm>

#include "tools/scenario/placing.h"

namespace landsraad::scenario {

using namespace rules;

namespace {

constexpr int kTroops = 12;          // SUPPLY-1
constexpr int kSpies = 3;            // SUPPLY-1
constexpr int kAgentsAtStart = 2;    // SETUP-9
constexpr int kGarrisonAtStart = 3;  // SETUP-12

class Pieces : Placing {
 public:
  using Placing::Placing;

  void place_table() {
    state_.round = byte(number(FieldId::round, kNoSeat, 1));
    // The Round Start counts the round it begins.
    if (given_.phase() == Phase::round_start && !given_.is_half_resolved() && state_.round > 0)
      --state_.round;
    const int first = number(FieldId::first_player, kNoSeat, 0);
    state_.first_player = first < 0 ? Seat{0} : static_cast<Seat>(first);
    if (state_.first_player >= options_.seats)
      problem(line_of(FieldId::first_player, kNoSeat), "there is no such seat");
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

 private:
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
        problem(given_.line(), "several seats are highest with " +
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
};

class EarlierInTurn : Placing {
 public:
  using Placing::Placing;

  void place_turn(Seat seat, const EffectCopies& copies) {
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
      turn.card = copy_meant(content_, state_, card.front().entry.id, seat, copies);
      if (turn.card == kNoCopy) problem(line_of(FieldId::played_card, seat), "this card lies nowhere");
    }
  }
};

}  // namespace

void place_pieces(Given& given, State& state) {
  Pieces pieces(given, state);
  pieces.place_table();
  pieces.place_seats();
}

void place_turn(Given& given, State& state, Seat seat, const EffectCopies& copies) {
  EarlierInTurn(given, state).place_turn(seat, copies);
}

Seat turn_seat(const Given& given, const State& state) {
  const int seat = given.number(FieldId::turn, kNoSeat, state.first_player);
  return seat < 0 ? kNoSeat : static_cast<Seat>(seat);
}

}  // namespace landsraad::scenario
