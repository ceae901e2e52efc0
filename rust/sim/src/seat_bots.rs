//! Built-in bots at some seats of a match; the caller plays the others.

use std::any::Any;
use std::cell::Cell;

use sengoku_bots::{Bot, Policy, Seen};
use sengoku_kernel::{Cancel, Chance, Game, Purpose, RuleError, Seat, Stored, Stream};

use crate::hosted::Hosted;
use crate::run::find_bot;
use crate::{Match, MatchKey, PlayError, Playable, RunError, SuggestError};

/// Decisions between two looks at the flag that stops the work; a bot that thinks takes some milliseconds for them.
const DECISIONS_PER_LOOK: usize = 64;

/// Decides for some seats of a match.
pub(crate) trait SeatDeciders<G: Game>: Send + Sync {
    /// Assigns a bot to a seat from now on, or none.
    fn seat(&mut self, seat: Seat, name: Option<&str>) -> Result<(), RunError>;
    /// Whether this seat is one of them.
    fn has(&self, seat: Seat) -> bool;
    /// Whether the bot of a seat that it has takes long to decide, because it searches.
    fn is_slow(&self, seat: Seat) -> bool;
    /// Random draws so far, of all bots.
    fn draws(&self) -> u32;
    /// Goes on in the random stream where that many draws were made.
    fn skip_to(&mut self, draws: u32);
    /// Chooses one of the legal actions by its place in the list, for a seat that it has. A raised flag stops a bot in its
    /// thoughts: then nothing is chosen, and the same question gets the same answer later.
    fn decide(&mut self, state: &G, seat: Seat, legal: &[G::Action], cancel: &Cancel) -> Option<usize>;
    /// A copy that goes its own way.
    fn boxed_clone(&self) -> Box<dyn SeatDeciders<G>>;
}

/// The bots of a match, what they remember, and how far they are in their stream.
#[derive(Clone)]
struct SeatBots<G: Playable> {
    bots: Vec<Option<Policy<G::Greedy>>>,
    choices: Stream,
    draw: u32,
}

impl<G: Playable> SeatDeciders<G> for SeatBots<G> {
    fn seat(&mut self, seat: Seat, name: Option<&str>) -> Result<(), RunError> {
        self.bots[seat.index()] = name.map(find_bot::<G>).transpose()?;
        Ok(())
    }

    fn has(&self, seat: Seat) -> bool {
        self.bots[seat.index()].is_some()
    }

    fn is_slow(&self, seat: Seat) -> bool {
        self.bots[seat.index()].as_ref().is_some_and(|bot| bot.iterations().is_some())
    }

    fn draws(&self) -> u32 {
        self.draw
    }

    fn skip_to(&mut self, draws: u32) {
        self.draw = draws;
    }

    fn decide(&mut self, state: &G, seat: Seat, legal: &[G::Action], cancel: &Cancel) -> Option<usize> {
        let Self { bots, choices, draw } = self;
        let before = *draw;
        let stopped = Cell::new(false);
        let stop = || {
            stopped.set(cancel.is_cancelled());
            stopped.get()
        };
        let mut below = |sides| {
            let value = choices.below(*draw, sides);
            *draw = draw.wrapping_add(1);
            value
        };
        let bot = bots[seat.index()].as_mut().expect("asked for seats that have a bot");
        let choice = bot.decide_until(&Seen::new(state, seat), legal, &mut below, &stop);
        if stopped.get() {
            *draw = before;
            return None;
        }
        Some(choice)
    }

    fn boxed_clone(&self) -> Box<dyn SeatDeciders<G>> {
        Box::new(self.clone())
    }
}

/// The bots of a match, if it has any.
pub(crate) struct Bots<G: Game> {
    deciders: Option<Box<dyn SeatDeciders<G>>>,
    /// Changes whenever a bot is seated: what another one has thought of counts no more.
    seatings: u32,
    /// Bots that belong to the match.
    pub(crate) hosted: Hosted,
}

impl<G: Game> Bots<G> {
    pub(crate) const fn none() -> Self {
        Self { deciders: None, seatings: 0, hosted: Hosted::new() }
    }

    /// Random draws so far, of all bots.
    pub(crate) fn draws(&self) -> u32 {
        self.deciders.as_ref().map_or(0, |deciders| deciders.draws())
    }

    /// Goes on in the random stream where that many draws were made.
    pub(crate) fn skip_to(&mut self, draws: u32) {
        if let Some(deciders) = &mut self.deciders {
            deciders.skip_to(draws);
        }
    }

    fn has(&self, seat: Seat) -> bool {
        self.deciders.as_ref().is_some_and(|deciders| deciders.has(seat))
    }
}

impl<G: Game> Clone for Bots<G> {
    fn clone(&self) -> Self {
        let deciders = self.deciders.as_ref().map(|deciders| deciders.boxed_clone());
        Self { deciders, seatings: self.seatings, hosted: self.hosted.clone() }
    }
}

