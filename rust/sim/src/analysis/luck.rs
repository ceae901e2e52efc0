//! Luck: what a draw changed, against the mean of all that could have been drawn.
//!
//! The state after the draws that fell and states after others drawn in their place are played on with the same seeds; the
//! mean difference is the luck. Whatever the evaluation is worth, its expectation is zero, because the draws that fell are
//! as likely as any other.

use sengoku_kernel::{MAX_SEATS, Purpose, Seat, Stream};
use sengoku_view::Counts;

use super::playout::{self, Luck, Player, Stage, Sums, look_alike};
use super::{Course, LuckRecord};
use crate::Playable;

/// A state that other draws led to.
struct Other<G> {
    state: G,
    counts: Counts,
}

impl<G: Playable> Course<'_, G> {
    /// Luck of the draws of a decision; none where nothing was drawn.
    pub(super) fn luck_of(&self, decision: usize, action: G::Action) -> Option<LuckRecord> {
        let before = &self.states[decision - 1];
        let past = &self.playing.events()[..self.playing.events_of(0..=decision - 1).end];
        let other = |mut luck: Luck| {
            let mut state = before.redraw(&mut |sides| luck.draws.below(sides));
            let mut events = Vec::new();
            state.play_logged(action, &mut luck.dice, &mut |event| events.push(event));
            Other { counts: before.count(past, &events), state }
        };
        let events = &self.playing.events()[self.playing.events_of(decision..=decision)];
        self.luck(decision, Some(before), events, before.count(past, events), other)
    }

    /// Luck of what is drawn before the first decision.
    pub(super) fn luck_of_setup(&self) -> Option<LuckRecord> {
        let key = self.playing.key();
        let setup = G::prepare(key.seats, &key.setup).ok()?;
        let other = |mut luck: Luck| Other {
            state: G::begin(&setup, &mut luck.dice, &mut |_| {}),
            counts: Counts::default(),
        };
        let events = &self.playing.events()[self.playing.events_of(0..=0)];
        self.luck(0, None, events, Counts::default(), other)
    }

    /// The seed of the draws made anew: each match has its own, or the luck of matches that are analysed with the same seed
    /// would be measured against the same few draws, and its mean over them would not be zero.
    fn luck_seed(&self) -> u64 {
        let key = self.playing.key();
        let [low, high, ..] = Stream::without_block(key.seed, Purpose::Search, key.match_index).block(0);
        self.options.seed ^ (u64::from(high) << 32 | u64::from(low))
    }

    fn luck(
        &self,
        decision: usize,
        before: Option<&G>,
        events: &[G::Event],
        counts: Counts,
        other: impl Fn(Luck) -> Other<G>,
    ) -> Option<LuckRecord> {
        if self.options.luck == 0 || self.options.seat.is_some() {
            return None; // what was drawn by others is not for one seat
        }
        let after = &self.states[decision];
        let seat = before.and_then(G::to_act).unwrap_or(Seat(0));
        let seed = playout::seed(self.luck_seed(), decision, seat, Stage::Redraw);
        let others: Vec<Other<G>> =
            (0..self.options.luck).map(|number| other(Luck::of(seed, number))).collect();
        let seats = self.seats();
        if others.iter().all(|other| look_alike(&other.state, after, Seat::all(seats))) {
            return None; // nothing was drawn, or nothing that anybody sees
        }
        let mut player = Player::new(self.options.horizon);
        let (mut change, mut hits, mut losses) = (Sums::default(), Sums::default(), Sums::default());
        for (number, other) in (0..).zip(&others) {
            if (self.stop)() {
                return None;
            }
            let mut play_on = |state: &G| {
                // The same continuation: decks, bots and dice come from the same numbers.
                let mut luck = Luck::of(seed, self.options.luck + number);
                let world = state.redraw(&mut |sides| luck.draws.below(sides));
                let begun = before.map_or_else(|| world.stretch(), G::stretch);
                player.play_on(world, begun, &mut luck).map(f64::from)
            };
            let (fell, instead) = (play_on(after), play_on(&other.state));
            change.add(&std::array::from_fn::<_, { MAX_SEATS }, _>(|seat| fell[seat] - instead[seat]));
            hits.add(&other.counts.hits.map(f64::from));
            losses.add(&other.counts.losses.map(f64::from));
        }
        let mut kinds: Vec<_> = events.iter().filter_map(G::draw_kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let all = |value: &dyn Fn(usize) -> f64| (0..seats).map(value).collect::<Vec<_>>();
        Some(LuckRecord {
            kinds,
            change: all(&|seat| change.mean(seat)),
            error: all(&|seat| change.error(seat)),
            hits: counts.hits[..seats].to_vec(),
            hits_expected: all(&|seat| hits.mean(seat)),
            losses: counts.losses[..seats].to_vec(),
            losses_expected: all(&|seat| losses.mean(seat)),
        })
    }
}
