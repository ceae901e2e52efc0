//! The heuristic player of `tower`: it answers everywhere, looks at nothing it may not see, and wins.

mod kit;

use kit::{answers_everywhere, named, play, wins};
use sengoku_tower::State;
use serde_json::{Value, json};

/// Both sides and modes, without and with the expansion.
fn setups() -> [Value; 6] {
    let kinds = [("sun", "fixed"), ("sun", "draft"), ("moon", "draft")];
    std::array::from_fn(|number| {
        let (side, mode) = kinds[number / 2];
        json!({ "side": side, "mode": mode, "court": number % 2 == 1 })
    })
}

#[test]
fn wins_against_three_random_players() {
    for setup in setups() {
        let won = wins::<State>(4, 10, &setup);
        assert!(won >= 36, "{won} of 40 with {setup}");
    }
}

#[test]
fn wins_with_any_number_of_players() {
    for setup in setups() {
        for seats in [3, 5] {
            let won = wins::<State>(seats, 4, &setup);
            assert!(won * 10 >= 8 * 4 * seats as u64, "{won} of {} with {seats} seats", 4 * seats);
        }
    }
}

/// Every number of players, side and mode, with and without the expansion.
#[test]
#[ignore = "plays 8,640 matches; run by make test-system"]
fn wins_nine_of_ten() {
    for seats in 3..=5 {
        for setup in setups() {
            let (count, all) = (480 / seats as u64, 480);
            let won = wins::<State>(seats, count, &setup);
            assert!(won * 10 >= 9 * all, "{won} of {all} with {seats} seats, {setup}");
        }
    }
}

#[test]
fn greedy_players_bring_their_matches_to_an_end() {
    for setup in setups() {
        for seats in 3..=5 {
            for number in 0..3 {
                let outcome = play::<State>(&setup, &mut vec![named::<State>("greedy"); seats], number);
                assert!(outcome.by_rule, "match {number} with {seats} seats");
            }
        }
    }
}

#[test]
fn answers_from_the_list_and_from_what_the_seat_sees() {
    for (number, mut setup) in setups().into_iter().enumerate() {
        setup["reveal"] = json!(if number < 3 { "sequential" } else { "per_action" });
        setup["allow_zero_move"] = json!(number % 2 == 0);
        setup["favour_deck"] = json!(if number < 4 { "open_top" } else { "hidden" });
        setup["bump_probability"] = json!(if number > 1 { 0.1 } else { 0.0 });
        for seats in 3..=5 {
            let driver = if number % 3 == 0 { "greedy" } else { "random" };
            answers_everywhere::<State>(seats, &setup, number as u64, driver);
        }
    }
}