impl<G: Game> std::fmt::Debug for Bots<G> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(if self.deciders.is_some() { "Bots" } else { "no Bots" })
    }
}

/// What a bot has decided while the match was free for others.
pub struct Thought(Box<dyn Any + Send>);

/// Thinks on a copy of what a bot needs; a raised flag stops it, and then there is no thought.
pub type Thinking = Box<dyn FnOnce(&Cancel) -> Option<Thought> + Send>;

/// The thought in a match of one game.
struct ThoughtOf<G: Game> {
    /// When it was thought: decisions taken before it, and bots seated.
    at: (usize, u32),
    action: G::Action,
    deciders: Box<dyn SeatDeciders<G>>,
}

impl<G: Playable> Match<G> {
    /// Assigns a built-in bot to a seat from now on, or none; other seats stay as they are.
    ///
    /// Bots that are seated before the first decision decide as in a run of the same seed and match number.
    ///
    /// # Errors
    /// [`RunError`] when there is no such bot, or it does not have such options; nothing is changed then.
    ///
    /// # Panics
    /// When the table has no such seat.
    pub fn seat_bot(&mut self, seat: Seat, name: Option<&str>) -> Result<(), RunError> {
        let MatchKey { seats, seed, match_index, .. } = *self.key();
        let deciders = self.bots.deciders.get_or_insert_with(|| {
            let choices = Stream::new(seed, Purpose::Bots, match_index);
            Box::new(SeatBots::<G> { bots: vec![None; seats], choices, draw: 0 })
        });
        deciders.seat(seat, name)?;
        self.bots.seatings += 1;
        Ok(())
    }

    /// The action that a bot would take for the seat to act, from what that seat sees. It depends on nothing else but the
    /// seed, and changes nothing. A raised flag stops it: then there is no answer.
    ///
    /// # Errors
    /// [`SuggestError`] when there is no such bot, or the match is over.
    pub fn suggest(&self, name: &str, seed: u64, cancel: &Cancel) -> Result<Option<u32>, SuggestError> {
        let mut bot = find_bot::<G>(name)?;
        let seat = self.to_act().ok_or(RuleError::MatchOver)?;
        let legal = self.legal_actions();
        let mut choices = Stream::new(seed, Purpose::Search, 0);
        let mut draw = 0;
        let mut below = |sides| {
            draw += 1;
            choices.below(draw - 1, sides)
        };
        let stop = || cancel.is_cancelled();
        let choice = bot.decide_until(&Seen::new(self.state(), seat), &legal, &mut below, &stop);
        Ok((!cancel.is_raised()).then(|| G::index_of(legal[choice])))
    }
}

impl<G: Stored> Match<G> {
    /// Plays what the seated bots decide, until another seat is to act, the match is over, or the given number of
    /// decisions is taken in all; returns how many it played. A raised flag stops it early.
    ///
    /// # Errors
    /// [`PlayError`] when scripted dice do not go so far; the match is as it was before that decision.
    pub fn play_bots(&mut self, most: usize, cancel: &Cancel) -> Result<usize, PlayError> {
        let Some(mut deciders) = self.bots.deciders.take() else { return Ok(0) };
        let mut legal = Vec::new();
        let mut played = 0;
        let mut result = Ok(());
        while let Some(seat) = self.to_act().filter(|&seat| deciders.has(seat))
            && self.history().len() < most
            && (played % DECISIONS_PER_LOOK != DECISIONS_PER_LOOK - 1 || !cancel.is_cancelled())
        {
            self.state().legal_actions(&mut legal);
            let Some(choice) = deciders.decide(self.state(), seat, &legal, cancel) else { break };
            result = self.play_legal(legal[choice]);
            if result.is_err() {
                break;
            }
            played += 1;
        }
        self.bots.deciders = Some(deciders);
        result.map(|()| played)
    }

    /// Whether the seat to act has a bot.
    pub fn bot_to_act(&self) -> bool {
        self.to_act().is_some_and(|seat| self.bots.has(seat))
    }

    /// The thinking of the bot that is to act if it takes long; nothing where [`Match::play_bots`] is quick.
    pub fn think(&self) -> Option<Thinking> {
        let seat = self.to_act()?;
        let deciders = self.bots.deciders.as_ref().filter(|deciders| deciders.is_slow(seat))?;
        let (state, mut deciders) = (self.state().clone(), deciders.boxed_clone());
        let at = (self.history().len(), self.bots.seatings);
        Some(Box::new(move |cancel| {
            let mut legal = Vec::new();
            state.legal_actions(&mut legal);
            let choice = deciders.decide(&state, seat, &legal, cancel)?;
            Some(Thought(Box::new(ThoughtOf::<G> { at, action: legal[choice], deciders })))
        }))
    }

