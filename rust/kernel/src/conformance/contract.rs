//! The promises of [`Game`] and [`Stored`], checked at every decision of a match.

use crate::{Chance, DecodeError, Game, Purpose, RuleError, Seat, Stored, Stream};

/// Statistics of a checked match; sums of them make coarse golden values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Decisions taken.
    pub decisions: u32,
    /// Draws made by the rules.
    pub draws: u32,
    /// Whether the match ended by itself within the limit.
    pub finished: bool,
}

/// Plays one match from `start` with random decisions, at most `limit` of them, and checks the contract at each.
///
/// # Errors
/// A sentence that names the broken promise and the decision at which it was seen.
pub fn check<G: Stored>(start: &G, seed: u64, limit: u32) -> Result<Checked, String> {
    let mut state = start.clone();
    let mut chance = Stream::new(seed, Purpose::Game, 0);
    let mut choice = Stream::new(seed, Purpose::Bots, 0);
    let mut checked = Checked::default();
    let mut legal = Vec::new();
    while let Some(seat) = state.to_act() {
        if checked.decisions == limit {
            return Ok(checked);
        }
        let at =
            |promise: &str| format!("{promise} at decision {} of seed {seed}: {state:?}", checked.decisions);
        if seat.index() >= state.seats() {
            return Err(at("the seat to act sits at the table"));
        }
        if state.outcome().is_some() {
            return Err(at("a match with a seat to act has no outcome"));
        }
        check_actions(&state, &mut legal).map_err(|promise| at(&promise))?;
        check_refusals(&state, seat, &legal, &chance).map_err(|promise| at(&promise))?;
        check_bytes(&state).map_err(|promise| at(&promise))?;
        check_observations(&state).map_err(|promise| at(&promise))?;

        let action = legal[choice.below(checked.decisions, legal.len() as u32) as usize];
        let mut unchecked = state.clone();
        unchecked.play_unchecked(action, &mut chance.clone());
        let mut next = state.clone();
        if let Err(error) = next.play(seat, action, &mut chance) {
            return Err(at(&format!("a legal action is played, but {action:?} gave \"{error}\"")));
        }
        if next != unchecked {
            return Err(at(&format!("both doors lead to the same state, but not for {action:?}")));
        }
        if next.draws() < state.draws() {
            return Err(at("the number of draws never falls"));
        }
        checked.draws = next.draws();
        state = next;
        checked.decisions += 1;
    }
    checked.finished = true;
    let at_end = |promise: &str| format!("{promise} at the end of seed {seed}: {state:?}");
    let outcome = state.outcome().ok_or_else(|| at_end("a finished match has an outcome"))?;
    if outcome.ranks.len() != state.seats() || !outcome.ranks.contains(&1) {
        return Err(at_end("every seat has a rank and somebody is first"));
    }
    state.legal_actions(&mut legal);
    if !legal.is_empty() {
        return Err(at_end("nothing is legal once the match is over"));
    }
    if let Some(action) = G::action_at(0)
        && state.clone().play(Seat(0), action, &mut chance) != Err(RuleError::MatchOver)
    {
        return Err(at_end("a finished match refuses every action"));
    }
    check_bytes(&state).map_err(|promise| at_end(&promise))?;
    Ok(checked)
}

/// The legal list is not empty, in table order, without repetition, and indices lead back to their actions.
fn check_actions<G: Game>(state: &G, legal: &mut Vec<G::Action>) -> Result<(), String> {
    state.legal_actions(legal);
    if legal.is_empty() {
        return Err("a seat to act has a legal action".into());
    }
    let mut last = None;
    for &action in legal.iter() {
        let index = G::index_of(action);
        if index >= G::ACTION_COUNT || G::action_at(index) != Some(action) {
            return Err(format!("index {index} leads back to {action:?}"));
        }
        if last >= Some(index) {
            return Err(format!("the legal list is in table order, but {action:?} is not"));
        }
        last = Some(index);
    }
    if G::action_at(G::ACTION_COUNT).is_some() {
        return Err("the table ends at ACTION_COUNT".into());
    }
    Ok(())
}

/// Checks that illegal actions and actions of other seats are rejected without any change.
fn check_refusals<G: Stored>(
    state: &G,
    seat: Seat,
    legal: &[G::Action],
    chance: &Stream,
) -> Result<(), String> {
    // A stride that is prime visits the whole table over a match without visiting all of it at each decision.
    let stride = (G::ACTION_COUNT / 64).max(1) | 1;
    let first = state.draws() % stride;
    for action in (first..G::ACTION_COUNT).step_by(stride as usize).filter_map(G::action_at) {
        if !legal.contains(&action) {
            let mut copy = state.clone();
            let refused = copy.play(seat, action, &mut chance.clone());
            if refused != Err(RuleError::IllegalAction { index: G::index_of(action) }) || copy != *state {
                return Err(format!("{action:?} is not legal, so it is refused and changes nothing"));
            }
        }
    }
    for other in Seat::all(state.seats()).filter(|&other| other != seat) {
        let mut copy = state.clone();
        let refused = copy.play(other, legal[0], &mut chance.clone());
        if refused != Err(RuleError::NotYourTurn { asked: other, to_act: seat }) || copy != *state {
            return Err(format!("{other} is not to act, so it is refused and changes nothing"));
        }
    }
    Ok(())
}

/// Bytes lead back to the same state; shortened, lengthened or mistagged bytes are refused.
fn check_bytes<G: Stored>(state: &G) -> Result<(), String> {
    let bytes = state.encode();
    if G::decode(&bytes).as_ref() != Ok(state) {
        return Err("the bytes of a state lead back to it".into());
    }
    if G::decode(&bytes[..bytes.len() - 1]).is_ok() {
        return Err("shortened bytes are refused".into());
    }
    let mut longer = bytes.clone();
    longer.push(0);
    if !matches!(G::decode(&longer), Err(DecodeError::TrailingBytes { .. })) {
        return Err("lengthened bytes are refused".into());
    }
    let mut mistagged = bytes;
    mistagged[0] ^= 0xff;
    if !matches!(G::decode(&mistagged), Err(DecodeError::WrongTag { .. })) {
        return Err("bytes of something else are refused".into());
    }
    Ok(())
}

/// An observation fills its buffer whatever was in it before.
fn check_observations<G: Game>(state: &G) -> Result<(), String> {
    for seat in Seat::all(state.seats()) {
        let mut clean = vec![0; G::OBSERVATION_SIZE];
        let mut dirty = vec![0xff; G::OBSERVATION_SIZE];
        state.observe(seat, &mut clean);
        state.observe(seat, &mut dirty);
        if clean != dirty {
            return Err(format!("the observation of {seat} fills its buffer"));
        }
    }
    Ok(())
}
