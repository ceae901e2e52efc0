//! The heuristic player of `swords`: it answers everywhere, looks at nothing it may not see, and wins.

use sengoku_bots::swords::{Greedy, SwordsBot};
use sengoku_bots::{Bot, HasBots, Random, Seen};
use sengoku_kernel::{Chance, Game, Outcome, Purpose, Seat, Stream};
use sengoku_swords::{Setup, State};

const SEED: u64 = 20_240_607;

/// A match under way: the state, and the streams of the game and of the bots.
struct Table {
    state: State,
    dice: Stream,
    choices: Stream,
    draw: u32,
}

impl Table {
    fn new(seats: usize, setup: &Setup, match_index: u64) -> Self {
        let mut dice = Stream::new(SEED, Purpose::Game, match_index);
        let state = setup.prepare(seats).expect("the setup is valid").begin(&mut dice, &mut |_| {});
        Self { state, dice, choices: Stream::new(SEED, Purpose::Bots, match_index), draw: 0 }
    }

    fn ask(&mut self, bot: &mut impl Bot<State>, seat: Seat, legal: &[<State as Game>::Action]) -> usize {
        let mut below = |sides| {
            self.draw += 1;
            self.choices.below(self.draw, sides)
        };
        bot.decide(&Seen::new(&self.state, seat), legal, &mut below)
    }
}

fn named(name: &str) -> SwordsBot {
    State::bot(name).expect("the bot is known")
}

fn play(setup: &Setup, bots: &mut [SwordsBot], match_index: u64) -> Outcome {
    let mut table = Table::new(bots.len(), setup, match_index);
    let mut legal = Vec::new();
    while let Some(seat) = table.state.to_act() {
        table.state.legal_actions(&mut legal);
        let choice = table.ask(&mut bots[seat.index()], seat, &legal);
        table.state.play_unchecked(legal[choice], &mut table.dice);
    }
    table.state.outcome().expect("the match is over")
}

/// What `greedy` wins of `count` matches in each seat against random players.
fn wins(seats: usize, count: u64, setup: &Setup) -> u64 {
    let mut won = 0;
    for place in 0..seats {
        for number in 0..count {
            let mut bots = vec![named("random"); seats];
            bots[place] = named("greedy");
            let outcome = play(setup, &mut bots, place as u64 * count + number);
            won += u64::from(outcome.winner() == Some(Seat(place as u8)));
        }
    }
    won
}

#[test]
fn wins_against_three_random_players() {
    let won = wins(4, 50, &Setup::default());
    assert!(won >= 190, "{won} of 200");
}

#[test]
fn wins_with_any_number_of_players() {
    for seats in [2, 3, 5] {
        let won = wins(seats, 10, &Setup::default());
        assert!(won >= 9 * seats as u64, "{won} of {} with {seats} seats", 10 * seats);
    }
    let long = Setup { long_game: Some(true), ..Setup::default() };
    let won = wins(4, 5, &long);
    assert!(won >= 18, "{won} of 20 in the long game");
}

#[test]
fn greedy_players_bring_their_matches_to_an_end() {
    for seats in 2..=5 {
        for number in 0..10 {
            let outcome = play(&Setup::default(), &mut vec![named("greedy"); seats], number);
            assert!(outcome.by_rule, "match {number} with {seats} seats");
        }
    }
}

/// Asks `greedy` at every decision of a match, in whatever position others have come to, and a second one that gets
/// nothing but the redacted state.
fn answers_everywhere(seats: usize, setup: &Setup, match_index: u64, driver: &mut SwordsBot) {
    let mut table = Table::new(seats, setup, match_index);
    let (mut whole, mut redacted) = (Greedy::default(), Greedy::default());
    let mut legal = Vec::new();
    let mut decisions = 0_u32;
    while let Some(seat) = table.state.to_act() {
        table.state.legal_actions(&mut legal);
        let choice = table.ask(&mut whole, seat, &legal);
        assert!(choice < legal.len(), "{choice} of {} at {:?}", legal.len(), table.state.point);
        let seen = table.state.seen_by(seat);
        let mut no_chance = |_| unreachable!("greedy decides without chance");
        assert_eq!(redacted.decide(&Seen::new(&seen, seat), &legal, &mut no_chance), choice);
        if decisions.is_multiple_of(101) {
            // What it remembers makes it faster, never different.
            assert_eq!(Greedy::default().decide(&Seen::new(&seen, seat), &legal, &mut no_chance), choice);
        }
        let choice = table.ask(driver, seat, &legal);
        table.state.play_unchecked(legal[choice], &mut table.dice);
        decisions += 1;
    }
}

#[test]
fn answers_from_the_list_and_from_what_the_seat_sees() {
    let short = |long_game| Setup { max_rounds: Some(12), long_game: Some(long_game), ..Setup::default() };
    for seats in 2..=5 {
        for match_index in 0..6 {
            let setup = short(seats > 2 && match_index % 2 == 1);
            let mut driver = if match_index < 3 { named("greedy") } else { SwordsBot::Random(Random) };
            answers_everywhere(seats, &setup, match_index, &mut driver);
        }
    }
}
