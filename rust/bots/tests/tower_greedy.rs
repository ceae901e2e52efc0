//! The heuristic player of `tower`: it answers everywhere, looks at nothing it may not see, and wins.

use sengoku_bots::tower::{Greedy, TowerBot};
use sengoku_bots::{Bot, HasBots, Random, Seen};
use sengoku_kernel::{Chance, Game, Outcome, Purpose, Seat, Stream};
use sengoku_tower::data::{FavourDeck, Mode, Reveal, Side};
use sengoku_tower::{Setup, State};

const SEED: u64 = 20_240_607;

/// A match under way: the state, and the streams of the game and of the bots.
struct Table {
    state: State,
    chance: Stream,
    choices: Stream,
    draw: u32,
}

impl Table {
    fn new(seats: usize, setup: &Setup, match_index: u64) -> Self {
        let mut chance = Stream::new(SEED, Purpose::Game, match_index);
        let state = setup.prepare(seats).expect("the setup is valid").begin(&mut chance, &mut |_| {});
        Self { state, chance, choices: Stream::new(SEED, Purpose::Bots, match_index), draw: 0 }
    }

    fn ask(&mut self, bot: &mut impl Bot<State>, seat: Seat, legal: &[<State as Game>::Action]) -> usize {
        let mut below = |sides| {
            self.draw += 1;
            self.choices.below(self.draw, sides)
        };
        bot.decide(&Seen::new(&self.state, seat), legal, &mut below)
    }
}

fn named(name: &str) -> TowerBot {
    State::bot(name).expect("the bot is known")
}

fn play(setup: &Setup, bots: &mut [TowerBot], match_index: u64) -> Outcome {
    let mut table = Table::new(bots.len(), setup, match_index);
    let mut legal = Vec::new();
    while let Some(seat) = table.state.to_act() {
        table.state.legal_actions(&mut legal);
        let choice = table.ask(&mut bots[seat.index()], seat, &legal);
        table.state.play_unchecked(legal[choice], &mut table.chance);
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

/// Both sides and modes, without and with the expansion.
fn setups() -> [Setup; 6] {
    let kinds = [(Side::Sun, Mode::Fixed), (Side::Sun, Mode::Draft), (Side::Moon, Mode::Draft)];
    std::array::from_fn(|number| {
        let (side, mode) = kinds[number / 2];
        Setup { side: Some(side), mode: Some(mode), court: Some(number % 2 == 1), ..Setup::default() }
    })
}

#[test]
fn wins_against_three_random_players() {
    for setup in setups() {
        let won = wins(4, 10, &setup);
        assert!(won >= 36, "{won} of 40 with {:?}, {:?}, court {:?}", setup.side, setup.mode, setup.court);
    }
}

#[test]
fn wins_with_any_number_of_players() {
    for setup in setups() {
        for seats in [3, 5] {
            let won = wins(seats, 4, &setup);
            assert!(won * 10 >= 8 * 4 * seats as u64, "{won} of {} with {seats} seats", 4 * seats);
        }
    }
}

/// Every number of players, side and mode, with and without the expansion.
#[test]
#[ignore = "plays 8,640 matches; run by make test-slow"]
fn wins_nine_of_ten() {
    for seats in 3..=5 {
        for setup in setups() {
            let count = 480 / seats as u64;
            let won = wins(seats, count, &setup);
            assert!(
                won * 10 >= 9 * count * seats as u64,
                "{won} of {} with {seats} seats, {:?}, {:?}, court {:?}",
                count * seats as u64,
                setup.side,
                setup.mode,
                setup.court
            );
        }
    }
}

#[test]
fn greedy_players_bring_their_matches_to_an_end() {
    for setup in setups() {
        for seats in 3..=5 {
            for number in 0..3 {
                let outcome = play(&setup, &mut vec![named("greedy"); seats], number);
                assert!(outcome.by_rule, "match {number} with {seats} seats");
            }
        }
    }
}

/// Asks `greedy` at every decision of a match, in whatever position others have come to, and a second one that gets
/// nothing but the redacted state.
fn answers_everywhere(seats: usize, setup: &Setup, match_index: u64, driver: &mut TowerBot) {
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
        if decisions.is_multiple_of(7) {
            // What it remembers makes it faster, never different.
            assert_eq!(Greedy::default().decide(&Seen::new(&seen, seat), &legal, &mut no_chance), choice);
        }
        let choice = table.ask(driver, seat, &legal);
        table.state.play_unchecked(legal[choice], &mut table.chance);
        decisions += 1;
    }
}

#[test]
fn answers_from_the_list_and_from_what_the_seat_sees() {
    for (number, setup) in setups().into_iter().enumerate() {
        let setup = Setup {
            reveal: Some(if number < 3 { Reveal::Sequential } else { Reveal::PerAction }),
            allow_zero_move: Some(number % 2 == 0),
            favour_deck: Some(if number < 4 { FavourDeck::OpenTop } else { FavourDeck::Hidden }),
            bump_probability: Some(if number > 1 { 0.1 } else { 0.0 }),
            ..setup
        };
        for seats in 3..=5 {
            let mut driver = if number % 3 == 0 { named("greedy") } else { TowerBot::Random(Random) };
            answers_everywhere(seats, &setup, number as u64, &mut driver);
        }
    }
}
