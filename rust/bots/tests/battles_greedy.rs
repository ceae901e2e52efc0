//! The heuristic player of `battles`: it answers everywhere, looks at nothing it may not see, and wins.

mod kit;

use kit::{answers_everywhere, named, play, wins};
use sengoku_battles::State;
use serde_json::{Value, json};

/// Both sides of every battle in turn, `count` matches each: what `greedy` won, and of how many.
fn wins_everywhere(count: u64) -> (u64, u64) {
    let won = (1..=40).map(|number| wins::<State>(2, count, &json!({ "scenario": number }))).sum();
    (won, 40 * 2 * count)
}

#[test]
fn wins_on_both_sides_of_every_battle() {
    let (won, of) = wins_everywhere(2);
    assert!(won * 100 >= 95 * of, "{won} of {of}");
}

/// The same with more matches, and no battle in which it does badly.
#[test]
#[ignore = "plays 4,000 matches; run by make test-system"]
fn wins_each_battle() {
    for number in 1..=40 {
        let won = wins::<State>(2, 50, &json!({ "scenario": number }));
        assert!(won >= 90, "{won} of 100 in battle {number}");
    }
}

#[test]
fn greedy_players_bring_their_battles_to_an_end() {
    for number in 1..=40 {
        let setup = json!({ "scenario": number, "max_rounds": 150 });
        let outcome = play::<State>(&setup, &mut vec![named::<State>("greedy"); 2], number);
        assert!(outcome.by_rule, "battle {number}");
    }
}

#[test]
fn answers_from_the_list_and_from_what_the_seat_sees() {
    let campaigns = [18, 39].map(|number| json!({ "campaign": number, "max_rounds": 100 }));
    let battles = (1..=40).map(|number| json!({ "scenario": number, "max_rounds": 60 }));
    let setups: Vec<Value> = campaigns.into_iter().chain(battles).collect();
    for (number, setup) in setups.iter().enumerate() {
        let driver = if number % 3 == 0 { "random" } else { "greedy" };
        answers_everywhere::<State>(2, setup, number as u64, driver);
    }
}