    /// Plays what a bot has thought of, unless the match has moved on meanwhile; whether it was played.
    ///
    /// # Errors
    /// As [`Match::play_bots`].
    pub fn accept(&mut self, thought: Thought) -> Result<bool, PlayError> {
        let Ok(thought) = thought.0.downcast::<ThoughtOf<G>>() else { return Ok(false) };
        if thought.at != (self.history().len(), self.bots.seatings) {
            return Ok(false);
        }
        self.play_legal(thought.action)?;
        self.bots.deciders = Some(thought.deciders);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::test_game::Race;
    use crate::{Run, RunRequest, run_matches};

    fn key() -> MatchKey {
        MatchKey { seats: 3, setup: json!({"goal": 20}), seed: 7, match_index: 2 }
    }

    fn row(bots: &[&str]) -> u64 {
        let bots = bots.iter().map(|&bot| bot.to_owned()).collect();
        let setup = json!({"goal": 20});
        let request = RunRequest { bots, seats: 3, setup, seed: 7, first_match: 2, match_count: 1 };
        let run = Run {
            pool: None,
            cancel: &Cancel::default(),
            progress: &|_| {},
            max_decisions: u64::MAX,
            max_iterations: u32::MAX,
            replays: false,
        };
        run_matches("race", &request, &run).unwrap().digest[0]
    }

    fn seated(mut playing: Match<Race>, names: [Option<&str>; 3]) -> Match<Race> {
        for (seat, name) in names.into_iter().enumerate() {
            playing.seat_bot(Seat(seat as u8), name).unwrap();
        }
        playing
    }

    #[test]
    fn bots_at_all_seats_play_the_match_of_a_run() {
        let playing = Match::<Race>::create(key(), None).unwrap();
        let mut playing = seated(playing, [Some("hasty"), Some("random"), Some("random")]);
        let first = playing.play_bots(5, &Cancel::default()).unwrap();
        assert_eq!((first, playing.history().len()), (5, 5));
        let mut copy = playing.clone();
        playing.play_bots(usize::MAX, &Cancel::default()).unwrap();
        copy.play_bots(usize::MAX, &Cancel::default()).unwrap();
        assert!(playing.over());
        assert_eq!(playing.digest(), row(&["hasty", "random"]));
        assert_eq!(copy.save(), playing.save());
    }

    #[test]
    fn they_stop_where_somebody_else_is_to_act() {
        let mut playing = Match::<Race>::create(key(), None).unwrap();
        assert_eq!(playing.play_bots(usize::MAX, &Cancel::default()), Ok(0));
        let mut playing = seated(playing, [None, Some("hasty"), Some("random")]);
        assert_eq!(playing.play_bots(usize::MAX, &Cancel::default()), Ok(0));
        playing.play_index(0).unwrap();
        assert_eq!(playing.play_bots(usize::MAX, &Cancel::default()), Ok(2));
        assert_eq!(playing.to_act(), Some(Seat(0)));
        // Somebody takes over for a seat in the midst of a match.
        playing.seat_bot(Seat(0), Some("random")).unwrap();
        playing.play_bots(usize::MAX, &Cancel::default()).unwrap();
        assert!(playing.over());
    }

    #[test]
    fn a_search_that_is_stopped_has_not_decided() {
        let search = Some("mcts:iterations=30");
        let mut playing = seated(Match::<Race>::create(key(), None).unwrap(), [search; 3]);
        let mut whole = playing.clone();
        let cancel = Cancel::default();
        cancel.cancel();
        assert_eq!(playing.play_bots(usize::MAX, &cancel), Ok(0));
        playing.play_bots(usize::MAX, &Cancel::default()).unwrap();
        whole.play_bots(usize::MAX, &Cancel::default()).unwrap();
        assert_eq!(playing.save(), whole.save());
        assert_eq!(playing.digest(), row(&["mcts:iterations=30"]));
    }

    #[test]
    fn bots_that_are_not_there_change_nothing() {
        let mut playing = Match::<Race>::create(key(), None).unwrap();
        let refused = playing.seat_bot(Seat(0), Some("deep")).unwrap_err();
        assert_eq!(refused.to_string(), "there is no bot \"deep\"");
        assert_eq!(playing.play_bots(usize::MAX, &Cancel::default()), Ok(0));
    }

    #[test]
    fn dice_that_run_out_stop_them_and_a_flag_does() {
        let playing = Match::<Race>::create(key(), Some(vec![1, 2])).unwrap();
        let mut playing = seated(playing, [Some("hasty"); 3]);
        assert!(playing.play_bots(usize::MAX, &Cancel::default()).is_err());
        assert_eq!(playing.history().len(), 2);
        let long = MatchKey { setup: json!({"goal": 100}), ..key() };
        let mut playing = seated(Match::<Race>::create(long, None).unwrap(), [Some("random"); 3]);
        let cancel = Cancel::default();
        cancel.cancel();
        assert_eq!(playing.play_bots(usize::MAX, &cancel), Ok(DECISIONS_PER_LOOK - 1));
    }
}
