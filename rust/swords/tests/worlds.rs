//! Resampled hidden information: answers are those of uniform play, cards lie in any possible place (SW-GEN-14,
//! SW-R-88, SW-R-89, SW-RONIN-09).

use std::collections::BTreeMap;

use sengoku_kernel::conformance::{self, equally_likely, searching};
use sengoku_kernel::{Chance, Game, Purpose, Seat, Stream};
use sengoku_swords::State;
use sengoku_swords::data::{ClanId, ProvinceId};
use sengoku_swords::state::{PlanBox, Point};
use sengoku_view::View;
use serde_json::json;

const WORLDS: u64 = 20_000;

#[test]
fn worlds_are_drawn_from_what_is_seen() {
    let setup = json!({ "max_rounds": 8 });
    let mut differed = 0;
    for seed in 0..3 {
        for seats in 2..=5 {
            differed += conformance::keep_to_what_is_seen(seats, seed, &setup, State::check, View::picture);
        }
    }
    assert!(differed > 1_000, "{differed} worlds were others");
}

#[test]
fn a_match_begins_where_another_stands() {
    for seats in 2..=5 {
        conformance::keep_positions::<State>(seats, 5, &json!({ "max_rounds": 6 }));
    }
}

/// The first state of a random match at which something holds.
fn first(seats: usize, holds: impl Fn(&State) -> bool) -> State {
    let mut chance = Stream::new(4, Purpose::Game, 0);
    let mut choice = Stream::new(4, Purpose::Bots, 0);
    let mut state = State::create(seats, &json!({}), &mut chance).unwrap();
    let (mut legal, mut draw) = (Vec::new(), 0);
    while !holds(&state) {
        state.legal_actions(&mut legal);
        assert!(!legal.is_empty(), "such a state did not come");
        state.play_unchecked(legal[choice.below(draw, legal.len() as u32) as usize], &mut chance);
        draw += 1;
    }
    state
}

/// Counts what `look` finds in worlds of a seat.
fn count<T: Ord>(state: &State, seat: Seat, look: impl Fn(&State) -> T) -> BTreeMap<T, u32> {
    let mut found = BTreeMap::new();
    for index in 0..WORLDS {
        *found.entry(look(&state.resample(seat, &mut searching(7, index)))).or_default() += 1;
    }
    found
}

#[test]
fn a_half_hand_is_any_half() {
    // SW-TWO-03: seat 1 has named three cards for its first clan
    let state = first(2, |state| state.point == Point::Divide(14) && state.decider == ClanId(2));
    let mut named = vec![0_u32; 68];
    for index in 0..WORLDS {
        let world = state.resample(Seat(0), &mut searching(7, index));
        let of = |clan| ProvinceId::all().filter(move |&place| world.provinces[place].owner == Some(clan));
        assert_eq!((of(ClanId(2)).count(), of(ClanId(3)).count()), (3, 31));
        of(ClanId(2)).for_each(|place| named[usize::from(place.0)] += 1);
    }
    let foreign = ProvinceId::all().filter(|&place| state.provinces[place].owner > Some(ClanId(1)));
    equally_likely(&foreign.map(|place| named[usize::from(place.0)]).collect::<Vec<_>>());
}

#[test]
fn plans_are_those_of_uniform_play() {
    // Koku for swords are uniform; what is then left can be built with or not (SW-PLAN-01).
    let state = first(3, |state| state.point == Point::Plan(PlanBox::Levy) && state.decider == ClanId(1));
    let koku = state.clans[ClanId(1)].koku;
    let found = count(&state, Seat(0), |world| {
        let plan = world.clans[ClanId(1)].plan;
        assert_eq!((plan.levy, plan.ronin, plan.ninja), (0, 0, 0));
        plan.swords
    });
    assert_eq!(found.len(), usize::from(koku) + 1);
    equally_likely(&found.into_values().collect::<Vec<_>>());
    let built = count(&state, Seat(0), |world| {
        let plan = world.clans[ClanId(1)].plan;
        (plan.swords == 0).then_some(plan.build > 0)
    });
    equally_likely(&[built[&Some(false)], built[&Some(true)]]);
    // Seat 2 has planned nothing yet, and its own plan is what a seat knows.
    let world = state.resample(Seat(1), &mut searching(1, 1));
    assert_eq!(world.clans[ClanId(1)].plan, state.clans[ClanId(1)].plan);
    assert_eq!(world.clans[ClanId(2)].plan.total(), 0);
}

#[test]
fn cards_lie_anywhere_they_can() {
    // SW-RONIN-09: the sizes are those that everybody sees, the places are uniform
    let has_one = |state: &State, clan| state.cards(clan).count() == 1;
    let state = first(4, |state| {
        state.point == Point::ChooseArmy
            && state.active == ClanId(0)
            && (1..4).map(ClanId).any(|clan| has_one(state, clan))
    });
    let clan = (1..4).map(ClanId).find(|&clan| has_one(&state, clan)).unwrap();
    let size = state.cards(clan).next().unwrap();
    let found = count(&state, Seat(0), |world| {
        assert_eq!(world.cards(clan).collect::<Vec<_>>(), [size]);
        ProvinceId::all()
            .find(|&place| world.provinces[place].owner == Some(clan) && world.provinces[place].hidden > 0)
    });
    let room = |place: &ProvinceId| {
        let forces = state.forces_at(*place);
        let revealed = forces.provincial.units.total() - forces.provincial.units.regulars()
            + forces.army.units.total()
            - forces.army.units.regulars();
        state.provinces[*place].owner == Some(clan) && forces.ronin_limit() - revealed >= size
    };
    assert_eq!(found.len(), ProvinceId::all().filter(room).count());
    equally_likely(&found.into_values().collect::<Vec<_>>());
}

#[test]
fn wishes_are_uniform() {
    // SW-R-18: the first of two tied clans has wished
    let state = first(5, |state| {
        let bid = |clan: ClanId| state.clans[clan].plan.swords;
        state.point == Point::Swords && state.clans[ClanId(0)].wish > 0 && bid(ClanId(0)) > 0
    });
    let found = count(&state, Seat(4), |world| world.clans[ClanId(0)].wish);
    assert!(found.len() > 1 && !found.contains_key(&0));
    equally_likely(&found.into_values().collect::<Vec<_>>());
}
