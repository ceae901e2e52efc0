use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::test_game::{Move, Race};
use crate::{AnyMatch, DiceError};

fn key(setup: Value) -> MatchKey {
    MatchKey { seats: 3, setup, seed: 7, match_index: 2 }
}

fn same(one: &Match<Race>, other: &Match<Race>) {
    assert_eq!((one.key(), one.state(), one.history()), (other.key(), other.state(), other.history()));
    assert_eq!((one.events(), one.dice_left()), (other.events(), other.dice_left()));
}

#[test]
fn a_refused_action_changes_nothing() {
    let mut playing = Match::<Race>::create(key(json!({})), None).unwrap();
    let before = playing.clone();
    assert_eq!(playing.play(Move::Pass), Err(RuleError::IllegalAction { index: 2 }.into()));
    assert_eq!(playing.play_index(99), Err(RuleError::IllegalAction { index: 99 }.into()));
    let turn = RuleError::NotYourTurn { asked: Seat(1), to_act: Seat(0) };
    assert_eq!(playing.play_as(Seat(1), 0), Err(turn.into()));
    same(&playing, &before);
    playing.play_as(Seat(0), 0).unwrap();
    assert_eq!(playing.history(), [0]);
}

#[test]
fn setups_are_refused_with_field_and_reason() {
    let refused = |key| match Match::<Race>::create(key, None) {
        Err(CreateError::Setup(error)) => error.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(MatchKey { seats: 9, ..key(json!({})) }), "seats: 9 is not possible, race has 2 to 4");
    assert!(refused(key(json!({"goal": "far"}))).starts_with("goal: "));
    assert!(refused(key(json!({"gaol": 3}))).contains("gaol"));
    assert_eq!(refused(key(json!([1]))), ": [1] is not a table of options");
}

#[test]
fn scripted_dice_are_used_in_order_and_cards_stay_as_they_were() {
    let free = Match::<Race>::create(key(json!({})), None).unwrap();
    let mut playing = Match::<Race>::create(key(json!({})), Some(vec![6, 1])).unwrap();
    assert_eq!(playing.state().secrets, free.state().secrets);
    assert_eq!(playing.dice_left(), Some(2));
    playing.play(Move::Roll).unwrap();
    playing.play(Move::Roll).unwrap();
    assert_eq!(playing.state().places[..2], [6, 1]);
    let before = playing.clone();
    let missing = DiceError::TooFew { given: 2, needed: 3 };
    assert_eq!(playing.play(Move::Roll), Err(missing.into()));
    same(&playing, &before);
    playing.play(Move::Step).unwrap();
    assert_eq!(playing.dice_left(), Some(0));
}

#[test]
fn a_face_that_no_die_shows_is_refused() {
    let mut playing = Match::<Race>::create(key(json!({})), Some(vec![7])).unwrap();
    let wrong = DiceError::NoSuchFace { place: 0, value: 7, sides: 6 };
    assert_eq!(playing.play(Move::Roll), Err(wrong.into()));
    assert_eq!((playing.history().len(), playing.dice_left()), (0, Some(1)));
}

#[test]
fn a_finished_match_refuses_everything() {
    let mut playing = Match::<Race>::create(key(json!({"goal": 1})), None).unwrap();
    playing.play(Move::Step).unwrap();
    assert!(playing.over() && playing.outcome().is_some());
    for index in [0, 99] {
        assert_eq!(playing.play_index(index), Err(RuleError::MatchOver.into()));
        assert_eq!(playing.play_as(Seat(0), index), Err(RuleError::MatchOver.into()));
    }
}

#[test]
fn a_world_is_a_match_of_its_own() {
    let mut playing = Match::<Race>::create(key(json!({"goal": 30})), Some(vec![3; 9])).unwrap();
    for action in [Move::Step, Move::Roll, Move::Step, Move::Roll] {
        playing.play(action).unwrap();
    }
    let seat = Seat(1);
    let world = playing.resample(seat, 5).unwrap();
    assert_eq!(world.state().seen_by(seat), playing.state().seen_by(seat));
    assert_ne!(world.state().secrets, playing.state().secrets);
    assert_eq!((world.history(), world.events().len(), world.dice_left()), (&[][..], 0, None));
    assert_eq!((world.key().seats, world.key().match_index), (3, 0));
    assert!(![5, playing.key().seed].contains(&world.key().seed));
    assert_eq!(world.key().setup["goal"], json!(30));
    same(&world, &playing.resample(seat, 5).unwrap());
    same(&world, &world.resample(seat, 5).unwrap()); // only what the seat may know goes in
    same(&world, &Match::load(&world.save()).unwrap());
    same(&world, &Match::from_replay(&world.replay()).unwrap());
    assert_ne!(world.state(), playing.resample(seat, 6).unwrap().state());
    let any: &dyn AnyMatch = &playing;
    assert_eq!(any.resample(seat, 5).unwrap().digest(), world.digest());
}

#[test]
fn the_mask_is_the_list() {
    let playing = Match::<Race>::create(key(json!({})), None).unwrap();
    let mut mask = [true; 3];
    playing.legal_mask(&mut mask);
    assert_eq!(mask, [true, true, false]);
    assert_eq!(playing.legal_indices(), [0, 1]);
}

proptest! {
    #[test]
    fn saved_and_replayed_matches_are_the_same(
        seed: u64,
        match_index: u64,
        seats in 2_usize..=4,
        scripted: bool,
        choices in prop::collection::vec(0_usize..2, 0..40),
    ) {
        let key = MatchKey { seats, setup: json!({"goal": 15}), seed, match_index };
        let dice = scripted.then(|| (0..50).map(|place| place % 6 + 1).collect());
        let mut playing = Match::<Race>::create(key, dice).unwrap();
        for choice in choices {
            let legal = playing.legal_actions();
            if let Some(&action) = legal.get(choice) {
                playing.play(action).unwrap();
            }
        }
        same(&Match::load(&playing.save()).unwrap(), &playing);
        same(&Match::from_replay(&playing.replay()).unwrap(), &playing);
        let mut copy = playing.clone();
        if let Some(&action) = copy.legal_actions().first() {
            copy.play(action).unwrap();
            prop_assert_ne!(copy.digest(), playing.digest());
        }
    }
}
