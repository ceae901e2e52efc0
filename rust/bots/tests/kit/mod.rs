//! What is asked of every heuristic player: it answers everywhere, looks at nothing it may not see, and wins.

use sengoku_bots::{Bot, HasBots, Policy, Seen};
use sengoku_kernel::{Chance, Outcome, Purpose, Seat, Stream};
use serde_json::Value;

const SEED: u64 = 20_240_607;

/// A match under way: the state, and the streams of the game and of the bots.
struct TestMatch<G> {
    state: G,
    dice: Stream,
    choices: Stream,
    draw: u32,
}

impl<G: HasBots> TestMatch<G> {
    fn new(seats: usize, setup: &Value, match_index: u64) -> Self {
        let mut dice = Stream::new(SEED, Purpose::Game, match_index);
        let state = G::create(seats, setup, &mut dice).expect("the setup is valid");
        Self { state, dice, choices: Stream::new(SEED, Purpose::Bots, match_index), draw: 0 }
    }

    fn ask(&mut self, bot: &mut impl Bot<G>, seat: Seat, legal: &[G::Action]) -> usize {
        let mut below = |sides| {
            self.draw += 1;
            self.choices.below(self.draw, sides)
        };
        bot.decide(&Seen::new(&self.state, seat), legal, &mut below)
    }
}

/// The bot of a name.
pub(crate) fn named<G: HasBots>(name: &str) -> Policy<G::Greedy> {
    G::bot(name).expect("the bot is known")
}

/// Plays a match to its end.
pub(crate) fn play<G: HasBots>(setup: &Value, bots: &mut [Policy<G::Greedy>], match_index: u64) -> Outcome {
    let mut playing: TestMatch<G> = TestMatch::new(bots.len(), setup, match_index);
    let mut legal = Vec::new();
    while let Some(seat) = playing.state.to_act() {
        playing.state.legal_actions(&mut legal);
        let choice = playing.ask(&mut bots[seat.index()], seat, &legal);
        playing.state.play_unchecked(legal[choice], &mut playing.dice);
    }
    playing.state.outcome().expect("the match is over")
}

/// What `greedy` wins of `count` matches in each seat against random players.
pub(crate) fn wins<G: HasBots>(seats: usize, count: u64, setup: &Value) -> u64 {
    let mut won = 0;
    for place in 0..seats {
        for number in 0..count {
            let mut bots = vec![named::<G>("random"); seats];
            bots[place] = named::<G>("greedy");
            let outcome = play::<G>(setup, &mut bots, place as u64 * count + number);
            won += u64::from(outcome.winner() == Some(Seat(place as u8)));
        }
    }
    won
}

/// Asks `greedy` at every decision of a match, in whatever position the driver has come to, and a second one that gets
/// nothing but the redacted state; now and then a third one, that remembers nothing.
pub(crate) fn answers_everywhere<G: HasBots>(seats: usize, setup: &Value, match_index: u64, driver: &str) {
    let mut playing: TestMatch<G> = TestMatch::new(seats, setup, match_index);
    let mut driver = named::<G>(driver);
    let (mut whole, mut redacted) = (G::Greedy::default(), G::Greedy::default());
    let mut legal = Vec::new();
    let mut decisions = 0_u32;
    while let Some(seat) = playing.state.to_act() {
        playing.state.legal_actions(&mut legal);
        let choice = playing.ask(&mut whole, seat, &legal);
        assert!(choice < legal.len(), "{choice} of {} at {:?}", legal.len(), playing.state);
        let seen = playing.state.seen_by(seat);
        let mut no_chance = |_| unreachable!("greedy decides without chance");
        assert_eq!(redacted.decide(&Seen::new(&seen, seat), &legal, &mut no_chance), choice);
        if decisions.is_multiple_of(31) {
            // What it remembers makes it faster, never different.
            assert_eq!(G::Greedy::default().decide(&Seen::new(&seen, seat), &legal, &mut no_chance), choice);
        }
        let choice = playing.ask(&mut driver, seat, &legal);
        playing.state.play_unchecked(legal[choice], &mut playing.dice);
        decisions += 1;
    }
}
