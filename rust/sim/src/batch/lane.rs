//! One match of a batch: where it stands, and where its chance comes from.

use sengoku_bots::{Bot, Policy, Seen};
use sengoku_kernel::features::Encoder;
use sengoku_kernel::{Cancel, Chance, Game, MAX_SEATS, Outcome, Purpose, Seat, Stream};

use super::Shaping;
use super::rows::Rows;
use crate::Playable;

/// Lanes that a thread moves before others can have their turn.
pub(super) const GRAIN: usize = 32;

/// Settings that all lanes of a batch share.
pub(super) struct BatchConfig<G: Playable> {
    pub(super) setup: G::Setup,
    /// Bot of each seat; learners have none.
    pub(super) bots: Vec<Option<Policy<G::Greedy>>>,
    pub(super) lanes: usize,
    pub(super) first_match: u64,
    /// Most decisions of a match.
    pub(super) limit: u32,
    /// Whether the decisions of a match are kept.
    pub(super) record: bool,
    /// Whether learners are not asked where only one action is legal.
    pub(super) skip_forced: bool,
    /// Writes features, if they are wanted.
    pub(super) encoder: Option<Encoder>,
    /// What is paid for changes of the score.
    pub(super) shaping: Option<Shaping>,
}

impl<G: Playable> BatchConfig<G> {
    /// Number of the match that a lane plays after some others of its own.
    pub(super) const fn match_index(&self, lane: usize, before: u64) -> u64 {
        self.first_match + lane as u64 + before * self.lanes as u64
    }

    /// Lanes that are not worth another thread. Bots may think for long.
    pub(super) fn grain(&self) -> usize {
        if self.bots.iter().any(Option::is_some) { 1 } else { GRAIN }
    }

    pub(super) fn is_learner(&self, seat: Seat) -> bool {
        self.bots[seat.index()].is_none()
    }

    /// What the score is worth to each seat: its own less the mean of all others.
    pub(super) fn potential(&self, state: &G) -> [f32; MAX_SEATS] {
        let (mut scores, seats) = ([0.0; MAX_SEATS], self.bots.len());
        if self.shaping.is_some() {
            potential_of(state, &mut scores[..seats]);
        }
        scores
    }

    pub(super) fn first_learner(&self) -> Seat {
        let learner = Seat::all(self.bots.len()).find(|&seat| self.is_learner(seat));
        learner.expect("a batch has a learner")
    }
}

/// What the score is worth to each seat: its own less the mean of all others.
pub(crate) fn potential_of<G: Game>(state: &G, worth: &mut [f32]) {
    state.public_scores(worth);
    let (sum, others) = (worth.iter().sum::<f32>(), (worth.len() - 1) as f32);
    for score in worth {
        *score -= (sum - *score) / others;
    }
}

/// Scratch memory of a thread that moves lanes. Nothing in it passes from one lane to another: what bots remember
/// changes no answer.
pub(super) struct Scratch<G: Playable> {
    legal: Vec<G::Action>,
    bots: Vec<Option<Policy<G::Greedy>>>,
    /// Room for an observation.
    pub(super) seen: Vec<u8>,
}

impl<G: Playable> Scratch<G> {
    pub(super) fn new(config: &BatchConfig<G>) -> Self {
        Self {
            legal: Vec::with_capacity(G::ACTION_COUNT as usize),
            bots: config.bots.clone(),
            seen: vec![0; G::OBSERVATION_SIZE],
        }
    }
}

/// Why a lane waits for nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// A learner is to act.
    Playing,
    /// The match is over.
    Over,
    /// The match has as many decisions as it may have.
    Cut,
}

