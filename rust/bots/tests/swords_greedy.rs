//! The heuristic player of `swords`: it answers everywhere, looks at nothing it may not see, and wins.

mod kit;

use kit::{answers_everywhere, named, play, wins};
use sengoku_swords::State;
use serde_json::json;

#[test]
fn wins_against_three_random_players() {
    let won = wins::<State>(4, 50, &json!({}));
    assert!(won >= 190, "{won} of 200");
}

#[test]
fn wins_with_any_number_of_players() {
    for seats in [2, 3, 5] {
        let won = wins::<State>(seats, 10, &json!({}));
        assert!(won >= 9 * seats as u64, "{won} of {} with {seats} seats", 10 * seats);
    }
    let won = wins::<State>(4, 5, &json!({ "long_game": true }));
    assert!(won >= 18, "{won} of 20 in the long game");
}

#[test]
fn greedy_players_bring_their_matches_to_an_end() {
    for seats in 2..=5 {
        for number in 0..10 {
            let outcome = play::<State>(&json!({}), &mut vec![named::<State>("greedy"); seats], number);
            assert!(outcome.by_rule, "match {number} with {seats} seats");
        }
    }
}

#[test]
fn answers_from_the_list_and_from_what_the_seat_sees() {
    for seats in 2..=5 {
        for match_index in 0..6 {
            let setup = json!({ "max_rounds": 12, "long_game": seats > 2 && match_index % 2 == 1 });
            let driver = if match_index < 3 { "greedy" } else { "random" };
            answers_everywhere::<State>(seats, &setup, match_index, driver);
        }
    }
}
