//! Hidden information changes nothing that a seat sees: not its view, not its observation, not the seat to act
//! (BT-COMP-06, BT-DRAGON-USE-05, BT-DRAGON-USE-10).

use sengoku_battles::State;
use sengoku_battles::cards::Deck;
use sengoku_battles::data::Side;
use sengoku_kernel::{Chance, Game, List, Purpose, Seat, Stored, Stream, conformance};
use sengoku_view::View;
use serde::Serialize;
use serde_json::json;

/// The cards of a hand and of the deck change places; one that everybody saw go to the hand stays there.
fn mix<C: Copy + Default + PartialEq + Serialize, const N: usize>(
    cards: &mut Deck<C, N>,
    side: Side,
    known: Option<C>,
    choice: &mut dyn FnMut(u32) -> u32,
) {
    let mut hidden: Vec<C> = cards.deck.iter().chain(cards.hands[side].iter()).copied().collect();
    let known = known.filter(|card| cards.hands[side].contains(card));
    if let Some(place) = known.and_then(|known| hidden.iter().position(|&card| card == known)) {
        hidden.remove(place);
    }
    for last in (1..hidden.len()).rev() {
        hidden.swap(last, choice(last as u32 + 1) as usize);
    }
    let hand = cards.hands[side].len() - usize::from(known.is_some());
    cards.hands[side] = hidden[..hand].iter().copied().chain(known).collect();
    cards.deck = List::of(&hidden[hand..]);
}

/// The state with everything changed that a seat may not know.
fn with_other_secrets(state: &State, seat: Seat, choice: &mut dyn FnMut(u32) -> u32) -> State {
    let mut other = *state;
    let stranger = if seat == Side::Top.seat() { Side::Bottom } else { Side::Top };
    mix(&mut other.command, stranger, None, choice);
    let stolen = state.turn.stolen.filter(|_| stranger == state.active);
    mix(&mut other.dragon, stranger, stolen, choice);
    other.draws += choice(1000);
    other
}

#[test]
fn anothers_secret_changes_nothing_that_is_seen() {
    let battles = [1, 12, 25, 37].map(|number| json!({ "scenario": number }));
    let differed: u32 = battles
        .iter()
        .map(|setup| conformance::keep_secrets(2, setup, with_other_secrets, View::picture))
        .sum();
    assert!(differed > 1_000, "secrets differed {differed} times");
}

/// Where the same happens for everybody to see, the same question follows, whatever is in a hand.
#[test]
fn the_same_events_lead_to_the_same_question() {
    let mut compared = 0;
    for number in [8, 15, 34, 39] {
        let mut chance = Stream::new(5, Purpose::Game, number);
        let mut choices = Stream::new(5, Purpose::Bots, number);
        let mut draw = 0;
        let mut choice = |sides| {
            draw += 1;
            choices.below(draw, sides)
        };
        let mut state = State::create(2, &json!({ "scenario": number }), &mut chance).expect("a valid setup");
        let (mut legal, mut legal_too) = (Vec::new(), Vec::new());
        while let Some(asked) = state.to_act() {
            state.legal_actions(&mut legal);
            let action = legal[choice(legal.len() as u32) as usize];
            for seat in Seat::all(2) {
                let mut other = with_other_secrets(&state, seat, &mut choice);
                other.draws = state.draws;
                other.legal_actions(&mut legal_too);
                assert!(seat != asked || legal == legal_too, "{state:?}");
                if !legal_too.contains(&action) {
                    continue;
                }
                let (mut events, mut events_too) = (Vec::new(), Vec::new());
                let mut one = state;
                one.play_logged(action, &mut chance.clone(), &mut |event| events.push(event));
                other.play_logged(action, &mut chance.clone(), &mut |event| events_too.push(event));
                if events == events_too {
                    compared += 1;
                    assert_eq!(one.to_act(), other.to_act(), "{state:?}");
                    assert_eq!(one.agenda, other.agenda, "{state:?}");
                    assert_eq!(one.describe(Some(seat))["question"], other.describe(Some(seat))["question"]);
                }
            }
            state.play_unchecked(action, &mut chance);
        }
    }
    assert!(compared > 10_000, "{compared} questions compared");
}