/// A match under way.
#[derive(Clone, Debug)]
pub(super) struct Lane<G> {
    pub(super) state: G,
    /// Chance of the rules, and its key.
    pub(super) chance: Stream,
    pub(super) seed: u64,
    pub(super) match_index: u64,
    /// Chance of all bots together, and the draws they made.
    pub(super) choices: Stream,
    pub(super) draw: u32,
    pub(super) decisions: u32,
    /// Decisions of learners that were taken for them, since the match began or was restored.
    pub(super) skipped: u32,
    /// What the score was worth to each seat when it was last paid for.
    pub(super) potential: [f32; MAX_SEATS],
    /// Number of legal actions.
    pub(super) legal: u32,
    /// The learner to act or, once the match is over, the learner that acted last.
    pub(super) viewer: Seat,
    pub(super) end: End,
    /// Whether the state is what key and decisions lead to: nobody changed its chance on the way.
    pub(super) pure: bool,
    /// Index of every decision, where they are kept and known.
    pub(super) history: Option<Vec<u32>>,
    /// Seed of the matches to come, and matches of this lane before the present one.
    pub(super) own_seed: u64,
    pub(super) before: u64,
}

impl<G: Playable> Lane<G> {
    /// The lane at the beginning of its first match. Bots have not moved yet.
    pub(super) fn new(config: &BatchConfig<G>, lane: usize, seed: u64) -> Self {
        let match_index = config.match_index(lane, 0);
        let mut chance = Stream::new(seed, Purpose::Game, match_index);
        let state = G::begin(&config.setup, &mut chance, &mut |_| {});
        Self {
            potential: config.potential(&state),
            state,
            chance,
            seed,
            match_index,
            choices: Stream::new(seed, Purpose::Bots, match_index),
            draw: 0,
            decisions: 0,
            skipped: 0,
            legal: 0,
            viewer: config.first_learner(),
            end: End::Playing,
            pure: true,
            history: config.record.then(Vec::new),
            own_seed: seed,
            before: 0,
        }
    }

    /// Begins a match: number `before` of the lane.
    pub(super) fn begin(&mut self, config: &BatchConfig<G>, lane: usize, before: u64) {
        self.before = before;
        self.set_key(self.own_seed, config.match_index(lane, before));
        self.state = G::begin(&config.setup, &mut self.chance, &mut |_| {});
        self.potential = config.potential(&self.state);
        (self.draw, self.decisions, self.skipped) = (0, 0, 0);
        (self.viewer, self.end, self.pure) = (config.first_learner(), End::Playing, true);
        match &mut self.history {
            Some(history) => history.clear(),
            None => self.history = config.record.then(Vec::new),
        }
    }

    /// Replaces all later random draws by those of a seed and a match number.
    pub(super) fn set_key(&mut self, seed: u64, match_index: u64) {
        self.pure &= (seed, match_index) == (self.seed, self.match_index);
        (self.seed, self.match_index) = (seed, match_index);
        self.chance = Stream::new(seed, Purpose::Game, match_index);
        self.choices = Stream::new(seed, Purpose::Bots, match_index);
    }

    /// Plays a legal action.
    pub(super) fn play(&mut self, action: G::Action) {
        self.state.play_unchecked(action, &mut self.chance);
        self.decisions += 1;
        if let Some(history) = &mut self.history {
            history.push(G::index_of(action));
        }
    }

    /// Plays bots until a learner is to act or the match is over; marks the actions that are then legal.
    pub(super) fn advance(
        &mut self,
        config: &BatchConfig<G>,
        scratch: &mut Scratch<G>,
        bits: &mut [u64],
        cancel: &Cancel,
    ) {
        bits.fill(0);
        self.legal = 0;
        loop {
            let Some(seat) = self.state.to_act() else {
                self.end = End::Over;
                return;
            };
            if self.decisions >= config.limit {
                self.end = End::Cut;
                return;
            }
            self.state.legal_actions(&mut scratch.legal);
            let Some(bot) = &mut scratch.bots[seat.index()] else {
                if config.skip_forced && scratch.legal.len() == 1 {
                    self.play(scratch.legal[0]);
                    self.skipped += 1;
                    continue;
                }
                (self.viewer, self.end) = (seat, End::Playing);
                break;
            };
            if cancel.is_cancelled() {
                return;
            }
            let (choices, draw) = (&mut self.choices, &mut self.draw);
            let mut below = |sides| {
                let value = choices.below(*draw, sides);
                *draw = draw.wrapping_add(1);
                value
            };
            let stop = || cancel.is_cancelled();
            let seen = Seen::new(&self.state, seat);
            let choice = bot.decide_until(&seen, &scratch.legal, &mut below, &stop);
            self.play(scratch.legal[choice]);
        }
        self.legal = scratch.legal.len() as u32;
        for &action in &scratch.legal {
            let index = G::index_of(action) as usize;
            bits[index / 64] |= 1 << (index % 64);
        }
    }

    pub(super) fn outcome(&self) -> Option<Outcome> {
        if self.end == End::Over { self.state.outcome() } else { None }
    }

    /// Writes what the last step brought.
    pub(super) fn write_end(&self, paid: bool, row: &mut Rows<'_>) {
        let outcome = self.outcome();
        let by_rule = outcome.as_ref().is_some_and(|outcome| outcome.by_rule);
        row.terminated[0] = by_rule.into();
        row.truncated[0] = (self.end != End::Playing && !by_rule).into();
        row.reward.fill(0.0);
        if let Some(outcome) = outcome.filter(|_| paid) {
            for (reward, &rank) in row.reward.iter_mut().zip(&outcome.ranks) {
                *reward = reward_of(rank, &outcome.ranks);
            }
        }
    }

    /// Pays for the change of the score since the last time. What a match that is over is worth is in its rewards.
    pub(super) fn write_shaping(&mut self, config: &BatchConfig<G>, row: &mut Rows<'_>) {
        let Some(Shaping { weight, discount }) = config.shaping else { return };
        let over = self.end == End::Over;
        let potential = if over { [0.0; MAX_SEATS] } else { config.potential(&self.state) };
        for ((reward, &now), &before) in row.reward.iter_mut().zip(&potential).zip(&self.potential) {
            *reward += weight * (discount * now - before);
        }
        self.potential = potential;
    }

    /// Writes what is seen. In a row that is not `fresh`, features are those of the observation there.
    pub(super) fn write_seen(
        &self,
        config: &BatchConfig<G>,
        seen: &mut [u8],
        fresh: bool,
        row: &mut Rows<'_>,
    ) {
        match &config.encoder {
            None => self.state.observe(self.viewer, row.observation),
            Some(encoder) if fresh => {
                self.state.observe(self.viewer, row.observation);
                encoder.encode(row.observation, row.features);
            }
            Some(encoder) => {
                self.state.observe(self.viewer, seen);
                encoder.update(row.observation, seen, row.features);
                row.observation.copy_from_slice(seen);
            }
        }
    }

    /// Writes what is legal, and numbers; of what was legal before, nothing may be left in the row.
    pub(super) fn write_view(&self, bits: &[u64], row: &mut Rows<'_>) {
        row.seat[0] = if self.end == End::Playing { self.viewer.0.cast_signed() } else { -1 };
        row.match_index[0] = self.match_index;
        row.decisions[0] = self.decisions;
        row.skipped[0] = self.skipped;
        for (bytes, word) in row.legal_bits.chunks_mut(8).zip(bits) {
            bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
        }
        mark(bits, 1, row.legal);
    }

    /// Writes the view at the end of a match that makes room for the next one.
    pub(super) fn write_last(&self, config: &BatchConfig<G>, row: &mut Rows<'_>) {
        self.state.observe(self.viewer, row.final_observation);
        if let Some(encoder) = &config.encoder {
            encoder.encode(row.final_observation, row.final_features);
        }
        row.final_match_index[0] = self.match_index;
        row.final_decisions[0] = self.decisions;
    }
}

/// Writes a byte wherever a bit is set; nothing into an array that is not wanted.
pub(super) fn mark(bits: &[u64], byte: u8, legal: &mut [u8]) {
    if legal.is_empty() {
        return;
    }
    for (number, &word) in bits.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            legal[64 * number + left.trailing_zeros() as usize] = byte;
            left &= left - 1;
        }
    }
}

/// Reward of a rank: 1 for the first place to -1 for the last one, in equal steps; seats that share places get their mean.
pub(super) fn reward_of(rank: u8, ranks: &[u8]) -> f32 {
    let ahead = ranks.iter().filter(|&&other| other < rank).count();
    let behind = ranks.iter().filter(|&&other| other > rank).count();
    // Seats behind minus seats ahead: how far the middle of the shared places is above the middle of all.
    (behind as f32 - ahead as f32) / (ranks.len() - 1) as f32
}
